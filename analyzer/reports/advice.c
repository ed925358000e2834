/* SPDX-License-Identifier: MIT */
/* The report "advice": what the figures recommend, each with its threshold, evidence and place. */
#include "analyzer/advice/advice.h"

#include <stdlib.h>

#include "analyzer/reports/reports.h"
#include "format/error.h"

static const struct ra_table_column columns[RA_ADVICE_COLUMNS] = {
	[RA_ADVICE_RULE] = { "rule", "Rule", RA_TABLE_TEXT, NULL },
	[RA_ADVICE_VALUE] = { "value", "Value", RA_TABLE_REAL, NULL },
	[RA_ADVICE_THRESHOLD] = { "threshold", "Threshold", RA_TABLE_REAL, NULL },
	[RA_ADVICE_UNIT] = { "unit", "Unit", RA_TABLE_TEXT, NULL },
	[RA_ADVICE_DEVICE] = { "device", "Device", RA_TABLE_COUNT, NULL },
	[RA_ADVICE_TID] = { "tid", "TID", RA_TABLE_COUNT, NULL },
	[RA_ADVICE_COUNT] = { "count", "Count", RA_TABLE_COUNT, NULL },
	[RA_ADVICE_TOTAL] = { "total_ns", "Time", RA_TABLE_TIME, NULL },
	[RA_ADVICE_START] = { "start_ns", "Longest at", RA_TABLE_TIME, NULL },
	[RA_ADVICE_LONGEST] = { "longest_ns", "Longest", RA_TABLE_TIME, NULL },
	[RA_ADVICE_EVIDENCE] = { "evidence", "Evidence", RA_TABLE_TEXT, NULL },
	[RA_ADVICE_TEXT] = { "advice", "Advice", RA_TABLE_TEXT, NULL },
};

static int compare_reals(const void *a, const void *b)
{
	const double left = *(const double *) a;
	const double right = *(const double *) b;

	return (left > right) - (left < right);
}

/* Return: the middle one of the steps' lengths, 0 if there are none; -1 if there is no memory. */
static double find_median(const struct ra_step_times *times)
{
	double *lengths = calloc(times->step_count + 1, sizeof(*lengths));
	double median;

	if (lengths == NULL) {
		return -1;
	}
	for (size_t i = 0; i < times->step_count; i++) {
		lengths[i] = times->steps[i].end - times->steps[i].start;
	}
	qsort(lengths, times->step_count, sizeof(*lengths), compare_reals);
	median = lengths[times->step_count / 2];
	free(lengths);
	return median;
}

/* Steps that took half as long again as the middle one. */
static int advise_steps(const struct ra_advice *advice)
{
	const struct ra_step_times *times = &advice->steps->steps.times;
	struct ra_advice_rule rule = { "slow_steps", 0, 1.5, "medians",
		                       "some steps took longer than the middle one: see overview" };
	struct ra_advice_evidence evidence = { 0 };
	struct ra_util_text words = { 0 };
	const double median = find_median(times);
	int rc = median < 0 ? -RLOG_E_NO_MEMORY : 0;

	for (size_t i = 0; i < times->step_count && rc == 0; i++) {
		const struct ra_step *step = &times->steps[i];
		const struct ra_advice_event event = { ra_advice_ns(step->start),
			                               ra_advice_ns(step->end - step->start),
			                               step->name, RA_NONE, -1 };

		if (step->end - step->start > rule.threshold * median) {
			rc = ra_advice_note(&evidence, advice, &event);
		}
	}
	if (rc == 0 && evidence.count > 0 && times->step_count >= 3 && median > 0) {
		rule.value = (double) evidence.longest.dur_ns / median;
		ra_util_text_format(&words, "the longest is step ");
		ra_util_text_put(&words, evidence.longest.name.bytes, evidence.longest.name.length);
		rc = ra_advice_add(advice, &rule, &evidence, &words);
	}
	ra_util_text_free(&words);
	ra_advice_evidence_fini(&evidence);
	return rc;
}

static int apply(const struct ra_advice *advice)
{
	int rc = ra_advice_plugin_apply(advice);

	if (rc == 0) {
		rc = ra_advice_calls_apply(advice);
	}
	if (rc == 0) {
		rc = ra_advice_idle_apply(advice);
	}
	return rc != 0 ? rc : advise_steps(advice);
}

static int fill_advice(struct ra_report_input *input, struct ra_table *table)
{
	struct ra_report_steps steps;
	struct ra_gpu_usages usages = { 0 };
	struct ra_advice advice = { .input = input,
		                    .model = input->model,
		                    .steps = &steps,
		                    .usages = &usages,
		                    .table = table };
	const struct ra_step_times *times = &steps.steps.times;
	int rc = ra_report_steps_init(&steps, input);

	if (rc == 0) {
		rc = ra_report_steps_usage(input->model, &steps.steps, &usages);
	}
	if (rc == 0 && times->step_count > 0) {
		advice.start_ns = ra_advice_ns(times->steps[0].start);
		advice.end_ns = ra_advice_ns(times->steps[times->step_count - 1].end);
	}
	if (rc == 0 && advice.end_ns > advice.start_ns) {
		rc = apply(&advice);
	}
	ra_gpu_usage_fini(&usages);
	ra_report_steps_fini(&steps);
	return rc;
}

const struct ra_report ra_report_advice = {
	.name = "advice",
	.scope = RA_REPORT_OF_ALL,
	.title = "Advice",
	.summary = "what the figures recommend, with evidence",
	.columns = columns,
	.column_count = RA_ADVICE_COLUMNS,
	.fill = fill_advice,
	.none = "nothing to recommend",
};
