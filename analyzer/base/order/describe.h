/* SPDX-License-Identifier: MIT */
/* Statistics of a list of numbers: count, mean, deviation, quartiles. */
#ifndef RA_DESCRIBE_H
#define RA_DESCRIBE_H

#include <stddef.h>

/* Without values all members but count are NaN. With one value only the deviation is NaN. */
struct ra_describe {
	size_t count;
	double sum;
	double mean;
	double deviation; /* of a sample: the sum is divided by count - 1 */
	double min;
	double p25; /* quantiles are interpolated linearly, as numpy does by default */
	double p50;
	double p75;
	double max;
};

/* The figures after the count, in the order of the tables' columns: mean, deviation, min,
 * quartiles, max. */
#define RA_DESCRIBE_FIGURES 7

static inline void ra_describe_list(const struct ra_describe *stats,
                                    double figures[RA_DESCRIBE_FIGURES])
{
	figures[0] = stats->mean;
	figures[1] = stats->deviation;
	figures[2] = stats->min;
	figures[3] = stats->p25;
	figures[4] = stats->p50;
	figures[5] = stats->p75;
	figures[6] = stats->max;
}

/* Sorts the values. */
void ra_describe_values(struct ra_describe *out, double *values, size_t count);

/* A quantile of sorted values, `part` from 0 to 1. NaN if there are none. */
double ra_describe_quantile(const double *sorted, size_t count, double part);

/* Rounds as numpy.round(value, digits) does; `digits` is 1 or 2. The result may differ from
 * rounding the decimal digits of the value. */
double ra_describe_round(double value, int digits);

#endif
