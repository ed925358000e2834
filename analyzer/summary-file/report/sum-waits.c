/* SPDX-License-Identifier: MIT */
/* Finds for which rank the others wait in collectives, from the sums in summaries. */
#include "analyzer/summary-file/report/sum-waits.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"

/* Waits that take less than this fraction (1/50) of the others' steps are not listed. */
#define WORTH 50
#define MOST  3 /* most ranks that are named */

/* The collectives with one name on the ranks of a run: the first of them in the sorted rows, and
 * their number. */
struct meeting {
	const struct ra_sum_collective *rows;
	size_t count;
	const int64_t *durations;
	bool is_by_call; /* durations of single calls are compared, not their sums */
	bool has_first;  /* its first call is the first of all collectives that the ranks share */
};

/* Counts the ranks of each run. Return: by the number of the run's text; owned by the caller. */
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

/* Merges the rows of one rank on several devices. Return: the number of rows left. */
static size_t join_devices(struct ra_sum_collective *rows, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (kept > 0 && compare_rows(&rows[kept - 1], &rows[i]) == 0) {
			rows[kept - 1].calls = ra_util_add(rows[kept - 1].calls, rows[i].calls);
			rows[kept - 1].total_ns =
				ra_util_add_time(rows[kept - 1].total_ns, rows[i].total_ns);
			rows[kept - 1].is_by_call = false; /* because the calls overlap */
		} else {
			rows[kept++] = rows[i];
		}
	}
	return kept;
}

/* The time of a rank in one of the collectives; if there are no single durations, in all of
 * them. */
static int64_t find_time(const struct meeting *meeting, size_t rank, uint64_t call)
{
	const struct ra_sum_collective *row = &meeting->rows[rank];

	return meeting->is_by_call ? meeting->durations[row->first + call] : row->total_ns;
}

/* Adds the waits in a collective. The rank with the shortest time in it came last. */
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
			late->first_others_ns = ra_util_add_time(late->first_others_ns, wait_ns);
		} else {
			wait->wait_ns = ra_util_add_time(wait->wait_ns, wait_ns);
			late->others_ns = ra_util_add_time(late->others_ns, wait_ns);
		}
	}
}

/* True if all ranks have the same number of calls. Also finds out whether they can be compared call
 * by call. */
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

/* Finds the names that the ranks of a run share. Marks the name whose first call is the first of
 * all collectives. */
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

/* Lists the names with which all ranks of a run have the same number of collectives. The rows must
 * be ordered. */
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

/* A rank, and its own time between collectives. */
struct own {
	uint32_t run;
	size_t rank;
	int64_t own_ns;
};

static int compare_owns(const void *a, const void *b)
{
	const struct own *left = a;
	const struct own *right = b;
	int order = RA_ORDER_UP(left, right, run);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(left, right, own_ns));
	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, rank));
}

/* Compares the ranks of each run by their own time with that of the middle rank; if their number is
 * even, with the lower one of the two in the middle. */
static void compare_own(struct ra_sum_wait *waits, const struct ra_sum_set *set)
{
	struct own *owns = ra_alloc_zeros(set->source_count + 1, sizeof(*owns));
	size_t end;

	for (size_t i = 0; i < set->source_count; i++) {
		owns[i] = (struct own){ set->sources[i].run_id, i, set->sources[i].own_ns };
	}
	RA_SORT(owns, set->source_count, compare_owns);
	for (size_t i = 0; i < set->source_count; i = end) {
		const uint64_t stretches = set->sources[owns[i].rank].own_stretches;
		bool is_alike = stretches > 0;

		for (end = i; end < set->source_count && owns[end].run == owns[i].run; end++) {
			is_alike =
				is_alike && set->sources[owns[end].rank].own_stretches == stretches;
		}
		for (size_t k = i; k < end && is_alike && end - i > 1; k++) {
			const int64_t usual_ns = owns[i + (end - i - 1) / 2].own_ns;

			waits[owns[k].rank].usual_ns = usual_ns;
			waits[owns[k].rank].slower_ns = owns[k].own_ns - usual_ns;
		}
	}
	free(owns);
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
	compare_own(waits, set);
	return waits;
}

/* The sum of all steps of the other ranks in a rank's run. */
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

/* True if the others wait for a rank in so large a part of their steps that it is listed. */
static bool is_worth(const struct ra_sum_wait *wait, const struct ra_sum_set *set, size_t rank)
{
	const int64_t whole_ns = sum_others(set, rank);

	return whole_ns > 0 && wait->others_ns > 0 && wait->others_ns >= whole_ns / WORTH;
}

bool ra_sum_wait_is_slow(const struct ra_sum_wait *wait)
{
	return wait->others_ns > 0 && wait->slower_ns > 0 &&
	       wait->slower_ns >= wait->usual_ns / WORTH;
}

/* True if a rank is not slower, but came late to the first of all collectives. */
static bool is_late(const struct ra_sum_wait *wait)
{
	return wait->usual_ns > 0 && !ra_sum_wait_is_slow(wait) && wait->first_others_ns > 0 &&
	       wait->first_others_ns >= wait->usual_ns / WORTH;
}

/* A rank that will be named. */
struct told {
	size_t rank;
	const struct ra_sum_wait *wait;
};

static int compare_told(const void *a, const void *b)
{
	const struct told *left = a;
	const struct told *right = b;
	int order = ra_sum_wait_is_slow(right->wait) - ra_sum_wait_is_slow(left->wait);

	order = RA_ORDER_THEN(order, RA_ORDER_DOWN(left->wait, right->wait, others_ns));
	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, rank));
}

/* Lists the ranks for which others wait: slow ranks first, then by how long the others wait. A rank
 * that is not slower is listed only if the wait for it is long enough. Return: their number; 0: no
 * wait is long enough. */
static size_t list_told(struct told *told, const struct ra_sum_wait *waits,
                        const struct ra_sum_set *set)
{
	bool is_any = false;
	size_t count = 0;

	for (size_t i = 0; i < set->source_count; i++) {
		const bool is = is_worth(&waits[i], set, i);

		is_any = is_any || is;
		if (is || ra_sum_wait_is_slow(&waits[i])) {
			told[count++] = (struct told){ i, &waits[i] };
		}
	}
	RA_SORT(told, count, compare_told);
	return is_any ? count : 0;
}

size_t ra_sum_waits_last(const struct ra_sum_set *set)
{
	struct ra_sum_wait *waits = ra_sum_waits_find(set);
	struct told *told = ra_alloc_zeros(set->source_count + 1, sizeof(*told));
	const size_t last = list_told(told, waits, set) > 0 ? told[0].rank : SIZE_MAX;

	free(told);
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

/* Writes "rank 7 in collectives: 9.107ms, 8.1 % of their steps"; for further ranks "rank 5:
 * 6.276ms, 5.8 %". Then writes the cause, as far as it is known. */
static void put_rank(struct ra_util_text *text, const struct ra_sum_set *set,
                     const struct ra_sum_wait *wait, size_t rank, bool is_first)
{
	const int64_t whole_ns = sum_others(set, rank);

	ra_sum_set_put_source(text, &set->sources[rank]);
	ra_util_text_format(text, is_first ? " in collectives: " : ": ");
	ra_util_text_put_time(text, wait->others_ns);
	/* The sum can be more than the steps, because collectives may overlap. */
	if (wait->others_ns <= whole_ns) {
		ra_util_text_format(text, ", %.1f %%",
		                    100 * (double) wait->others_ns / (double) whole_ns);
	}
	ra_util_text_format(text, is_first ? " of their steps" : "");
	if (ra_sum_wait_is_slow(wait)) {
		ra_util_text_format(text, " (it is slower: its own time between them is ");
		ra_util_text_put_time(text, wait->slower_ns);
		ra_util_text_format(text, ", %.0f %%, longer than the middle rank's)",
		                    100 * (double) wait->slower_ns / (double) wait->usual_ns);
	} else if (wait->usual_ns > 0) {
		ra_util_text_format(text, is_late(wait) ? " (late from the start, no slower itself)"
		                                        : " (no slower itself)");
	}
}

static const char waits_note[] =
	"\nWaits, Others wait: the waits of all ranks added up, but those in the first collective, "
	"First wait, where recordings that begin apart count. Where a slow rank loses its time: "
	"stragglers, where \"Late by\" has of each collective only the longest wait\n";

void ra_sum_waits_put(struct ra_util_text *text, const struct ra_sum_set *set)
{
	struct ra_sum_wait *waits = ra_sum_waits_find(set);
	struct told *told = ra_alloc_zeros(set->source_count + 1, sizeof(*told));
	const size_t count = list_told(told, waits, set);

	for (size_t i = 0; i < MOST && i < count; i++) {
		ra_util_text_format(text, i == 0 ? "\nThe others wait for " : "; for ");
		put_rank(text, set, told[i].wait, told[i].rank, i == 0);
		ra_util_text_format(text, i + 1 == MOST || i + 1 == count ? "\n" : "");
	}
	free(told);
	if (is_any_known(waits, set)) {
		ra_util_text_format(text, "%s", waits_note);
	}
	free(waits);
}
