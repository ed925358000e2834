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

/* Returns the number of ways to choose `some` of `all`; limited to the range of double. */
double ra_diff_math_ways(size_t all, size_t some);

/* Returns the median; of an even number of values, the mean of the two middle ones. Sorts the
 * array. Return: 0 if it is empty. */
double ra_diff_math_median(double *values, size_t count);

/*
 * Returns a trimmed mean: of the whole weight, leaves out the part `low` at the smallest values and
 * the part `high` at the largest ones. Together these must be below 1. Sorts the array.
 *
 * Return: 0 if it is empty.
 */
double ra_diff_math_trimmed_mean(struct ra_diff_math_weighed *rows, size_t count, double low,
                                 double high);

/* The stretch in which values are densest. */
struct ra_diff_math_dense {
	double low;
	double high;
	double mean;
};

/* Finds the shortest stretch that contains the part `share` of the weight; of equally short ones
 * the first. Sorts the array, which must not be empty. */
struct ra_diff_math_dense ra_diff_math_find_dense(struct ra_diff_math_weighed *rows, size_t count,
                                                  double share);

/* Returns the probability that |t| is at least as large by chance, for Student's t with this many
 * degrees of freedom. */
double ra_diff_math_chance(double t, double freedom);

/* Returns the t that |t| exceeds by chance with this probability. */
double ra_diff_math_t(double chance, double freedom);

/* Return the first and the second derivative of ln Γ. x must be above 0. */
double ra_diff_math_digamma(double x);
double ra_diff_math_trigamma(double x);

/* Returns the next pseudorandom number, by xorshift64*: the same on each machine. The state must
 * not be 0. */
uint64_t ra_diff_math_next_random(uint64_t *state);

#endif
