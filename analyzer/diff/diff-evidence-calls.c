/* SPDX-License-Identifier: MIT */
/* Judges each row by its calls, if each side is one run: sets intervals and verdicts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/diff/diff-evidence.h"
#include "analyzer/diff/math/diff-math.h"
#include "analyzer/diff/diff-steps.h"

/* The assumed deviation between two runs of one program: 2 %, even if their calls show less. */
#define RUN_DEVIATION 0.02

/* The assumed deviation for instructions, which hardly vary: 0.1 %. */
#define RUN_DEVIATION_INSTRUCTIONS 0.001

/* With fewer rows than this, their common difference is not computed. */
#define COMMON_ROWS 3u

/* Half of a normal distribution lies within this many deviations of its middle. */
#define QUARTILE 0.6745

/* 5 % of a normal distribution lie beyond this many deviations. */
#define NORMAL_T 1.96

/* The estimate of a row, or of a part of a step. */
struct estimate {
	bool has;
	struct ra_diff_calls_estimate calls;
};

struct work {
	struct ra_diff *diff;
	const struct ra_diff_options *options;
	struct estimate *rows; /* owned: for each row, then for each part of a step */
	size_t judged;
	double scatter[3]; /* for each machine: how much its rows deviate from their common
	                      difference */
};

static bool compare_series(const struct ra_diff_calls_run runs[2], struct estimate *estimate)
{
	struct ra_diff_calls pairs = { 0 };
	const bool has_pairs =
		runs[0].count > 0 && runs[1].count > 0 && ra_diff_calls_pair(&pairs, runs, 2, 1);

	estimate->has = ra_diff_calls_compare(has_pairs ? &pairs : NULL, runs, &estimate->calls);
	ra_diff_calls_fini(&pairs);
	return estimate->has;
}

static void estimate_row(struct work *work, size_t at)
{
	const struct ra_diff_row *row = &work->diff->rows[at];
	const uint64_t key = ra_sum_series_key(row->table, row->kind, row->domain, row->name);
	struct ra_diff_calls_run runs[2] = { { NULL, 0 }, { NULL, 0 } };
	struct ra_sum_series_call *calls[2] = { NULL, NULL };
	bool has = row->stats[0] != NULL && row->stats[1] != NULL &&
	           !ra_diff_has_other_calls(work->diff, row, work->options->limits.percent);

	for (size_t side = 0; side < 2 && has; side++) {
		has = ra_diff_side_gather(&work->diff->sides[side]->runs[0], key, &calls[side],
		                          &runs[side].count);
		runs[side].calls = calls[side];
	}
	work->judged += has && compare_series(runs, &work->rows[at]);
	free(calls[0]);
	free(calls[1]);
}

/* Lists the times of a part of the steps as calls. Return: false if a step lacks the part. */
static bool make_series(const struct ra_diff_run *run, size_t role,
                        struct ra_sum_series_call *calls)
{
	bool has = true;

	for (size_t i = 0; i < run->step_count; i++) {
		calls[i].dur_ns = (float) run->steps[i].role_ns[role];
		calls[i].place = (uint32_t) i;
		has = has && run->steps[i].role_ns[role] > 0;
	}
	return has;
}

static void estimate_part(struct work *work, size_t role)
{
	struct ra_diff_calls_run runs[2] = { { NULL, 0 }, { NULL, 0 } };
	struct ra_sum_series_call *calls[2] = { NULL, NULL };
	bool has = true;

	for (size_t side = 0; side < 2; side++) {
		const struct ra_diff_run *run = &work->diff->sides[side]->runs[0];

		calls[side] = ra_alloc_zeros(run->step_count + 1, sizeof(*calls[side]));
		has = make_series(run, role, calls[side]) && has;
		runs[side].calls = calls[side];
		runs[side].count = run->step_count;
	}
	work->judged += has && compare_series(runs, &work->rows[work->diff->count + role]);
	free(calls[0]);
	free(calls[1]);
}

/* Notes the common difference. With one run on each side, the variation of the machine's speed is
 * not known: it may be the whole difference, or no part of it. */
static void note_common(struct work *work, unsigned common, double middle)
{
	const struct ra_diff_limits *limits = &work->options->limits;
	struct ra_diff_common *noted = &work->diff->drifts[common];

	if (!work->options->with_drift) {
		return;
	}
	noted->factors = ra_diff_evidence_find_factors(work->diff, common, limits);
	noted->share = fabs(middle) <= log1p(limits->percent / 200) ? RA_DIFF_SHARE_OUT
	               : noted->factors.are_alike                   ? RA_DIFF_SHARE_OPEN
	                                                            : RA_DIFF_SHARE_UNLIKE;
	noted->evidence = (struct ra_diff_evidence){
		.has = true,
		.change = middle,
		.low = fmin(middle, 0) - NORMAL_T * RUN_DEVIATION,
		.high = fmax(middle, 0) + NORMAL_T * RUN_DEVIATION,
		.chance = 1,
		.runs = { 1, 1 },
	};
	ra_diff_evidence_judge_common(work->diff, common, limits);
}

/* Finds the difference that the rows of a machine have in common, and how far they deviate from
 * it. */
static void find_common(struct work *work, unsigned common)
{
	struct ra_diff *diff = work->diff;
	double *changes = ra_alloc_zeros(diff->count + 1, sizeof(*changes));
	size_t count = 0;

	for (size_t i = 0; i < diff->count; i++) {
		if (work->rows[i].has &&
		    ra_diff_evidence_machine(&diff->rows[i], &work->options->limits) == common) {
			changes[count++] = work->rows[i].calls.change;
		}
	}
	if (count >= COMMON_ROWS) {
		const double middle = ra_diff_math_median(changes, count);

		for (size_t i = 0; i < count; i++) {
			changes[i] = fabs(changes[i] - middle);
		}
		work->scatter[common] = ra_diff_math_median(changes, count) / QUARTILE;
		note_common(work, common, middle);
	}
	free(changes);
}

/* Returns the common difference that is subtracted from the rows of a machine. */
static double find_shared(const struct ra_diff_common *drift)
{
	return drift->share == RA_DIFF_SHARE_OUT || drift->share == RA_DIFF_SHARE_OPEN
	               ? drift->evidence.change
	               : 0;
}

/* True if nearly all calls changed in the direction of the mean, by at least half of the limits. */
static bool is_firm(const struct work *work, double firm, double change, int64_t before_ns)
{
	const struct ra_diff_limits *limits = &work->options->limits;
	const double part = fabs(expm1(firm));

	return firm * change > 0 && part * 200 > limits->percent &&
	       part * 2 * (double) before_ns > (double) limits->time_ns;
}

/*
 * Judges an estimate. With one run on each side, a difference that rows have in common may come
 * from the machine or from the program, so the interval covers both. @common: the machine whose
 * common difference is part of the estimate. @like: the machine whose rows scatter as this one.
 */
static enum ra_diff_verdict judge(const struct work *work, const struct estimate *from,
                                  unsigned common, unsigned like, int64_t before_ns,
                                  struct ra_diff_evidence *evidence)
{
	const struct ra_diff_common *drift = &work->diff->drifts[common];
	const double shared = find_shared(drift);
	const double change = from->calls.change - shared;
	const double floor =
		hypot(work->diff->by == RA_COUNT_INSTRUCTIONS ? RUN_DEVIATION_INSTRUCTIONS
	                                                      : RUN_DEVIATION,
	              work->scatter[like]);
	const double deviation = hypot(from->calls.deviation, floor);
	const double part = deviation > 0 ? from->calls.deviation / deviation : 0;
	/* Degrees of freedom after Satterthwaite: the floor is known, the calls' own deviation is
	 * estimated. */
	const double freedom = from->calls.freedom / fmax(part * part * part * part, 1e-3);
	const double own = ra_diff_math_t(0.05, from->calls.freedom) * from->calls.deviation;
	const double half = hypot(own, NORMAL_T * floor) + fabs(shared);
	const double beyond = fmax(fabs(change) - fabs(shared), 0);
	enum ra_diff_verdict verdict;

	*evidence = (struct ra_diff_evidence){
		.method = from->calls.is_by_pairs ? RA_DIFF_BY_PAIRS : RA_DIFF_BY_CALLS,
		.has = true,
		.change = change,
		.low = change - half,
		.high = change + half,
		.chance = fmin(1, (double) work->judged *
		                          ra_diff_math_chance(beyond / deviation, freedom)),
		.runs = { 1, 1 },
	};
	verdict = ra_diff_verdict_judge(evidence, before_ns, &work->options->limits);
	if (!ra_diff_verdict_is_call(verdict) ||
	    is_firm(work, from->calls.firm - shared, change, before_ns)) {
		return verdict;
	}
	evidence->doubt = RA_DIFF_DOUBT_UNEVEN;
	return RA_DIFF_UNSURE;
}

/* Chooses the verdict. If the interval is too wide, the verdict of the distributions, which rests
 * on the fast calls, is taken, because disturbances rarely affect these. */
static enum ra_diff_verdict choose(enum ra_diff_verdict by_calls, enum ra_diff_verdict by_buckets,
                                   struct ra_diff_evidence *evidence)
{
	const enum ra_diff_verdict way = evidence->change > 0 ? RA_DIFF_SLOWER : RA_DIFF_FASTER;

	if (by_calls != RA_DIFF_UNSURE || by_buckets != way) {
		return by_calls;
	}
	/* the interval came from single calls, which gave no verdict */
	*evidence = (struct ra_diff_evidence){ .method = RA_DIFF_BY_BUCKETS };
	return by_buckets;
}

/* True if the time of all calls changed in the other direction than the verdict says, by at least
 * half of the limit. Then some calls got longer and others shorter, so neither verdict is right. */
static bool is_opposed(const struct work *work, const struct ra_diff_row *row)
{
	const double before = (double) row->total_ns[0]; /* per unit, as is the time after */
	const double change = (double) row->total_ns[1] - before;

	return ra_diff_verdict_is_call(row->verdict) &&
	       (change > 0) != (row->verdict == RA_DIFF_SLOWER) &&
	       fabs(change) * 200 > work->options->limits.percent * before;
}

/* Finds the time before, of which the limit in per cent is a part. Leaves out the longest calls, so
 * that a few disturbed calls do not increase it. */
static int64_t find_usual(const struct work *work, const struct ra_diff_row *row)
{
	const double usual =
		ra_diff_calls_find_usual(row->stats[0]) / (double) work->diff->units[0];

	return usual < (double) row->total_ns[0] ? (int64_t) usual : row->total_ns[0];
}

/* True if the faster calls are equal, but the longer ones changed by twice the limit, and the time
 * of all calls changed with them. */
static bool is_longer(const struct work *work, const struct ra_diff_row *row)
{
	const struct ra_diff_limits *limits = &work->options->limits;
	const unsigned common = ra_diff_evidence_follows(row);
	const struct ra_diff_common *drift = &work->diff->drifts[common];
	const double shared = find_shared(drift);
	const double longer = ra_diff_calls_find_longer(row->stats[1]) -
	                      ra_diff_calls_find_longer(row->stats[0]) - shared;
	const double total = log((double) row->total_ns[1] / (double) row->total_ns[0]) - shared;
	const double least = fmin(fabs(longer) / 2, fabs(total));

	return row->verdict == RA_DIFF_EQUAL && longer * total > 0 &&
	       expm1(least) * 100 > limits->percent &&
	       expm1(least) * (double) row->total_ns[0] > (double) limits->time_ns;
}

/* True if the mean of all steps, even of disturbed ones, changed by no more than one of the
 * limits. */
static bool has_equal_mean(const struct work *work, const struct ra_diff_role *row)
{
	const struct ra_diff_limits *limits = &work->options->limits;
	const double change_ns = fabs((double) row->mean_ns[1] - (double) row->mean_ns[0]);

	return change_ns * 100 <= limits->percent * (double) row->mean_ns[0] ||
	       change_ns <= (double) limits->time_ns;
}

/* True if the order of the steps says more about a part that is unsure so far. A part is not equal
 * if only the middle of its steps is equal but its mean changed, because then some steps got
 * longer. */
static bool tells_more(const struct work *work, const struct ra_diff_role *row,
                       enum ra_diff_verdict verdict, const struct ra_diff_evidence *evidence)
{
	if (verdict == RA_DIFF_EQUAL) {
		return has_equal_mean(work, row);
	}
	if (evidence->doubt == RA_DIFF_DOUBT_CHANCE && evidence->chance >= 1) {
		return false; /* its interval does not contain 0, although the difference may be
		                 mere chance */
	}
	return ra_diff_verdict_is_call(verdict) || !row->evidence.has ||
	       evidence->high - evidence->low < row->evidence.high - row->evidence.low;
}

/* If neither calls nor distributions decide about a part, the order of the steps may decide: if
 * there are few steps, or a disturbed one. The total is tested separately. */
static void ask_steps(const struct work *work, size_t role, unsigned common)
{
	const struct ra_diff_side *const *sides = work->diff->sides;
	const double shared = find_shared(&work->diff->drifts[common]);
	struct ra_diff_role *row = &work->diff->roles[role];
	struct ra_diff_evidence evidence = ra_diff_steps_compare(
		&sides[0]->runs[0], &sides[1]->runs[0], role, role == RA_ROLE_TOTAL ? 1 : RA_ROLES);
	enum ra_diff_verdict verdict;

	evidence.change -= shared;
	evidence.low -= shared + fabs(shared);
	evidence.high += fabs(shared) - shared;
	verdict = ra_diff_verdict_judge(&evidence, row->mean_ns[0], &work->options->limits);
	if (evidence.has && tells_more(work, row, verdict, &evidence)) {
		row->verdict = verdict;
		row->evidence = evidence;
	}
}

/* True of parts that are GPU work. Its time varies in another way than the CPU's. */
static bool is_of_gpu(size_t role)
{
	return role <= RA_ROLE_COMMUNICATION;
}

static void judge_parts(const struct work *work)
{
	struct ra_diff *diff = work->diff;
	const unsigned common =
		ra_diff_evidence_has_gpu(diff) ? RA_DIFF_COMMON_NONE : RA_DIFF_COMMON_CPU;

	for (size_t role = 0; role < RA_ROLES; role++) {
		const struct estimate *from = &work->rows[diff->count + role];
		struct ra_diff_role *row = &diff->roles[role];

		if (row->mean_ns[0] <= 0 || row->mean_ns[1] <= 0) {
			continue;
		}
		if (from->has) {
			row->verdict = choose(
				judge(work, from, common,
			              is_of_gpu(role) ? RA_DIFF_COMMON_GPU : RA_DIFF_COMMON_CPU,
			              row->mean_ns[0], &row->evidence),
				row->verdict, &row->evidence);
		}
		if (row->verdict == RA_DIFF_UNSURE && diff->has_steps) {
			ask_steps(work, role, common);
		}
	}
}

void ra_diff_evidence_of_calls(struct ra_diff *diff, const struct ra_diff_options *options)
{
	struct work work = { .diff = diff, .options = options };

	work.rows = ra_alloc_zeros(diff->count + RA_ROLES + 1, sizeof(*work.rows));
	for (size_t i = 0; i < diff->count; i++) {
		estimate_row(&work, i);
	}
	for (size_t role = 0; role < RA_ROLES && work.judged > 0; role++) {
		estimate_part(&work, role);
	}
	find_common(&work, RA_DIFF_COMMON_CPU);
	find_common(&work, RA_DIFF_COMMON_GPU);
	for (size_t i = 0; i < diff->count; i++) {
		struct ra_diff_row *row = &diff->rows[i];
		const unsigned follows = ra_diff_evidence_follows(row);

		/* A time of 0 has no ratio: the row keeps the verdict of its distributions. */
		if (work.rows[i].has && row->total_ns[0] > 0 && row->total_ns[1] > 0) {
			row->verdict = choose(
				judge(&work, &work.rows[i], follows,
			              follows != RA_DIFF_COMMON_NONE ? follows : RA_DIFF_COMMON_CPU,
			              find_usual(&work, row), &row->evidence),
				row->verdict, &row->evidence);
			if (is_longer(&work, row)) {
				row->verdict = RA_DIFF_UNSURE;
				row->evidence.doubt = RA_DIFF_DOUBT_LONGER;
			}
			if (is_opposed(&work, row)) {
				row->verdict = RA_DIFF_UNSURE;
				row->evidence.doubt = RA_DIFF_DOUBT_OPPOSED;
			}
		}
	}
	judge_parts(&work);
	free(work.rows);
}
