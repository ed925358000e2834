/* SPDX-License-Identifier: MIT */
/* Makes the spool smaller while memory is short, and larger again afterwards. */
#ifndef RCAP_SHRINK_H
#define RCAP_SHRINK_H

#include <stdbool.h>
#include <stdint.h>

#include "libranges/spool/spool.h"

/* The state of shrinking, used by the drain. Initialize with zeros. */
struct rcap_shrink {
	uint64_t next_look_ns;
	uint8_t *gone; /* a bit for each block whose memory was given back */
};

/*
 * Checks how much memory is left, five times a second at most and not while the spool is small, and
 * sets how much the spool may have: a quarter of what is left and what it holds.
 *
 * @pid: of the program, 0: the caller's. Context: the drain; allocates once.
 */
void rcap_shrink_watch(struct rcap_shrink *shrink, struct rcap_spool *spool, int64_t pid,
                       uint64_t now_ns);

/* Frees a block: to the pool, or, while there are too many, its memory to the system. Context:
 * the drain. */
void rcap_shrink_free_block(struct rcap_shrink *shrink, struct rcap_spool *spool, uint32_t block);

void rcap_shrink_fini(struct rcap_shrink *shrink);

#endif
