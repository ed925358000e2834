/* SPDX-License-Identifier: MIT */
/* Reads the facts of a launch or copy that are in one text: "regs:16 grid:128,1,1 …". */
#ifndef RA_DETAILS_H
#define RA_DETAILS_H

#include "analyzer/base/util-map.h"
#include "analyzer/rows/kineto-store.h"

/* The texts read so far. Zero-initialise. */
struct ra_details {
	struct ra_util_map known; /* owned: string id of a text that was read → 0 */
	size_t capacity;
};

/* Adds the details in an event's texts to kineto->details. Each text is read only once. */
void ra_details_read(struct ra_details *details, struct ra_kineto_store *store, uint32_t event);

/* Call it after the last event. */
void ra_details_fini(struct ra_details *details, struct ra_kineto *kineto);

#endif
