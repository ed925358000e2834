/* SPDX-License-Identifier: MIT */
/* Gives runs of nested pushes and pops of one domain to a sink, without making slices of them. */
#ifndef RA_HIERARCHY_RUNS_H
#define RA_HIERARCHY_RUNS_H

#include "analyzer/clock/clock.h"
#include "analyzer/read-log/chunks/row.h"
#include "analyzer/read-log/ranges/stack.h"
#include "analyzer/read-log/stream/slice-window.h"

struct ra_hierarchy_runs;

/* The data that all runs need. Everything is borrowed until destroy. */
struct ra_hierarchy_runs_source {
	struct ra_builder *builder;
	struct ra_stack *stack;
	struct ra_slice_window *window; /* window with a sink that takes runs */
	const struct ra_clock *clock;
	int64_t zero_ns; /* CLOCK_MONOTONIC of time 0 */
};

struct ra_hierarchy_runs *ra_hierarchy_runs_create(const struct ra_hierarchy_runs_source *source);

/* NULL is allowed. */
void ra_hierarchy_runs_destroy(struct ra_hierarchy_runs *runs);

/* Begins a batch of a thread. */
void ra_hierarchy_runs_begin(struct ra_hierarchy_runs *runs, size_t track);

/*
 * Gives runs to the sink of the window, and moves *row to the row after them. Times must be in
 * order, and no loss or damage may be pending. Rows may have attributes, which no sum needs.
 *
 * @times: by row of the batch; NULL: this function converts the times.
 * @now_ns: time of the row before the current one, as for ra_slice_window_move().
 * Return: the time of the row before the new current row.
 */
int64_t ra_hierarchy_runs_take(struct ra_hierarchy_runs *runs, struct ra_row *row,
                               const int64_t *times, int64_t now_ns);

#endif
