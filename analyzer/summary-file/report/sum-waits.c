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
#define MOST  3 /* ranks that are told */

/* The collectives of a name on the ranks of a run: their place in the sorted rows, and their
 * number. */
struct meeting {
	const struct ra_sum_collective *rows;
	size_t count;
	const int64_t *durations;
	bool is_by_call; /* single durations are compared, not their sums */
	bool has_first;  /* its first call is the first collective of all that the ranks share */
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
static int64_t find_time(const struct meeting *meeting, size_t rank, uint64_t call)
{
	const struct ra_sum_collective *row = &meeting->rows[rank];

	return meeting->is_by_call ? meeting->durations[row->first + call] : row->total_ns;
}

/* The rank with the shortest time in a collective came last. */
static void compare_times(struct ra_sum_wait *waits, const struct meeting *meeting, uint64_t call)
{
	const bool is_first = meeting->has_first && call == 0;
	int64_t shortest_ns = INT64_MAX;
	size_t last = 0;

	for (size_t i = 0; i < meeting->count; i++) {
		const int64_t time_ns = find_time(meeting, i, call);

		last = time_ns < shortest_ns ? i : last;
		shortest_ns = time_ns < shortest_ns ? time_ns : shortest_ns;
	}
	for (size_t i = 0; i < meeting->count; i++) {
		struct ra_sum_wait *wait = &waits[meeting->rows[i].part];
		struct ra_sum_wait *late = &waits[meeting->rows[last].part];
		const int64_t wait_ns = find_time(meeting, i, call) - shortest_ns;

		wait->is_known = true;
		if (is_first) {
			wait->first_ns = wait_ns;
		} else {
			wait->wait_ns = ra_util_add_time(wait->wait_ns, wait_ns);
			late->others_ns = ra_util_add_time(late->others_ns, wait_ns);
		}
	}
}

/* True if all ranks have equally many. Finds out whether they are compared call by call. */
static bool is_of_all(struct meeting *meeting)
{
	meeting->is_by_call = meeting->rows[0].is_by_call;
	for (size_t i = 1; i < meeting->count; i++) {
		if (meeting->rows[i].calls != meeting->rows[0].calls) {
			return false;
		}
		meeting->is_by_call = meeting->is_by_call && meeting->rows[i].is_by_call;
	}
	return true;
}

/* The meetings of a run. Marks the one with the first collective of all. */
static void compare_run(struct ra_sum_wait *waits, struct meeting *meetings, size_t count)
{
	struct meeting *first = NULL;

	for (size_t i = 0; i < count; i++) {
		if (meetings[i].is_by_call && meetings[i].rows[0].start_ns != RA_SUM_NO_START &&
		    (first == NULL || meetings[i].rows[0].start_ns < first->rows[0].start_ns)) {
			first = &meetings[i];
		}
	}
	if (first != NULL) {
		first->has_first = true;
	}
	for (size_t i = 0; i < count; i++) {
		const uint64_t calls = meetings[i].is_by_call ? meetings[i].rows[0].calls : 1;

		for (uint64_t call = 0; call < calls; call++) {
			compare_times(waits, &meetings[i], call);
		}
	}
}

/* Lists the names that all ranks of a run have equally often. The rows are ordered. */
static size_t list_meetings(struct meeting *meetings, const struct ra_sum_set *set,
                            const struct ra_sum_collective *rows, size_t count)
{
	size_t *ranks = count_ranks(set);
	size_t listed = 0;
	size_t end;

	for (size_t i = 0; i < count; i = end) {
		struct meeting meeting = { .rows = &rows[i], .durations = set->durations };

		for (end = i;
		     end < count && rows[end].run == rows[i].run && rows[end].name == rows[i].name;
		     end++) {
			meeting.count++;
		}
		if (meeting.count > 1 && meeting.count == ranks[rows[i].run] &&
		    is_of_all(&meeting)) {
			meetings[listed++] = meeting;
		}
	}
	free(ranks);
	return listed;
}

struct ra_sum_wait *ra_sum_waits_find(const struct ra_sum_set *set)
{
	struct ra_sum_wait *waits = ra_alloc_zeros(set->source_count + 1, sizeof(*waits));
	struct ra_sum_collective *rows = ra_alloc_zeros(set->collective_count + 1, sizeof(*rows));
	struct meeting *meetings = ra_alloc_zeros(set->collective_count + 1, sizeof(*meetings));
	size_t count;
	size_t end;

	if (set->collective_count > 0) {
		memcpy(rows, set->collectives, set->collective_count * sizeof(*rows));
		RA_SORT(rows, set->collective_count, compare_rows);
	}
	count = join_devices(rows, set->collective_count);
	count = list_meetings(meetings, set, rows, count);
	for (size_t i = 0; i < count; i = end) {
		end = i + 1;
		while (end < count && meetings[end].rows[0].run == meetings[i].rows[0].run) {
			end++;
		}
		compare_run(waits, &meetings[i], end - i);
	}
	free(meetings);
	free(rows);
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

/* True if the others wait for a rank for a part of their steps that is worth a line. */
static bool is_worth(const struct ra_sum_wait *wait, const struct ra_sum_set *set, size_t rank)
{
	const int64_t whole_ns = sum_others(set, rank);

	return whole_ns > 0 && wait->others_ns > 0 && wait->others_ns >= whole_ns / WORTH;
}

/* The rank that the others wait for most of those for which they wait less than for `above`.
 * SIZE_MAX: none, if that is not worth a line. `above`: SIZE_MAX: of all. */
static size_t find_next(const struct ra_sum_wait *waits, const struct ra_sum_set *set, size_t above)
{
	size_t next = SIZE_MAX;

	for (size_t i = 0; i < set->source_count; i++) {
		const bool is_below = above == SIZE_MAX ||
		                      waits[i].others_ns < waits[above].others_ns ||
		                      (i > above && waits[i].others_ns == waits[above].others_ns);

		if (is_below && (next == SIZE_MAX || waits[i].others_ns > waits[next].others_ns)) {
			next = i;
		}
	}
	return next != SIZE_MAX && is_worth(&waits[next], set, next) ? next : SIZE_MAX;
}

size_t ra_sum_waits_last(const struct ra_sum_set *set)
{
	struct ra_sum_wait *waits = ra_sum_waits_find(set);
	const size_t last = find_next(waits, set, SIZE_MAX);

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

/* "rank 7 in collectives: 9.107ms, 8.1 % of their steps", of others "rank 5: 6.276ms, 5.8 %". */
static void put_rank(struct ra_util_text *text, const struct ra_sum_set *set,
                     const struct ra_sum_wait *wait, size_t rank, bool is_first)
{
	const int64_t whole_ns = sum_others(set, rank);

	ra_sum_set_put_source(text, &set->sources[rank]);
	ra_util_text_format(text, is_first ? " in collectives: " : ": ");
	ra_util_text_put_time(text, wait->others_ns);
	/* Collectives that overlap may sum to more than the steps. */
	if (wait->others_ns <= whole_ns) {
		ra_util_text_format(text, ", %.1f %%",
		                    100 * (double) wait->others_ns / (double) whole_ns);
	}
	ra_util_text_format(text, is_first ? " of their steps" : "");
}

static const char waits_note[] =
	"\nWaits, Others wait: the waits of all ranks added up, but those in the first collective, "
	"First wait, where recordings that begin apart count. Whether a rank is slow or only late "
	"from the start: stragglers, where \"Late by\" has of each collective only the longest "
	"wait\n";

void ra_sum_waits_put(struct ra_util_text *text, const struct ra_sum_set *set)
{
	struct ra_sum_wait *waits = ra_sum_waits_find(set);
	size_t rank = find_next(waits, set, SIZE_MAX);

	for (size_t i = 0; i < MOST && rank != SIZE_MAX; i++) {
		ra_util_text_format(text, i == 0 ? "\nThe others wait for " : "; for ");
		put_rank(text, set, &waits[rank], rank, i == 0);
		rank = find_next(waits, set, rank);
		ra_util_text_format(text, i + 1 == MOST || rank == SIZE_MAX ? "\n" : "");
	}
	if (is_any_known(waits, set)) {
		ra_util_text_format(text, "%s", waits_note);
	}
	free(waits);
}
