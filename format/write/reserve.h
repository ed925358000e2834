/* SPDX-License-Identifier: MIT */
/* Keeps disk space after a growing file, so that its end can be written when all other space is
 * used. */
#ifndef RLOG_RESERVE_H
#define RLOG_RESERVE_H

#include <stddef.h>
#include <stdint.h>

struct rlog_reserve {
	uint64_t bytes;     /* bytes to reserve after the file's end; 0: none */
	uint64_t allocated; /* end of the space that the file system has reserved for the file */
};

/* Returns how many of the `wanted` bytes to reserve. These are fewer if the process may not write
 * large files. */
uint64_t rlog_reserve_choose(uint64_t wanted);

/*
 * Makes sure that the file can grow to `end`, plus the reserve, plus `more` bytes.
 *
 * Return: 0; -1 and errno if there is not so much space. The file is then unchanged. If a file
 * system can't reserve space, its space is treated as unlimited.
 */
int rlog_reserve_secure(struct rlog_reserve *reserve, int fd, uint64_t end, uint64_t more);

#endif
