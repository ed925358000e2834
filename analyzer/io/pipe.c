/* SPDX-License-Identifier: MIT */
/* A pipe as input. It is opened once; its first bytes tell the kind of its contents. */
#include "analyzer/io/pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

bool ra_pipe_is(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISFIFO(status.st_mode);
}

int ra_pipe_read_head(struct ra_pipe *pipe, struct rlog_error *err)
{
	pipe->count = 0;
	while (pipe->count < sizeof(pipe->head)) {
		const ssize_t step =
			read(pipe->fd, pipe->head + pipe->count, sizeof(pipe->head) - pipe->count);

		if (step < 0 && errno != EINTR) {
			return rlog_error_set(err, RLOG_E_SYSTEM, pipe->count, "cannot read");
		}
		if (step == 0) {
			break;
		}
		pipe->count += step > 0 ? (size_t) step : 0;
	}
	return 0;
}

int ra_pipe_open(struct ra_pipe *pipe, const char *path, struct rlog_error *err)
{
	int rc;

	pipe->count = 0;
	pipe->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (pipe->fd < 0) {
		return rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "cannot open");
	}
	rc = ra_pipe_read_head(pipe, err);
	if (rc != 0) {
		close(pipe->fd);
	}
	return rc;
}
