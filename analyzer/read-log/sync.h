/* SPDX-License-Identifier: MIT */
/* Sync objects: what threads wait for, and how long they wait for and hold it. */
#ifndef RA_SYNC_H
#define RA_SYNC_H

#include "analyzer/model/builder.h"
#include "analyzer/read-log/stack.h"

/*
 * A wait, from acquire start to success or failure on the same thread, becomes a slice in the
 * thread's tree, flagged RA_SLICE_WAIT. It nests there in a place of its own, beside all domains,
 * so that no pop closes it. A hold, from success to releasing on the same thread, is only counted.
 */
struct ra_sync;

struct ra_sync_event {
	int64_t time_ns;
	uint64_t id;
	uint32_t name; /* of the model */
	uint16_t domain;
	uint8_t op; /* enum rlog_op */
};

/* The builder is borrowed. */
struct ra_sync *ra_sync_create(struct ra_builder *builder);
void ra_sync_destroy(struct ra_sync *sync);

/* Begins a track. */
void ra_sync_begin_track(struct ra_sync *sync);

/*
 * Takes an event of a track; there is room for a slice.
 */
void ra_sync_take(struct ra_sync *sync, struct ra_stack *stack, const struct ra_sync_event *event);

/* Events were lost: waits may have ended among them. */
void ra_sync_lose(struct ra_sync *sync, struct ra_stack *stack, int64_t time_ns);

/* The slices have moved: their new indices by the old ones. */
void ra_sync_renumber(struct ra_sync *sync, const uint32_t *moved);

/* Ends the track: what still waits is open. */
void ra_sync_end_track(struct ra_sync *sync);

#endif
