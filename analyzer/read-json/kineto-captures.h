/* SPDX-License-Identifier: MIT */
/* The traces that hold the captures of another trace's CUDA graphs. */
#ifndef RA_KINETO_CAPTURES_H
#define RA_KINETO_CAPTURES_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/rows/kineto.h"

struct ra_kineto_captures {
	struct ra_kineto **traces; /* owned, with all in it */
	size_t count;
	size_t capacity;
	uint64_t damaged;          /* of the traces: end early or are damaged */
	uint64_t unread;           /* files of the folder that could not be read */
	struct ra_util_text notes; /* what is wrong with these, a line each that names the file */
};

/*
 * Reads a file, or of a folder all traces whose names end as those of traces in JSON do. What
 * is whole in a damaged one is taken, and of a folder what can be read.
 *
 * Return: 0, or as ra_load_file() if nothing can be read, of the first; a message of err names it.
 * To be freed either way.
 */
int ra_kineto_captures_read(struct ra_kineto_captures *captures, const char *path,
                            struct rlog_error *err);
void ra_kineto_captures_fini(struct ra_kineto_captures *captures);

#endif
