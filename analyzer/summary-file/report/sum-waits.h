/* SPDX-License-Identifier: MIT */
/* Which rank the others wait for in collectives, out of the sums of summaries. */
#ifndef RA_SUM_WAITS_H
#define RA_SUM_WAITS_H

#include "analyzer/summary-file/report/sum-set.h"

struct ra_sum_wait {
	int64_t wait_ns;   /* in collectives, beyond what the shortest rank's took */
	int64_t others_ns; /* what the others waited where this rank's were the shortest */
	bool is_known;     /* it had collectives that all ranks of its run had equally often */
};

/*
 * Compares the ranks of each run, collective by collective: the n-th of a name is the same one on
 * all ranks, if all have equally many. All leave it together, so who was in it shortest came last.
 * Where a summary lacks the single durations, those of a name are compared as one. O(n log n).
 *
 * Return: owned by the caller, one per source of the set.
 */
struct ra_sum_wait *ra_sum_waits_find(const struct ra_sum_set *set);

/* The rank that the others wait for: index of its source; SIZE_MAX: that takes less than 2 % of
 * their steps. */
size_t ra_sum_waits_last(const struct ra_sum_set *set);

/* Appends a line that says whom the others wait for, if that takes 2 % of their steps or more. */
void ra_sum_waits_put(struct ra_util_text *text, const struct ra_sum_set *set);

#endif
