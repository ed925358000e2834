/* SPDX-License-Identifier: MIT */
/* Medians, trimmed means and Student's t. */
#ifndef RA_DIFF_MATH_H
#define RA_DIFF_MATH_H

#include <stddef.h>
#include <stdint.h>

struct ra_diff_math_weighed {
	double value;
	double weight; /* more than 0 */
};

/* Ways to choose some of all; as many as there are reals for. */
double ra_diff_math_ways(size_t all, size_t some);

/* The middle one, or the mean of the two. The array is put in order. Return: 0 of none. */
double ra_diff_math_median(double *values, size_t count);

/*
 * The mean of those that are left when parts of the weight are taken off: `low` of the smallest and
 * `high` of the largest, together below 1. The array is put in order.
 *
 * Return: 0 of none.
 */
double ra_diff_math_trimmed_mean(struct ra_diff_math_weighed *rows, size_t count, double low,
                                 double high);

/* Where values lie closest together. */
struct ra_diff_math_dense {
	double low;
	double high;
	double mean;
};

/* The shortest stretch of values that has this part of the weight; of equally short ones the first.
 * The array, not empty, is put in order. */
struct ra_diff_math_dense ra_diff_math_find_dense(struct ra_diff_math_weighed *rows, size_t count,
                                                  double share);

/* How likely chance makes |t| as large, of Student's t with so many degrees of freedom. */
double ra_diff_math_chance(double t, double freedom);

/* The t that chance exceeds, either way, with this probability. */
double ra_diff_math_t(double chance, double freedom);

/* The first and the second derivative of ln Γ. x > 0 */
double ra_diff_math_digamma(double x);
double ra_diff_math_trigamma(double x);

/* Numbers that are the same on each machine: xorshift64*. The state is not 0. */
uint64_t ra_diff_math_next_random(uint64_t *state);

#endif
