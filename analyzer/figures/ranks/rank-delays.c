/* SPDX-License-Identifier: MIT */
/* Finds why ranks come late to collectives: they were late from the start, or became slower
 * since. */
#include "analyzer/figures/ranks/rank-delays.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"

#define WORTH 50 /* less than this fraction of a rank's own time (1/50) is too little to report */
/* GPU work is not the reason that a rank is slow if it is longer by less than 1/20, or by less than
 * 1/10 of the rank's excess. */
#define GPU_WORTH 20
#define GPU_PART  10

/* A collective: the data that is common to all of its ranks. */
struct meeting {
	int64_t usual_ns; /* duration of the kernel on the middle rank by arrival */
	int64_t sum_ns;   /* sum of the durations of the kernels on all ranks */
	int64_t shortest_ns;
	int64_t second_ns; /* the second shortest */
	int64_t longest_ns;
	int64_t next_ns;   /* the shortest among ranks that are not slow; INT64_MAX: all are slow */
	int64_t slower_ns; /* how much longer than the middle rank a slow rank took to come here;
	                      the largest of all slow ranks */
	size_t ranks;
	size_t last;   /* rank that came last; of several, the first */
	bool is_first; /* on some rank, this is the first collective of its group */
};

/* One rank's part in a collective. */
struct part {
	struct ra_rank_stretch *stretch;
	size_t rank;
	int64_t own_ns; /* own time of the middle rank in the same stretch … */
	int64_t gpu_ns; /* … and its time of GPU work; -1: no other rank had that stretch */
};

/* Lateness that the rank has not made up for yet, by its cause. */
struct debt {
	int64_t ns[RA_RANK_DELAY_CAUSES];
};

static int compare_parts(const void *a, const void *b)
{
	const struct part *left = a;
	const struct part *right = b;
	int order = RA_ORDER_UP(left->stretch->call, right->stretch->call, match);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(left->stretch, right->stretch, before));
	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, rank));
}

static struct part *list_parts(const struct ra_rank_delays *delays, size_t *count)
{
	struct part *parts;
	size_t all = 0;

	for (size_t r = 0; r < delays->count; r++) {
		all += delays->stretches[r].count;
	}
	parts = ra_alloc_zeros(all + 1, sizeof(*parts));
	*count = 0;
	for (size_t r = 0; r < delays->count; r++) {
		for (size_t i = 0; i < delays->stretches[r].count; i++) {
			parts[(*count)++] =
				(struct part){ &delays->stretches[r].rows[i], r, -1, -1 };
		}
	}
	RA_SORT(parts, all, compare_parts);
	return parts;
}

/* Returns the middle one of some values; of an even number the lower one of the two in the
 * middle. */
static int64_t find_middle(int64_t *values, size_t count)
{
	RA_SORT(values, count, ra_order_int64);
	return values[(count - 1) / 2];
}

/* Compares the ranks that came from the same collective to the same next collective. */
static void compare_stretches(struct part *parts, size_t count, int64_t *scratch)
{
	int64_t own_ns;
	int64_t gpu_ns;

	if (count < 2 || parts[0].stretch->before == RA_NONE) {
		return;
	}
	for (size_t i = 0; i < count; i++) {
		scratch[i] = parts[i].stretch->own_ns;
	}
	own_ns = find_middle(scratch, count);
	for (size_t i = 0; i < count; i++) {
		scratch[i] = parts[i].stretch->gpu_ns;
	}
	gpu_ns = find_middle(scratch, count);
	for (size_t i = 0; i < count; i++) {
		parts[i].own_ns = own_ns;
		parts[i].gpu_ns = gpu_ns;
	}
}

/* Compares arrivals. All ranks leave a collective together. So if a rank's kernel is longer by some
 * time, the rank entered earlier by that time. */
static void compare_arrivals(struct meeting *meeting, const struct part *parts, size_t count,
                             int64_t *scratch)
{
	meeting->ranks = count;
	meeting->shortest_ns = meeting->second_ns = meeting->next_ns = INT64_MAX;
	for (size_t i = 0; i < count; i++) {
		const int64_t dur_ns = parts[i].stretch->call->dur_ns;

		scratch[i] = -dur_ns;
		meeting->sum_ns = ra_util_add_time(meeting->sum_ns, dur_ns);
		meeting->longest_ns = dur_ns > meeting->longest_ns ? dur_ns : meeting->longest_ns;
		if (dur_ns < meeting->shortest_ns) {
			meeting->second_ns = meeting->shortest_ns;
			meeting->shortest_ns = dur_ns;
			meeting->last = parts[i].rank;
		} else if (dur_ns < meeting->second_ns) {
			meeting->second_ns = dur_ns;
		}
	}
	meeting->usual_ns = -find_middle(scratch, count);
}

/* Finds the middle rank of each collective and of each stretch. The parts must be sorted. */
static void compare_ranks(struct meeting *meetings, struct part *parts, size_t count)
{
	int64_t *scratch = ra_alloc_zeros(count + 1, sizeof(*scratch));
	size_t end;

	for (size_t i = 0; i < count; i = end) {
		const uint32_t match = parts[i].stretch->call->match;
		size_t from = i;

		for (end = i; end < count && parts[end].stretch->call->match == match; end++) {
			if (parts[end].stretch->before != parts[from].stretch->before) {
				compare_stretches(&parts[from], end - from, scratch);
				from = end;
			}
		}
		compare_stretches(&parts[from], end - from, scratch);
		compare_arrivals(&meetings[match], &parts[i], end - i, scratch);
	}
	free(scratch);
}

/* Marks the first collective of each group that a rank belongs to. */
static void find_first(struct meeting *meetings, const struct ra_rank_stretches *stretches)
{
	struct ra_util_map groups = { 0 };

	for (size_t i = 0; i < stretches->count; i++) {
		const struct ra_collective *call = stretches->rows[i].call;
		const uint64_t group =
			ra_util_string_hash(call->group_id.bytes, call->group_id.length);

		if (ra_util_map_find(&groups, group) == RA_UTIL_MAP_NONE) {
			ra_util_map_put(&groups, group, 1);
			meetings[call->match].is_first = true;
		}
	}
	ra_util_map_free(&groups);
}

/* Subtracts a time from a debt, the oldest cause first. */
static void forgive(struct debt *debt, int64_t time_ns)
{
	static const enum ra_rank_delay_cause oldest[] = { RA_RANK_DELAY_START, RA_RANK_DELAY_OTHER,
		                                           RA_RANK_DELAY_OWN };

	for (size_t i = 0; i < RA_RANK_DELAY_CAUSES && time_ns > 0; i++) {
		int64_t *ns = &debt->ns[oldest[i]];
		const int64_t part_ns = *ns < time_ns ? *ns : time_ns;

		*ns -= part_ns;
		time_ns -= part_ns;
	}
}

/*
 * Brings a debt up to date. Since the collective before, the rank took `slower_ns` longer than the
 * middle rank, and it came to this collective `late_ns` later. If `late_ns` is less than the sum of
 * the debt, the rank made up for the rest while the others were held. If it is more, the cause of
 * the excess is unknown, unless the ranks meet for the first time.
 */
static void settle(struct debt *debt, int64_t slower_ns, int64_t late_ns, bool is_first)
{
	int64_t sum_ns;

	debt->ns[RA_RANK_DELAY_OWN] += slower_ns > 0 ? slower_ns : 0;
	if (slower_ns < 0) {
		const int64_t own_ns = debt->ns[RA_RANK_DELAY_OWN];
		const int64_t part_ns = own_ns < -slower_ns ? own_ns : -slower_ns;

		debt->ns[RA_RANK_DELAY_OWN] -= part_ns;
		forgive(debt, -slower_ns - part_ns);
	}
	sum_ns = debt->ns[RA_RANK_DELAY_START] + debt->ns[RA_RANK_DELAY_OWN] +
	         debt->ns[RA_RANK_DELAY_OTHER];
	forgive(debt, sum_ns - late_ns);
	if (sum_ns < late_ns) {
		debt->ns[is_first ? RA_RANK_DELAY_START : RA_RANK_DELAY_OTHER] += late_ns - sum_ns;
	}
}

/* Divides the waits of the other ranks for a rank in proportion to the rank's debt. */
static void charge(struct ra_rank_delay *delay, const struct debt *debt, int64_t waits_ns)
{
	const double sum = (double) debt->ns[RA_RANK_DELAY_START] +
	                   (double) debt->ns[RA_RANK_DELAY_OWN] +
	                   (double) debt->ns[RA_RANK_DELAY_OTHER];
	int64_t rest_ns = waits_ns;

	for (size_t c = 0; c < RA_RANK_DELAY_OTHER && sum > 0; c++) {
		const int64_t part_ns =
			(int64_t) ((double) waits_ns * ((double) debt->ns[c] / sum));

		delay->waits_ns[c] = ra_util_add_time(delay->waits_ns[c], part_ns);
		rest_ns -= part_ns;
	}
	delay->waits_ns[RA_RANK_DELAY_OTHER] =
		ra_util_add_time(delay->waits_ns[RA_RANK_DELAY_OTHER], rest_ns);
}

/* Adds a stretch to a rank's own time. Return: how much longer than the middle rank the rank
 * took. */
static int64_t add_stretch(struct ra_rank_delay *delay, const struct part *part)
{
	const int64_t own_ns = part->stretch->own_ns;
	const int64_t slower_ns = own_ns - part->own_ns;
	const int64_t gpu_ns = part->stretch->gpu_ns - part->gpu_ns;

	if (part->own_ns < 0) {
		return 0;
	}
	delay->stretches++;
	delay->own_ns = ra_util_add_time(delay->own_ns, own_ns);
	delay->usual_ns = ra_util_add_time(delay->usual_ns, part->own_ns);
	delay->gpu_own_ns = ra_util_add_time(delay->gpu_own_ns, part->stretch->gpu_ns);
	delay->gpu_usual_ns = ra_util_add_time(delay->gpu_usual_ns, part->gpu_ns);
	if (slower_ns > 0 && gpu_ns > 0) {
		delay->gpu_ns =
			ra_util_add_time(delay->gpu_ns, gpu_ns < slower_ns ? gpu_ns : slower_ns);
	}
	return slower_ns;
}

static int compare_by_rank(const void *a, const void *b)
{
	const struct part *left = a;
	const struct part *right = b;
	const int order = RA_ORDER_UP(left, right, rank);

	return RA_ORDER_THEN(order, RA_ORDER(left->stretch, right->stretch));
}

static void add_part(struct ra_rank_delay *delay, struct debt *debt, const struct part *part,
                     const struct meeting *meeting)
{
	const int64_t dur_ns = part->stretch->call->dur_ns;
	const int64_t late_ns = meeting->usual_ns > dur_ns ? meeting->usual_ns - dur_ns : 0;
	const int64_t slower_ns = add_stretch(delay, part);

	settle(debt, slower_ns, late_ns, meeting->is_first);
	delay->calls++;
	if (meeting->is_first && debt->ns[RA_RANK_DELAY_START] > delay->start_ns) {
		delay->start_ns = debt->ns[RA_RANK_DELAY_START];
	}
	if (debt->ns[RA_RANK_DELAY_OWN] > delay->most_ns) {
		delay->most_ns = debt->ns[RA_RANK_DELAY_OWN];
	}
	if (meeting->last == part->rank) {
		const int64_t waits_ns =
			meeting->sum_ns - (int64_t) meeting->ranks * meeting->shortest_ns;

		delay->others =
			meeting->ranks - 1 > delay->others ? meeting->ranks - 1 : delay->others;
		if (meeting->is_first) {
			delay->before_ns = ra_util_add_time(delay->before_ns, waits_ns);
		} else {
			charge(delay, debt, waits_ns);
			delay->late_ns = ra_util_add_time(
				delay->late_ns, meeting->longest_ns - meeting->shortest_ns);
			delay->alone_ns = ra_util_add_time(
				delay->alone_ns,
				meeting->ranks > 1 ? meeting->second_ns - meeting->shortest_ns : 0);
		}
	}
}

/*
 * Finds the time that the run would gain if slow ranks were as fast as the middle one. Where a slow
 * rank came last, the others would go on when the last of the ranks that are not slow comes. A rank
 * that is late is often late for the next collective by the same time again, so the gain never
 * exceeds the time by which ranks are slower.
 */
static void find_gains(struct ra_rank_delays *delays, struct meeting *meetings,
                       const struct part *parts, size_t count, size_t meeting_count)
{
	int64_t *slower_ns = ra_alloc_zeros(delays->count + 1, sizeof(*slower_ns));
	int64_t most_ns = 0;

	for (size_t i = 0; i < count; i++) {
		const int64_t dur_ns = parts[i].stretch->call->dur_ns;
		const int64_t more_ns =
			parts[i].own_ns < 0 ? 0 : parts[i].stretch->own_ns - parts[i].own_ns;
		struct meeting *meeting = &meetings[parts[i].stretch->call->match];
		int64_t *sum_ns = &slower_ns[parts[i].rank];

		*sum_ns = ra_util_add_time(*sum_ns, more_ns > 0 ? more_ns : 0);
		if (!ra_rank_delay_is_slow(&delays->ranks[parts[i].rank])) {
			meeting->next_ns = dur_ns < meeting->next_ns ? dur_ns : meeting->next_ns;
		} else if (more_ns > meeting->slower_ns) {
			meeting->slower_ns = more_ns;
		}
	}
	for (size_t m = 0; m < meeting_count; m++) {
		const struct meeting *at = &meetings[m];

		most_ns = ra_util_add_time(most_ns, at->slower_ns);
		if (at->ranks > 1 && !at->is_first) {
			const int64_t end_ns =
				at->next_ns == INT64_MAX ? at->longest_ns : at->next_ns;

			delays->together_ns =
				ra_util_add_time(delays->together_ns, end_ns - at->shortest_ns);
		}
	}
	delays->together_ns = most_ns < delays->together_ns ? most_ns : delays->together_ns;
	for (size_t r = 0; r < delays->count; r++) {
		int64_t *alone_ns = &delays->ranks[r].alone_ns;

		*alone_ns = slower_ns[r] < *alone_ns ? slower_ns[r] : *alone_ns;
	}
	free(slower_ns);
}

void ra_rank_delays_init(struct ra_rank_delays *delays, const struct ra_files *files,
                         const struct ra_collectives *collectives)
{
	struct meeting *meetings = ra_alloc_zeros(collectives->match_count + 1, sizeof(*meetings));
	struct debt debt = { 0 };
	struct part *parts;
	size_t count;

	*delays = (struct ra_rank_delays){ .count = collectives->count };
	delays->ranks = ra_alloc_zeros(delays->count + 1, sizeof(*delays->ranks));
	delays->stretches = ra_alloc_zeros(delays->count + 1, sizeof(*delays->stretches));
	for (size_t r = 0; r < delays->count; r++) {
		ra_rank_stretches_init(&delays->stretches[r], ra_files_model(files, r),
		                       &collectives->ranks[r]);
		find_first(meetings, &delays->stretches[r]);
	}
	parts = list_parts(delays, &count);
	compare_ranks(meetings, parts, count);
	RA_SORT(parts, count, compare_by_rank); /* sorts by rank; the parts of each rank stay in the
	                                           order of its launches */
	for (size_t i = 0; i < count; i++) {
		debt = i > 0 && parts[i - 1].rank == parts[i].rank ? debt : (struct debt){ 0 };
		add_part(&delays->ranks[parts[i].rank], &debt, &parts[i],
		         &meetings[parts[i].stretch->call->match]);
	}
	find_gains(delays, meetings, parts, count, collectives->match_count);
	free(parts);
	free(meetings);
}

void ra_rank_delays_fini(struct ra_rank_delays *delays)
{
	for (size_t r = 0; r < delays->count; r++) {
		ra_rank_stretches_fini(&delays->stretches[r]);
	}
	free(delays->stretches);
	free(delays->ranks);
}

bool ra_rank_delay_is_slow(const struct ra_rank_delay *delay)
{
	return delay->usual_ns > 0 && delay->most_ns > 0 &&
	       ra_rank_delay_slower(delay) >= delay->usual_ns / WORTH &&
	       delay->most_ns >= delay->usual_ns / WORTH;
}

bool ra_rank_delay_is_of_cpu(const struct ra_rank_delay *delay)
{
	const int64_t more_ns = delay->gpu_own_ns - delay->gpu_usual_ns;

	return delay->gpu_usual_ns > 0 && (more_ns <= delay->gpu_usual_ns / GPU_WORTH ||
	                                   more_ns <= ra_rank_delay_slower(delay) / GPU_PART);
}

bool ra_rank_delay_is_late(const struct ra_rank_delay *delay)
{
	return !ra_rank_delay_is_slow(delay) && delay->start_ns > 0 &&
	       delay->start_ns >= delay->usual_ns / WORTH &&
	       (delay->before_ns > 0 || delay->waits_ns[RA_RANK_DELAY_START] > 0);
}
