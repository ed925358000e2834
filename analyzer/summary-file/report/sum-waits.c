/* SPDX-License-Identifier: MIT */
/* Finds which rank the others wait for in collectives, from the sums in summaries. */
#include "analyzer/summary-file/report/sum-waits.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"

/* Waits below this fraction (1/50) of the others' steps are not worth a line. */
#define WORTH 50

/* The collectives of a name on the ranks of a run: their place in the sorted rows, and their
 * number. */
struct meeting {
	const struct ra_sum_collective *rows;
	size_t count;
	const int64_t *durations;
};

/* The number of ranks of each run, by the number of its text. Return: owned by the caller. */
static size_t *count_ranks(const struct ra_sum_set *set)
{
	size_t *counts = ra_alloc_zeros(set->texts.count + 1, sizeof(*counts));

	for (size_t i = 0; i < set->source_count; i++) {
		counts[set->sources[i].run_id]++;
	}
	return counts;
}

static int compare_rows(const void *a, const void *b)
{
	const struct ra_sum_collective *left = a;
	const struct ra_sum_collective *right = b;
	int order = RA_ORDER_UP(left, right, run);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(left, right, name));
	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, part));
}

/* Merges rows of one rank on several devices. Return: how many are left. */
static size_t join_devices(struct ra_sum_collective *rows, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (kept > 0 && compare_rows(&rows[kept - 1], &rows[i]) == 0) {
			rows[kept - 1].calls = ra_util_add(rows[kept - 1].calls, rows[i].calls);
			rows[kept - 1].total_ns =
				ra_util_add_time(rows[kept - 1].total_ns, rows[i].total_ns);
			rows[kept - 1].is_by_call = false; /* its calls overlap */
		} else {
			rows[kept++] = rows[i];
		}
	}
	return kept;
}

/* The time of a rank in one of the collectives; without single durations, in all of them. */
static int64_t find_time(const struct meeting *meeting, bool is_by_call, size_t rank, uint64_t call)
{
	const struct ra_sum_collective *row = &meeting->rows[rank];

	return is_by_call ? meeting->durations[row->first + call] : row->total_ns;
}

/* The rank with the shortest time in a collective came last. */
static void compare_times(struct ra_sum_wait *waits, const struct meeting *meeting, bool is_by_call,
                          uint64_t call)
{
	int64_t shortest_ns = INT64_MAX;
	size_t last = 0;

	for (size_t i = 0; i < meeting->count; i++) {
		const int64_t time_ns = find_time(meeting, is_by_call, i, call);

		last = time_ns < shortest_ns ? i : last;
		shortest_ns = time_ns < shortest_ns ? time_ns : shortest_ns;
	}
	for (size_t i = 0; i < meeting->count; i++) {
		struct ra_sum_wait *wait = &waits[meeting->rows[i].part];
		struct ra_sum_wait *late = &waits[meeting->rows[last].part];
		const int64_t wait_ns = find_time(meeting, is_by_call, i, call) - shortest_ns;

		wait->is_known = true;
		wait->wait_ns = ra_util_add_time(wait->wait_ns, wait_ns);
		late->others_ns = ra_util_add_time(late->others_ns, wait_ns);
	}
}

static void compare_ranks(struct ra_sum_wait *waits, const struct meeting *meeting)
{
	const uint64_t calls = meeting->rows[0].calls;
	bool is_by_call = meeting->rows[0].is_by_call;

	for (size_t i = 1; i < meeting->count; i++) {
		if (meeting->rows[i].calls != calls) {
			return;
		}
		is_by_call = is_by_call && meeting->rows[i].is_by_call;
	}
	for (uint64_t call = 0; call < (is_by_call ? calls : 1); call++) {
		compare_times(waits, meeting, is_by_call, call);
	}
}

struct ra_sum_wait *ra_sum_waits_find(const struct ra_sum_set *set)
{
	struct ra_sum_wait *waits = ra_alloc_zeros(set->source_count + 1, sizeof(*waits));
	struct ra_sum_collective *rows = ra_alloc_zeros(set->collective_count + 1, sizeof(*rows));
	size_t *ranks = count_ranks(set);
	struct meeting meeting = { 0 };
	size_t count;

	if (set->collective_count > 0) {
		memcpy(rows, set->collectives, set->collective_count * sizeof(*rows));
		RA_SORT(rows, set->collective_count, compare_rows);
	}
	count = join_devices(rows, set->collective_count);
	for (size_t i = 0; i < count; i += meeting.count) {
		meeting = (struct meeting){ .rows = &rows[i], .durations = set->durations };
		while (i + meeting.count < count && rows[i + meeting.count].run == rows[i].run &&
		       rows[i + meeting.count].name == rows[i].name) {
			meeting.count++;
		}
		if (meeting.count > 1 && meeting.count == ranks[rows[i].run]) {
			compare_ranks(waits, &meeting);
		}
	}
	free(rows);
	free(ranks);
	return waits;
}

/* The sum of the steps of the other ranks in a rank's run. */
static int64_t sum_others(const struct ra_sum_set *set, size_t rank)
{
	int64_t sum_ns = 0;

	for (size_t i = 0; i < set->source_count; i++) {
		if (i != rank && set->sources[i].run_id == set->sources[rank].run_id) {
			sum_ns = ra_util_add_time(sum_ns,
			                          set->sources[i].steps.role_ns[RA_ROLE_TOTAL]);
		}
	}
	return sum_ns;
}

/* The rank that the others wait for most, if that is worth a line; else SIZE_MAX. *whole_ns: time
 * of the others' steps. */
static size_t find_last(const struct ra_sum_wait *waits, const struct ra_sum_set *set,
                        int64_t *whole_ns)
{
	size_t last = 0;

	for (size_t i = 1; i < set->source_count; i++) {
		last = waits[i].others_ns > waits[last].others_ns ? i : last;
	}
	*whole_ns = set->source_count > 0 ? sum_others(set, last) : 0;
	return *whole_ns > 0 && waits[last].others_ns > 0 &&
	                       waits[last].others_ns >= *whole_ns / WORTH
	               ? last
	               : SIZE_MAX;
}

size_t ra_sum_waits_last(const struct ra_sum_set *set)
{
	struct ra_sum_wait *waits = ra_sum_waits_find(set);
	int64_t whole_ns;
	const size_t last = find_last(waits, set, &whole_ns);

	free(waits);
	return last;
}

static bool is_any_known(const struct ra_sum_wait *waits, const struct ra_sum_set *set)
{
	bool is = false;

	for (size_t i = 0; i < set->source_count; i++) {
		is = is || waits[i].is_known;
	}
	return is;
}

void ra_sum_waits_put(struct ra_util_text *text, const struct ra_sum_set *set)
{
	struct ra_sum_wait *waits = ra_sum_waits_find(set);
	int64_t whole_ns;
	const size_t last = find_last(waits, set, &whole_ns);

	if (last != SIZE_MAX) {
		ra_util_text_format(text, "\nThe others wait for ");
		ra_sum_set_put_source(text, &set->sources[last]);
		ra_util_text_format(text, " in collectives: ");
		ra_util_text_put_time(text, waits[last].others_ns);
		/* Collectives that overlap may sum to more than the steps. */
		if (waits[last].others_ns <= whole_ns) {
			ra_util_text_format(text, ", %.1f %%",
			                    100 * (double) waits[last].others_ns /
			                            (double) whole_ns);
		}
		ra_util_text_format(text, " of their steps\n");
	}
	if (is_any_known(waits, set)) {
		ra_util_text_format(text, "\nWaits, Others wait: the waits of all ranks added up; "
		                          "\"Late by\" of stragglers has of each collective "
		                          "only the longest of them. Where recordings begin apart "
		                          "the first collective's wait has that in it: \"Rec. "
		                          "later\" of stragglers\n");
	}
	free(waits);
}
