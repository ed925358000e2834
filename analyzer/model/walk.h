/* SPDX-License-Identifier: MIT */
/*
 * A walk over the slices and marks of a track, in parts: a model need not hold them, its reader can
 * bring them again, as often as somebody wants to see them.
 */
#ifndef RA_WALK_H
#define RA_WALK_H

#include "analyzer/model/model.h"

/*
 * Takes a part of a track. What follows begins later than all in it.
 *
 * @part: the model, but for slices, marks, their attributes and data, which are those that
 * part->tracks[track] tells, behind those of parts before in which they lie; for the time of the
 * call.
 * part->part_tags is room for a number for each slice, which stays with it; those of slices that
 * come for the first time are not set.
 *
 * @until_ns: nothing of the parts that follow begins before; INT64_MAX in the last.
 */
typedef void ra_walk_take(void *context, const struct ra_model *part, int64_t until_ns);

/* A walk that was begun and stands somewhere. */
struct ra_walk_cursor;

/* What a reader brings them by; owned by the model. */
struct ra_walk {
	/* Begins to walk over a thread's track; several may be walked over by turns. */
	struct ra_walk_cursor *(*begin)(struct ra_walk *walk, uint32_t track, ra_walk_take *take,
	                                void *context);
	/* Goes on, by some parts or none. Return: false if that was the last. */
	bool (*go_on)(struct ra_walk_cursor *cursor);
	/* Ends it, wherever it stands. */
	void (*end)(struct ra_walk_cursor *cursor);
	void (*destroy)(struct ra_walk *walk);
};

/* How many slices and marks there are. */
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

/* Gives all parts of a track, one at least, in their order. A model that holds its slices, or holds
 * those of this track, is a part itself. */
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
