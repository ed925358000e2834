/* SPDX-License-Identifier: MIT */
/* A pipe as input: it is opened once, and its first bytes tell what comes. */
#ifndef RA_PIPE_H
#define RA_PIPE_H

#include <stdbool.h>
#include <stddef.h>

#include "format/error.h"

/* What is in gzip has a header of any length before it: with these, all that were ever seen. */
#define RA_PIPE_HEAD_BYTES 65536

struct ra_pipe {
	int fd;
	char head[RA_PIPE_HEAD_BYTES];
	size_t count; /* of bytes in head; fewer than it holds: the pipe has ended */
};

/* True if the path names a pipe, as /dev/stdin and <(COMMAND) do. */
bool ra_pipe_is(const char *path);

/* Reads the head from pipe->fd. Return: 0, -RLOG_E_SYSTEM. */
int ra_pipe_read_head(struct ra_pipe *pipe, struct rlog_error *err);

/* Opens it and reads its head. Return: 0, then close fd; -RLOG_E_SYSTEM. */
int ra_pipe_open(struct ra_pipe *pipe, const char *path, struct rlog_error *err);

#endif
