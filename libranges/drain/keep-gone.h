/* SPDX-License-Identifier: MIT */
/* What is not there any more of the pieces that are kept. */
#ifndef RCAP_KEEP_GONE_H
#define RCAP_KEEP_GONE_H

#include <stdint.h>

#include "libranges/spool/spool.h"

struct rcap_keep_gone {
	uint32_t first;   /* the first piece that is there; if none is, the last one */
	uint64_t leading; /* events in those before it */
	uint64_t events;  /* in all that are gone, `leading` included */
};

/* Looks for the files of pieces first … next-1, first < next: somebody may have moved, deleted or
 * replaced them. Context: the drain, or recovery. */
void rcap_keep_find_gone(const struct rcap_spool *spool, uint32_t first, uint32_t next,
                         struct rcap_keep_gone *out);

#endif
