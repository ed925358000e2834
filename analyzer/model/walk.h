/* SPDX-License-Identifier: MIT */
/*
 * A walk over the slices and marks of a track, in parts. The model need not hold them: its reader
 * can read them again as often as needed.
 */
#ifndef RA_WALK_H
#define RA_WALK_H

#include "analyzer/model/model.h"

/*
 * Takes a part of a track. Later parts begin after everything in this one.
 *
 * @part: the model, but with other slices, marks, attributes and data, valid during the call. They
 * are those of part->tracks[track], after slices of earlier parts that they are nested in.
 * part->part_tags has room for a number for each slice, which stays with the slice; it is not set
 * for slices that come for the first time.
 * @until_ns: later parts begin at this time or later; INT64_MAX in the last part.
 */
typedef void ra_walk_take(void *context, const struct ra_model *part, int64_t until_ns);

/* The position of a walk that was begun. */
struct ra_walk_cursor;

/* Several walks over ranges take longer than holding them. So logs with fewer events are held, in
 * at most 20 MB, where that makes a difference. */
#define RA_WALK_LEAST_EVENTS ((uint64_t) 1 << 20)

/* Gives the parts of a reader; owned by the model. */
struct ra_walk {
	/* Begins a walk over a thread's track. Several walks may take turns. */
	struct ra_walk_cursor *(*begin)(struct ra_walk *walk, uint32_t track, ra_walk_take *take,
	                                void *context);
	/* Goes on by any number of parts, perhaps none. Return: false if that was the last. */
	bool (*go_on)(struct ra_walk_cursor *cursor);
	/* Ends the walk, wherever it stands. */
	void (*end)(struct ra_walk_cursor *cursor);
	void (*destroy)(struct ra_walk *walk);
	/* Only for a model that was made with `once` (load.h). True if it turned out that this
	 * input can't be walked in this way. The parts given so far are then invalid, and the model
	 * must be made without `once`. */
	bool has_failed;
};

/* The number of slices and marks. */
static inline uint64_t ra_walk_count_slices(const struct ra_model *model)
{
	const bool has_spans = model->track_count > 0 &&
	                       model->tracks[model->track_count - 1].kind == RA_TRACK_START_END;

	return model->walk == NULL
	               ? model->slices.count
	               : model->totals->slice_count +
	                         (has_spans ? model->tracks[model->track_count - 1].slice_count
	                                    : 0);
}

static inline uint64_t ra_walk_count_marks(const struct ra_model *model)
{
	return model->walk == NULL ? model->mark_count : model->totals->mark_count;
}

/* Gives all parts of a track in order, at least one. If the model holds the slices of this track,
 * it is itself the only part. */
static inline void ra_walk_over(const struct ra_model *model, uint32_t track, ra_walk_take *take,
                                void *context)
{
	struct ra_walk_cursor *cursor;
	bool goes_on = true;

	if (model->walk == NULL || model->tracks[track].kind != RA_TRACK_THREAD) {
		take(context, model, INT64_MAX);
		return;
	}
	cursor = model->walk->begin(model->walk, track, take, context);
	while (goes_on) {
		goes_on = model->walk->go_on(cursor);
	}
	model->walk->end(cursor);
}

#endif
