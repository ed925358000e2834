/* SPDX-License-Identifier: MIT */
/* The traces that hold the captures of another trace's CUDA graphs. */
#ifndef RA_KINETO_CAPTURES_H
#define RA_KINETO_CAPTURES_H

#include "analyzer/rows/kineto.h"

struct ra_kineto_captures {
	struct ra_kineto **traces; /* owned, with all in it */
	size_t count;
	size_t capacity;
};

/*
 * Reads a file, or of a folder all traces whose names end as those of traces in JSON do.
 *
 * Return: 0, or as ra_load_file() of the first that can't be read; a message of err names it. To be
 * freed either way.
 */
int ra_kineto_captures_read(struct ra_kineto_captures *captures, const char *path,
                            struct rlog_error *err);
void ra_kineto_captures_fini(struct ra_kineto_captures *captures);

#endif
