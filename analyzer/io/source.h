/* SPDX-License-Identifier: MIT */
/* A file or pipe to read from, whose first bytes tell which reader it needs. A compressed source is
 * unpacked on the way and looks like a pipe. */
#ifndef RA_SOURCE_H
#define RA_SOURCE_H

#include "analyzer/io/pipe.h"
#include "analyzer/unpack/unpack.h"

struct ra_source {
	const char *path;    /* borrowed */
	bool is_pipe;        /* then pipe.fd is open, and the reader of the source must close it */
	struct ra_pipe pipe; /* for a pipe, all members are set; for a regular file, only `head`;
	                        for other files, none */
	struct ra_unpack *unpack; /* owned; NULL: the source is not compressed, or by gzip, which
	                             its reader unpacks */
};

/* Return: 0, even if no file is at the path, because the reader of the source reports that;
 * -RLOG_E_SYSTEM if a pipe can't be read; -RLOG_E_NOT_A_LOG if compressed data can't be
 * unpacked. */
int ra_source_open(struct ra_source *source, const char *path, struct rlog_error *err);

/*
 * Ends the unpacking after the reader of the source has closed the pipe. Call it always after
 * ra_source_open() returned 0.
 *
 * @err: tells what was wrong with the compressed data; not set if nothing was.
 * Return: 0, or as ra_unpack_finish().
 */
int ra_source_finish(struct ra_source *source, struct rlog_error *err);

#endif
