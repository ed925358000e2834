/* SPDX-License-Identifier: MIT */
/* Tests comparing one run on each side by the order of its steps: exact probabilities, and how
 * often equal sides are reported as different. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/diff/math/diff-math.h"
#include "analyzer/diff/diff-steps.h"
#include "tests/tap.h"

#define MOST   24u
#define TRIALS 2000u

static uint64_t seed = 7;

static double next_uniform(void)
{
	return ((double) (ra_diff_math_next_random(&seed) >> 11) + 0.5) * 0x1p-53;
}

static double next_normal(void)
{
	const double radius = sqrt(-2 * log(next_uniform()));

	return radius * cos(2 * M_PI * next_uniform());
}

static struct ra_diff_run make_run(struct ra_diff_step *steps, const int64_t *times_ms,
                                   size_t count)
{
	memset(steps, 0, count * sizeof(*steps));
	for (size_t i = 0; i < count; i++) {
		steps[i].role_ns[RA_ROLE_TOTAL] = times_ms[i] * 1000000;
	}
	return (struct ra_diff_run){ .steps = steps, .step_count = count };
}

static struct ra_diff_evidence compare(const int64_t *before_ms, size_t before,
                                       const int64_t *after_ms, size_t after)
{
	struct ra_diff_step steps[2][MOST];
	const struct ra_diff_run runs[2] = { make_run(steps[0], before_ms, before),
		                             make_run(steps[1], after_ms, after) };

	return ra_diff_steps_compare(&runs[0], &runs[1], RA_ROLE_TOTAL, 1);
}

static enum ra_diff_verdict judge(struct ra_diff_evidence *evidence)
{
	const struct ra_diff_limits limits = { 5, 10000 };

	return evidence->has ? ra_diff_verdict_judge(evidence, 100000000, &limits) : RA_DIFF_SAME;
}

static void test_orders(void)
{
	static const int64_t long_ms[] = { 176, 174, 177, 181, 178, 166 };
	static const int64_t mostly_ms[] = { 182, 124, 127, 126, 164, 123 };
	static const int64_t short_ms[] = { 124, 125, 123, 126, 127, 122 };
	static const int64_t mixed_ms[] = { 182, 124, 179, 126, 164, 123 };
	struct ra_diff_evidence evidence = compare(long_ms, 6, short_ms, 6);

	tap_ok(evidence.has && evidence.method == RA_DIFF_BY_STEPS &&
	               fabs(evidence.chance - 2 * 2.0 / 924) < 1e-9,
	       "of 6 steps beside 6 that lie apart the chance is 2 of 924, looked at twice");
	tap_ok(judge(&evidence) == RA_DIFF_FASTER, "that is faster");
	evidence = compare(short_ms, 6, long_ms, 6);
	tap_ok(judge(&evidence) == RA_DIFF_SLOWER, "and the other way slower");
	evidence = compare(long_ms, 6, mostly_ms, 6);
	tap_ok(fabs(evidence.chance - 2 * 2.0 / 252) < 1e-9,
	       "without the first step of either side it is 2 of 252, twice");
	tap_ok(judge(&evidence) == RA_DIFF_FASTER && evidence.high < 0 && evidence.high > -0.1,
	       "one step that comes near does not decide, but is in the interval");
	evidence = compare(long_ms, 6, mixed_ms, 6);
	tap_ok(judge(&evidence) == RA_DIFF_UNSURE, "mixed steps are unsure");
	evidence = compare(long_ms, 6, long_ms, 6);
	tap_ok(judge(&evidence) != RA_DIFF_FASTER && judge(&evidence) != RA_DIFF_SLOWER &&
	               evidence.chance == 1,
	       "equal steps tell nothing");
}

static void test_few(void)
{
	static const int64_t before_ms[] = { 222, 219, 224 };
	static const int64_t after_ms[] = { 101, 95, 95, 96, 95 };
	static const int64_t near_ms[] = { 210, 212, 209, 213, 211 };
	static const int64_t zero_ms[] = { 101, 0, 95, 96, 95 };
	struct ra_diff_evidence evidence = compare(before_ms, 3, after_ms, 5);

	tap_ok(judge(&evidence) == RA_DIFF_FASTER && evidence.chance < 1e-4,
	       "of 3 steps beside 5 the distance decides");
	evidence = compare(before_ms, 3, near_ms, 5);
	tap_ok(judge(&evidence) == RA_DIFF_UNSURE || judge(&evidence) == RA_DIFF_EQUAL,
	       "one within what runs differ by is not called");
	tap_ok(!compare(before_ms, 2, after_ms, 5).has, "2 steps tell nothing");
	tap_ok(!compare(before_ms, 3, zero_ms, 5).has, "nor do steps that lack the part");
}

/* Steps of two public traces. */
static void test_real(void)
{
	static const int64_t real_ms[][6] = { { 1879, 1752, 1797, 1746, 1822, 1660 },
		                              { 1823, 1262, 1272, 1231, 1635, 1242 } };
	static const int64_t kernels_ms[][6] = { { 98598, 98570, 98596, 98623, 98504, 98641 },
		                                 { 99778, 99208, 99114, 99021, 98791, 98956 } };
	struct ra_diff_evidence evidence = compare(kernels_ms[0], 6, kernels_ms[1], 6);
	size_t splits = 0;
	size_t called = 0;

	tap_ok(judge(&evidence) == RA_DIFF_EQUAL,
	       "steps that differ by 0.5 %% and vary by 1 %% are equal");
	for (unsigned bits = 0; bits < 64; bits++) {
		for (size_t trace = 0; trace < 2; trace++) {
			int64_t halves[2][6];
			size_t counts[2] = { 0, 0 };

			for (size_t i = 0; i < 6; i++) {
				const size_t side = bits >> i & 1;

				halves[side][counts[side]++] = real_ms[trace][i];
			}
			if (counts[0] == 3) {
				evidence = compare(halves[0], 3, halves[1], 3);
				splits++;
				called += ra_diff_verdict_is_call(judge(&evidence));
			}
		}
	}
	tap_ok(splits == 40 && called == 0,
	       "halves of one run are not called, however it is split");
}

/* Counts calls of equal sides. @tail: how often a step is disturbed, by up to three times. */
static size_t count_called(size_t before, size_t after, double noise, double tail)
{
	int64_t times_ms[2][MOST];
	size_t called = 0;

	for (size_t trial = 0; trial < TRIALS; trial++) {
		struct ra_diff_evidence evidence;
		enum ra_diff_verdict verdict;

		for (size_t i = 0; i < before + after; i++) {
			const double more = next_uniform() < tail ? 1 + 2 * next_uniform() : 1;

			times_ms[i >= before][i >= before ? i - before : i] =
				(int64_t) (1e5 * exp(noise * next_normal()) * more);
		}
		evidence = compare(times_ms[0], before, times_ms[1], after);
		verdict = judge(&evidence);
		called += verdict == RA_DIFF_SLOWER || verdict == RA_DIFF_FASTER;
	}
	return called;
}

static void test_noise(void)
{
	static const size_t steps[][2] = { { 3, 3 }, { 3, 5 }, { 5, 5 },  { 4, 6 },
		                           { 6, 6 }, { 8, 5 }, { 12, 12 } };
	static const double noises[] = { 0.01, 0.05, 0.3 };
	static const double tails[] = { 0, 0.1, 0.3 };
	size_t most = 0;

	for (size_t s = 0; s < sizeof(steps) / sizeof(steps[0]); s++) {
		for (size_t n = 0; n < 9; n++) {
			const size_t called =
				count_called(steps[s][0], steps[s][1], noises[n / 3], tails[n % 3]);

			most = called > most ? called : most;
		}
	}
	tap_diag("of %u trials at most %zu were called", TRIALS, most);
	tap_ok(most <= TRIALS / 50, "equal sides are called in 2 %% of trials at most");
}

int main(void)
{
	test_orders();
	test_few();
	test_real();
	test_noise();
	return tap_done();
}
