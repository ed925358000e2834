/* SPDX-License-Identifier: MIT */
/* Finds for a summary's part what needs ranges in the order of time, from a log whose ranges are
 * not held in memory. */
#include "analyzer/summary-file/build/sum-walk-impl.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/steps/step-roles.h"
#include "analyzer/summary-file/build/sum-causes.h"
#include "analyzer/summary-file/build/sum-cut.h"

/* The calls of a row that may have begun to take longer at some call (the cut). */
struct calls {
	struct ra_sum_cut cut;
	/* owned; by bucket of the row: in the first pass, numbers of ranks; in the second … */
	uint64_t *numbers;
	uint64_t *after; /* owned; … calls before the cut, and in `after` those from the cut on */
	int64_t at_ns;   /* start of the first call after the cut */
	uint64_t seen;   /* number of calls seen in the second pass */
};

struct times {
	struct ra_sum_walk *walk;
	const struct ra_sum_row *rows; /* borrowed; by group */
	struct calls *calls;           /* owned; by group */
	struct ra_step_roles *roles;   /* owned */
	size_t *next;                  /* owned; for ra_few_ranges_find() */
};

static size_t find_bucket(const struct ra_sum_stat *stat, int64_t dur_ns)
{
	return ra_sum_stat_place(stat, ra_sum_stat_bucket(dur_ns));
}

static uint32_t find_group(struct ra_sum_walk *walk, const struct ra_walk_range *range)
{
	return ra_group_base_find(&walk->groups, range->name, range->domain,
	                          ra_sum_walk_kind(walk->job->whole, range->track, range->flags));
}

/* Sets for each bucket twice the mean rank of its durations; ranks count from 1, so this is at
 * least 2. */
static void begin_calls(struct calls *calls, const struct ra_sum_stat *stat)
{
	uint64_t before = 0;

	if (!ra_sum_cut_can_be(stat)) {
		return;
	}
	ra_sum_cut_begin(&calls->cut, stat->count);
	calls->numbers = ra_alloc_bytes(stat->bucket_count * sizeof(*calls->numbers));
	for (size_t i = 0; i < stat->bucket_count; i++) {
		calls->numbers[i] = 2 * before + stat->buckets[i].count + 1;
		before += stat->buckets[i].count;
	}
}

static void add_call(struct times *times, const struct ra_walk_range *range)
{
	const uint32_t group = find_group(times->walk, range);
	struct calls *calls = &times->calls[group];

	if (calls->numbers == NULL) {
		return;
	}
	if (calls->cut.best == calls->cut.before) { /* this is the first call after the best cut */
		calls->at_ns = range->start_ns;
	}
	ra_sum_cut_add(&calls->cut,
	               calls->numbers[find_bucket(&times->rows[group].stat, range->dur_ns)]);
}

/* True if the range is one of the steps. */
static bool is_step(struct times *times, const struct ra_walk_range *range)
{
	const struct ra_sum_walk *walk = times->walk;
	const uint32_t slice = ra_few_ranges_find(&walk->some, times->next, range);

	return slice != RA_NONE && walk->job->steps.is_step[slice];
}

/* The first pass: adds calls to the search for a cut. */
static void take_times(void *context, const struct ra_walk_range *ranges, size_t count,
                       int64_t until_ns)
{
	struct times *times = context;

	for (size_t i = 0; i < count; i++) {
		const bool is_one = is_step(times, &ranges[i]);

		add_call(times, &ranges[i]);
		if (!is_one) {
			ra_step_roles_add(times->roles, &ranges[i]);
		}
		if (times->walk->job->causes != NULL) {
			ra_sum_causes_take(times->walk->job->causes, &ranges[i], is_one);
		}
	}
	ra_step_roles_take(times->roles, until_ns);
}

/* The second pass: counts each duration before and after the cut. */
static void take_sides(void *context, const struct ra_walk_range *ranges, size_t count,
                       int64_t until_ns)
{
	struct times *times = context;

	(void) until_ns;
	for (size_t i = 0; i < count; i++) {
		const uint32_t group = find_group(times->walk, &ranges[i]);
		struct calls *calls = &times->calls[group];
		uint64_t *side;

		if (calls->after == NULL) {
			continue;
		}
		side = calls->seen++ < calls->cut.best ? calls->numbers : calls->after;
		side[find_bucket(&times->rows[group].stat, ranges[i].dur_ns)]++;
	}
}

/* Prepares the second pass for the rows that have a cut. Return: true if there are any. */
static bool begin_sides(struct times *times)
{
	bool has_any = false;

	for (size_t i = 0; i < times->walk->groups.count; i++) {
		struct calls *calls = &times->calls[i];
		const size_t buckets = times->rows[i].stat.bucket_count;

		if (calls->numbers == NULL) {
			continue;
		}
		calls->cut.best = ra_sum_cut_find(&calls->cut);
		if (calls->cut.best > 0) {
			memset(calls->numbers, 0, buckets * sizeof(*calls->numbers));
			calls->after = ra_alloc_zeros(buckets, sizeof(*calls->after));
			has_any = true;
		}
	}
	return has_any;
}

static int64_t find_median(const struct ra_sum_stat *stat, const uint64_t *counts, uint64_t count)
{
	uint64_t seen = 0;

	for (size_t i = 0; i < stat->bucket_count; i++) {
		seen += counts[i];
		if (2 * seen >= count) {
			return ra_sum_cut_middle(stat->buckets[i].bucket);
		}
	}
	return 0;
}

static void add_change(struct times *times, size_t group)
{
	const struct calls *calls = &times->calls[group];
	const struct ra_sum_stat *stat = &times->rows[group].stat;
	struct ra_sum_part *part = times->walk->job->part;
	struct ra_sum_change change = { .row = (uint32_t) group, .calls = calls->cut.best };

	change.at_ns = calls->at_ns;
	change.before_ns = find_median(stat, calls->numbers, change.calls);
	change.after_ns = find_median(stat, calls->after, stat->count - change.calls);
	if (ra_sum_cut_is_longer(change.before_ns, change.after_ns)) {
		RA_UTIL_APPEND(part->changes, part->change_count, part->change_capacity, change);
	}
}

static void free_times(struct times *times)
{
	for (size_t i = 0; i < times->walk->groups.count; i++) {
		free(times->calls[i].numbers);
		free(times->calls[i].after);
	}
	free(times->calls);
	free(times->next);
}

void ra_sum_walk_find_times(struct ra_sum_walk *walk)
{
	struct ra_sum_build_job *job = walk->job;
	const struct ra_model *model = job->whole;
	struct times times = { .walk = walk, .rows = job->part->rows };

	times.calls = ra_alloc_zeros(walk->groups.count + 1, sizeof(*times.calls));
	times.next = ra_alloc_zeros(model->track_count + 1, sizeof(*times.next));
	for (size_t i = 0; i < walk->groups.count; i++) {
		begin_calls(&times.calls[i], &times.rows[i].stat);
	}
	job->costs = ra_alloc_zeros(job->steps.times.step_count + 1, sizeof(*job->costs));
	times.roles = ra_step_roles_begin(&job->steps, model, job->costs);
	if (job->options->series != NULL) {
		ra_sum_causes_begin(job);
	}
	ra_walk_merge(model, take_times, &times);
	ra_step_roles_end(times.roles);
	if (begin_sides(&times)) {
		ra_walk_merge(model, take_sides, &times);
	}
	for (size_t i = 0; i < walk->groups.count; i++) {
		if (times.calls[i].after != NULL) {
			add_change(&times, i);
		}
	}
	free_times(&times);
}
