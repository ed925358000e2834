/* SPDX-License-Identifier: MIT */
/* Judges each row by several runs: sets intervals and verdicts. */
#include "analyzer/diff/diff-evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/diff/math/diff-math.h"
#include "analyzer/diff/diff-runs.h"

/* The largest chance of a mistake for a verdict from totals. Totals include disturbed calls, so
 * they overrule the calls only if they are surer. */
#define MISTAKEN_TOTALS 0.01

/* If the chance is at most this that the longer calls of one side's runs exceed the other's at
 * random, the row is unsure. */
#define MISTAKEN_LONGER 0.05

/* The share that is trimmed at either end when the mean of a part of the steps is computed. */
#define LEAVE_STEPS 0.1

unsigned ra_diff_evidence_follows(const struct ra_diff_row *row)
{
	return row->table == RA_SUM_KERNELS || row->table == RA_SUM_COPIES ? RA_DIFF_COMMON_GPU
	                                                                   : RA_DIFF_COMMON_CPU;
}

unsigned ra_diff_evidence_machine(const struct ra_diff_row *row,
                                  const struct ra_diff_limits *limits)
{
	bool is_one = row->table != RA_SUM_APIS;

	for (size_t side = 0; side < 2; side++) {
		is_one = is_one && row->calls[side] >= RA_DIFF_FEW && row->total_ns[side] > 0 &&
		         row->total_ns[side] >= limits->time_ns &&
		         (row->table != RA_SUM_RANGES ||
		          row->self_ns[side] >= row->total_ns[side] / 2);
	}
	return is_one ? ra_diff_evidence_follows(row) : RA_DIFF_COMMON_NONE;
}

/* True of calls of CUDA that are used together with the ranges. */
static bool is_call(const struct ra_diff_row *row, unsigned common,
                    const struct ra_diff_limits *limits)
{
	bool is = row->table == RA_SUM_APIS && common == RA_DIFF_COMMON_CPU;

	for (size_t side = 0; side < 2; side++) {
		is = is && row->calls[side] >= RA_DIFF_FEW && row->total_ns[side] > 0 &&
		     row->total_ns[side] >= limits->time_ns;
	}
	return is;
}

struct ra_diff_factors ra_diff_evidence_find_factors(const struct ra_diff *diff, unsigned common,
                                                     const struct ra_diff_limits *limits)
{
	double *values = ra_alloc_zeros(diff->count + 1, sizeof(*values));
	size_t counts[2] = { 0, 0 }; /* numbers of other rows, and of calls of CUDA */
	struct ra_diff_factors factors;

	for (size_t calls = 0; calls < 2; calls++) {
		for (size_t i = 0; i < diff->count; i++) {
			const struct ra_diff_row *row = &diff->rows[i];
			const bool is_used =
				calls == 1 ? is_call(row, common, limits)
					   : ra_diff_evidence_machine(row, limits) == common &&
						     (row->table != RA_SUM_KERNELS ||
			                              row->kind != RA_SUM_COLLECTIVE);

			if (is_used) {
				values[counts[0] + counts[1]] =
					ra_diff_calls_find_level(row->stats[1]) -
					ra_diff_calls_find_level(row->stats[0]);
				counts[calls]++;
			}
		}
	}
	factors = ra_diff_factors_find(values, counts[0], counts[1]);
	free(values);
	return factors;
}

bool ra_diff_evidence_has_gpu(const struct ra_diff *diff)
{
	bool has = false;

	for (size_t role = 0; role < RA_ROLE_RUNTIME; role++) {
		has = has || diff->roles[role].mean_ns[0] > 0 || diff->roles[role].mean_ns[1] > 0;
	}
	return has;
}

/* The state while a comparison is judged. */
struct work {
	struct ra_diff *diff;
	const struct ra_diff_options *options;
	size_t columns;                    /* number of runs of both sides */
	const struct ra_sum_total **cells; /* owned: for each row and run; NULL: the run lacks the
	                                      row */
	struct ra_diff_runs runs; /* rows: the time of calls of each row, then the total of each
	                             row, then parts */
};

static const struct ra_diff_run *get_run(const struct work *work, size_t column)
{
	const struct ra_diff_side *const *sides = work->diff->sides;

	return column < sides[0]->run_count ? &sides[0]->runs[column]
	                                    : &sides[1]->runs[column - sides[0]->run_count];
}

static void fill_cells(struct work *work)
{
	struct ra_diff *diff = work->diff;

	// NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
	work->cells = ra_alloc_zeros(diff->count * work->columns + 1, sizeof(*work->cells));
	for (size_t column = 0; column < work->columns; column++) {
		const struct ra_sum_set *set = &get_run(work, column)->set;

		for (size_t i = 0; i < set->total_count; i++) {
			const size_t row = ra_diff_find_row(diff, set, &set->totals[i].row);

			if (row < diff->count) {
				work->cells[row * work->columns + column] = &set->totals[i];
			}
		}
	}
}

/* Returns how many steps or inputs a run has. */
static double count_units(const struct work *work, size_t column)
{
	const struct ra_sum_set *set = &get_run(work, column)->set;

	return work->diff->has_steps ? fmax((double) set->roles[RA_ROLE_TOTAL].count, 1)
	                             : fmax((double) set->source_count, 1);
}

/* Compares a row by pairs of calls, if each run that has the row also has its single calls, and if
 * these are alike. */
static bool fill_by_pairs(const struct work *work, const struct ra_diff_row *row,
                          const struct ra_sum_total *const *cells, double *values)
{
	const uint64_t key = ra_sum_series_key(row->table, row->kind, row->domain, row->name);
	struct ra_diff_calls_run *runs = ra_alloc_zeros(work->columns + 1, sizeof(*runs));
	// NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
	struct ra_sum_series_call **calls = ra_alloc_zeros(work->columns + 1, sizeof(*calls));
	size_t *column_of = ra_alloc_zeros(work->columns + 1, sizeof(*column_of));
	double *figures = ra_alloc_zeros(work->columns + 1, sizeof(*figures));
	struct ra_diff_calls pairs = { 0 };
	size_t before = 0;
	size_t count = 0;
	bool has = true;

	for (size_t column = 0; column < work->columns && has; column++) {
		if (cells[column] != NULL) {
			has = ra_diff_side_gather(get_run(work, column), key, &calls[count],
			                          &runs[count].count);
			runs[count].calls = calls[count];
			before += column < work->diff->sides[0]->run_count;
			column_of[count++] = column;
		}
	}
	has = has && count > 1 && ra_diff_calls_pair(&pairs, runs, count, before) &&
	      ra_diff_calls_find_figures(&pairs, figures);
	for (size_t i = 0; i < count; i++) {
		values[column_of[i]] = has ? figures[i] : NAN;
		free(calls[i]);
	}
	ra_diff_calls_fini(&pairs);
	free(runs);
	free(calls);
	free(column_of);
	free(figures);
	return has;
}

/* Finds the time before, of which the limit in per cent is a part. It is the time of the fastest
 * run, without its longest calls, so that disturbances do not increase it. */
static int64_t find_usual(const struct work *work, size_t at)
{
	const size_t runs = work->diff->sides[0]->run_count;
	double least = (double) work->diff->rows[at].total_ns[0];

	for (size_t run = 0; run < runs; run++) {
		const struct ra_sum_total *cell = work->cells[at * work->columns + run];

		if (cell != NULL && cell->row.stat.count > 0) {
			least = fmin(least, ra_diff_calls_find_usual(&cell->row.stat) /
			                            count_units(work, run));
		}
	}
	return (int64_t) least;
}

/* Finds the time before of a part of the steps. */
static int64_t find_usual_part(const struct work *work, size_t role)
{
	const double *values = ra_diff_runs_row(&work->runs, 2 * work->diff->count + role);
	double least = (double) work->diff->roles[role].mean_ns[0];

	for (size_t run = 0; run < work->diff->sides[0]->run_count; run++) {
		least = isnan(values[run]) ? least : fmin(least, exp(values[run]));
	}
	return (int64_t) least;
}

static void fill_row(struct work *work, size_t at)
{
	struct ra_diff_row *row = &work->diff->rows[at];
	const struct ra_sum_total *const *cells = &work->cells[at * work->columns];
	double *values = ra_diff_runs_row(&work->runs, at);
	double *totals = ra_diff_runs_row(&work->runs, work->diff->count + at);

	for (size_t column = 0; column < work->columns; column++) {
		if (cells[column] != NULL && cells[column]->row.total_ns > 0) {
			totals[column] = log((double) cells[column]->row.total_ns /
			                     count_units(work, column));
		}
	}
	work->runs.family[work->diff->count + at] = RA_DIFF_FAMILY_TOTALS;
	work->runs.least[at] =
		ra_diff_verdict_find_least(find_usual(work, at), &work->options->limits);
	work->runs.least[work->diff->count + at] = work->runs.least[at];
	work->runs.common[at] =
		(unsigned char) ra_diff_evidence_machine(row, &work->options->limits);
	if (ra_diff_has_other_calls(work->diff, row, work->options->limits.percent)) {
		row->evidence.method = RA_DIFF_BY_TOTALS;
		work->runs.common[at] = RA_DIFF_COMMON_NONE;
	} else if (fill_by_pairs(work, row, cells, values)) {
		row->evidence.method = RA_DIFF_BY_PAIRS;
	} else {
		row->evidence.method = RA_DIFF_BY_CALLS;
		for (size_t column = 0; column < work->columns; column++) {
			values[column] =
				cells[column] == NULL
					? NAN
					: ra_diff_calls_find_level(&cells[column]->row.stat);
		}
	}
}

static double find_part(const struct ra_diff_run *run, size_t role)
{
	struct ra_diff_math_weighed *rows = ra_alloc_zeros(run->step_count + 1, sizeof(*rows));
	double mean;

	for (size_t i = 0; i < run->step_count; i++) {
		rows[i] = (struct ra_diff_math_weighed){ (double) run->steps[i].role_ns[role], 1 };
	}
	mean = ra_diff_math_trimmed_mean(rows, run->step_count, LEAVE_STEPS, LEAVE_STEPS);
	free(rows);
	return mean > 0 ? log(mean) : NAN;
}

static void fill_parts(struct work *work)
{
	const struct ra_diff_limits *limits = &work->options->limits;

	for (size_t role = 0; role < RA_ROLES; role++) {
		const size_t at = 2 * work->diff->count + role;
		double *values = ra_diff_runs_row(&work->runs, at);

		work->runs.family[at] = RA_DIFF_FAMILY_PARTS;
		for (size_t column = 0; column < work->columns; column++) {
			values[column] = find_part(get_run(work, column), role);
		}
		work->runs.least[at] =
			ra_diff_verdict_find_least(find_usual_part(work, role), limits);
	}
}

void ra_diff_evidence_judge_common(struct ra_diff *diff, unsigned common,
                                   const struct ra_diff_limits *limits)
{
	struct ra_diff_common *judged = &diff->drifts[common];
	int64_t before_ns = 0;

	for (size_t i = 0; i < diff->count; i++) {
		if (ra_diff_evidence_machine(&diff->rows[i], limits) == common) {
			before_ns += diff->rows[i].self_ns[0] > 0 ? diff->rows[i].self_ns[0]
			                                          : diff->rows[i].total_ns[0];
		}
	}
	judged->verdict = ra_diff_verdict_judge(&judged->evidence, before_ns, limits);
	if (judged->share != RA_DIFF_SHARE_CHANGE && ra_diff_verdict_is_call(judged->verdict)) {
		judged->verdict = RA_DIFF_UNSURE;
		judged->evidence.doubt = RA_DIFF_DOUBT_SHARED;
	}
}

static void note_drift(struct work *work, unsigned common, const struct ra_diff_drift *drift)
{
	const size_t *runs = work->runs.runs;
	struct ra_diff_common *noted = &work->diff->drifts[common];

	noted->share = !drift->is_told    ? RA_DIFF_SHARE_NONE
	               : drift->is_change ? RA_DIFF_SHARE_CHANGE
	               : drift->is_large  ? RA_DIFF_SHARE_OPEN
	                                  : RA_DIFF_SHARE_OUT;
	noted->evidence = (struct ra_diff_evidence){
		.has = drift->is_told,
		.change = drift->between,
		.low = drift->between - drift->half,
		.high = drift->between + drift->half,
		.chance = drift->chance,
		.runs = { runs[0], runs[1] },
	};
	noted->factors = ra_diff_evidence_find_factors(work->diff, common, &work->options->limits);
	if (drift->is_told) {
		ra_diff_evidence_judge_common(work->diff, common, &work->options->limits);
	}
}

/* Subtracts the difference that the rows of a machine have in common. */
static void take_drift(struct work *work, unsigned common)
{
	struct ra_diff *diff = work->diff;
	const double limit = log1p(work->options->limits.percent / 200);
	struct ra_diff_drift drift;

	ra_diff_runs_find_drift(&work->runs, common, limit, &drift);
	note_drift(work, common, &drift);
	for (size_t i = 0; i < diff->count && drift.is_told; i++) {
		if (ra_diff_evidence_follows(&diff->rows[i]) == common) {
			ra_diff_runs_take_drift(&work->runs, i, &drift);
			ra_diff_runs_take_drift(&work->runs, diff->count + i, &drift);
		}
	}
	for (size_t role = 0; role < RA_ROLES && drift.is_told; role++) {
		if (common == RA_DIFF_COMMON_CPU && !ra_diff_evidence_has_gpu(diff)) {
			ra_diff_runs_take_drift(&work->runs, 2 * diff->count + role, &drift);
		}
	}
	ra_diff_runs_fini_drift(&drift);
}

static struct ra_diff_evidence make_evidence(const struct ra_diff_estimate *estimate,
                                             enum ra_diff_method method)
{
	return (struct ra_diff_evidence){
		.method = method,
		.has = estimate->has,
		.change = estimate->change,
		.low = estimate->low,
		.high = estimate->high,
		.chance = estimate->chance,
		.runs = { estimate->runs[0], estimate->runs[1] },
	};
}

/* True if the time of all calls surely changed by more or by less than the time of single calls. */
static bool is_apart(const struct ra_diff_evidence *totals, const struct ra_diff_evidence *calls)
{
	return totals->low > calls->high || totals->high < calls->low;
}

/* How long the longer calls are in the runs of one side. */
struct longer {
	double low;
	double high[2]; /* the highest, and the second highest */
	double sum;
	size_t count;
};

static void add_longer(struct longer *side, double value)
{
	side->low = side->count == 0 ? value : fmin(side->low, value);
	if (side->count == 0 || value > side->high[0]) {
		side->high[1] = side->count == 0 ? -INFINITY : side->high[0];
		side->high[0] = value;
	} else {
		side->high[1] = fmax(side->high[1], value);
	}
	side->sum += value;
	side->count++;
}

/* True if all runs of one side are longer than those of the other by the limit, and this is
 * unlikely by chance. Other processes make calls longer, so the longest run of the shorter side may
 * be left out. */
static bool is_longer(const struct longer *shorter, const struct longer *longer, double limit)
{
	const double ways = ra_diff_math_ways(shorter->count + longer->count, longer->count);
	const bool is_beyond = longer->low - shorter->high[0] > limit;
	/* The run that was left out may be anywhere among those of the longer side. */
	const double alike = is_beyond ? 1 : 1 + (double) longer->count;

	return (is_beyond || (shorter->count > 1 && longer->low - shorter->high[1] > limit)) &&
	       2 * alike / ways <= MISTAKEN_LONGER;
}

/* Returns how much the longer calls changed, as a logarithm; 0: they did not surely change. */
static double find_longer(const struct work *work, size_t at)
{
	const struct ra_sum_total *const *cells = &work->cells[at * work->columns];
	const double *totals = ra_diff_runs_row(&work->runs, work->diff->count + at);
	const double limit = log1p(work->options->limits.percent / 100);
	struct longer sides[2] = { 0 };

	for (size_t column = 0; column < work->columns; column++) {
		const size_t side = column >= work->diff->sides[0]->run_count;

		if (cells[column] == NULL || isnan(totals[column])) {
			continue;
		}
		/* Adds the part that all rows share, as it was subtracted from the totals. */
		add_longer(&sides[side], ra_diff_calls_find_longer(&cells[column]->row.stat) +
		                                 totals[column] -
		                                 log((double) cells[column]->row.total_ns /
		                                     count_units(work, column)));
	}
	if (sides[0].count == 0 || sides[1].count == 0) {
		return 0;
	}
	if (is_longer(&sides[0], &sides[1], limit)) {
		return sides[1].low - sides[0].low;
	}
	return is_longer(&sides[1], &sides[0], limit) ? sides[1].low - sides[0].low : 0;
}

/* Checks a verdict from single calls, which rests on the faster calls. If the longer calls
 * disagree, the verdict does not hold for the whole row. */
static enum ra_diff_verdict doubt_longer(const struct work *work, size_t at,
                                         enum ra_diff_verdict verdict,
                                         struct ra_diff_evidence *evidence)
{
	const double longer = evidence->method == RA_DIFF_BY_TOTALS ? 0 : find_longer(work, at);
	const enum ra_diff_verdict way = longer > 0 ? RA_DIFF_SLOWER : RA_DIFF_FASTER;

	if (longer == 0 || verdict == way || verdict == RA_DIFF_UNSURE ||
	    fabs(expm1(longer)) * (double) find_usual(work, at) <=
	            (double) work->options->limits.time_ns) {
		return verdict;
	}
	evidence->doubt = RA_DIFF_DOUBT_LONGER;
	return RA_DIFF_UNSURE;
}

/* Judges a row by the time of single calls. If only some of the calls changed by much, judges it by
 * the time of all calls. */
static void judge_row(const struct work *work, size_t at, const struct ra_diff_estimate *estimates)
{
	struct ra_diff_row *row = &work->diff->rows[at];
	const struct ra_diff_limits *limits = &work->options->limits;
	struct ra_diff_evidence calls = make_evidence(&estimates[at], row->evidence.method);
	struct ra_diff_evidence totals =
		make_evidence(&estimates[work->diff->count + at], RA_DIFF_BY_TOTALS);
	const struct ra_diff_common *common = &work->diff->drifts[ra_diff_evidence_follows(row)];
	const int64_t before_ns = find_usual(work, at);
	enum ra_diff_verdict by_calls;
	enum ra_diff_verdict by_totals;

	/* A time of 0 has no ratio: the row keeps the verdict of its distributions. */
	if (row->stats[0] == NULL || row->stats[1] == NULL || (!calls.has && !totals.has) ||
	    row->total_ns[0] <= 0 || row->total_ns[1] <= 0) {
		return;
	}
	by_calls = calls.has ? ra_diff_verdict_judge_beside(&calls, common, before_ns, limits)
	                     : RA_DIFF_UNSURE;
	by_totals = totals.has ? ra_diff_verdict_judge_beside(&totals, common, before_ns, limits)
	                       : RA_DIFF_UNSURE;
	if (!calls.has || (ra_diff_verdict_is_call(by_totals) && totals.chance <= MISTAKEN_TOTALS &&
	                   (by_totals != by_calls || is_apart(&totals, &calls)))) {
		row->evidence = totals;
		row->verdict = by_totals;
	} else {
		row->evidence = calls;
		row->verdict = doubt_longer(work, at, by_calls, &row->evidence);
	}
	row->figures = ra_diff_runs_row(&work->runs, row->evidence.method == RA_DIFF_BY_TOTALS
	                                                     ? work->diff->count + at
	                                                     : at);
}

static void judge_parts(const struct work *work, const struct ra_diff_estimate *estimates)
{
	const struct ra_diff_common *common =
		&work->diff->drifts[ra_diff_evidence_has_gpu(work->diff) ? RA_DIFF_COMMON_NONE
	                                                                 : RA_DIFF_COMMON_CPU];

	for (size_t role = 0; role < RA_ROLES; role++) {
		struct ra_diff_role *row = &work->diff->roles[role];
		const size_t at = 2 * work->diff->count + role;
		struct ra_diff_evidence evidence = make_evidence(&estimates[at], RA_DIFF_BY_TOTALS);

		if (evidence.has && row->mean_ns[0] > 0 && row->mean_ns[1] > 0) {
			row->verdict = ra_diff_verdict_judge_beside(&evidence, common,
			                                            find_usual_part(work, role),
			                                            &work->options->limits);
			row->evidence = evidence;
			row->figures = ra_diff_runs_row(&work->runs, at);
		}
	}
}

void ra_diff_evidence_of_runs(struct ra_diff *diff, const struct ra_diff_options *options)
{
	const size_t before = diff->sides[0]->run_count;
	const size_t after = diff->sides[1]->run_count;
	struct work work = { .diff = diff, .options = options, .columns = before + after };
	struct ra_diff_estimate *estimates;

	ra_diff_runs_init(&work.runs, 2 * diff->count + RA_ROLES, before, after);
	fill_cells(&work);
	for (size_t i = 0; i < diff->count; i++) {
		fill_row(&work, i);
	}
	fill_parts(&work);
	if (options->with_drift) {
		take_drift(&work, RA_DIFF_COMMON_CPU);
		take_drift(&work, RA_DIFF_COMMON_GPU);
	}
	estimates = ra_alloc_zeros(work.runs.rows + 1, sizeof(*estimates));
	ra_diff_runs_compare(&work.runs, estimates);
	for (size_t i = 0; i < diff->count; i++) {
		judge_row(&work, i, estimates);
	}
	judge_parts(&work, estimates);
	free(estimates);
	free(work.cells);
	diff->figures = work.runs.values; /* the rows borrow these */
	work.runs.values = NULL;
	ra_diff_runs_fini(&work.runs);
}
