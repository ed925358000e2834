/* SPDX-License-Identifier: MIT */
/*
 * A window on a model's slices that moves over a thread. Closed slices go to a sink, open slices
 * stay. All other data of single events are dropped if no sum needs them.
 */
#ifndef RA_SLICE_WINDOW_H
#define RA_SLICE_WINDOW_H

#include "analyzer/model/build/builder.h"
#include "analyzer/model/slice-sink.h"
#include "analyzer/model/walk.h"
#include "analyzer/read-log/stream/slice-ends.h"
#include "analyzer/read-log/stream/slice-late.h"
#include "analyzer/read-log/ranges/stack.h"
#include "analyzer/read-log/ranges/sync.h"

struct ra_slice_window;

/* Makes a window. Everything is borrowed until destroy. Makes model->totals. */
struct ra_slice_window *ra_slice_window_create(struct ra_builder *builder,
                                               const struct ra_slice_sink *sink);

/* Makes a window for the first pass of a walk (walk.h). It fills `late`, which is borrowed. */
struct ra_slice_window *ra_slice_window_create_walk(struct ra_builder *builder,
                                                    struct ra_slice_late *late);

/* Uses a new window that has a sink for the first pass of a walk as well. */
void ra_slice_window_note_walk(struct ra_slice_window *window, struct ra_slice_late *late);

/*
 * Uses the window for a later pass of a walk. It shows each slice with the end that `late` has.
 *
 * @whole: the model of the first pass.
 * @tracks: that model's tracks; the entry of the window's track gets the contents of each part.
 */
void ra_slice_window_show(struct ra_slice_window *window, const struct ra_model *whole,
                          struct ra_track *tracks, ra_walk_take *take, void *context);

/*
 * Lets the first pass show slices, too. Then it fills `late` with the ends that `ends` predicts.
 * Call it before a track begins. If an end turns out to be wrong, the window is lost, and what it
 * showed must not be used.
 */
void ra_slice_window_show_first(struct ra_slice_window *window, const struct ra_slice_ends *ends);

/* After such a pass over a track, moves what the window has noted to another window of the first
 * pass. */
void ra_slice_window_move_open(struct ra_slice_window *to, const struct ra_slice_window *from);

/* NULL is allowed. */
void ra_slice_window_destroy(struct ra_slice_window *window);

/* Sets the objects that hold indices of open slices. They are updated when slices move. */
void ra_slice_window_bind(struct ra_slice_window *window, struct ra_stack *stack,
                          struct ra_sync *sync);

/* Begins a track. From then on the model has only this track's slices and marks. */
void ra_slice_window_begin_track(struct ra_slice_window *window, size_t track);

/*
 * Moves the window if there are enough new slices.
 *
 * @now_ns: later events of this track begin at this time or later, and open slices end then or
 * later.
 */
void ra_slice_window_move(struct ra_slice_window *window, int64_t now_ns);

/* True if the sink takes runs (slice-sink.h). */
bool ra_slice_window_takes_runs(const struct ra_slice_window *window);

/*
 * Prepares for a run: leaves only the open slices in the model. All open ranges must nest and be of
 * one domain.
 *
 * @now_ns: as for ra_slice_window_move().
 * Return: false if a run can't be taken.
 */
bool ra_slice_window_begin_run(struct ra_slice_window *window, int64_t now_ns);

/* Gives a run to the sink. Then the caller must reduce the model's slices to those that are still
 * open. */
void ra_slice_window_take_run(struct ra_slice_window *window, const struct ra_slice_run *run);

/* True if the window is for a walk. Such a window moves only between different times, by
 * ra_slice_window_step(). */
bool ra_slice_window_is_walk(const struct ra_slice_window *window);

/* Moves the window of a walk if there are enough new slices. @next_ns: time of the next event. */
void ra_slice_window_step(struct ra_slice_window *window, int64_t now_ns, int64_t next_ns);

/* Ends the track, whose slices are all closed. The model keeps none of them. */
void ra_slice_window_end_track(struct ra_slice_window *window);

/* Gives the sink the start/end ranges; the model must have no other slices. */
void ra_slice_window_take_spans(struct ra_slice_window *window, size_t track);

/* Ends the work, after the last track. Some slices that were never closed are put back into the
 * model, as many as reports name (open-ranges.h). */
void ra_slice_window_finish(struct ra_slice_window *window);

/* True if this log can't be summed in this way, so that the model must hold everything. */
bool ra_slice_window_is_lost(const struct ra_slice_window *window);

/* Makes ra_slice_window_is_lost() true. */
void ra_slice_window_lose(struct ra_slice_window *window);

#endif
