/* SPDX-License-Identifier: MIT */
/* A file or pipe to read from, whose first bytes tell which reader it needs. A compressed source is
 * unpacked on the way and looks like a pipe. */
#ifndef RA_SOURCE_H
#define RA_SOURCE_H

#include "analyzer/io/pipe.h"
#include "analyzer/unpack/unpack.h"

struct ra_source {
	const char *path;    /* borrowed */
	bool is_pipe;        /* then pipe.fd is open, and the reader of the source closes it */
	struct ra_pipe pipe; /* of a regular file only its head is set; of other files nothing */
	struct ra_unpack *unpack; /* owned; NULL: the source is not compressed, or with gzip */
};

/* Return: 0, also if no file is at the path, which its reader reports; -RLOG_E_SYSTEM if a pipe
 * can't be read; -RLOG_E_NOT_A_LOG if compressed data can't be unpacked. */
int ra_source_open(struct ra_source *source, const char *path, struct rlog_error *err);

/*
 * Ends the unpacking, once the reader has closed the pipe. Call it always after ra_source_open()
 * returned 0.
 *
 * @err: what was wrong with compressed data, else not set.
 * Return: 0, or as ra_unpack_finish().
 */
int ra_source_finish(struct ra_source *source, struct rlog_error *err);

#endif
