/* SPDX-License-Identifier: MIT */
/*
 * A model's slices as a window that moves over a thread: those that are closed go to a sink, those
 * that are open stay. What else a model keeps of each event, and no sum needs, goes as well.
 */
#ifndef RA_SLICE_WINDOW_H
#define RA_SLICE_WINDOW_H

#include "analyzer/model/builder.h"
#include "analyzer/model/slice-sink.h"
#include "analyzer/read-log/stack.h"
#include "analyzer/read-log/sync.h"

struct ra_slice_window;

/* All is borrowed until destroy; the model gets totals. */
struct ra_slice_window *ra_slice_window_create(struct ra_builder *builder,
                                               const struct ra_slice_sink *sink);

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
