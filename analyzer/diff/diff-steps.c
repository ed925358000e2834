/* SPDX-License-Identifier: MIT */
/* Compares the order by length of the steps of one run on either side. */
#include "analyzer/diff/diff-steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/diff/math/diff-math.h"

#define FEW_STEPS 3u

/* Steps depend on the steps before them. So if there are more steps, diff-calls.c compares
 * stretches of steps instead. */
#define MOST_STEPS 20u

/* The verdict has two chances: with all steps, and without the first. */
#define LOOKS 2.0

/* The largest chance of a wrong verdict, and the chance that an interval misses the truth. */
#define MISTAKEN        0.02
#define MISTAKEN_BEYOND 0.05

/* The assumed deviation between two runs of one program: 2 %. */
#define RUN_DEVIATION 0.02

/* 5 % of a normal distribution lie beyond this many deviations. */
#define NORMAL_T 1.96

/* Logarithms of the times of steps. */
struct times {
	double values[MOST_STEPS];
	size_t count;
	double mean;
	double squares; /* sum of the squared distances from the mean */
};

/* Both sides, and the differences of all pairs of a step before and a step after. */
struct looked {
	struct times sides[2];
	double *pairs; /* owned; logarithms of after / before, ascending */
	size_t pair_count;
	size_t below; /* number of pairs in which the step after is shorter … */
	size_t fewer; /* … or longer, whichever are fewer */
	double *ways; /* owned; [i]: the number of orders of all steps with i pairs below 0 */
	double all_ways;
};

static struct times measure(const struct ra_diff_run *run, size_t role, size_t first)
{
	struct times times = { .count = 0 };

	for (size_t i = first; i < run->step_count; i++) {
		times.values[times.count] = log((double) run->steps[i].role_ns[role]);
		times.mean += times.values[times.count++];
	}
	times.mean /= (double) times.count;
	for (size_t i = 0; i < times.count; i++) {
		times.squares += pow(times.values[i] - times.mean, 2);
	}
	return times;
}

static int compare_values(const void *left, const void *right)
{
	const double a = *(const double *) left;
	const double b = *(const double *) right;

	return RA_ORDER(a, b);
}

/* Counts the orders of all steps by their number of pairs below 0. These are the coefficients of
 * the Gaussian binomial, the product of (1 - x^(after + i)) / (1 - x^i) for i from 1 to before. */
static void count_ways(struct looked *looked)
{
	const size_t before = looked->sides[0].count;
	const size_t after = looked->sides[1].count;
	double *ways = ra_alloc_zeros(looked->pair_count + 1, sizeof(*ways));

	ways[0] = 1;
	for (size_t i = 1; i <= before; i++) {
		for (size_t at = looked->pair_count + 1; at-- > after + i;) {
			ways[at] -= ways[at - after - i];
		}
		for (size_t at = i; at <= looked->pair_count; at++) {
			ways[at] += ways[at - i];
		}
	}
	looked->ways = ways;
	looked->all_ways = ra_diff_math_ways(before + after, before);
}

static void look(struct looked *looked, const struct times *before, const struct times *after)
{
	*looked = (struct looked){ .sides = { *before, *after },
		                   .pair_count = before->count * after->count };
	looked->pairs = ra_alloc_zeros(looked->pair_count + 1, sizeof(*looked->pairs));
	for (size_t i = 0; i < looked->pair_count; i++) {
		looked->pairs[i] =
			after->values[i % after->count] - before->values[i / after->count];
	}
	RA_SORT(looked->pairs, looked->pair_count, compare_values);
	for (size_t i = 0; i < looked->pair_count; i++) {
		looked->below += looked->pairs[i] < 0;
		looked->fewer += looked->pairs[i] <= 0; /* equal steps count against both
		                                           verdicts */
	}
	looked->fewer = looked->pair_count - looked->below < looked->fewer
	                        ? looked->pair_count - looked->below
	                        : looked->fewer;
	count_ways(looked);
}

static void fini(struct looked *looked)
{
	free(looked->pairs);
	free(looked->ways);
}

/* Returns the chance that so few pairs, or fewer, are of one kind, in either direction. */
static double find_chance(const struct looked *looked, size_t fewer)
{
	double ways = 0;

	for (size_t i = 0; i <= fewer; i++) {
		ways += looked->ways[i];
	}
	return fmin(2 * ways / looked->all_ways, 1);
}

/* Returns the chance that the means of equal sides differ as much. */
static double find_chance_of_means(const struct looked *looked)
{
	const struct times *sides = looked->sides;
	const double freedom = (double) (sides[0].count + sides[1].count) - 2;
	const double variance = (sides[0].squares + sides[1].squares) / freedom *
	                        (1 / (double) sides[0].count + 1 / (double) sides[1].count);

	return ra_diff_math_chance(
		(sides[1].mean - sides[0].mean) / hypot(sqrt(variance), RUN_DEVIATION), freedom);
}

/* Judges by the pairs. The interval contains all pairs except as many at either end as chance may
 * put there. The deviation between runs is added as an independent error. */
static struct ra_diff_evidence judge(const struct looked *looked, size_t parts)
{
	const double tests = LOOKS * (double) parts;
	const size_t last = looked->pair_count - 1;
	size_t beyond = 0;
	struct ra_diff_evidence evidence = { .method = RA_DIFF_BY_STEPS,
		                             .has = true,
		                             .runs = { 1, 1 } };

	while (beyond < last / 2 && find_chance(looked, beyond) <= MISTAKEN_BEYOND) {
		beyond++;
	}
	beyond -= beyond > 0;
	if (tests * find_chance(looked, 0) <= MISTAKEN) {
		evidence.chance = tests * find_chance(looked, looked->fewer);
	} else {
		evidence.chance = looked->fewer > 0 ? 1 : tests * find_chance_of_means(looked);
		/* If all steps of one side are longer than all of the other, the nearest pair gives
		 * the smallest difference. */
		beyond = evidence.chance <= MISTAKEN ? 0 : beyond;
	}
	evidence.chance = fmin(evidence.chance, 1);
	evidence.change = ra_diff_math_median(looked->pairs, looked->pair_count);
	evidence.low = evidence.change -
	               hypot(evidence.change - looked->pairs[beyond], NORMAL_T * RUN_DEVIATION);
	evidence.high = evidence.change + hypot(looked->pairs[last - beyond] - evidence.change,
	                                        NORMAL_T * RUN_DEVIATION);
	return evidence;
}

static bool has_part(const struct ra_diff_run *run, size_t role)
{
	bool has = run->step_count >= FEW_STEPS && run->step_count <= MOST_STEPS;

	for (size_t i = 0; i < run->step_count && has; i++) {
		has = run->steps[i].role_ns[role] > 0;
	}
	return has;
}

struct ra_diff_evidence ra_diff_steps_compare(const struct ra_diff_run *before,
                                              const struct ra_diff_run *after, size_t role,
                                              size_t parts)
{
	struct ra_diff_evidence best = { .method = RA_DIFF_BY_STEPS };

	if (!has_part(before, role) || !has_part(after, role)) {
		return best;
	}
	for (size_t first = 0; first < 2; first++) {
		const struct times sides[2] = { measure(before, role, first),
			                        measure(after, role, first) };
		struct ra_diff_evidence evidence;
		struct looked looked;

		if (sides[0].count < FEW_STEPS || sides[1].count < FEW_STEPS) {
			continue;
		}
		look(&looked, &sides[0], &sides[1]);
		evidence = judge(&looked, parts);
		best = !best.has || evidence.chance < best.chance ? evidence : best;
		fini(&looked);
	}
	return best;
}
