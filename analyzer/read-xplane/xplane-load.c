/* SPDX-License-Identifier: MIT */
/* Reading a profile of XLA: file → rows → model. */
#include "analyzer/read-xplane/xplane-load.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/io/peek.h"
#include "analyzer/read-json/kineto-input.h"
#include "analyzer/read-json/kineto-load.h"
#include "analyzer/read-xplane/xplane-read.h"

#define BLOCK_BYTES  ((size_t) 1 << 16)
#define PROBED_BYTES 512 /* a plane's name stands within the first 20 or so */

struct whole {
	char *bytes; /* owned */
	size_t count;
	size_t capacity;
};

/* All of the input, unpacked: names stand behind what has them. Damaged gzip data end it. */
static void read_whole(struct whole *whole, struct ra_kineto_input *input,
                       const struct ra_input_options *options, struct rlog_error *stop)
{
	size_t got = 1;

	while (got > 0) {
		ra_util_grow(&whole->bytes, &whole->capacity, whole->count + BLOCK_BYTES, 1);
		if (ra_kineto_input_read(input, whole->bytes + whole->count, BLOCK_BYTES, &got,
		                         stop) != 0) {
			return;
		}
		whole->count += got;
		if (options != NULL && options->progress != NULL) {
			options->progress(options->progress_context, ra_kineto_input_done(input),
			                  ra_kineto_input_size(input));
		}
	}
}

static int read_source(struct ra_model **out, struct ra_source *source,
                       const struct ra_input_options *options, struct rlog_error *err)
{
	struct whole whole = { 0 };
	struct ra_kineto_input *input = NULL;
	struct rlog_error *stop;
	struct ra_kineto *kineto;
	int rc = ra_kineto_load_open(&input, source, err);

	if (rc != 0) {
		return rc;
	}
	stop = ra_alloc_zeros(1, sizeof(*stop));
	read_whole(&whole, input, options, stop);
	kineto = ra_xplane_read(whole.bytes, whole.count, stop);
	kineto->file_bytes = ra_kineto_input_done(input);
	kineto->json_bytes = whole.count;
	ra_kineto_input_close(input);
	free(whole.bytes);
	*out = ra_kineto_load_rows(kineto, stop, ra_xplane_load_input.has, options);
	return 0;
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
