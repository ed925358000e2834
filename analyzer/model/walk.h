/* SPDX-License-Identifier: MIT */
/*
 * A walk over the slices and marks of a track, in parts. With a walk, the model need not hold
 * these: its reader can read them again as often as needed.
 */
#ifndef RA_WALK_H
#define RA_WALK_H

#include "analyzer/model/model.h"

/*
 * Takes one part of a track. All later parts begin after everything in this part.
 *
 * @part: the model, but with other slices, marks, attributes and data, valid during the call. Its
 * slices are those of part->tracks[track]. They come after the slices of earlier parts that enclose
 * them. part->part_tags has room for a number for each slice. If the slice comes again in a later
 * part, it still has that number. For a slice that comes for the first time, the number is
 * undefined.
 * @until_ns: later parts begin at this time or later; INT64_MAX: this is the last part.
 */
typedef void ra_walk_take(void *context, const struct ra_model *part, int64_t until_ns);

/* The position of a walk. */
struct ra_walk_cursor;

/* If the caller walks several times, that takes longer than holding the ranges in memory. Then logs
 * with fewer events than this are held, in at most 20 MB. */
#define RA_WALK_LEAST_EVENTS ((uint64_t) 1 << 20)

/* The functions of a reader that give the parts; the model owns the struct. */
struct ra_walk {
	/* Begins a walk over a thread's track. Several walks may take turns. */
	struct ra_walk_cursor *(*begin)(struct ra_walk *walk, uint32_t track, ra_walk_take *take,
	                                void *context);
	/* Reads any number of parts, perhaps none. Return: false: the walk is at its end. */
	bool (*go_on)(struct ra_walk_cursor *cursor);
	/* Ends the walk, wherever it is. */
	void (*end)(struct ra_walk_cursor *cursor);
	void (*destroy)(struct ra_walk *walk);
	/* Only for a model that was made with `once` (load.h). True if the reader found that this
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

/* Gives all parts of a track in order, at least one part. If the model holds the slices of this
 * track, the model itself is the only part. */
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
