/* SPDX-License-Identifier: MIT */
/* Makes rows of ranges for a summary's part, from a log whose ranges are not held in memory. */
#include "analyzer/summary-file/build/sum-walk.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"
#include "analyzer/figures/gpu/energy.h"
#include "analyzer/figures/ranges/range-sums.h"
#include "analyzer/figures/ranges/self-time.h"
#include "analyzer/model/walk.h"
#include "analyzer/steps/step-roles.h"
#include "analyzer/summary-file/build/sum-walk-impl.h"

/* Sums over groups, or over paths. */
struct sums {
	struct ra_range_sum *rows; /* owned, like the array below; by group */
	size_t count;
	size_t capacity;
	struct ra_sum_stat *stats;
	size_t stat_capacity;
};

struct pass {
	struct ra_sum_walk *walk;
	uint32_t track;
	struct sums names;
	struct sums paths;
	struct ra_group group;      /* its keys and paths, by path */
	struct ra_util_map path_of; /* path around << 32 | group by name → path */
	size_t key_capacity;
	size_t path_capacity;
};

static void add_sum(struct sums *sums)
{
	ra_util_grow(&sums->stats, &sums->stat_capacity, sums->count + 1, sizeof(*sums->stats));
	sums->stats[sums->count] = (struct ra_sum_stat){ 0 };
	RA_UTIL_APPEND(sums->rows, sums->count, sums->capacity,
	               (struct ra_range_sum){ .min_ns = INT64_MAX });
}

/* Finds the path of a range. @around: the path of the range around it, or RA_NONE. The third
 * argument is the range's group by name. */
static uint32_t find_path(struct pass *pass, uint32_t around, uint32_t group)
{
	const uint64_t code = (uint64_t) around << 32 | group;
	const uint32_t found = ra_util_map_find(&pass->path_of, code);
	struct ra_group *paths = &pass->group;
	struct ra_group_key key;

	if (found != RA_UTIL_MAP_NONE) {
		return found;
	}
	key = pass->walk->groups.keys[group];
	key.path = (uint32_t) paths->count;
	RA_UTIL_APPEND(paths->keys, paths->count, pass->key_capacity, key);
	RA_UTIL_APPEND(
		paths->paths, paths->path_count, pass->path_capacity,
		(struct ra_group_path){ .name = key.name, .parent = around, .domain = key.domain });
	ra_util_map_put(&pass->path_of, code, key.path);
	add_sum(&pass->paths);
	return key.path;
}

/* Adds a range, and subtracts its time from the self time of the range around it. @around: index of
 * that range's row in `sums`. */
static void add_range(const struct pass *pass, struct sums *sums, const struct ra_slices *s,
                      size_t slice, const uint32_t places[2])
{
	struct ra_range_sum *sum = &sums->rows[places[0]];
	const int64_t start_ns = s->start_ns[slice];
	const int64_t dur_ns = s->dur_ns[slice];

	ra_range_sum_add_call(sum, dur_ns);
	if (pass->walk->job->whole->tracks[pass->track].kind == RA_TRACK_THREAD) {
		ra_range_sum_add_coverage(sum, pass->track, start_ns, start_ns + dur_ns);
		ra_self_time_add(&sum->self_ns,
		                 places[1] != RA_NONE ? &sums->rows[places[1]].self_ns : NULL,
		                 dur_ns);
	} else {
		ra_range_sum_add_total(sum, dur_ns);
	}
	ra_sum_stat_add(&sums->stats[places[0]], dur_ns, start_ns);
}

/* Adds a slice. Return: its tag, made of its path and its group by name. By the tag it is found
 * when it is the range around others. */
static uint64_t add_slice(struct pass *pass, const struct ra_slices *s, size_t slice,
                          uint64_t around)
{
	struct ra_sum_walk *walk = pass->walk;
	const bool has_around = s->parent[slice] != RA_NONE;
	uint32_t names[2] = { 0, has_around ? (uint32_t) around : RA_NONE };
	uint32_t paths[2] = { 0, has_around ? (uint32_t) (around >> 32) : RA_NONE };

	names[0] = ra_group_base_find(
		&walk->groups, s->name[slice], s->domain[slice],
		ra_sum_walk_kind(walk->job->whole, pass->track, s->flags[slice]));
	if (names[0] == pass->names.count) {
		add_sum(&pass->names);
	}
	add_range(pass, &pass->names, s, slice, names);
	if (!walk->job->options->without_paths) {
		paths[0] = find_path(pass, paths[1], names[0]);
		add_range(pass, &pass->paths, s, slice, paths);
	}
	return (uint64_t) paths[0] << 32 | names[0];
}

static void take_part(void *context, const struct ra_model *part, int64_t until_ns)
{
	struct pass *pass = context;
	struct ra_sum_walk *walk = pass->walk;
	const struct ra_track *track = &part->tracks[pass->track];
	const struct ra_slices *s = &part->slices;
	uint64_t *tags = part->part_tags;

	(void) until_ns;
	for (size_t i = track->first_slice; i < track->first_slice + track->slice_count; i++) {
		const uint32_t parent = s->parent[i];
		const uint64_t tag =
			add_slice(pass, s, i, tags == NULL || parent == RA_NONE ? 0 : tags[parent]);

		ra_few_ranges_note_time(&walk->few, s->start_ns[i], s->start_ns[i] + s->dur_ns[i]);
		if (tags != NULL) { /* start/end ranges have no tags */
			tags[i] = tag;
		}
	}
}

/* Moves the figures of durations to the part's rows one by one, because there may be as many as
 * ranges. */
static void add_rows(struct ra_sum_build_job *job, enum ra_sum_table table, struct sums *sums,
                     const struct ra_group_key *keys)
{
	const size_t first = job->part->row_count;

	ra_sum_make_room(job->part, sums->count);
	for (size_t i = 0; i < sums->count; i++) {
		struct ra_metrics metrics = { 0 };

		ra_range_sums_make_rows(&metrics, &sums->rows[i], &keys[i], 1);
		ra_sum_build_rows(job, table, &metrics);
		ra_metrics_fini(&metrics);
		job->part->rows[first + i].stat = sums->stats[i];
	}
	free(sums->rows);
	free(sums->stats);
}

static void find_rows(struct ra_sum_walk *walk)
{
	struct ra_sum_build_job *job = walk->job;
	struct pass pass = { .walk = walk };
	size_t first;

	for (uint32_t t = 0; t < job->whole->track_count; t++) {
		pass.track = t;
		ra_walk_over(job->whole, t, take_part, &pass);
	}
	ra_util_map_free(&pass.path_of);
	add_rows(job, RA_SUM_RANGES, &pass.names, walk->groups.keys);
	first = job->part->row_count;
	add_rows(job, RA_SUM_PATHS, &pass.paths, pass.group.keys);
	ra_sum_build_parents(job->part, first, &pass.group);
	ra_group_fini(&pass.group);
}

/* True if energy must be computed, for which the open ranges are needed. */
static bool has_energy(const struct ra_model *model)
{
	struct ra_energy energy;
	bool has;

	ra_energy_init(&energy, model);
	has = energy.count > 0;
	ra_energy_fini(&energy);
	return has;
}

static int build(struct ra_sum_walk *walk)
{
	struct ra_sum_build_job *job = walk->job;
	const bool has_candidates = ra_sum_walk_has_candidates(walk);

	if (has_energy(job->whole) || (has_candidates && ra_sum_walk_find_candidates(walk) != 0)) {
		return RA_SUM_NEEDS_RANGES;
	}
	if (has_candidates) { /* the user's pattern may match some of these */
		ra_sum_walk_make_steps(walk);
	}
	find_rows(walk);
	if (!has_candidates) {
		ra_sum_walk_make_steps(walk);
	}
	if (!ra_step_roles_can(&job->steps)) {
		return RA_SUM_NEEDS_RANGES;
	}
	ra_sum_walk_find_times(walk);
	if (job->options->series != NULL) {
		ra_sum_walk_note_series(walk);
	}
	return 0;
}

int ra_sum_walk_build(struct ra_sum_build_job *job)
{
	struct ra_sum_walk walk = { .job = job };
	int rc;

	ra_group_base_init(&walk.groups, &job->labels, true);
	ra_group_base_reserve(&walk.groups, job->whole);
	rc = build(&walk);
	ra_group_base_fini(&walk.groups);
	ra_few_ranges_fini(&walk.few);
	ra_few_ranges_view_fini(&walk.some);
	return rc;
}
