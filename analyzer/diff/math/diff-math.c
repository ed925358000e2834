/* SPDX-License-Identifier: MIT */
/* Medians, trimmed means and Student's t. */
#include "analyzer/diff/math/diff-math.h"

#include <math.h>

#include "analyzer/base/order/order.h"

static int compare_values(const void *a, const void *b)
{
	const double left = *(const double *) a;
	const double right = *(const double *) b;

	return RA_ORDER(left, right);
}

static int compare_weighed(const void *a, const void *b)
{
	const struct ra_diff_math_weighed *left = a;
	const struct ra_diff_math_weighed *right = b;
	const int order = RA_ORDER_UP(left, right, value);

	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, weight));
}

double ra_diff_math_ways(size_t all, size_t some)
{
	double ways = 1;

	for (size_t i = 1; i <= some; i++) {
		ways *= (double) (all - some + i) / (double) i;
	}
	return ways;
}

double ra_diff_math_median(double *values, size_t count)
{
	if (count == 0) {
		return 0;
	}
	RA_SORT(values, count, compare_values);
	return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

double ra_diff_math_trimmed_mean(struct ra_diff_math_weighed *rows, size_t count, double low,
                                 double high)
{
	double total = 0;
	double before = 0;
	double sum = 0;
	double weights = 0;

	RA_SORT(rows, count, compare_weighed);
	for (size_t i = 0; i < count; i++) {
		total += rows[i].weight;
	}
	for (size_t i = 0; i < count; i++) {
		const double from = fmax(before, total * low);
		const double to = fmin(before + rows[i].weight, total * (1 - high));

		before += rows[i].weight;
		if (to > from) {
			sum += rows[i].value * (to - from);
			weights += to - from;
		}
	}
	return weights > 0 ? sum / weights : 0;
}

struct ra_diff_math_dense ra_diff_math_find_dense(struct ra_diff_math_weighed *rows, size_t count,
                                                  double share)
{
	struct ra_diff_math_dense dense = { -INFINITY, INFINITY, 0 };
	double total = 0;
	double within = 0;
	double sum = 0;
	size_t from = 0;

	RA_SORT(rows, count, compare_weighed);
	for (size_t i = 0; i < count; i++) {
		total += rows[i].weight;
	}
	for (size_t to = 0; to < count; to++) {
		within += rows[to].weight;
		sum += rows[to].weight * rows[to].value;
		while (from < to && within - rows[from].weight >= share * total) {
			within -= rows[from].weight;
			sum -= rows[from].weight * rows[from].value;
			from++;
		}
		if (within >= share * total &&
		    rows[to].value - rows[from].value < dense.high - dense.low) {
			dense = (struct ra_diff_math_dense){ rows[from].value, rows[to].value,
				                             sum / within };
		}
	}
	return dense;
}

/* Computes the continued fraction of the incomplete beta function, by Lentz's method. */
static double find_fraction(double a, double b, double x)
{
	const double tiny = 1e-300;
	double c = 1;
	double d = 1 - (a + b) * x / (a + 1);
	double result;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	result = d;
	for (int m = 1; m <= 300; m++) {
		const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double step;

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		result *= d * c;
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		step = d * c;
		result *= step;
		if (fabs(step - 1) < 1e-14) {
			break;
		}
	}
	return result;
}

/* Computes the regularised incomplete beta function. */
static double find_beta(double a, double b, double x)
{
	double front;
	int sign;

	if (x <= 0 || x >= 1) {
		return x <= 0 ? 0 : 1;
	}
	front = exp(lgamma_r(a + b, &sign) - lgamma_r(a, &sign) - lgamma_r(b, &sign) + a * log(x) +
	            b * log1p(-x));
	return x < (a + 1) / (a + b + 2) ? front * find_fraction(a, b, x) / a
	                                 : 1 - front * find_fraction(b, a, 1 - x) / b;
}

double ra_diff_math_chance(double t, double freedom)
{
	return find_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double ra_diff_math_t(double chance, double freedom)
{
	double low = 0;
	double high = 1e7;

	for (int i = 0; i < 100; i++) {
		/* Bisects by geometric means, because large values are rare. */
		const double middle =
			low < 1 ? (high > 2 ? 1 : (low + high) / 2) : sqrt(low * high);

		if (ra_diff_math_chance(middle, freedom) > chance) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return (low + high) / 2;
}

double ra_diff_math_digamma(double x)
{
	double sum = 0;

	while (x < 10) {
		sum -= 1 / x;
		x++;
	}
	return sum + log(x) - 1 / (2 * x) - 1 / (12 * x * x) + 1 / (120 * x * x * x * x);
}

double ra_diff_math_trigamma(double x)
{
	double sum = 0;

	while (x < 10) {
		sum += 1 / (x * x);
		x++;
	}
	return sum + 1 / x + 1 / (2 * x * x) + 1 / (6 * x * x * x) - 1 / (30 * x * x * x * x * x);
}

uint64_t ra_diff_math_next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(2685821657736338717);
}
