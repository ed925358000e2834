/* SPDX-License-Identifier: MIT */
/* A file or pipe to read from, whose first bytes tell which reader it needs. */
#ifndef RA_SOURCE_H
#define RA_SOURCE_H

#include "analyzer/io/pipe.h"

struct ra_source {
	const char *path;    /* borrowed */
	bool is_pipe;        /* then pipe.fd is open, and who reads the source closes it */
	struct ra_pipe pipe; /* of a regular file its head alone; of others nothing */
};

/* Return: 0, also of a path where no file is: its reader says so; -RLOG_E_SYSTEM of a pipe. */
int ra_source_open(struct ra_source *source, const char *path, struct rlog_error *err);

#endif
