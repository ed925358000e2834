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

/* The number of ways to choose some of all; limited by double. */
double ra_diff_math_ways(size_t all, size_t some);

/* The median, or the mean of the two middle values. Sorts the array. Return: 0 if it is empty. */
double ra_diff_math_median(double *values, size_t count);

/*
 * A trimmed mean, by weight: leaves out the part `low` of the smallest and the part `high` of the
 * largest values, together below 1. Sorts the array.
 *
 * Return: 0 if it is empty.
 */
double ra_diff_math_trimmed_mean(struct ra_diff_math_weighed *rows, size_t count, double low,
                                 double high);

/* The stretch where values are densest. */
struct ra_diff_math_dense {
	double low;
	double high;
	double mean;
};

/* Finds the shortest stretch of values with this part of the weight; of equal ones the first.
 * Sorts the array, which is not empty. */
struct ra_diff_math_dense ra_diff_math_find_dense(struct ra_diff_math_weighed *rows, size_t count,
                                                  double share);

/* The probability that chance makes |t| as large, by Student's t with this many degrees of
 * freedom. */
double ra_diff_math_chance(double t, double freedom);

/* The t whose absolute value chance exceeds with this probability. */
double ra_diff_math_t(double chance, double freedom);

/* The first and the second derivative of ln Γ. x > 0 */
double ra_diff_math_digamma(double x);
double ra_diff_math_trigamma(double x);

/* Pseudorandom numbers that are the same on each machine: xorshift64*. The state is not 0. */
uint64_t ra_diff_math_next_random(uint64_t *state);

#endif
