/* SPDX-License-Identifier: MIT */
/* Makes the spool smaller while memory is short, and larger again afterwards. */
#ifndef RCAP_SHRINK_H
#define RCAP_SHRINK_H

#include <stdbool.h>
#include <stdint.h>

#include "libranges/spool/spool.h"

/* State of making the spool smaller. The drain uses it. Initialize it with zeros. */
struct rcap_shrink {
	uint64_t next_look_ns;
	uint8_t *gone; /* a bit for each block whose memory was given back */
};

/*
 * Checks how much memory is left, at most five times a second, and only if the spool is not small.
 * Sets how much memory the spool may have: a quarter of the sum of what is left and what the spool
 * has.
 *
 * @pid: the program; 0: the caller. Context: the drain; allocates once.
 */
void rcap_shrink_watch(struct rcap_shrink *shrink, struct rcap_spool *spool, int64_t pid,
                       uint64_t now_ns);

/* Frees a block. It goes to the pool or, while there are too many blocks, its memory goes to the
 * system. Context: the drain. */
void rcap_shrink_free_block(struct rcap_shrink *shrink, struct rcap_spool *spool, uint32_t block);

void rcap_shrink_fini(struct rcap_shrink *shrink);

#endif
