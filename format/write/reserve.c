/* SPDX-License-Identifier: MIT */
/* Reserves disk space after a file's end in the file system, within the process' limit on file
 * sizes. */
#include "format/write/reserve.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>

/* More space than needed is reserved at a time, by this much, so that not every chunk costs a
 * system call. */
#define AHEAD_BYTES (256u << 10)
/* The reserve is at most the largest allowed file size divided by this. */
#define LIMIT_SHARE 4u

/* Returns the largest file size that is allowed for this process. */
static uint64_t file_limit(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY
	               ? UINT64_MAX
	               : limit.rlim_cur;
}

uint64_t rlog_reserve_choose(uint64_t wanted)
{
	const uint64_t most = file_limit() / LIMIT_SHARE;

	return wanted < most ? wanted : most;
}

static int allocate(int fd, uint64_t from, uint64_t end)
{
	int status;

	do {
		status = fallocate(fd, FALLOC_FL_KEEP_SIZE, (off_t) from, (off_t) (end - from));
	} while (status != 0 && errno == EINTR);
	return status;
}

int rlog_reserve_secure(struct rlog_reserve *reserve, int fd, uint64_t end, uint64_t more)
{
	const uint64_t wanted = end + reserve->bytes + more;
	const uint64_t from = reserve->allocated;
	uint64_t to = wanted + AHEAD_BYTES;

	if (wanted > file_limit()) {
		errno = EFBIG;
		return -1;
	}
	if (wanted <= from) {
		return 0;
	}
	if (allocate(fd, from, to) != 0) {
		to = wanted;
		if (errno != ENOSPC && errno != EDQUOT && errno != EFBIG) {
			to = UINT64_MAX;
		} else if (allocate(fd, from, to) != 0) {
			return -1;
		}
	}
	reserve->allocated = to;
	return 0;
}
