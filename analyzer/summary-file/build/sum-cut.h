/* SPDX-License-Identifier: MIT */
/* The call from which on calls took longer: a rank test of all cuts, from calls one by one. */
#ifndef RA_SUM_CUT_H
#define RA_SUM_CUT_H

#include <stdbool.h>

#include "analyzer/summary-file/sum-stat.h"

struct ra_sum_cut {
	uint64_t calls;  /* in all */
	uint64_t before; /* that were added */
	uint64_t best;   /* the surest cut up to now: calls before it */
	ra_sum_u128 best_square;
	ra_sum_u128 best_spread;
	double nearly_best; /* a little less than their ratio: most cuts are below it */
	int64_t sum;
	unsigned shift;
};

/* True if calls with these durations may have a cut. */
bool ra_sum_cut_can_be(const struct ra_sum_stat *stat);

void ra_sum_cut_begin(struct ra_sum_cut *cut, uint64_t calls);

/* Adds the next call in the order of time. @number: twice the mean rank of its bucket among those
 * of all calls, from 2 on. */
void ra_sum_cut_add(struct ra_sum_cut *cut, uint64_t number);

/* All calls but perhaps the last were added. Return: how many are before the surest cut; 0: none is
 * sure. */
uint64_t ra_sum_cut_find(const struct ra_sum_cut *cut);

/* True if the medians of before and after a cut differ by enough. */
bool ra_sum_cut_is_longer(int64_t before_ns, int64_t after_ns);

/* The middle of a bucket, which stands for the median in it. */
int64_t ra_sum_cut_middle(uint32_t bucket);

#endif
