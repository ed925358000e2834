/* SPDX-License-Identifier: MIT */
/* The lock on a spool's file, which tells the living from the dead and keeps recoverers apart. */
#ifndef RCAP_SPOOL_LOCK_H
#define RCAP_SPOOL_LOCK_H

#include <stdbool.h>

#include "libranges/spool/spool.h"

/*
 * The program holds flock(LOCK_SH) on its spool as long as it lives; who wants to complete the log
 * takes LOCK_EX. A pid would mean nothing in another pid namespace, and be given to others.
 *
 * A lock belongs to the open file: a fork child that inherits the program's file number holds it,
 * too. So the drain takes the file into its own table of files, where no fork finds it and which is
 * gone with exec. Where it has none (a sandbox, no thread), the number stays in the program's
 * table, closed on exec, and fork children close it. A program may close it by accident there: then
 * the pid is asked as well.
 */

/* Who else is at a spool. */
enum rcap_spool_holder {
	RCAP_HOLDER_NONE,     /* nobody: the caller has it now */
	RCAP_HOLDER_OWNER,    /* the program lives */
	RCAP_HOLDER_RECOVERY, /* somebody completes its log at this moment */
	RCAP_HOLDER_GONE,     /* the file has been removed: its log was completed */
};

/*
 * Locks a file that was just made, for the program.
 *
 * Return: false if somebody else was quicker, who took it for a dead program's: make another one.
 * spool->lock_fd is 0 where the file system knows no locks. Context: no allocation.
 */
bool rcap_spool_lock_own(struct rcap_spool *spool, int fd);

/* Closes the program's number if it still means the spool. Safe if there is none. */
void rcap_spool_lock_drop(struct rcap_spool *spool);

/*
 * Takes the lock for recovery.
 *
 * @fd: of the spool. It holds the lock until it is closed, on OWNER the one among recoverers.
 */
enum rcap_spool_holder rcap_spool_lock_take(int fd);

/* Gives back what rcap_spool_lock_take() took. Closing the file is not enough where it is mapped: a
 * mapping keeps it open. */
void rcap_spool_lock_give(int fd);

#endif
