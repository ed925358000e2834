/* SPDX-License-Identifier: MIT */
/*
 * A window on a model's slices that moves over a thread. Closed slices go to a sink, open ones
 * stay. Whatever else a model holds per event and no sum needs is dropped.
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

/* Everything is borrowed until destroy. The model gets totals. */
struct ra_slice_window *ra_slice_window_create(struct ra_builder *builder,
                                               const struct ra_slice_sink *sink);

/* The same for the first pass of a walk (walk.h): it fills `late`. */
struct ra_slice_window *ra_slice_window_create_walk(struct ra_builder *builder,
                                                    struct ra_slice_late *late);

/* Makes a new window of a sink that of the first pass of a walk, too. */
void ra_slice_window_note_walk(struct ra_slice_window *window, struct ra_slice_late *late);

/*
 * Makes it a later pass of a walk, which shows each slice as `late` says that it will end.
 *
 * @whole: the model of the first pass.
 * @tracks: its tracks; the window's track gets the contents of a part.
 */
void ra_slice_window_show(struct ra_slice_window *window, const struct ra_model *whole,
                          struct ra_track *tracks, ra_walk_take *take, void *context);

/*
 * Makes such a pass the first one, which fills `late` with what is foreseen. Call it before a track
 * begins. If it turns out to be wrong, the window is lost, and what it showed is worth nothing.
 */
void ra_slice_window_show_first(struct ra_slice_window *window, const struct ra_slice_ends *ends);

/* After such a pass over a track: another window, of the first pass, gets what it noted. */
void ra_slice_window_move_open(struct ra_slice_window *to, const struct ra_slice_window *from);

/* NULL is allowed. */
void ra_slice_window_destroy(struct ra_slice_window *window);

/* Sets the owners of the indices of open slices, to be told when slices move. */
void ra_slice_window_bind(struct ra_slice_window *window, struct ra_stack *stack,
                          struct ra_sync *sync);

/* Begins a track. From now on the model has only this track's slices and marks. */
void ra_slice_window_begin_track(struct ra_slice_window *window, size_t track);

/*
 * Moves the window on if there are enough new slices.
 *
 * @now_ns: nothing that follows on this track begins before, and no open slice ends before.
 */
void ra_slice_window_move(struct ra_slice_window *window, int64_t now_ns);

/* True if the sink takes runs (slice-sink.h). */
bool ra_slice_window_takes_runs(const struct ra_slice_window *window);

/*
 * Makes the model's slices those that are open, for a run. All open ranges nest and are of one
 * domain.
 *
 * @now_ns: as of ra_slice_window_move().
 * Return: false if a run can't be taken.
 */
bool ra_slice_window_begin_run(struct ra_slice_window *window, int64_t now_ns);

/* Gives a run to the sink. Then the caller makes the model's slices those that are still open. */
void ra_slice_window_take_run(struct ra_slice_window *window, const struct ra_slice_run *run);

/* True if the window is of a walk. Then it moves only between different times, by
 * ra_slice_window_step(). */
bool ra_slice_window_is_walk(const struct ra_slice_window *window);

/* Moves the window of a walk on if there are enough new slices. @next_ns: time of the next
 * event. */
void ra_slice_window_step(struct ra_slice_window *window, int64_t now_ns, int64_t next_ns);

/* Ends the track, whose slices are all closed. The model keeps none of them. */
void ra_slice_window_end_track(struct ra_slice_window *window);

/* Gives the sink the start/end ranges; the model must have no other slices. */
void ra_slice_window_take_spans(struct ra_slice_window *window, size_t track);

/* Ends after the last track: the model gets back those slices that were never closed, as many as
 * are named (open-ranges.h). */
void ra_slice_window_finish(struct ra_slice_window *window);

/* True if sums can't be made of this log in this way, so that the model must hold everything. */
bool ra_slice_window_is_lost(const struct ra_slice_window *window);

/* Notes that this is so. */
void ra_slice_window_lose(struct ra_slice_window *window);

#endif
