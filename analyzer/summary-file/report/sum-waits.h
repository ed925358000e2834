/* SPDX-License-Identifier: MIT */
/* Finds for which rank the others wait in collectives, from the sums in summaries. */
#ifndef RA_SUM_WAITS_H
#define RA_SUM_WAITS_H

#include "analyzer/summary-file/report/sum-set.h"

struct ra_sum_wait {
	int64_t wait_ns; /* time in collectives beyond the time of the shortest rank */
	/* time that others waited in collectives in which this rank had the shortest time */
	int64_t others_ns;
	int64_t first_ns;        /* like wait_ns, in the first of all collectives. This includes the
	                            difference between the starts of the recordings, so the two members
	                            above leave that collective out */
	int64_t first_others_ns; /* like others_ns, in the first of all collectives */
	int64_t usual_ns; /* own time between collectives of the middle rank of the run; 0: ranks
	                     cannot be compared, because their numbers of times differ … */
	/* … and how much longer this rank's own time is; negative: it is shorter */
	int64_t slower_ns;
	/* it had collectives with a name that all ranks of its run have equally often */
	bool is_known;
};

/*
 * Compares the ranks of each run, collective by collective. If all ranks have the same number of
 * collectives with a name, the n-th of these is the same collective on all ranks. All ranks leave a
 * collective together, so the rank with the shortest time in it came last. If a summary lacks
 * single durations, the sums of all collectives with a name are compared, and the first collective
 * is unknown. O(n log n).
 *
 * Return: one entry for each source of the set; owned by the caller.
 */
struct ra_sum_wait *ra_sum_waits_find(const struct ra_sum_set *set);

/* True if others wait for a rank, and its own time between collectives is 2 % longer than the
 * middle rank's, or more. */
bool ra_sum_wait_is_slow(const struct ra_sum_wait *wait);

/* The rank for which the others wait: index of its source; SIZE_MAX: there is no rank for which
 * they wait 2 % of their steps or more. A rank that is slower itself is preferred to ranks that are
 * only late. */
size_t ra_sum_waits_last(const struct ra_sum_set *set);

/* If others wait for some ranks for at least 2 % of their steps, appends a line that names these
 * ranks, at most three, and tells which of them are slower themselves; these come first. */
void ra_sum_waits_put(struct ra_util_text *text, const struct ra_sum_set *set);

#endif
