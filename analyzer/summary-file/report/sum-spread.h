/* SPDX-License-Identifier: MIT */
/* How a figure is spread over ranks: exact for few of them, a sketch of quantiles for many. */
#ifndef RA_SUM_SPREAD_H
#define RA_SUM_SPREAD_H

#include "analyzer/summary-file/sum-stat.h"

/* Up to so many values are kept one by one. */
#define RA_SUM_SPREAD_EXACT 1024u

/* Zero-initialise. */
struct ra_sum_spread {
	int64_t *values; /* owned; ascending. None: all are in the sketch */
	size_t count;
	size_t capacity;
	struct ra_sum_stat stat; /* of all, where they are too many */
};

void ra_sum_spread_fini(struct ra_sum_spread *spread);

/* Adds the value of a rank; one below 0 counts as 0. */
void ra_sum_spread_add(struct ra_sum_spread *spread, int64_t value_ns);

/*
 * The value of which `permille` thousandths are not larger (nearest rank), 0: the smallest. Of more
 * than RA_SUM_SPREAD_EXACT ranks it is that of the sketch, but for the smallest and the largest.
 *
 * @ranks: those without a value have 0.
 * Return: 0 of none.
 */
int64_t ra_sum_spread_quantile(const struct ra_sum_spread *spread, size_t ranks, unsigned permille);

#endif
