/* SPDX-License-Identifier: MIT */
/* Locks a spool's file. The lock tells living programs from dead ones, and keeps recoveries
 * apart. */
#ifndef RCAP_SPOOL_LOCK_H
#define RCAP_SPOOL_LOCK_H

#include <stdbool.h>

#include "libranges/spool/spool.h"

/*
 * The program holds flock(LOCK_SH) on its spool as long as it lives; a recovery takes LOCK_EX. A
 * pid would not be enough: it means nothing in another pid namespace, and it is reused.
 *
 * A lock belongs to the open file: a fork child that inherits the file descriptor holds it, too. So
 * the drain keeps the file in a file table of its own, which no fork copies and exec removes. Where
 * it has none (a sandbox, no thread), the descriptor stays in the program's table, is closed on
 * exec, and fork children close it. The program may close it there by accident: so the pid is
 * checked as well.
 */

/* The other user of a spool. */
enum rcap_spool_holder {
	RCAP_HOLDER_NONE,     /* none: the caller now holds the lock */
	RCAP_HOLDER_OWNER,    /* the program lives */
	RCAP_HOLDER_RECOVERY, /* a recovery is completing its log */
	RCAP_HOLDER_GONE,     /* the file has been removed: its log was completed */
};

/*
 * Locks a new file for the program. Return: false if a recovery has locked it first, because it
 * took it for a dead program's: make another file then. spool->lock_fd is 0 where the file system
 * has no locks. Context: no allocation.
 */
bool rcap_spool_lock_own(struct rcap_spool *spool, int fd);

/* Closes the program's descriptor if it is still the spool's. Safe if there is none. */
void rcap_spool_lock_drop(struct rcap_spool *spool);

/*
 * Takes the lock for recovery.
 *
 * @fd: of the spool. It holds the lock until it is closed; with OWNER, the lock that keeps other
 * recoverers away.
 */
enum rcap_spool_holder rcap_spool_lock_take(int fd);

/* Releases what rcap_spool_lock_take() took. Closing the file is not enough while it is mapped:
 * a mapping keeps it open. */
void rcap_spool_lock_give(int fd);

#endif
