/* SPDX-License-Identifier: MIT */
/* Finds the call from which on calls took longer, by a rank test of all possible cuts. Calls are
 * added one by one. */
#ifndef RA_SUM_CUT_H
#define RA_SUM_CUT_H

#include <stdbool.h>

#include "analyzer/summary-file/sum-stat.h"

struct ra_sum_cut {
	uint64_t calls;  /* number of all calls */
	uint64_t before; /* number of calls added so far */
	uint64_t best;   /* number of calls before the most significant cut so far */
	ra_sum_u128 best_square;
	ra_sum_u128 best_spread;
	/* slightly less than the ratio of that cut, for a quick test: most cuts are below it */
	double nearly_best;
	int64_t sum;
	unsigned shift;
};

/* True if a cut is possible with these durations. */
bool ra_sum_cut_can_be(const struct ra_sum_stat *stat);

void ra_sum_cut_begin(struct ra_sum_cut *cut, uint64_t calls);

/* Adds the next call in order of time. @number: twice the mean rank of its bucket among all calls;
 * at least 2. */
void ra_sum_cut_add(struct ra_sum_cut *cut, uint64_t number);

/* Finds the cut. Call it when all calls were added, except perhaps the last one. Return: the number
 * of calls before the most significant cut; 0: no cut is significant. */
uint64_t ra_sum_cut_find(const struct ra_sum_cut *cut);

/* True if the medians before and after a cut differ enough. */
bool ra_sum_cut_is_longer(int64_t before_ns, int64_t after_ns);

/* The middle of a bucket, which is used as the median of its durations. */
int64_t ra_sum_cut_middle(uint32_t bucket);

#endif
