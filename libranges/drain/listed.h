/* SPDX-License-Identifier: MIT */
/* Knows which streams a log lists: all but those of threads that had ended before the log
 * begins. */
#ifndef RCAP_LISTED_H
#define RCAP_LISTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libranges/spool/spool.h"

/* If it is all zero, all streams are listed. */
struct rcap_listed {
	uint8_t *bits;     /* owned; by id */
	uint32_t from;     /* ids from this one on are listed; 0: all ids */
	uint64_t left_out; /* number of definitions left out; the caller counts them */
};

/* Begins a list: streams that have a record in the spool, and new ones. Without memory it lists
 * all. */
void rcap_listed_begin(struct rcap_listed *listed, const struct rcap_spool *spool);

/* Lists this stream, too. */
void rcap_listed_add(struct rcap_listed *listed, uint32_t stream);

bool rcap_listed_has(const struct rcap_listed *listed, uint64_t stream);

void rcap_listed_fini(struct rcap_listed *listed);

#endif
