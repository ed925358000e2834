/* SPDX-License-Identifier: MIT */
/* The list of inputs. */
#include "analyzer/load/inputs.h"

#include "analyzer/read-json/kineto-load.h"
#include "analyzer/read-log/log-load.h"

/* The first whose probe says yes. */
static const struct ra_input *const inputs[] = {
	&ra_kineto_load_input,
	&ra_log_load_input,
};

const struct ra_input *ra_inputs_find(const struct ra_source *source)
{
	size_t i = 0;

	while (!inputs[i]->probe(source->pipe.head, source->pipe.count)) {
		i++;
	}
	return inputs[i];
}
