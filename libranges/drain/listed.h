/* SPDX-License-Identifier: MIT */
/* Knows which streams a log lists: all but those of threads that had ended before the log
 * begins. */
#ifndef RCAP_LISTED_H
#define RCAP_LISTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libranges/spool/spool.h"

/* If the struct is all zero, all streams are listed. */
struct rcap_listed {
	uint8_t *bits;     /* owned; a bit for each id */
	uint32_t from;     /* ids from this one on are listed; 0: all are */
	uint64_t left_out; /* number of definitions that the log leaves out; the caller counts
	                    * them */
};

/* Begins a list of the streams that have a record in the spool, and of all new ones. If there is no
 * memory, all streams are listed. */
void rcap_listed_begin(struct rcap_listed *listed, const struct rcap_spool *spool);

/* Adds this stream to the list. */
void rcap_listed_add(struct rcap_listed *listed, uint32_t stream);

bool rcap_listed_has(const struct rcap_listed *listed, uint64_t stream);

void rcap_listed_fini(struct rcap_listed *listed);

#endif
