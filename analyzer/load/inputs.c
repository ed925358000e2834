/* SPDX-License-Identifier: MIT */
/* Lists the inputs: the kinds of files that can be read. */
#include "analyzer/load/inputs.h"

#include <string.h>

#include "analyzer/read-json/kineto-load.h"
#include "analyzer/read-log/log-input.h"
#include "analyzer/read-nsys/nsys-load.h"
#include "analyzer/read-perfetto/perfetto-load.h"
#include "analyzer/read-rocprof/rocprof-load.h"
#include "analyzer/read-xplane/xplane-load.h"

/* All inputs. A source is read by the first input whose probe says yes. If none does, it is read by
 * the last one, which reports why the file is not a log. */
static const struct ra_input *const inputs[] = {
	/* XLA first, because its planes have names but the same field numbers as Perfetto's
	 * packets. JSON comes last, since it takes any gzip file and any text that begins with a
	 * bracket. */
	&ra_xplane_load_input, &ra_perfetto_load_input, &ra_rocprof_load_input,
	&ra_kineto_load_input, &ra_nsys_load_input,     &ra_log_input,
};

#define COUNT (sizeof(inputs) / sizeof(inputs[0]))

const struct ra_input *ra_inputs_find(const struct ra_source *source)
{
	for (size_t i = 0; i < COUNT; i++) {
		if (inputs[i]->probe(source->pipe.head, source->pipe.count)) {
			return inputs[i];
		}
	}
	return inputs[COUNT - 1];
}

size_t ra_inputs_suffix(const char *name)
{
	const size_t packed = ra_unpack_suffix(name, strlen(name));
	const size_t length = strlen(name) - packed;

	for (size_t i = 0; i < COUNT; i++) {
		for (const char *const *suffix = inputs[i]->suffixes; *suffix != NULL; suffix++) {
			const size_t end = strlen(*suffix);

			if (length > end && memcmp(name + length - end, *suffix, end) == 0) {
				return end + packed;
			}
		}
	}
	return 0;
}
