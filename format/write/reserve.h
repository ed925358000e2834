/* SPDX-License-Identifier: MIT */
/* Keeps room behind a growing file, so that its end can be written when all other room is gone. */
#ifndef RLOG_RESERVE_H
#define RLOG_RESERVE_H

#include <stddef.h>
#include <stdint.h>

struct rlog_reserve {
	uint64_t bytes;     /* wanted behind the file's end; 0: none */
	uint64_t allocated; /* offset up to which the file system has promised room */
};

/* Bytes to ask for, of `wanted`: fewer where the process may not have large files. */
uint64_t rlog_reserve_choose(uint64_t wanted);

/*
 * Sees to it that the file can grow to `end` and by the reserve and `more` beyond.
 *
 * Return: 0; -1 and errno where it can't: what stands there stays as it is. File systems that make
 * no promises are taken for endless.
 */
int rlog_reserve_secure(struct rlog_reserve *reserve, int fd, uint64_t end, uint64_t more);

#endif
