/* SPDX-License-Identifier: MIT */
/* Tests confidence intervals on simulated runs whose truth is known: they contain it as often as
 * they claim. RANGES_TEST_TRIALS sets the number of trials of each kind. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/diff/diff-calls.h"
#include "analyzer/diff/math/diff-math.h"
#include "analyzer/diff/diff-runs.h"
#include "analyzer/diff/diff-verdict.h"
#include "tests/tap.h"

#define ROWS     8u
#define MOST     512u /* calls of a row in a run */
#define RUNS     24u
#define LIMIT    0.05
#define TIME_NS  1000000000
#define TRIALS   60u
#define FEWEST   0.85
#define MEDIAN   0.93
#define MEDIAN_2 0.97

/* A kind of runs. Deviations are those of logarithms. */
struct world {
	const char *name;
	size_t runs[2];
	size_t calls;
	double effect;  /* row 0 takes so many times longer, the logarithm */
	double sizes;   /* of a call's work, the same in each run */
	double noise;   /* of a call */
	double memory;  /* part of its noise that it has from the call before */
	double tail;    /* how often a call is disturbed: it takes up to four times as long */
	double run;     /* of a row of a run */
	double drift;   /* of a run, all its rows */
	double all;     /* all rows take so many times longer, the logarithm */
	double heavy;   /* how often a run is disturbed: by eight times its deviation */
	double missing; /* calls that are not recorded */
	double more;    /* a side has so many calls more, a part */
	bool is_random; /* each run has other work */
};

static uint64_t seed = 1;

static double next_uniform(void)
{
	return ((double) (ra_diff_math_next_random(&seed) >> 11) + 0.5) * 0x1p-53;
}

static double next_normal(void)
{
	const double radius = sqrt(-2 * log(next_uniform()));

	return radius * cos(2 * M_PI * next_uniform());
}

/* Memory of a trial. */
struct room {
	struct ra_sum_series_call calls[RUNS][MOST];
	struct ra_diff_calls_run runs[RUNS];
	double sizes[MOST];
};

/* One run of a row. @level: what all its calls are longer by. */
static void make_run(const struct world *world, struct room *room, size_t run, size_t calls,
                     double level)
{
	struct ra_diff_calls_run *made = &room->runs[run];
	double noise = next_normal() * world->noise;

	made->calls = room->calls[run];
	made->count = 0;
	for (uint32_t i = 0; i < calls; i++) {
		const double size =
			world->is_random ? next_normal() * world->sizes : room->sizes[i];
		const double own = sqrt(1 - world->memory * world->memory) * world->noise;
		double value;

		noise = world->memory * noise + own * next_normal();
		value = size + level + noise;
		value += next_uniform() < world->tail ? log1p(3 * next_uniform()) : 0;
		if (next_uniform() >= world->missing) {
			room->calls[run][made->count++] =
				(struct ra_sum_series_call){ (float) (1e6 * exp(value)), i };
		}
	}
}

static void fill_row(const struct world *world, struct room *room, struct ra_diff_runs *runs,
                     size_t row, const double *drifts)
{
	const size_t columns = world->runs[0] + world->runs[1];
	double *values = ra_diff_runs_row(runs, row);
	struct ra_diff_calls pairs = { 0 };

	for (size_t i = 0; i < MOST; i++) {
		room->sizes[i] = next_normal() * world->sizes;
	}
	for (size_t run = 0; run < columns; run++) {
		const bool is_after = run >= world->runs[0];
		const double times = next_uniform() < world->heavy ? 8 : 1;
		const double level = drifts[run] + times * world->run * next_normal() +
		                     (is_after ? world->all : 0) +
		                     (is_after && row == 0 ? world->effect : 0);

		make_run(world, room, run,
		         (size_t) ((double) world->calls * (1 + (is_after ? world->more : 0))),
		         level);
	}
	if (!ra_diff_calls_pair(&pairs, room->runs, columns, world->runs[0]) ||
	    !ra_diff_calls_find_figures(&pairs, values)) {
		for (size_t run = 0; run < columns; run++) {
			struct ra_sum_stat stat = { 0 };

			for (size_t i = 0; i < room->runs[run].count; i++) {
				ra_sum_stat_add(&stat, (int64_t) room->calls[run][i].dur_ns, 0);
			}
			values[run] = ra_diff_calls_find_level(&stat);
			ra_sum_stat_fini(&stat);
		}
	}
	runs->common[row] = 1;
	ra_diff_calls_fini(&pairs);
}

struct result {
	unsigned held;       /* intervals that hold the truth */
	unsigned all;        /* of so many */
	unsigned found;      /* trials in which row 0 is slower */
	unsigned wrong;      /* trials in which another row is slower or faster */
	unsigned equal;      /* other rows that are told equal */
	unsigned open;       /* trials in which the machine or the program may be what all share */
	unsigned all_called; /* trials in which the program surely is */
};

static struct ra_diff_common make_common(const struct world *world,
                                         const struct ra_diff_drift *drift)
{
	return (struct ra_diff_common){
		.share = !drift->is_told    ? RA_DIFF_SHARE_NONE
		         : drift->is_change ? RA_DIFF_SHARE_CHANGE
		         : drift->is_large  ? RA_DIFF_SHARE_OPEN
		                            : RA_DIFF_SHARE_OUT,
		.evidence = { .has = drift->is_told,
		              .change = drift->between,
		              .low = drift->between - drift->half,
		              .high = drift->between + drift->half,
		              .chance = drift->chance,
		              .runs = { world->runs[0], world->runs[1] } },
	};
}

static void judge(const struct world *world, const struct ra_diff_estimate *estimates,
                  const struct ra_diff_common *common, struct result *result)
{
	const struct ra_diff_limits limits = { .percent = LIMIT * 100 };
	bool is_wrong = false;

	for (size_t row = 0; row < ROWS; row++) {
		const struct ra_diff_estimate *from = &estimates[row];
		const double truth = world->all + (row == 0 ? world->effect : 0);
		struct ra_diff_evidence evidence = { .has = from->has,
			                             .change = from->change,
			                             .low = from->low,
			                             .high = from->high,
			                             .chance = from->chance,
			                             .runs = { from->runs[0], from->runs[1] } };
		const enum ra_diff_verdict verdict =
			ra_diff_verdict_judge_beside(&evidence, common, TIME_NS, &limits);

		result->all++;
		result->held += evidence.low <= truth && truth <= evidence.high;
		result->found += row == 0 && verdict == RA_DIFF_SLOWER;
		result->equal += row > 0 && verdict == RA_DIFF_EQUAL;
		is_wrong = is_wrong || (world->all == 0 && (row > 0 || world->effect == 0) &&
		                        (verdict == RA_DIFF_SLOWER || verdict == RA_DIFF_FASTER));
	}
	result->wrong += is_wrong;
	result->open += common->share == RA_DIFF_SHARE_OPEN;
	result->all_called += common->share == RA_DIFF_SHARE_CHANGE;
}

static void try_once(const struct world *world, struct room *room, struct result *result)
{
	const struct ra_diff_limits limits = { .percent = LIMIT * 100 };
	const size_t columns = world->runs[0] + world->runs[1];
	struct ra_diff_estimate estimates[ROWS];
	struct ra_diff_common common;
	struct ra_diff_drift drift;
	struct ra_diff_runs runs;
	double drifts[RUNS];

	ra_diff_runs_init(&runs, ROWS, world->runs[0], world->runs[1]);
	for (size_t run = 0; run < columns; run++) {
		drifts[run] = world->drift * next_normal();
	}
	for (size_t row = 0; row < ROWS; row++) {
		fill_row(world, room, &runs, row, drifts);
		runs.least[row] = ra_diff_verdict_find_least(TIME_NS, &limits);
	}
	ra_diff_runs_find_drift(&runs, 1, LIMIT / 2, &drift);
	for (size_t row = 0; row < ROWS && drift.is_told; row++) {
		ra_diff_runs_take_drift(&runs, row, &drift);
	}
	ra_diff_runs_compare(&runs, estimates);
	common = make_common(world, &drift);
	judge(world, estimates, &common, result);
	ra_diff_runs_fini_drift(&drift);
	ra_diff_runs_fini(&runs);
}

static struct result try_world(const struct world *world, unsigned trials)
{
	struct room *room = ra_alloc_zeros(1, sizeof(*room));
	struct result result = { 0 };

	for (unsigned i = 0; i < trials; i++) {
		try_once(world, room, &result);
	}
	tap_diag("%s: %.1f %% of %u intervals hold the truth; row 0 slower in %u of %u trials, "
	         "another "
	         "one called in %u, %u of %u told equal",
	         world->name, 100.0 * result.held / result.all, result.all, result.found, trials,
	         result.wrong, result.equal, trials * (ROWS - 1));
	free(room);
	return result;
}

static const struct world worlds[] = {
	{ .name = "equal, quiet",
	  .runs = { 5, 5 },
	  .calls = 100,
	  .sizes = 0.5,
	  .noise = 0.05,
	  .run = 0.01 },
	{ .name = "equal, drift",
	  .runs = { 5, 5 },
	  .calls = 100,
	  .sizes = 0.5,
	  .noise = 0.05,
	  .run = 0.01,
	  .drift = 0.03 },
	{ .name = "20 % more",
	  .runs = { 5, 5 },
	  .calls = 100,
	  .sizes = 0.5,
	  .noise = 0.05,
	  .run = 0.01,
	  .drift = 0.01,
	  .effect = 0.1823 },
	{ .name = "10 % more",
	  .runs = { 5, 5 },
	  .calls = 100,
	  .sizes = 0.5,
	  .noise = 0.05,
	  .run = 0.01,
	  .drift = 0.01,
	  .effect = 0.0953 },
	{ .name = "5 % more, 10 runs",
	  .runs = { 10, 10 },
	  .calls = 100,
	  .sizes = 0.5,
	  .noise = 0.05,
	  .run = 0.01,
	  .drift = 0.01,
	  .effect = 0.0488 },
	{ .name = "calls that follow each other",
	  .runs = { 5, 5 },
	  .calls = 200,
	  .sizes = 0.3,
	  .noise = 0.1,
	  .memory = 0.95,
	  .run = 0.005 },
	{ .name = "outliers",
	  .runs = { 5, 5 },
	  .calls = 100,
	  .sizes = 0.5,
	  .noise = 0.05,
	  .tail = 0.1,
	  .run = 0.01,
	  .drift = 0.01,
	  .effect = 0.0953 },
	{ .name = "disturbed runs",
	  .runs = { 5, 5 },
	  .calls = 60,
	  .sizes = 0.5,
	  .noise = 0.05,
	  .run = 0.01,
	  .heavy = 0.1,
	  .drift = 0.01 },
	{ .name = "beside others",
	  .runs = { 5, 5 },
	  .calls = 150,
	  .sizes = 0.5,
	  .noise = 0.03,
	  .tail = 0.4,
	  .run = 0.01,
	  .drift = 0.01,
	  .effect = 0.0953 },
	{ .name = "calls missing",
	  .runs = { 6, 6 },
	  .calls = 150,
	  .sizes = 0.5,
	  .noise = 0.05,
	  .run = 0.01,
	  .missing = 0.02,
	  .effect = 0.0953 },
	{ .name = "a side with more calls",
	  .runs = { 6, 6 },
	  .calls = 150,
	  .sizes = 0.3,
	  .noise = 0.05,
	  .run = 0.01,
	  .more = 0.3,
	  .effect = 0.0953 },
	{ .name = "a side with some calls more",
	  .runs = { 6, 6 },
	  .calls = 150,
	  .sizes = 0.3,
	  .noise = 0.05,
	  .run = 0.01,
	  .more = 0.05,
	  .effect = 0.0953 },
	{ .name = "nothing pairs",
	  .runs = { 5, 5 },
	  .calls = 400,
	  .sizes = 0.3,
	  .noise = 0.05,
	  .run = 0.01,
	  .is_random = true,
	  .effect = 0.1823 },
	{ .name = "3 runs a side",
	  .runs = { 3, 3 },
	  .calls = 100,
	  .sizes = 0.5,
	  .noise = 0.05,
	  .run = 0.01,
	  .effect = 0.1823 },
	{ .name = "1 run and 6",
	  .runs = { 1, 6 },
	  .calls = 100,
	  .sizes = 0.5,
	  .noise = 0.05,
	  .run = 0.01,
	  .effect = 0.1823 },
	{ .name = "8 and 4 runs, steady",
	  .runs = { 8, 4 },
	  .calls = 50,
	  .noise = 0.02,
	  .run = 0.004 },
};

/* Two runs, compared call by call: whether the calls' own interval holds the truth, but for what
 * runs vary by, which it does not know of. */
static double try_pair(const struct world *world, unsigned trials)
{
	struct room *room = ra_alloc_zeros(1, sizeof(*room));
	unsigned held = 0;
	unsigned pairs = 0;

	for (unsigned trial = 0; trial < trials * 2; trial++) {
		struct ra_diff_calls_estimate estimate;
		struct ra_diff_calls calls = { 0 };
		bool has;

		for (size_t i = 0; i < MOST; i++) {
			room->sizes[i] = next_normal() * world->sizes;
		}
		make_run(world, room, 0, world->calls, 0);
		make_run(world, room, 1, world->calls, world->effect);
		has = ra_diff_calls_pair(&calls, room->runs, 2, 1);
		if (ra_diff_calls_compare(has ? &calls : NULL, room->runs, &estimate)) {
			held += fabs(estimate.change - world->effect) <=
			        ra_diff_math_t(0.05, estimate.freedom) * estimate.deviation;
			pairs += estimate.is_by_pairs;
		}
		ra_diff_calls_fini(&calls);
	}
	tap_diag("%s: %.1f %% of intervals, %u of %u by pairs", world->name, 50.0 * held / trials,
	         pairs, 2 * trials);
	free(room);
	return (double) held / (2 * trials);
}

static const struct world pair_worlds[] = {
	{ .name = "a pair of runs", .calls = 400, .sizes = 0.5, .noise = 0.05, .effect = 0.22 },
	{ .name = "a pair with calls that follow each other",
	  .calls = 400,
	  .sizes = 0.5,
	  .noise = 0.05,
	  .memory = 0.8 },
	{ .name = "a pair beside others",
	  .calls = 400,
	  .sizes = 0.5,
	  .noise = 0.05,
	  .tail = 0.4,
	  .effect = 0.22 },
	{ .name = "a pair of 30 calls",
	  .calls = 30,
	  .sizes = 0.3,
	  .noise = 0.05,
	  .tail = 0.1,
	  .effect = 0.22 },
	{ .name = "a pair of other work",
	  .calls = 400,
	  .sizes = 0.2,
	  .noise = 0.02,
	  .is_random = true,
	  .effect = 0.22 },
};

/* Of a side, of 60 calls each. */
#define FIVE_RUNS .runs = { 5, 5 }, .calls = 60, .sizes = 0.5, .noise = 0.05, .run = 0.01

/* Worlds in which all rows change alike, or the machine does. */
static const struct shared_world {
	struct world world;
	double held;      /* of the intervals, at least */
	double equal;     /* of the rows but 0 that are told equal, at most */
	double found;     /* of the trials in which row 0 is slower, at least */
	double wrong;     /* of the trials in which another is called, at most */
	double least_all; /* of the trials in which all are, at least and at most */
	double most_all;
} shared_worlds[] = {
	{ .world = { .name = "all 50 % more, the machine varies by 25 %",
	             FIVE_RUNS,
	             .drift = 0.25,
	             .all = 0.4055 },
	  .held = 0.93,
	  .equal = 0.05,
	  .wrong = 1,
	  .most_all = 1 },
	{ .world = { .name = "equal, the machine varies by 25 %", FIVE_RUNS, .drift = 0.25 },
	  .held = 0.93,
	  .equal = 0.3,
	  .wrong = 0.05,
	  .most_all = 0.05 },
	{ .world = { .name = "20 % more in one row, the machine varies by 25 %",
	             FIVE_RUNS,
	             .drift = 0.25,
	             .effect = 0.1823 },
	  .held = 0.93,
	  .equal = 0.3,
	  .found = 0.95,
	  .wrong = 0.05,
	  .most_all = 0.05 },
	{ .world = { .name = "all 30 % more, the machine varies by 2 %",
	             FIVE_RUNS,
	             .drift = 0.02,
	             .all = 0.2624 },
	  .held = 0.92,
	  .found = 0.95,
	  .wrong = 1,
	  .least_all = 0.95,
	  .most_all = 1 },
	{ .world = { .name = "all 8 % more, the machine varies by 4 %",
	             FIVE_RUNS,
	             .drift = 0.04,
	             .all = 0.077 },
	  .held = 0.88,
	  .equal = 0.15,
	  .wrong = 1,
	  .most_all = 1 },
};

static void try_shared(const struct shared_world *shared, unsigned trials)
{
	const struct result result = try_world(&shared->world, trials);
	const double all = trials;

	tap_diag("%s: all called in %u, the machine or the program in %u", shared->world.name,
	         result.all_called, result.open);
	tap_ok(result.held >= shared->held * result.all, "%s: intervals hold the truth",
	       shared->world.name);
	tap_ok(result.equal <= shared->equal * all * (ROWS - 1) &&
	               result.found >= shared->found * all && result.wrong <= shared->wrong * all,
	       "%s: equal is not said, what differs is found, nothing else is called",
	       shared->world.name);
	tap_ok(result.all_called >= shared->least_all * all &&
	               result.all_called <= shared->most_all * all,
	       "%s: all are called where it is sure", shared->world.name);
}

static int compare_shares(const void *a, const void *b)
{
	const double left = *(const double *) a;
	const double right = *(const double *) b;

	return left < right ? -1 : left > right;
}

/* A row in which some runs take half as long again, and rows that hardly vary. Differences too
 * small to count must not make a verdict on others more likely. */
static double find_chance_beside(double least)
{
	static const double twofold[] = { -0.12, -0.13, -0.09, -0.1, -0.09,
		                          0.51,  0.45,  0.51,  0.25, -0.07 };
	struct ra_diff_estimate estimates[4 * ROWS];
	struct ra_diff_runs runs;

	seed = 7;
	ra_diff_runs_init(&runs, (size_t) 4 * ROWS, 5, 5);
	for (size_t row = 0; row < (size_t) 4 * ROWS; row++) {
		double *values = ra_diff_runs_row(&runs, row);

		runs.least[row] = least;
		for (size_t run = 0; run < 10; run++) {
			values[run] = row == 0 ? twofold[run] : 0.002 * next_normal();
		}
	}
	ra_diff_runs_compare(&runs, estimates);
	ra_diff_runs_fini(&runs);
	return estimates[0].chance;
}

static void test_small_rows(void)
{
	const double any = find_chance_beside(0);
	const double counted = find_chance_beside(log1p(LIMIT / 2));

	printf("# chance %.4f, of differences that count %.4f\n", any, counted);
	tap_ok(any > 0.02 && counted <= 0.02, "rows that hardly vary do not hide one that does");
}

/* Five runs are 10 % slower, and one of them is disturbed. In another row, which is equal, one run
 * is disturbed as much. */
static void test_apart(void)
{
	static const double slower[] = { 0.00, 0.01, -0.01, 0.02, -0.02,
		                         0.10, 0.11, 0.09,  0.60, 0.12 };
	static const double equal[] = { 0.00, 0.01, -0.01, 0.02, -0.02,
		                        0.00, 0.01, -0.01, 0.60, 0.02 };
	struct ra_diff_estimate estimates[2];
	struct ra_diff_runs runs;

	ra_diff_runs_init(&runs, 2, 5, 5);
	for (size_t row = 0; row < 2; row++) {
		memcpy(ra_diff_runs_row(&runs, row), row == 0 ? slower : equal, sizeof(slower));
		runs.least[row] = log1p(LIMIT / 2);
	}
	ra_diff_runs_compare(&runs, estimates);
	ra_diff_runs_fini(&runs);
	tap_diag("apart: %.3f (%.3f to %.3f), chance %.4f; equal: %.3f to %.3f",
	         estimates[0].change, estimates[0].low, estimates[0].high, estimates[0].chance,
	         estimates[1].low, estimates[1].high);
	/* The nearest pair: 0.09 and 0.02; the farthest: 0.60 and -0.02. Two ways of 252. */
	tap_ok(fabs(estimates[0].low - 0.07) < 1e-9 && fabs(estimates[0].high - 0.62) < 1e-9,
	       "runs that are apart: the interval is from the nearest pair to the farthest");
	tap_ok(fabs(estimates[0].change - 0.11) < 0.011, "the estimate is the median of all pairs");
	tap_ok(fabs(estimates[0].chance - 2.0 / 252) < 1e-9, "chance is that of any gap");
	tap_ok(estimates[1].low < 0, "a disturbed run alone is no gap");
}

int main(void)
{
	const char *setting = getenv("RANGES_TEST_TRIALS");
	const unsigned trials = setting != NULL ? (unsigned) strtoul(setting, NULL, 10) : TRIALS;
	double shares[sizeof(worlds) / sizeof(worlds[0])];
	const size_t count = sizeof(worlds) / sizeof(worlds[0]);

	for (size_t i = 0; i < count; i++) {
		const struct result result = try_world(&worlds[i], trials);

		shares[i] = (double) result.held / result.all;
		tap_ok(shares[i] >= FEWEST, "%s: 85 %% of intervals or more hold the truth",
		       worlds[i].name);
	}
	qsort(shares, count, sizeof(*shares), compare_shares);
	tap_ok(shares[count / 2] >= MEDIAN && shares[count / 2] <= MEDIAN_2,
	       "in the median scenario 93 to 97 %% do");
	tap_diag("median %.1f %%", 100 * shares[count / 2]);
	for (size_t i = 0; i < sizeof(shared_worlds) / sizeof(shared_worlds[0]); i++) {
		try_shared(&shared_worlds[i], trials);
	}
	for (size_t i = 0; i < sizeof(pair_worlds) / sizeof(pair_worlds[0]); i++) {
		tap_ok(try_pair(&pair_worlds[i], trials) >= FEWEST,
		       "%s: 85 %% of intervals or more hold the truth", pair_worlds[i].name);
	}
	test_small_rows();
	test_apart();
	return tap_done();
}
