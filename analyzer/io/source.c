/* SPDX-License-Identifier: MIT */
/* A file or pipe to read from, whose first bytes tell which reader it needs. */
#include "analyzer/io/source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/base/side/pool.h"
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

/* Lets a thread unpack the source; the unpacked bytes come from a pipe. */
static int unpack(struct ra_source *source, const struct ra_unpack_kind *kind,
                  struct rlog_error *err)
{
	struct ra_pipe *pipe = &source->pipe;
	struct ra_unpack_source packed = { pipe->fd, pipe->head, pipe->count };
	int rc;

	if (!source->is_pipe) {
		packed.count = 0; /* the thread reads the file from its beginning */
		packed.fd = open(source->path, O_RDONLY | O_CLOEXEC);
	}
	if (packed.fd < 0) {
		return rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "cannot open");
	}
	rc = ra_unpack_start(&source->unpack, kind, &packed, &pipe->fd, err);
	if (rc != 0) {
		return rc;
	}
	source->is_pipe = true;
	rc = ra_pipe_read_head(pipe, err);
	if (rc != 0) {
		close(pipe->fd);
		(void) ra_source_finish(source, NULL);
	}
	return rc;
}

int ra_source_open(struct ra_source *source, const char *path, struct rlog_error *err)
{
	const struct ra_unpack_kind *kind;

	source->path = path;
	source->unpack = NULL;
	if (!ra_pool_is_task()) { /* a task needs no call: the owner of the work has protected the
		                     file */
		ra_outfile_protect(path);
	}
	source->pipe.fd = -1;
	source->is_pipe = ra_pipe_is(path);
	if (source->is_pipe) {
		const int rc = ra_pipe_open(&source->pipe, path, err);

		if (rc != 0) {
			return rc;
		}
	} else {
		read_head(&source->pipe, path);
	}
	kind = ra_unpack_find(source->pipe.head, source->pipe.count);
	return kind != NULL ? unpack(source, kind, err) : 0;
}

int ra_source_finish(struct ra_source *source, struct rlog_error *err)
{
	const int rc = source->unpack != NULL ? ra_unpack_finish(source->unpack, err) : 0;

	source->unpack = NULL;
	return rc;
}
