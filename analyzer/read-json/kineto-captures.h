/* SPDX-License-Identifier: MIT */
/* Reads the traces that contain the captures of another trace's CUDA graphs. */
#ifndef RA_KINETO_CAPTURES_H
#define RA_KINETO_CAPTURES_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/rows/kineto.h"

struct ra_kineto_captures {
	struct ra_kineto **traces; /* owned, with all that they own */
	size_t count;
	size_t capacity;
	uint64_t damaged;          /* number of traces that end early or are damaged */
	uint64_t unread;           /* files in the folder that could not be read */
	struct ra_util_text notes; /* one line about each of these, with the file's name */
};

/*
 * Reads a file, or all files of a folder that have a suffix of JSON traces. Of a damaged trace, the
 * intact part is used. Files of a folder that can't be read are skipped.
 *
 * Return: 0. If no file can be read, the code of ra_load_file() for the first file; the message in
 * err names it. The caller frees the captures in either case.
 */
int ra_kineto_captures_read(struct ra_kineto_captures *captures, const char *path,
                            struct rlog_error *err);
void ra_kineto_captures_fini(struct ra_kineto_captures *captures);

#endif
