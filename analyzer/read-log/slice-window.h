/* SPDX-License-Identifier: MIT */
/*
 * A model's slices as a window that moves over a thread: those that are closed go to a sink, those
 * that are open stay. What else a model keeps of each event, and no sum needs, goes as well.
 */
#ifndef RA_SLICE_WINDOW_H
#define RA_SLICE_WINDOW_H

#include "analyzer/model/builder.h"
#include "analyzer/model/slice-sink.h"
#include "analyzer/model/walk.h"
#include "analyzer/read-log/slice-late.h"
#include "analyzer/read-log/stack.h"
#include "analyzer/read-log/sync.h"

struct ra_slice_window;

/* All is borrowed until destroy; the model gets totals. */
struct ra_slice_window *ra_slice_window_create(struct ra_builder *builder,
                                               const struct ra_slice_sink *sink);

/*
 * The same for a walk (walk.h), of which this is the first pass: it fills `late`.
 */
struct ra_slice_window *ra_slice_window_create_walk(struct ra_builder *builder,
                                                    struct ra_slice_late *late);

/*
 * Makes it a further pass, which shows each slice as `late` says that it will be.
 *
 * @whole: the model of the first pass.
 * @tracks: its tracks, of which that of the window gets what is in a part.
 */
void ra_slice_window_show(struct ra_slice_window *window, const struct ra_model *whole,
                          struct ra_track *tracks, ra_walk_take *take, void *context);

/* NULL is allowed. */
void ra_slice_window_destroy(struct ra_slice_window *window);

/* Who knows open slices by their numbers. */
void ra_slice_window_bind(struct ra_slice_window *window, struct ra_stack *stack,
                          struct ra_sync *sync);

/* Begins a track, whose slices and marks are the only ones of the model. */
void ra_slice_window_begin_track(struct ra_slice_window *window, size_t track);

/*
 * Moves the window on if that is worth it.
 *
 * @now_ns: nothing that follows on this track begins before, and what is open ends no earlier.
 */
void ra_slice_window_move(struct ra_slice_window *window, int64_t now_ns);

/* True if the window is of a walk: then it moves only where time does, by the next. */
bool ra_slice_window_is_walk(const struct ra_slice_window *window);

/* Moves the window of a walk on if that is worth it. @next_ns: of the next event. */
void ra_slice_window_step(struct ra_slice_window *window, int64_t now_ns, int64_t next_ns);

/* Ends the track; all its slices are closed. Nothing of them stays. */
void ra_slice_window_end_track(struct ra_slice_window *window);

/* Gives the sink the start/end ranges, which are all slices that there are. */
void ra_slice_window_take_spans(struct ra_slice_window *window, size_t track);

/* All tracks are over: of all slices the model gets those that nothing closed, as many as are told
 * by name (open-ranges.h). */
void ra_slice_window_finish(struct ra_slice_window *window);

/* True if the log has what sums cannot be made of in this way: the model must hold it all. */
bool ra_slice_window_is_lost(const struct ra_slice_window *window);

/* Something like that was met. */
void ra_slice_window_lose(struct ra_slice_window *window);

#endif
