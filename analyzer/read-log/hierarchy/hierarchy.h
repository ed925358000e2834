/* SPDX-License-Identifier: MIT */
/* The hierarchy: one sweep over a thread's events pairs pushes with pops and finds each range's
 * parent. */
#ifndef RA_HIERARCHY_H
#define RA_HIERARCHY_H

#include "analyzer/model/build/builder.h"
#include "analyzer/clock/clock.h"
#include "analyzer/read-log/chunks/row-times.h"
#include "analyzer/read-log/ranges/spans.h"
#include "analyzer/read-log/stream/slice-window.h"
#include "format/batch.h"

/*
 * Takes O(1) per event, no recursion, and memory proportional to the ranges open at once. It
 * repairs what doc/metrics.md, section 2, lists, and counts each repair in model->quality.
 */
struct ra_hierarchy;

/*
 * All pointers are borrowed until destroy. @zero_ns: CLOCK_MONOTONIC of time 0.
 */
struct ra_hierarchy *ra_hierarchy_create(struct ra_builder *builder, struct ra_spans *spans,
                                         const struct ra_clock *clock, int64_t zero_ns);
/* From now on slices go to this window and from there to its sink; borrowed until destroy. */
void ra_hierarchy_set_window(struct ra_hierarchy *hierarchy, struct ra_slice_window *window);

void ra_hierarchy_destroy(struct ra_hierarchy *hierarchy);

/* The number of ranges that depth records may still claim, over all tracks; and a function that
 * sets it. */
uint64_t ra_hierarchy_lost_starts_left(const struct ra_hierarchy *hierarchy);
void ra_hierarchy_limit_lost_starts(struct ra_hierarchy *hierarchy, uint64_t count);

/* Begins a track of the model. From then on the hierarchy updates the track's first_slice,
 * first_mark and counts. */
void ra_hierarchy_begin_track(struct ra_hierarchy *hierarchy, uint32_t track);

/* Handles the rows of a batch from `first` on. Return: as ra_builder_add_step(). */
int ra_hierarchy_add_batch(struct ra_hierarchy *hierarchy, const struct rlog_batch *batch,
                           size_t first);

/* Notes that damage removed `rows` rows of the track at this place. */
void ra_hierarchy_note_gap(struct ra_hierarchy *hierarchy, uint64_t rows);

/*
 * Ends the track and closes its open ranges.
 *
 * @open_end_ns: end of ranges that were never closed, unless the track's last event is later.
 */
void ra_hierarchy_end_track(struct ra_hierarchy *hierarchy, int64_t open_end_ns);

#endif
