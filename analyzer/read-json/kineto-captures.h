/* SPDX-License-Identifier: MIT */
/* Reads the traces that contain the captures of another trace's CUDA graphs. */
#ifndef RA_KINETO_CAPTURES_H
#define RA_KINETO_CAPTURES_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/rows/kineto.h"

struct ra_kineto_captures {
	struct ra_kineto **traces; /* owned, with everything in them */
	size_t count;
	size_t capacity;
	uint64_t damaged;          /* traces that end early or are damaged */
	uint64_t unread;           /* files in the folder that could not be read */
	struct ra_util_text notes; /* faults of these, one line each, with the file's name */
};

/*
 * Reads a file, or all files in a folder whose suffix is one of JSON traces. Of a damaged trace the
 * intact part is used; of a folder all traces that can be read.
 *
 * Return: 0. If nothing can be read, as ra_load_file() for the first file; err's message names it.
 * Free the captures in either case.
 */
int ra_kineto_captures_read(struct ra_kineto_captures *captures, const char *path,
                            struct rlog_error *err);
void ra_kineto_captures_fini(struct ra_kineto_captures *captures);

#endif
