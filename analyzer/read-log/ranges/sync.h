/* SPDX-License-Identifier: MIT */
/* Sync objects: what threads wait for, and how long they wait for it and hold it. */
#ifndef RA_SYNC_H
#define RA_SYNC_H

#include "analyzer/model/build/builder.h"
#include "analyzer/read-log/ranges/stack.h"

/*
 * A wait lasts from acquire start to success or failure on the same thread. It becomes a slice in
 * the thread's tree, with flag RA_SLICE_WAIT. In the stack it has a chain of its own, separate from
 * the chains of domains, so no pop closes it. A hold lasts from success to releasing on the same
 * thread, and is only counted.
 */
struct ra_sync;

struct ra_sync_event {
	int64_t time_ns;
	uint64_t id;
	uint32_t name; /* index of the name in the model */
	uint16_t domain;
	uint8_t op; /* enum rlog_op */
};

/* The builder is borrowed. */
struct ra_sync *ra_sync_create(struct ra_builder *builder);
void ra_sync_destroy(struct ra_sync *sync);

/* Begins a track. */
void ra_sync_begin_track(struct ra_sync *sync);

/* Handles an event of a track. Room for a slice was reserved. */
void ra_sync_take(struct ra_sync *sync, struct ra_stack *stack, const struct ra_sync_event *event);

/* Tells that events were lost. Waits may have ended during the loss. */
void ra_sync_lose(struct ra_sync *sync, struct ra_stack *stack, int64_t time_ns);

/* Updates the slices' indices after the slices were moved. @moved: new index, by old index. */
void ra_sync_renumber(struct ra_sync *sync, const uint32_t *moved);

/* Ends the track; waits that did not end stay open. */
void ra_sync_end_track(struct ra_sync *sync);

#endif
