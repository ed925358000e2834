/* SPDX-License-Identifier: MIT */
/* A pipe as input. It is opened once; its first bytes tell the kind of its contents. */
#ifndef RA_PIPE_H
#define RA_PIPE_H

#include <stdbool.h>
#include <stddef.h>

#include "format/error.h"

/* The contents of gzip data begin after a header of any length. All headers seen so far fit in this
 * many bytes. */
#define RA_PIPE_HEAD_BYTES 65536

struct ra_pipe {
	int fd;
	char head[RA_PIPE_HEAD_BYTES];
	size_t count; /* bytes in head; fewer than its size if the pipe has ended */
};

/* True if the path names a pipe, as /dev/stdin and <(COMMAND) do. */
bool ra_pipe_is(const char *path);

/* Reads the head from pipe->fd. Return: 0, -RLOG_E_SYSTEM. */
int ra_pipe_read_head(struct ra_pipe *pipe, struct rlog_error *err);

/* Opens the pipe and reads its head. Return: 0, then the caller closes fd; -RLOG_E_SYSTEM. */
int ra_pipe_open(struct ra_pipe *pipe, const char *path, struct rlog_error *err);

#endif
