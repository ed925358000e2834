/* SPDX-License-Identifier: MIT */
/* Finds the call from which on calls took longer, by a rank test of all possible cuts. Calls are
 * added one by one. */
#include "analyzer/summary-file/build/sum-cut.h"

/* With fewer calls no difference is significant. */
#define FEW_CALLS 18u

/* The significance that a cut needs, squared: 7 / 2 standard deviations of the rank sum. */
#define SURE_NUMBER      ((ra_sum_u128) 49)
#define SURE_DENOMINATOR ((ra_sum_u128) 4)

/* The median after the cut must be at least this multiple of the median before. */
#define LONGER_NUMBER      5
#define LONGER_DENOMINATOR 4

/*
 * The test of Mann and Whitney. Let u be twice the sum of the ranks before the cut, minus its
 * expected value, with t of n calls before the cut. The square of u over its deviation is 3 u^2 /
 * (t (n - t) (n + 1)). With more than a million calls the numbers are scaled down, to fit into 128
 * bits.
 */
void ra_sum_cut_begin(struct ra_sum_cut *cut, uint64_t calls)
{
	*cut = (struct ra_sum_cut){ .calls = calls, .best_spread = 1 };
	while (calls >> cut->shift > UINT64_C(1) << 20) {
		cut->shift++;
	}
}

void ra_sum_cut_add(struct ra_sum_cut *cut, uint64_t number)
{
	const uint64_t n = cut->calls;
	const uint64_t t = ++cut->before;
	const unsigned shift = cut->shift;
	ra_sum_u128 spread;
	ra_sum_u128 square;
	uint64_t less;

	if (t >= n) {
		return;
	}
	cut->sum += (int64_t) number - (int64_t) (n + 1);
	less = cut->sum >= 0 ? 0 : (uint64_t) -cut->sum >> (2 * shift);
	if ((double) less * (double) less <
	    cut->nearly_best *
	            ((double) t * (double) (n - t) / (double) (UINT64_C(1) << 2 * shift))) {
		return;
	}
	square = (ra_sum_u128) less * less;
	spread = ((ra_sum_u128) t * (n - t) >> (2 * shift)) + (shift > 0);
	if (square * cut->best_spread > cut->best_square * spread) {
		cut->best_square = square;
		cut->best_spread = spread;
		cut->nearly_best = 0.999 * (double) square / (double) spread;
		cut->best = t;
	}
}

uint64_t ra_sum_cut_find(const struct ra_sum_cut *cut)
{
	return 3 * SURE_DENOMINATOR * cut->best_square >=
	                       SURE_NUMBER * cut->best_spread *
	                               ((cut->calls + 1) >> (2 * cut->shift))
	               ? cut->best
	               : 0;
}

bool ra_sum_cut_is_longer(int64_t before_ns, int64_t after_ns)
{
	return after_ns > before_ns && LONGER_DENOMINATOR * after_ns >= LONGER_NUMBER * before_ns;
}

int64_t ra_sum_cut_middle(uint32_t bucket)
{
	return (ra_sum_stat_floor(bucket) + ra_sum_stat_floor(bucket + 1) - 1) / 2;
}

bool ra_sum_cut_can_be(const struct ra_sum_stat *stat)
{
	return stat->count >= FEW_CALLS && stat->bucket_count >= 2;
}
