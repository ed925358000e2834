/* SPDX-License-Identifier: MIT */
/*
 * Sums runs of ranges that nest. Apart from decoding, the table of a log takes most of its time
 * here. So a range is added in one step, in order of start, and nearly without branches, because
 * their outcomes are as good as random. The depth of a range follows from its number and its row,
 * because each row before it opened or closed a range. So the range around it is found without a
 * stack: it is the range that was last opened one level above.
 */
#include "analyzer/figures/ranges/range-runs.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/util.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* If there are more groups than this many times the rows of a thread's first run, a group is
 * entered only when one of its ranges comes. */
#define GROUPS_PER_ROW 2

/* A run and the data needed to sum it. */
struct summing {
	struct ra_range_part *part;
	const struct ra_slice_run *run;
	uint64_t **inner_ns; /* array of struct ra_range_levels */
	int64_t now_ns;      /* time of the run's end */
};

struct flags {
	bool has_medians;
	bool has_names;
	bool is_entered; /* enter_all() has entered all groups */
};

static int64_t end_of(const struct ra_slice_run *run)
{
	return run->times[run->rows - 1];
}

/* Finds the level of a range that begins in the run; the outermost ranges have level 1. */
static ALWAYS_INLINE size_t find_level(const struct ra_slice_run *run, size_t range)
{
	return 2 * range + 1 - run->open_before - run->ranges[range].push;
}

/* Enters a thread in a group: makes the group's coverage that of this thread. */
static ALWAYS_INLINE void enter_track(struct ra_range_sum *sum, size_t track)
{
	sum->covered_ns = sum->track == track + 1 ? sum->covered_ns : INT64_MIN;
	sum->track = track + 1;
}

/* Enters the run's thread in all groups, unless they are many. */
static void enter_all(struct ra_range_part *part, const struct ra_slice_run *run)
{
	if (part->entered == run->track + 1 || part->sum_count > run->rows * GROUPS_PER_ROW) {
		return;
	}
	for (size_t g = 0; g < part->sum_count; g++) {
		enter_track(&part->sums[g], run->track);
	}
	part->entered = run->track + 1;
}

/* Finds a group that is not the newest group of its name; the group may be new. */
__attribute__((noinline)) static uint32_t find_other(const struct summing *summing, uint32_t name)
{
	const uint32_t group =
		ra_range_part_find(summing->part, name, summing->run->domain, RA_TRACK_THREAD);

	enter_track(&summing->part->sums[group], summing->run->track);
	return group;
}

/* Adds the duration of a range to its group's median, at most as UINT32_MAX. */
static ALWAYS_INLINE void add_middle(struct ra_range_part *part, size_t group, uint64_t dur_ns)
{
	const struct ra_range_near *near = &part->near[group];
	uint16_t *counts = near->counts;

	if (__builtin_expect(counts != NULL, 1)) {
		uint16_t *count = ra_middle_find_count(counts, near->watch_low, dur_ns);

		if (__builtin_expect(++*count == 0, 0)) {
			ra_middle_carry(&part->middles[group], count);
		}
	} else {
		ra_range_part_add_middle(part, (uint32_t) group, dur_ns);
	}
}

/* Adds a range that begins and ends in the run. Its group may be new. */
__attribute__((noinline)) static void sum_other(const struct summing *summing, size_t range)
{
	const struct ra_slice_run *run = summing->run;
	struct ra_range_part *part = summing->part;
	const size_t row = run->ranges[range].push;
	const int64_t start_ns = run->times[row];
	const int64_t end_ns = run->times[run->ranges[range].pop];
	uint64_t **inner_ns = &summing->inner_ns[find_level(run, range)];
	const uint32_t group = find_other(summing, run->names[row]);
	struct ra_range_sum *sum = &part->sums[group];

	inner_ns[0] = &sum->self_ns;
	*inner_ns[-1] -= (uint64_t) (end_ns - start_ns);
	ra_range_sum_add_uncounted(sum, start_ns, end_ns);
	sum->calls++;
	if (part->has_medians) {
		ra_range_part_add_middle(part, group, (uint64_t) (end_ns - start_ns));
	}
}

/* Adds the ranges from..to-1 of the run, which begin and end in the run. The flags are those of the
 * part; constant flags make the loop faster. */
static ALWAYS_INLINE void sum_closed(const struct summing *summing, size_t from, size_t to,
                                     const struct flags flags)
{
	const struct ra_slice_run run = *summing->run;
	struct ra_range_part *part = summing->part;
	struct ra_range_sum *sums = part->sums;
	uint64_t **inner = summing->inner_ns;
	const uint64_t *recent = part->groups.recent;
	const uint64_t tag = ra_group_base_tag(run.domain, RA_TRACK_THREAD);
	const struct ra_slice_run_rows *range = run.ranges + from;
	const struct ra_slice_run_rows *const end = run.ranges + to;
	/* If true, no duration exceeds 32 bits, and all medians can be watched. */
	const bool is_short = (uint64_t) end_of(&run) - (uint64_t) run.times[0] <= UINT32_MAX;
	size_t plain = is_short ? part->plain_count : 0;
	size_t level = 2 * from + 1 - run.open_before;

	for (; range < end; range++, level += 2) {
		const struct ra_slice_run_rows rows = *range;
		const int64_t start_ns = run.times[rows.push];
		const int64_t end_ns = run.times[rows.pop];
		const uint64_t dur_ns = (uint64_t) (end_ns - start_ns);
		/* A group of another domain or kind has other high bits. */
		const uint64_t group =
			recent[flags.has_names ? run.names[rows.push] : run.domain] ^ tag;
		uint64_t **inner_ns;

		if (__builtin_expect(group >= plain, 0)) {
			sum_other(summing, (size_t) (range - run.ranges));
			plain = is_short ? part->plain_count : 0;
			continue;
		}
		if (!flags.is_entered) {
			enter_track(&sums[group], run.track);
		}
		inner_ns = &inner[level - rows.push];
		inner_ns[0] = &sums[group].self_ns;
		*inner_ns[-1] -= dur_ns;
		ra_range_sum_add_uncounted(&sums[group], start_ns, end_ns);
		sums[group].calls += flags.has_medians ? 0 : 1;
		if (flags.has_medians) {
			add_middle(part, group, dur_ns);
		}
	}
}

static void sum_stretch(const struct summing *summing, size_t from, size_t to)
{
	const struct ra_range_part *part = summing->part;
	const struct flags flags = {
		.has_medians = part->has_medians,
		.has_names = part->groups.has_names,
		.is_entered = part->entered == summing->run->track + 1,
	};

	if (flags.has_medians && flags.has_names && flags.is_entered) {
		sum_closed(summing, from, to, (struct flags){ true, true, true });
	} else {
		sum_closed(summing, from, to, flags);
	}
}

/* Adds the time in the run of a range that stays open. */
static void sum_open(const struct summing *summing, const struct ra_range_levels *levels,
                     size_t level, uint32_t name, int64_t start_ns)
{
	struct ra_range_sum *sum = &summing->part->sums[find_other(summing, name)];

	summing->inner_ns[level] = &levels->open_ns[level];
	ra_range_sum_cover(sum, start_ns, summing->now_ns);
}

/* Counts the ranges that stay open throughout the run; they are the first ones in run->open. */
static size_t count_kept(const struct ra_slice_run *run)
{
	size_t kept = 0;

	while (kept < run->open_count && run->open[kept] < run->open_before) {
		kept++;
	}
	return kept;
}

/* Adds the ranges that were open before the run. */
static void sum_before(const struct summing *summing, const struct ra_self_time *self,
                       const struct ra_range_levels *levels)
{
	const struct ra_slice_run *run = summing->run;
	const struct ra_slices *s = &run->model->slices;
	struct ra_range_part *part = summing->part;
	const size_t kept = count_kept(run);

	for (size_t i = 0; i < run->open_before; i++) {
		const int64_t end_ns = i < kept ? 0 : run->times[run->ranges[i].pop];
		const int64_t start_ns = s->start_ns[i];
		struct ra_range_sum *sum;
		uint32_t group;

		if (i < kept) {
			sum_open(summing, levels, i + 1, s->name[i], start_ns);
			continue;
		}
		group = find_other(summing, s->name[i]);
		sum = &part->sums[group];
		summing->inner_ns[i + 1] = &sum->self_ns;
		*summing->inner_ns[i] -= (uint64_t) (end_ns - start_ns);
		sum->self_ns -= (uint64_t) ra_self_time_open(self, i);
		ra_range_sum_add_uncounted(sum, start_ns, end_ns);
		sum->calls++;
		if (part->has_medians) {
			ra_range_part_add_middle(part, group, (uint64_t) (end_ns - start_ns));
		}
	}
}

/* Adds the ranges that begin in the run. Between two ranges that stay open, all ranges end in
 * it. */
static void sum_begun(const struct summing *summing, const struct ra_range_levels *levels)
{
	const struct ra_slice_run *run = summing->run;
	size_t next = run->open_before;

	for (size_t o = count_kept(run); o <= run->open_count; o++) {
		const size_t stop = o < run->open_count ? run->open[o] : run->count;

		sum_stretch(summing, next, stop);
		if (o < run->open_count) {
			sum_open(summing, levels, o + 1, run->names[run->ranges[stop].push],
			         run->times[run->ranges[stop].push]);
		}
		next = stop + 1;
	}
}

int64_t ra_range_runs_sum(struct ra_range_part *part, const struct ra_slice_run *run,
                          const struct ra_self_time *self, struct ra_range_levels *levels)
{
	struct summing summing = { part, run, NULL, end_of(run) };

	ra_util_grow(&levels->inner_ns, &levels->capacity, run->count + 1,
	             sizeof(*levels->inner_ns)); /* NOLINT(bugprone-sizeof-expression): pointers */
	ra_util_grow(&levels->open_ns, &levels->open_capacity,
	             run->open_before + run->open_count + 1, sizeof(*levels->open_ns));
	memset(levels->open_ns, 0, (run->open_count + 1) * sizeof(*levels->open_ns));
	summing.inner_ns = levels->inner_ns;
	levels->inner_ns[0] = &levels->open_ns[0];
	enter_all(part, run);
	sum_before(&summing, self, levels);
	levels->open_ns[0] = 0;
	sum_begun(&summing, levels);
	return -(int64_t) levels->open_ns[0];
}

void ra_range_levels_fini(struct ra_range_levels *levels)
{
	free(levels->inner_ns);
	free(levels->open_ns);
	*levels = (struct ra_range_levels){ 0 };
}

void ra_range_runs_keep_self(struct ra_self_time *self, const struct ra_slice_run *run,
                             const struct ra_range_levels *levels)
{
	const size_t kept = count_kept(run);

	for (size_t o = 0; o < run->open_count; o++) {
		levels->open_ns[o + 1] = (uint64_t) (o < kept ? ra_self_time_open(self, o) : 0) -
		                         levels->open_ns[o + 1];
	}
	self->open_count = 0;
	for (size_t o = run->open_count; o > 0; o--) {
		RA_UTIL_APPEND(self->open_ns, self->open_count, self->open_capacity,
		               (int64_t) levels->open_ns[o]);
	}
}

/* Passes on the durations of all ranges that ended. */
void ra_range_runs_narrow(struct ra_range_part *part, const struct ra_slice_run *run)
{
	const struct ra_slices *s = &run->model->slices;
	const size_t kept = count_kept(run);
	size_t open = kept;

	for (size_t i = kept; i < run->count; i++) {
		const bool is_before = i < run->open_before;
		const uint32_t name = is_before ? s->name[i] : run->names[run->ranges[i].push];
		const int64_t start_ns =
			is_before ? s->start_ns[i] : run->times[run->ranges[i].push];
		uint32_t group;

		if (open < run->open_count && run->open[open] == i) {
			open++;
			continue;
		}
		group = ra_group_base_find(&part->groups, name, run->domain, RA_TRACK_THREAD);
		ra_middle_narrow(&part->middles[group],
		                 (uint64_t) (run->times[run->ranges[i].pop] - start_ns));
	}
}

int64_t ra_range_runs_cover(const struct ra_slice_run *run)
{
	size_t open = count_kept(run);
	int64_t covered_ns = 0;

	for (size_t i = run->open_before; i < run->count; i++) {
		if (open < run->open_count && run->open[open] == i) {
			open++;
		} else if (find_level(run, i) == 1) {
			covered_ns +=
				run->times[run->ranges[i].pop] - run->times[run->ranges[i].push];
		}
	}
	return covered_ns;
}
