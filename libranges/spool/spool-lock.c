/* SPDX-License-Identifier: MIT */
/* Locks a spool's file. The lock tells living programs from dead ones, and keeps recoveries
 * apart. */
#include "libranges/spool/spool-lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * The lock's file gets a descriptor from here on. It is above the descriptors that programs often
 * close and reuse. It is below 64, because a process begins with a table of 64 files. If threads
 * share the table, the kernel enlarges it only after a grace period, which took 7 to 11 ms of the
 * first call.
 */
#define HIGH_FD 48

/* Returns a high descriptor for the file if possible, above those of stdio; -1 if there is none. */
static int move_high(int fd)
{
	int high = fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD);

	if (high < 0) {
		high = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	}
	return high;
}

bool rcap_spool_lock_own(struct rcap_spool *spool, int fd)
{
	struct stat st;
	int high;

	spool->lock_fd = 0;
	if (flock(fd, LOCK_SH | LOCK_NB) != 0) {
		return errno != EWOULDBLOCK;
	}
	if (fstat(fd, &st) != 0 || st.st_nlink == 0) {
		return false;
	}
	high = move_high(fd);
	spool->lock_fd = high < 0 ? 0 : high;
	return true;
}

void rcap_spool_lock_drop(struct rcap_spool *spool)
{
	const int fd = spool->lock_fd;
	struct stat st;

	spool->lock_fd = 0;
	/* The program may have closed the file, and the descriptor may be that of another file by
	 * now. */
	if (fd > 0 && fstat(fd, &st) == 0 && st.st_dev == spool->device &&
	    st.st_ino == spool->inode) {
		close(fd);
	}
}

enum rcap_spool_holder rcap_spool_lock_take(int fd)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	struct stat st;

	/* Recoveries first compete for another lock. The recovery that has it knows that only the
	 * program can have the flock. */
	if (fcntl(fd, F_OFD_SETLK, &whole) != 0 && (errno == EAGAIN || errno == EACCES)) {
		return RCAP_HOLDER_RECOVERY;
	}
	if (fstat(fd, &st) == 0 && st.st_nlink == 0) {
		return RCAP_HOLDER_GONE;
	}
	return flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK ? RCAP_HOLDER_OWNER
	                                                                 : RCAP_HOLDER_NONE;
}

void rcap_spool_lock_give(int fd)
{
	struct flock whole = { .l_type = F_UNLCK, .l_whence = SEEK_SET };

	(void) flock(fd, LOCK_UN);
	(void) fcntl(fd, F_OFD_SETLK, &whole);
}
