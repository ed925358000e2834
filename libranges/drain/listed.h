/* SPDX-License-Identifier: MIT */
/* The streams that a log lists: not those of threads that had ended before it begins. */
#ifndef RCAP_LISTED_H
#define RCAP_LISTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libranges/spool/spool.h"

/* All zero: all are listed. */
struct rcap_listed {
	uint8_t *bits;     /* owned; by id */
	uint32_t from;     /* ids from here on are listed; 0: all are */
	uint64_t left_out; /* definitions; the user's */
};

/* From now on those that have a record in the spool, and those that come. Without memory all. */
void rcap_listed_begin(struct rcap_listed *listed, const struct rcap_spool *spool);

/* That one, too. */
void rcap_listed_add(struct rcap_listed *listed, uint32_t stream);

bool rcap_listed_has(const struct rcap_listed *listed, uint64_t stream);

void rcap_listed_fini(struct rcap_listed *listed);

#endif
