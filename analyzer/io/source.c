/* SPDX-License-Identifier: MIT */
/* A file or pipe to read from, whose first bytes tell which reader it needs. */
#include "analyzer/io/source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/io/outfile.h"

static void read_head(struct ra_pipe *head, const char *path)
{
	struct stat status;
	ssize_t count = 0;
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
		count = read(fd, head->head, sizeof(head->head));
	}
	if (fd >= 0) {
		close(fd);
	}
	head->count = count > 0 ? (size_t) count : 0;
}

int ra_source_open(struct ra_source *source, const char *path, struct rlog_error *err)
{
	source->path = path;
	ra_outfile_protect(path);
	source->pipe.fd = -1;
	source->is_pipe = ra_pipe_is(path);
	if (source->is_pipe) {
		return ra_pipe_open(&source->pipe, path, err);
	}
	read_head(&source->pipe, path);
	return 0;
}
