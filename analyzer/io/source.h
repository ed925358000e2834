/* SPDX-License-Identifier: MIT */
/* A file or pipe to read from, whose first bytes tell which reader it needs. What is compressed is
 * unpacked on the way and looks like a pipe. */
#ifndef RA_SOURCE_H
#define RA_SOURCE_H

#include "analyzer/io/pipe.h"
#include "analyzer/unpack/unpack.h"

struct ra_source {
	const char *path;         /* borrowed */
	bool is_pipe;             /* then pipe.fd is open, and who reads the source closes it */
	struct ra_pipe pipe;      /* of a regular file its head alone; of others nothing */
	struct ra_unpack *unpack; /* owned; NULL: it is not compressed, or with gzip */
};

/* Return: 0, also of a path where no file is: its reader says so; -RLOG_E_SYSTEM of a pipe;
 * -RLOG_E_NOT_A_LOG of what is compressed and can't be unpacked. */
int ra_source_open(struct ra_source *source, const char *path, struct rlog_error *err);

/*
 * Ends what goes on beside the reader, once it has closed the pipe. Always to be called after
 * ra_source_open() returned 0.
 *
 * @err: what was wrong with compressed data, else not set.
 * Return: 0, or as ra_unpack_finish().
 */
int ra_source_finish(struct ra_source *source, struct rlog_error *err);

#endif
