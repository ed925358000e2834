/* SPDX-License-Identifier: MIT */
/* Opens a log from a file or a pipe. */
#include "analyzer/read-log/log-input.h"

#include <unistd.h>

#include "analyzer/read-log/log-load.h"
#include "format/read/reader.h"

static int open_source(struct rlog_reader **out, struct ra_source *source, struct rlog_error *err)
{
	int rc;

	if (!source->is_pipe) {
		return rlog_reader_open(out, source->path, err);
	}
	rc = rlog_reader_open_pipe(out, source->pipe.fd, source->pipe.head, source->pipe.count,
	                           err);
	close(source->pipe.fd);
	return rc;
}

static int read_source(struct ra_model **out, struct ra_source *source,
                       const struct ra_input_options *options, struct rlog_error *err)
{
	struct rlog_reader *reader = NULL;
	const int rc = open_source(&reader, source, err);

	return rc != 0 ? rc : ra_log_load_reader(out, reader, options, err);
}

/* Accepts every file. This input is the last in the list, and gets unknown files to tell why they
 * are no logs. */
static bool probe(const void *head, size_t count)
{
	(void) head;
	(void) count;
	return true;
}

static const char *const suffixes[] = { ".bin", NULL };

const struct ra_input ra_log_input = {
	.name = "a log",
	.suffixes = suffixes,
	.has = RA_HAS_LOG,
	.probe = probe,
	.read = read_source,
	.read_log = open_source,
};
