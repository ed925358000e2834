/* SPDX-License-Identifier: MIT */
/* Facts of a launch or a copy that stand in one text: "regs:16 grid:128,1,1 …". */
#ifndef RA_DETAILS_H
#define RA_DETAILS_H

#include "analyzer/base/util-map.h"
#include "analyzer/rows/kineto-store.h"

/* Zero-initialise. */
struct ra_details {
	struct ra_util_map known; /* owned: texts that were read: string id → 0 */
	size_t capacity;
};

/* Reads the texts of an event, each once, to kineto->details. */
void ra_details_read(struct ra_details *details, struct ra_kineto_store *store, uint32_t event);

/* After the last event. */
void ra_details_fini(struct ra_details *details, struct ra_kineto *kineto);

#endif
