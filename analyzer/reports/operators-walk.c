/* SPDX-License-Identifier: MIT */
/* Sums the ranges of a model that has a walk (walk.h), for the report "operators". */
#include "analyzer/reports/operators-walk.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/base/util-map.h"
#include "analyzer/model/walk.h"

#define DEPTH 64 /* depth of ranges that most programs do not exceed */

struct pass {
	struct ra_operators_walk *walk;
	struct ra_labels *labels;
	struct ra_util_map row_of; /* label → row */
	uint32_t track;
	/* The rows of the current range and the ranges around it, outermost first. The tag of a
	 * range is its number of entries here. */
	uint32_t *open; /* owned */
	size_t depth;
	size_t capacity;
};

static uint32_t find_row(struct pass *pass, uint32_t name)
{
	struct ra_operators_walk *walk = pass->walk;
	const uint32_t label = pass->labels == NULL ? name : ra_labels_find(pass->labels, name);
	uint32_t row = ra_util_map_find(&pass->row_of, label);

	if (row == RA_UTIL_MAP_NONE) {
		row = (uint32_t) walk->count;
		ra_util_map_put(&pass->row_of, label, row);
		RA_UTIL_APPEND(walk->rows, walk->count, walk->capacity,
		               (struct ra_operators_walk_row){ .label = label });
	}
	return row;
}

/* Removes the entries of ranges that are not around the current range. */
static void leave(struct pass *pass, size_t depth)
{
	while (pass->depth > depth) {
		pass->walk->rows[pass->open[--pass->depth]].open--;
	}
}

static void add_total(struct ra_operators_walk_row *row, int64_t dur_ns)
{
	row->total_ns = ra_util_add(row->total_ns, (uint64_t) dur_ns);
}

/* Adds a range that is inside `depth` others. Return: the range's tag. */
static size_t add_nested(struct pass *pass, uint32_t row, size_t depth, int64_t dur_ns)
{
	struct ra_operators_walk_row *rows = pass->walk->rows;

	leave(pass, depth);
	if (depth > 0) {
		rows[pass->open[depth - 1]].self_ns -= (uint64_t) dur_ns;
	}
	if (rows[row].open == 0) {
		add_total(&rows[row], dur_ns);
	}
	rows[row].open++;
	RA_UTIL_APPEND(pass->open, pass->depth, pass->capacity, row);
	return pass->depth;
}

/* Adds the ranges of a part of a track. Called as ra_walk_take. Parents come before children; a
 * parent may be in an earlier part. */
static void take_part(void *context, const struct ra_model *part, int64_t until_ns)
{
	struct pass *pass = context;
	const struct ra_track *track = &part->tracks[pass->track];
	const struct ra_slices *s = &part->slices;

	(void) until_ns;
	for (size_t i = track->first_slice; i < track->first_slice + track->slice_count; i++) {
		const uint32_t parent = s->parent[i];
		const size_t depth = parent == RA_NONE ? 0 : part->part_tags[parent];
		struct ra_operators_walk_row *row;
		uint32_t found;

		part->part_tags[i] = depth;
		if ((s->flags[i] & RA_SLICE_WAIT) != 0) {
			continue; /* a wait for a lock is no operator */
		}
		found = find_row(pass, s->name[i]);
		row = &pass->walk->rows[found];
		row->calls++;
		row->self_ns += (uint64_t) s->dur_ns[i];
		if ((s->flags[i] & RA_SLICE_CROSSING) != 0) { /* it is not in the tree */
			add_total(row, s->dur_ns[i]);
		} else {
			part->part_tags[i] = add_nested(pass, found, depth, s->dur_ns[i]);
		}
	}
}

void ra_operators_walk_fill(struct ra_operators_walk *walk, const struct ra_model *model,
                            struct ra_labels *labels)
{
	struct pass pass = {
		.walk = walk,
		.labels = labels,
		.open = ra_alloc_bytes(DEPTH * sizeof(*pass.open)),
		.capacity = DEPTH,
	};

	for (uint32_t t = 0; t < model->track_count; t++) {
		pass.track = t;
		if (model->tracks[t].kind == RA_TRACK_THREAD) {
			ra_walk_over(model, t, take_part, &pass);
			leave(&pass, 0);
		}
	}
	ra_util_map_free(&pass.row_of);
	free(pass.open);
}

void ra_operators_walk_fini(struct ra_operators_walk *walk)
{
	free(walk->rows);
	memset(walk, 0, sizeof(*walk));
}
