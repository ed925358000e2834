/* SPDX-License-Identifier: MIT */
/* The state of a window, shared by the files that move it. */
#ifndef RA_SLICE_WINDOW_IMPL_H
#define RA_SLICE_WINDOW_IMPL_H

#include "analyzer/read-log/ranges/open-ranges.h"
#include "analyzer/read-log/stream/slice-ends.h"
#include "analyzer/read-log/stream/slice-window.h"

/* A range that was never closed. */
struct open_range {
	size_t track;
	int64_t start_ns;
	int64_t dur_ns;
	uint32_t name;
	uint16_t domain;
	uint8_t flags;
};

struct ra_slice_window {
	struct ra_builder *builder;
	struct ra_model *model;
	const struct ra_slice_sink *sink;
	struct ra_stack *stack; /* borrowed, like `sync` */
	struct ra_sync *sync;
	uint32_t *moved; /* owned; by slice: its new index, for slices that stay */
	size_t moved_capacity;
	size_t kept;   /* number of slices that stayed at the last move */
	size_t enough; /* the window moves when there are this many slices */
	size_t marks;  /* number of marks of this track */
	size_t track;
	int64_t until_ns; /* the totals cover the track's time up to this */
	struct open_range open[RA_OPEN_RANGES_NAMED];
	size_t open_count;
	bool is_lost;
	/* For a walk: */
	struct ra_slice_late *late; /* borrowed; NULL: this is not a walk */
	size_t late_next;           /* index of the next late slice of this track */
	uint32_t *late_of;          /* owned: the row in `late` of each slice that stayed */
	size_t late_capacity;
	const struct ra_model *whole; /* borrowed; NULL: this is the first pass */
	struct ra_track *tracks;      /* borrowed: the tracks, with the contents of the current
	                                 part */
	uint32_t *parents;            /* owned; by slice of the part: its parent */
	size_t parent_capacity;
	uint64_t *tags; /* owned: room for the tags of the part (walk.h) */
	size_t tag_capacity;
	ra_walk_take *take;
	void *take_context;
	const struct ra_slice_ends *ends; /* borrowed; NULL unless the first pass shows slices */
	struct ra_slice_end *foreseen; /* owned; predicted ends, in the order of the open slices */
	size_t foreseen_capacity;
	size_t base; /* number of start/end ranges; they stay at the front of the model's slices */
};

/* Drops data of single events that the model would hold and that no sum needs. */
void ra_slice_window_drop_details(struct ra_slice_window *window);

/* Gives the slices to the sink, and keeps only the open ones. */
void ra_slice_window_pass(struct ra_slice_window *window, int64_t now_ns);

#endif
