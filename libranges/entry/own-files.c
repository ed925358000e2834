/* SPDX-License-Identifier: MIT */
/* Gives the drain a file table of its own. */
#include "libranges/entry/own-files.h"

#include <errno.h>
#include <linux/close_range.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libranges/base/log.h"
#include "libranges/process/process.h"

/*
 * Gives the drain an almost empty file table of its own. So our bytes never get into the program's
 * files, whatever the program does with its descriptors. And files that the program has closed do
 * not stay open because of us.
 */
void rcap_own_files_leave(void)
{
	const unsigned lock = (unsigned) rcap_process.spool.lock_fd;

	/* The drain also gets a root directory of its own, so that the log's path stays valid if
	 * the program calls chroot(). */
	(void) unshare(CLONE_FS);
	if (unshare(CLONE_FILES) != 0) {
		return; /* without an own table, the lock stays in the program's table */
	}
	if (lock > 3) {
		syscall(SYS_close_range, 3u, lock - 1, 0u);
	}
	syscall(SYS_close_range, lock < 3 ? 3u : lock + 1, ~0u, 0u);
	if (lock > 0) {
		rcap_process.spool.drain_fd = (int) lock;
		atomic_store_explicit(&rcap_process.spool.header->locking, RCAP_LOCKING_DRAIN,
		                      memory_order_relaxed);
	}
}

/*
 * Keeps 0, 1 and 2 open as long as the program has them open, because the process may end on this
 * thread, and stdio is then flushed here. If the program has closed or replaced one of them, closes
 * it here, too. Otherwise the reader of a pipe would wait for the process' end.
 */
void rcap_own_files_follow(void)
{
	for (int fd = 0; fd < 3; fd++) {
		char path[64];
		struct stat ours;
		struct stat theirs;

		if (fstat(fd, &ours) != 0) {
			continue;
		}
		rcap_log_format(path, sizeof(path), "/proc/%d/fd/%d", getpid(), fd);
		if (stat(path, &theirs) != 0
		            ? errno == ENOENT
		            : ours.st_dev != theirs.st_dev || ours.st_ino != theirs.st_ino) {
			close(fd);
		}
	}
}
