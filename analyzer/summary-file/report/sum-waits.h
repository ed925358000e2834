/* SPDX-License-Identifier: MIT */
/* Finds which rank the others wait for in collectives, from the sums in summaries. */
#ifndef RA_SUM_WAITS_H
#define RA_SUM_WAITS_H

#include "analyzer/summary-file/report/sum-set.h"

struct ra_sum_wait {
	int64_t wait_ns;   /* time in collectives beyond the time of the shortest rank */
	int64_t others_ns; /* time that others waited in collectives where this rank was the
	                      shortest */
	int64_t first_ns;  /* as wait_ns, in the first collective of all. It includes the difference
	                      between the starts of the recordings, so neither of the above includes
	                      it */
	int64_t first_others_ns; /* as others_ns, in that collective */
	int64_t usual_ns;  /* own time between collectives of the middle rank of its run; 0: the
	                    * ranks cannot be compared, as they have not equally many … */
	int64_t slower_ns; /* … and how much longer this rank's is; below 0: it is shorter */
	bool is_known;     /* it had collectives that all ranks of its run had equally often */
};

/*
 * Compares the ranks of each run, collective by collective. The n-th of a name is the same one on
 * all ranks, if all ranks have the same number. All ranks leave a collective together, so the rank
 * with the shortest time came last. If a summary lacks single durations, all collectives of a name
 * are compared as one, and the first is not known. O(n log n).
 *
 * Return: one per source of the set; owned by the caller.
 */
struct ra_sum_wait *ra_sum_waits_find(const struct ra_sum_set *set);

/* True if others wait for a rank, and its own time between collectives is 2 % longer than the
 * middle rank's, or more. */
bool ra_sum_wait_is_slow(const struct ra_sum_wait *wait);

/* The rank that the others wait for: index of its source; SIZE_MAX: they wait for less than 2 % of
 * their steps for any. A rank that is slower itself takes precedence over those that are only
 * late. */
size_t ra_sum_waits_last(const struct ra_sum_set *set);

/* Appends a line that says which ranks the others wait for, if they do so for at least 2 % of their
 * steps, and which of them are slower themselves, those first; at most three. */
void ra_sum_waits_put(struct ra_util_text *text, const struct ra_sum_set *set);

#endif
