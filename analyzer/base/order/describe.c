/* SPDX-License-Identifier: MIT */
/* Statistics of a list of numbers: count, mean, deviation, quartiles. */
#include "analyzer/base/order/describe.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/util-sort.h"

#define FEW 256 /* for fewer values, radix sort's tables are not worth their cost */

static int compare(const void *a, const void *b)
{
	const double *left = a;
	const double *right = b;

	return RA_ORDER(*left, *right);
}

/* Sorts many values by radix sort, into the same order as above. */
static void sort_many(double *values, size_t count)
{
	struct ra_util_sort_entry *entries = ra_alloc_bytes(count * sizeof(*entries));

	for (size_t i = 0; i < count; i++) {
		/* -0 becomes 0, as both are equal. */
		entries[i] =
			(struct ra_util_sort_entry){ ra_util_sort_real(values[i] + 0.0), 0, 0 };
	}
	ra_util_sort(&entries, count);
	for (size_t i = 0; i < count; i++) {
		values[i] = ra_util_sort_read_real(entries[i].key);
	}
	free(entries);
}

double ra_describe_quantile(const double *sorted, size_t count, double part)
{
	const double place = (double) (count - 1) * part;
	const size_t low = (size_t) place;
	const double rest = place - (double) low;
	double step;

	if (count == 0) {
		return NAN;
	}
	if (low + 1 >= count) {
		return sorted[count - 1];
	}
	step = sorted[low + 1] - sorted[low];
	/* Interpolates from the nearer end, as numpy does. */
	return rest >= 0.5 ? sorted[low + 1] - step * (1 - rest) : sorted[low] + step * rest;
}

void ra_describe_values(struct ra_describe *out, double *values, size_t count)
{
	long double sum = 0;
	long double squares = 0;

	*out = (struct ra_describe){ count, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
	if (count == 0) {
		return;
	}
	if (count <= FEW) {
		RA_SORT(values, count, compare);
	} else {
		sort_many(values, count);
	}
	for (size_t i = 0; i < count; i++) {
		sum += values[i];
	}
	for (size_t i = 0; i < count; i++) {
		const long double off = values[i] - sum / (long double) count;

		squares += off * off;
	}
	out->sum = (double) sum;
	out->mean = (double) (sum / (long double) count);
	if (count > 1) {
		out->deviation = (double) sqrtl(squares / (long double) (count - 1));
	}
	out->min = values[0];
	out->p25 = ra_describe_quantile(values, count, 0.25);
	out->p50 = ra_describe_quantile(values, count, 0.5);
	out->p75 = ra_describe_quantile(values, count, 0.75);
	out->max = values[count - 1];
}

double ra_describe_round(double value, int digits)
{
	const double power = digits == 1 ? 10 : 100;

	return rint(value * power) / power;
}
