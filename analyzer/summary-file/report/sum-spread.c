/* SPDX-License-Identifier: MIT */
/* Collects a figure's values on ranks, and tells how they differ. */
#include "analyzer/summary-file/report/sum-spread.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/util.h"

void ra_sum_spread_fini(struct ra_sum_spread *spread)
{
	free(spread->values);
	ra_sum_stat_fini(&spread->stat);
	memset(spread, 0, sizeof(*spread));
}

/* Moves all values into the sketch. Called when there are too many to store. */
static void begin_sketch(struct ra_sum_spread *spread)
{
	for (size_t i = 0; i < spread->count; i++) {
		ra_sum_stat_add(&spread->stat, spread->values[i], 0);
	}
	free(spread->values);
	spread->values = NULL;
	spread->count = 0;
	spread->capacity = 0;
}

void ra_sum_spread_add(struct ra_sum_spread *spread, int64_t value_ns)
{
	const int64_t value = value_ns < 0 ? 0 : value_ns;
	size_t at;

	if (spread->count == RA_SUM_SPREAD_EXACT) {
		begin_sketch(spread);
	}
	if (spread->stat.count > 0) {
		ra_sum_stat_add(&spread->stat, value, 0);
		return;
	}
	ra_util_grow(&spread->values, &spread->capacity, spread->count + 1,
	             sizeof(*spread->values));
	for (at = spread->count++; at > 0 && spread->values[at - 1] > value; at--) {
		spread->values[at] = spread->values[at - 1];
	}
	spread->values[at] = value;
}

int64_t ra_sum_spread_quantile(const struct ra_sum_spread *spread, size_t ranks, unsigned permille)
{
	const struct ra_sum_stat *stat = &spread->stat;
	const uint64_t have = stat->count > 0 ? stat->count : spread->count;
	const uint64_t all = ranks > have ? ranks : have;
	const uint64_t nth = (all * permille + 999) / 1000;
	const uint64_t zeros = all - have;
	const uint64_t place = nth < 1 ? 0 : nth - 1;

	if (place < zeros || all == 0) {
		return 0;
	}
	return stat->count > 0 ? ra_sum_stat_nth(stat, place - zeros)
	                       : spread->values[place - zeros];
}
