/* SPDX-License-Identifier: MIT */
/* Locks a spool's file. The lock tells living programs from dead ones, and keeps recoveries
 * apart. */
#ifndef RCAP_SPOOL_LOCK_H
#define RCAP_SPOOL_LOCK_H

#include <stdbool.h>

#include "libranges/spool/spool.h"

/*
 * The program has flock(LOCK_SH) on its spool as long as it lives. A recovery takes LOCK_EX. A pid
 * would not be enough: it has no meaning in another pid namespace, and it is reused.
 *
 * A lock belongs to the open file. A fork child that inherits the descriptor would have the lock,
 * too. So the drain keeps the file in a file table of its own, which no fork copies and exec
 * removes. If the drain has no such table (in a sandbox, or without a thread), the descriptor stays
 * in the program's table, is closed by exec, and fork children close it. There the program may
 * close it by accident, so the pid is checked as well.
 */

/* What has the lock of a spool. */
enum rcap_spool_holder {
	RCAP_HOLDER_NONE,     /* nothing: the caller has the lock now */
	RCAP_HOLDER_OWNER,    /* the program lives */
	RCAP_HOLDER_RECOVERY, /* a recovery is completing the spool's log */
	RCAP_HOLDER_GONE,     /* the file was removed, because the log was completed */
};

/*
 * Locks a new file for the program. Return: false if a recovery has locked it first, because the
 * recovery took it for a dead program's. Then make another file. spool->lock_fd is 0 if the file
 * system has no locks. Context: no allocation.
 */
bool rcap_spool_lock_own(struct rcap_spool *spool, int fd);

/* Closes the program's descriptor if it is still that of the spool. Safe if there is none. */
void rcap_spool_lock_drop(struct rcap_spool *spool);

/*
 * Takes the lock for a recovery.
 *
 * @fd: of the spool. It has the lock until it is closed. With the result OWNER it has the lock that
 * keeps other recoveries away.
 */
enum rcap_spool_holder rcap_spool_lock_take(int fd);

/* Releases the locks of rcap_spool_lock_take(). Closing the file is not enough while it is mapped,
 * because a mapping keeps it open. */
void rcap_spool_lock_give(int fd);

#endif
