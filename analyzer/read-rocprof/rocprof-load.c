/* SPDX-License-Identifier: MIT */
/* Reads a profile of rocprofv3 in JSON: file → rows → model. */
#include "analyzer/read-rocprof/rocprof-load.h"

#include "analyzer/base/alloc.h"
#include "analyzer/io/peek.h"
#include "analyzer/read-json/kineto-load.h"
#include "analyzer/read-rocprof/rocprof-read.h"

#define PROBED_BYTES 256

static int read_source(struct ra_model **out, struct ra_source *source,
                       const struct ra_input_options *options, struct rlog_error *err)
{
	struct ra_kineto_input *input = NULL;
	struct rlog_error *stop;
	struct ra_kineto *kineto;
	const int rc = ra_kineto_load_open(&input, source, err);

	if (rc != 0) {
		return rc;
	}
	stop = ra_alloc_zeros(1, sizeof(*stop));
	kineto = ra_rocprof_read(input, options, stop);
	ra_kineto_input_close(input);
	*out = ra_kineto_load_rows(kineto, stop, ra_rocprof_load_input.has, options);
	return 0;
}

static int read_log(struct rlog_reader **out, struct ra_source *source, struct rlog_error *err)
{
	(void) out;
	return ra_kineto_load_refuse(source, "a profile of rocprofv3", err);
}

static bool probe(const void *head, size_t count)
{
	char bytes[PROBED_BYTES];

	return ra_rocprof_read_probe(bytes, ra_peek_read(head, count, bytes, sizeof(bytes)));
}

/* The input for traces in JSON has the suffix of these files already. */
static const char *const suffixes[] = { NULL };

const struct ra_input ra_rocprof_load_input = {
	.name = "a profile of rocprofv3",
	.suffixes = suffixes,
	.has = RA_HAS_ROWS,
	.probe = probe,
	.read = read_source,
	.read_log = read_log,
	.find_causes = ra_kineto_load_find_causes,
	.finish = ra_kineto_load_finish,
};
