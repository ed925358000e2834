/* SPDX-License-Identifier: MIT */
/* Declarations that only the files of the hierarchy use. */
#ifndef RA_HIERARCHY_IMPL_H
#define RA_HIERARCHY_IMPL_H

#include "analyzer/read-log/hierarchy/hierarchy.h"
#include "analyzer/read-log/chunks/row.h"
#include "analyzer/read-log/ranges/stack.h"
#include "analyzer/read-log/ranges/sync.h"

struct ra_hierarchy_runs;

/* Ranges of a domain that were opened during a loss. */
struct ra_hierarchy_unseen {
	uint64_t count;
	uint16_t domain;
};

/* A loss whose depth records may still follow. A loss record after these begins a new loss. */
struct ra_hierarchy_loss {
	bool is_pending;
	bool has_depth;
	int64_t start_ns;
	int64_t end_ns;
	struct ra_hierarchy_unseen *unseen; /* owned */
	size_t count;
	size_t capacity;
};

struct ra_hierarchy {
	struct ra_builder *builder;
	struct ra_spans *spans;
	struct ra_slice_window *window; /* borrowed; NULL: the model keeps all slices */
	struct ra_hierarchy_runs *runs; /* owned; NULL unless the window's sink takes runs */
	const struct ra_clock *clock;
	struct ra_model *model;
	struct ra_stack stack;
	struct ra_sync *sync; /* owned */
	struct ra_hierarchy_loss loss;
	struct ra_track *track;
	const int64_t *times; /* borrowed: times of the current batch's rows … */
	size_t timed_from;    /* … that begin at this row */
	struct ra_row_times own_times;
	size_t segment; /* clock cursor */
	int64_t zero_ns;
	int64_t now_ns; /* time of the last row */
	int64_t gap_ns; /* time where damage began */
	uint64_t gap_rows;
	uint64_t lost_starts_left;
	uint32_t track_idx;
	bool has_counts;   /* rows of the current batch have counts */
	bool may_continue; /* the last row had data, which a row with op `more` continues */
};

/*
 * Handles a row that does not open or close a push/pop range and reports no loss.
 *
 * Return: the values of ra_builder_add_step().
 */
int ra_hierarchy_take_event(struct ra_hierarchy *hierarchy, struct ra_row *row, uint16_t domain);

/* Stores the data of the row, if it has any. @owner: index of the slice or mark to which they
 * belong. */
void ra_hierarchy_take_data(struct ra_hierarchy *hierarchy, const struct ra_row *row,
                            enum ra_builder_list list, uint32_t owner, bool is_end);

#endif
