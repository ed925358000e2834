/* SPDX-License-Identifier: MIT */
/* Notes the single calls for a summary's part, from a log whose ranges are not held in memory. */
#include "analyzer/summary-file/build/sum-walk-impl.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/model/walk.h"
#include "analyzer/summary-file/build/sum-series.h"

struct pass {
	struct ra_sum_walk *walk;
	struct ra_sum_series *series;
	struct ra_sum_places places;
	uint64_t *hashes; /* owned; by group: hash of its name */
	uint64_t *steps;  /* owned; by group: n, if every n-th call is kept */
	uint64_t *seen;   /* owned; by group: number of calls seen */
	uint32_t track;
};

/* Notes a slice. Return: its place. */
static uint64_t take_slice(struct pass *pass, const struct ra_slices *s, size_t slice,
                           uint64_t around)
{
	struct ra_sum_walk *walk = pass->walk;
	const uint32_t group = ra_group_base_find(
		&walk->groups, s->name[slice], s->domain[slice],
		ra_sum_walk_kind(walk->job->whole, pass->track, s->flags[slice]));
	const uint64_t place = ra_sum_places_find(&pass->places, around, pass->hashes[group]);

	if (pass->seen[group]++ % pass->steps[group] == 0) {
		ra_sum_series_note(pass->series, group, s->dur_ns[slice], (uint32_t) place);
	}
	return place;
}

/* Takes a part of a track. The tag of a range is its place. */
static void take_part(void *context, const struct ra_model *part, int64_t until_ns)
{
	struct pass *pass = context;
	const struct ra_track *track = &part->tracks[pass->track];
	const struct ra_slices *s = &part->slices;
	uint64_t *tags = part->part_tags;

	(void) until_ns;
	if (tags != NULL) {
		ra_sum_places_forget(&pass->places, tags, track->first_slice);
	}
	for (size_t i = track->first_slice; i < track->first_slice + track->slice_count; i++) {
		const bool has_around = tags != NULL && s->parent[i] != RA_NONE;
		const uint64_t place =
			take_slice(pass, s, i, has_around ? tags[s->parent[i]] : pass->places.root);

		if (tags != NULL) { /* start/end ranges have no tags */
			tags[i] = place;
		}
	}
}

void ra_sum_walk_note_series(struct ra_sum_walk *walk)
{
	struct ra_sum_build_job *job = walk->job;
	const size_t count = walk->groups.count;
	uint32_t *order = ra_sum_series_order(job->whole);
	struct pass pass = { .walk = walk,
		             .series = job->options->series,
		             .places = { .forgets = true } };

	pass.hashes = ra_alloc_zeros(count + 1, sizeof(*pass.hashes));
	pass.steps = ra_alloc_zeros(count + 1, sizeof(*pass.steps));
	pass.seen = ra_alloc_zeros(count + 1, sizeof(*pass.seen));
	pass.series->all = ra_alloc_zeros(count + 1, sizeof(*pass.series->all));
	pass.series->all_count = count;
	for (size_t i = 0; i < count; i++) {
		pass.series->all[i] = job->part->rows[i].stat.count;
		pass.steps[i] = ra_sum_series_step(pass.series->all[i]);
		pass.hashes[i] =
			ra_sum_places_hash(ra_labels_name(&job->labels, walk->groups.keys[i].name));
	}
	for (uint32_t r = 0; r < job->whole->track_count; r++) {
		pass.track = order[r];
		ra_sum_places_begin(&pass.places, job->whole->tracks[order[r]].kind, r);
		ra_walk_over(job->whole, order[r], take_part, &pass);
	}
	ra_sum_places_fini(&pass.places);
	free(pass.hashes);
	free(pass.steps);
	free(pass.seen);
	free(order);
}
