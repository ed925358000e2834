/* SPDX-License-Identifier: MIT */
/* Keeps disk space after a growing file, so that its end can be written when all other space is
 * used. */
#ifndef RLOG_RESERVE_H
#define RLOG_RESERVE_H

#include <stddef.h>
#include <stdint.h>

struct rlog_reserve {
	uint64_t bytes;     /* wanted after the file's end; 0: none */
	uint64_t allocated; /* offset up to which the file system has reserved space */
};

/* How many of the `wanted` bytes to reserve: fewer if the process may not have large files. */
uint64_t rlog_reserve_choose(uint64_t wanted);

/*
 * Makes sure that the file can grow to `end`, plus the reserve, plus `more`.
 *
 * Return: 0; -1 and errno if it can't: then the file stays as it is. A file system that can't
 * reserve space counts as endless.
 */
int rlog_reserve_secure(struct rlog_reserve *reserve, int fd, uint64_t end, uint64_t more);

#endif
