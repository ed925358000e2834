/* SPDX-License-Identifier: MIT */
/* Reads a profile of XLA: file → rows → model. */
#include "analyzer/read-xplane/xplane-load.h"

#include "analyzer/io/peek.h"
#include "analyzer/read-json/kineto-load.h"
#include "analyzer/read-xplane/xplane-read.h"

#define PROBED_BYTES 512 /* the name of a plane is within the first 20 bytes or so */

static int read_source(struct ra_model **out, struct ra_source *source,
                       const struct ra_input_options *options, struct rlog_error *err)
{
	return ra_kineto_load_whole(out, source, ra_xplane_read, ra_xplane_load_input.has, options,
	                            err);
}

static int read_log(struct rlog_reader **out, struct ra_source *source, struct rlog_error *err)
{
	(void) out;
	return ra_kineto_load_refuse(source, "a profile of XLA", err);
}

static bool probe(const void *head, size_t count)
{
	char bytes[PROBED_BYTES];

	return ra_xplane_read_probe(bytes, ra_peek_read(head, count, bytes, sizeof(bytes)));
}

static const char *const suffixes[] = { ".xplane.pb.gz", ".xplane.pb", NULL };

const struct ra_input ra_xplane_load_input = {
	.name = "a profile of XLA",
	.suffixes = suffixes,
	.has = RA_HAS_ROWS,
	.probe = probe,
	.read = read_source,
	.read_log = read_log,
	.find_causes = ra_kineto_load_find_causes,
	.finish = ra_kineto_load_finish,
};
