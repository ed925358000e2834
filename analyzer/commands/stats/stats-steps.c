/* SPDX-License-Identifier: MIT */
/* analyzer stats FILE --steps: selects the steps, and says in the footer which were left out. */
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/commands/stats/stats-parts.h"
#include "analyzer/commands/shared/cmd.h"
#include "analyzer/steps/select.h"

static int refuse_steps(const char *only, const struct ra_steps *steps)
{
	const struct ra_step *first = steps->times.steps;
	const struct ra_step *last;

	if (steps->times.step_count == 0) {
		return ra_cmd_usage("--steps: no step %s: there are neither ranges nor GPU work",
		                    only);
	}
	if (steps->is_whole) {
		return ra_cmd_usage(
			"--steps: no step %s: no range is a step, so the whole recording is step 0",
			only);
	}
	last = &steps->times.steps[steps->times.step_count - 1];
	if (first == last) {
		return ra_cmd_usage("--steps: no step %s: there is only %.*s", only,
		                    (int) first->name.length, first->name.bytes);
	}
	return ra_cmd_usage("--steps: no step %s: there are %.*s to %.*s", only,
	                    (int) first->name.length, first->name.bytes, (int) last->name.length,
	                    last->name.bytes);
}

int ra_cmd_stats_check_model(const struct ra_steps_options *options, const struct ra_model *model)
{
	const struct ra_steps_options all = { options->range, NULL };
	struct ra_steps steps;
	int code = 0;

	ra_steps_init(&steps, model, &all);
	if (!ra_steps_has_any(&steps, options->only)) {
		code = refuse_steps(options->only, &steps);
	}
	ra_steps_fini(&steps);
	return code;
}

void ra_cmd_stats_tell_whole(const char *range, const struct ra_model *model, const char *path)
{
	const struct ra_steps_options all = { range, NULL };
	struct ra_steps steps;

	if (range == NULL) {
		return;
	}
	ra_steps_init(&steps, model, &all);
	if (steps.is_whole) {
		fprintf(stderr,
		        "analyzer: %s: no range is named %s: the whole recording is step 0\n", path,
		        range);
	}
	ra_steps_fini(&steps);
}

/* Checks the reports with --compat. Another tool's figures can't be limited to some steps. But if
 * each row is about one step, rows can be dropped. */
static int check_reports(struct ra_cmd_stats *options)
{
	const char *mode = ra_compat_words[options->compat];
	size_t kept = 0;

	for (size_t i = 0; i < options->report_count; i++) {
		const struct ra_report *report = options->reports[i];

		if (report->is_of_steps || report->scope == RA_REPORT_OF_ALL) {
			options->reports[kept++] = report;
		} else if (!options->has_all) {
			return ra_cmd_usage("--steps: with --compat=%s the report \"%s\" covers "
			                    "all steps, as in the original tool",
			                    mode, report->name);
		}
	}
	options->report_count = kept;
	return kept > 0
	               ? 0
	               : ra_cmd_usage("--steps: with --compat=%s no report can choose steps", mode);
}

int ra_cmd_stats_check_steps(struct ra_cmd_stats *options, const struct ra_cmd_inputs *inputs)
{
	const struct ra_steps_options chosen = { options->settings.step_range,
		                                 options->settings.steps };
	int code = options->compat == RA_COMPAT_NONE ? 0 : check_reports(options);

	for (size_t i = 0; i < inputs->count && code == 0; i++) {
		code = ra_cmd_stats_check_model(&chosen, inputs->models[i]);
	}
	return code;
}

void ra_cmd_stats_select(struct ra_cmd_stats *options, const struct ra_cmd_inputs *inputs)
{
	const struct ra_steps_options chosen = { options->settings.step_range,
		                                 options->settings.steps };

	if (chosen.only == NULL || options->compat != RA_COMPAT_NONE) {
		return;
	}
	options->selects = ra_alloc_zeros(inputs->count + 1, sizeof(*options->selects));
	options->select_count = inputs->count;
	for (size_t i = 0; i < inputs->count; i++) {
		ra_select_init(&options->selects[i], inputs->models[i], &chosen);
	}
}

void ra_cmd_stats_free_selects(struct ra_cmd_stats *options)
{
	for (size_t i = 0; i < options->select_count; i++) {
		ra_select_fini(&options->selects[i]);
	}
	free(options->selects);
	options->selects = NULL;
	options->select_count = 0;
}

static void put_part(struct ra_util_text *text, const char *before,
                     const struct ra_select_count *count, const char *what)
{
	if (count->all > 0) {
		ra_util_text_format(text, "%s", before);
		ra_util_text_put_count(text, count->kept);
		ra_util_text_format(text, " of ");
		ra_util_text_put_count(text, count->all);
		ra_util_text_format(text, " %s", what);
	}
}

void ra_cmd_stats_put_steps(struct ra_util_text *text, const struct ra_cmd_stats *options,
                            size_t file, const char *prefix)
{
	const struct ra_select *select;

	if (options->selects == NULL || options->selects[file].step_count == 0) {
		return;
	}
	select = &options->selects[file];
	ra_util_text_format(text, "%ssteps: %s", prefix, select->first);
	if (select->step_count > 1) {
		ra_util_text_format(text, " to %s", select->last);
	}
	ra_util_text_format(text, ", %zu of %zu", select->step_count, select->all_steps);
	if (ra_steps_count_only(options->settings.steps) > select->step_count) {
		ra_util_text_format(text, " (of %s there are no others)", options->settings.steps);
	}
	ra_util_text_format(text, ", lasting ");
	ra_util_text_put_time(text, select->time.end_ns);
	put_part(text, "; ", &select->ranges, "ranges");
	put_part(text, ", ", &select->calls, "calls of CUDA");
	put_part(text, ", ", &select->ops, "GPU operations");
	ra_util_text_put_char(text, '\n');
}

static void put_name(struct ra_util_text *text, const char *key, const char *name)
{
	const struct rlog_string string = ra_util_string(name);

	ra_util_text_format(text, "\"%s\":\"", key);
	ra_util_text_put_name(text, string, RA_TEXT_JSON);
	ra_util_text_format(text, "\",");
}

void ra_cmd_stats_put_steps_json(struct ra_util_text *text, const struct ra_cmd_stats *options,
                                 size_t file)
{
	const struct ra_select *select;

	if (options->selects == NULL || options->selects[file].step_count == 0) {
		return;
	}
	select = &options->selects[file];
	ra_util_text_format(text, "\"steps\":{");
	put_name(text, "first", select->first);
	put_name(text, "last", select->last);
	ra_util_text_format(text,
	                    "\"count\":%zu,\"all\":%zu,\"time_ns\":%lld,\"ranges\":%llu,"
	                    "\"calls\":%llu,\"operations\":%llu},",
	                    select->step_count, select->all_steps, (long long) select->time.end_ns,
	                    (unsigned long long) select->ranges.kept,
	                    (unsigned long long) select->calls.kept,
	                    (unsigned long long) select->ops.kept);
}
