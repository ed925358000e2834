/* SPDX-License-Identifier: MIT */
/* Collects a figure's values on ranks, and tells how they differ: exactly for few ranks, by a
 * sketch of quantiles for many. */
#ifndef RA_SUM_SPREAD_H
#define RA_SUM_SPREAD_H

#include "analyzer/summary-file/sum-stat.h"

/* Up to this number of values, each is stored. */
#define RA_SUM_SPREAD_EXACT 1024u

/* The values. Zero-initialise. */
struct ra_sum_spread {
	int64_t *values; /* owned; ascending. No values: all are in the sketch */
	size_t count;
	size_t capacity;
	struct ra_sum_stat stat; /* the sketch, used if there are too many values */
};

void ra_sum_spread_fini(struct ra_sum_spread *spread);

/* Adds the value of a rank. A negative value is added as 0. */
void ra_sum_spread_add(struct ra_sum_spread *spread, int64_t value_ns);

/*
 * The value that at least `permille` thousandths of the ranks do not exceed (nearest rank); 0: the
 * smallest. With more than RA_SUM_SPREAD_EXACT ranks it is an estimate from the sketch, except for
 * the smallest and the largest value.
 *
 * @ranks: number of ranks; a rank without a value counts as 0.
 * Return: 0 if there are no ranks.
 */
int64_t ra_sum_spread_quantile(const struct ra_sum_spread *spread, size_t ranks, unsigned permille);

#endif
