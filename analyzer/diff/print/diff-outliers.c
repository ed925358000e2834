/* SPDX-License-Identifier: MIT */
/* Writes which single calls and steps make up a change. */
#include "analyzer/diff/print/diff-outliers.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/diff/diff-evidence.h"
#include "analyzer/diff/math/diff-math.h"

#define FEW_STEPS 3
#define MOST_FAR  4 /* at most this many names of steps of a side */

/* A step is far from the others if it differs from the median by this many median deviations and by
 * this part of the median. */
#define FAR_DEVIATIONS 5.0
#define FAR_PART       0.1

static const char *const words[2] = { "before", "after" };

struct rlog_string ra_diff_outliers_find_step(const struct ra_diff *diff, size_t side,
                                              const struct ra_diff_longest *longest)
{
	/* A step is measured from the end of the GPU's work of the step before, so a call may begin
	 * a little earlier than its step. */
	const int64_t middle_ns = longest->at_ns + longest->dur_ns / 2;
	const struct ra_diff_side *of = diff->sides[side];
	struct rlog_string name = { "", 0, 0 };
	int64_t start_ns = INT64_MIN;

	for (size_t i = 0; of->run_count == 1 && i < of->runs[0].step_count; i++) {
		const struct ra_diff_step *step = &of->runs[0].steps[i];

		if (step->start_ns <= middle_ns && step->start_ns >= start_ns) {
			name = step->name;
			start_ns = step->start_ns;
		}
	}
	return name;
}

/* Appends the name of a step. PyTorch's names are numbers, which get the word "step". */
static void put_step(struct ra_util_text *text, struct rlog_string name,
                     enum ra_util_text_target target)
{
	const bool is_number = name.length > 0 && name.bytes[0] >= '0' && name.bytes[0] <= '9';

	ra_util_text_format(text, is_number ? "step " : "");
	ra_util_text_put_name(text, name, target);
}

void ra_diff_outliers_put_calls(struct ra_util_text *text, const struct ra_diff *diff,
                                const struct ra_diff_causes *causes, size_t count,
                                enum ra_util_text_target target)
{
	for (size_t i = 0; i < count; i++) {
		const struct ra_diff_cause *cause = &causes->rows[i];
		const size_t side = ra_diff_causes_find_call(cause, diff);
		struct rlog_string step;

		if (side > 1) {
			continue;
		}
		step = ra_diff_outliers_find_step(diff, side, &cause->longest[side]);
		ra_util_text_put_name(text, cause->name, target);
		ra_util_text_format(text, ": mostly 1 call of ");
		ra_util_text_put_time(text, cause->longest[side].dur_ns);
		ra_util_text_format(text, step.length > 0 ? ", in " : ",");
		put_step(text, step, target);
		ra_util_text_format(text, " %s\n", words[side]);
	}
}

/* The steps of one side. */
struct steps {
	const struct ra_diff_run *run;
	double median;
	double deviation; /* the median distance from `median` */
	double min;
	double max;
	double min_later; /* without the first step, as max_later */
	double max_later;
};

static double get_time(const struct ra_diff_run *run, size_t step)
{
	return (double) run->steps[step].role_ns[RA_ROLE_TOTAL];
}

static void measure(struct steps *steps, const struct ra_diff_run *run)
{
	double *values = ra_alloc_zeros(run->step_count, sizeof(*values));

	*steps = (struct steps){ .run = run, .min = HUGE_VAL, .min_later = HUGE_VAL };
	for (size_t i = 0; i < run->step_count; i++) {
		values[i] = get_time(run, i);
		steps->min = fmin(steps->min, values[i]);
		steps->max = fmax(steps->max, values[i]);
		if (i > 0) {
			steps->min_later = fmin(steps->min_later, values[i]);
			steps->max_later = fmax(steps->max_later, values[i]);
		}
	}
	steps->median = ra_diff_math_median(values, run->step_count);
	for (size_t i = 0; i < run->step_count; i++) {
		values[i] = fabs(get_time(run, i) - steps->median);
	}
	steps->deviation = ra_diff_math_median(values, run->step_count);
	free(values);
}

static bool is_far(const struct steps *steps, size_t step)
{
	const double distance = fabs(get_time(steps->run, step) - steps->median);

	return distance > FAR_DEVIATIONS * steps->deviation && distance > FAR_PART * steps->median;
}

static void put_ns(struct ra_util_text *text, double ns)
{
	ra_util_text_put_time(text, (int64_t) ns);
}

/* Appends "; far from the others: A, B after". */
static void put_far(struct ra_util_text *text, const struct steps *sides,
                    enum ra_util_text_target target)
{
	const char *between = "; far from the others: ";

	for (size_t side = 0; side < 2; side++) {
		size_t count = 0;

		for (size_t i = 0; i < sides[side].run->step_count; i++) {
			if (!is_far(&sides[side], i)) {
				continue;
			}
			if (count++ < MOST_FAR) {
				ra_util_text_format(text, "%s", between);
				put_step(text, sides[side].run->steps[i].name, target);
				between = ", ";
			}
		}
		if (count > MOST_FAR) {
			ra_util_text_format(text, " and %zu more", count - MOST_FAR);
		}
		if (count > 0) {
			ra_util_text_format(text, " %s", words[side]);
			between = "; ";
		}
	}
}

/* Appends "; without the first: --steps 1-", if the first step is far from the others on either
 * side. */
static void put_choice(struct ra_util_text *text, const struct steps sides[2],
                       enum ra_util_text_target target)
{
	const struct rlog_string second = sides[0].run->steps[1].name;

	if ((is_far(&sides[0], 0) || is_far(&sides[1], 0)) && second.length > 0 &&
	    second.bytes[0] >= '0' && second.bytes[0] <= '9') {
		ra_util_text_format(text, "; without the first: --steps ");
		ra_util_text_put_name(text, second, target);
		ra_util_text_put_char(text, '-');
	}
}

/* Says if all steps of one side are shorter than those of the other. If the total is unsure, the
 * machine may have changed all ranges. */
static void put_order(struct ra_util_text *text, const struct ra_diff *diff,
                      const struct steps *before, const struct steps *after)
{
	const bool is_sure = diff->roles[RA_ROLE_TOTAL].verdict != RA_DIFF_UNSURE;
	const bool may_be_machine = diff->drifts[RA_DIFF_COMMON_CPU].share == RA_DIFF_SHARE_OPEN;
	const bool is_shorter = after->max_later < before->min_later;
	const bool is_all = is_shorter ? after->max < before->min : after->min > before->max;

	if (is_shorter || after->min_later > before->max_later) {
		ra_util_text_format(text, "; %severy step after is %s than all before%s",
		                    is_all ? "" : "but for the first, ",
		                    is_shorter ? "shorter" : "longer",
		                    is_sure          ? ""
		                    : may_be_machine ? ", but the machine may be why"
		                                     : ", but by too little or of too few steps");
	}
}

/* Measures the steps of both sides. Return: false unless each side is one run with at least
 * FEW_STEPS. */
static bool measure_sides(struct steps sides[2], const struct ra_diff *diff)
{
	for (size_t side = 0; side < 2; side++) {
		if (!diff->has_steps || diff->sides[side]->run_count != 1 ||
		    diff->sides[side]->runs[0].step_count < FEW_STEPS ||
		    diff->sets[side]->source_count != 1) {
			return false;
		}
		measure(&sides[side], &diff->sides[side]->runs[0]);
	}
	return true;
}

bool ra_diff_outliers_move_mean(const struct ra_diff *diff)
{
	struct steps sides[2];
	bool moves = false;

	if (measure_sides(sides, diff)) {
		for (size_t side = 0; side < 2; side++) {
			const double mean = (double) diff->roles[RA_ROLE_TOTAL].mean_ns[side];

			moves = moves ||
			        fabs(mean - sides[side].median) > FAR_PART * sides[side].median;
		}
	}
	return moves;
}

void ra_diff_outliers_put_steps(struct ra_util_text *text, const struct ra_diff *diff,
                                enum ra_util_text_target target, bool is_brief)
{
	struct steps sides[2];

	if (!measure_sides(sides, diff)) {
		return;
	}
	ra_util_text_format(text, "steps: ");
	for (size_t side = 0; side < 2; side++) {
		ra_util_text_format(text, side == 0 ? "median " : ", ");
		put_ns(text, sides[side].median);
		if (!is_brief) {
			ra_util_text_format(text, " (");
			put_ns(text, sides[side].min);
			ra_util_text_format(text, " to ");
			put_ns(text, sides[side].max);
			ra_util_text_put_char(text, ')');
		}
		ra_util_text_format(text, " %s", words[side]);
	}
	put_far(text, sides, target);
	if (!is_brief) {
		put_choice(text, sides, target);
		put_order(text, diff, &sides[0], &sides[1]);
	}
	ra_util_text_put_char(text, '\n');
}
