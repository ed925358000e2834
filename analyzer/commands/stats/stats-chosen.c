/* SPDX-License-Identifier: MIT */
/* Chooses the reports that `analyzer stats` makes: those named by --report, and those added for
 * users. */
#include <string.h>

#include "analyzer/commands/shared/entries.h"
#include "analyzer/commands/stats/report-alias.h"
#include "analyzer/commands/stats/report-help.h"
#include "analyzer/commands/stats/report-list.h"
#include "analyzer/commands/stats/stats-parts.h"
#include "analyzer/compat/tb/report-tb.h"
#include "analyzer/figures/memory.h"
#include "analyzer/reports/reports.h"

static bool has_report(const struct ra_cmd_stats *options, const struct ra_report *report)
{
	for (size_t i = 0; i < options->report_count; i++) {
		if (options->reports[i] == report) {
			return true;
		}
	}
	return false;
}

/* Refuses a name. Return: RA_CMD_USAGE. */
static int refuse_report(const struct ra_cmd_stats *options, const char *name, size_t length)
{
	const bool is_ours = options->compat == RA_COMPAT_NONE;
	const char *guess;

	if (is_ours && length == 5 && memcmp(name, "steps", 5) == 0) {
		return ra_cmd_usage("--report: \"steps\" needs --compat=hta; \"overview\" says "
		                    "where the time of each step went, \"step-average\" the mean");
	}
	for (int mode = 0; ra_compat_words[mode] != NULL; mode++) {
		if (ra_report_list_find(name, length, (enum ra_compat) mode) != NULL) {
			return ra_cmd_usage("--report: \"%.*s\" needs --compat=%s", (int) length,
			                    name, ra_compat_words[mode]);
		}
	}
	if (is_ours && ra_report_help_is_finding(name, length)) {
		return ra_cmd_usage("--report: \"%.*s\" is a finding of the report \"advice\"",
		                    (int) length, name);
	}
	guess = ra_report_help_guess(name, length, options->compat);
	if (guess != NULL) {
		return ra_cmd_usage("--report: there is no report \"%.*s\" (did you mean \"%s\"?)",
		                    (int) length, name, guess);
	}
	return is_ours ? ra_cmd_usage("--report: there is no report \"%.*s\"; `analyzer stats "
	                              "--list` names all",
	                              (int) length, name)
	               : ra_cmd_usage("--report: with --compat=%s there is no report \"%.*s\"",
	                              ra_compat_words[options->compat], (int) length, name);
}

static void add_report(struct ra_cmd_stats *options, const struct ra_report *report)
{
	if (options->report_count < RA_CMD_STATS_REPORTS) {
		options->reports[options->report_count++] = report;
	}
}

static void add_all(struct ra_cmd_stats *options)
{
	for (const struct ra_report *const *all = ra_report_list_borrow(); *all != NULL; all++) {
		if (ra_report_is_for(*all, options->compat) && !(*all)->is_long &&
		    !has_report(options, *all)) {
			add_report(options, *all);
		}
	}
}

/* Adds a report after another report that the user named, unless the user named both. */
static void add_behind(struct ra_cmd_stats *options, const struct ra_report *asked,
                       const struct ra_report *more)
{
	size_t at = 0;

	while (at < options->report_count && options->reports[at] != asked) {
		at++;
	}
	if (at == options->report_count || has_report(options, more)) {
		return;
	}
	add_report(options, more);
	for (size_t i = options->report_count - 1; i > at + 1; i--) {
		options->reports[i] = options->reports[i - 1];
	}
	options->reports[at + 1] = more;
}

/* True if a device has several streams with work; queues are sorted by device. */
static bool has_streams(const struct ra_gpu *gpu)
{
	uint32_t device = 0;
	size_t count = 0;

	for (size_t i = 0; i < gpu->queue_count && count < 2; i++) {
		if (gpu->queues[i].op_count > 0) {
			count = gpu->queues[i].device == device ? count + 1 : 1;
			device = gpu->queues[i].device;
		}
	}
	return count >= 2;
}

void ra_cmd_stats_add_related(struct ra_cmd_stats *options, const struct ra_model *model)
{
	if (options->form->frame != RA_TABLE_FRAME_TITLES) {
		return;
	}
	add_behind(options, &ra_report_overview, &ra_report_step_average);
	add_behind(options, &ra_report_tb_overview, &ra_report_tb_average);
	add_behind(options, &ra_report_idle, &ra_report_idle_streams);
	if (has_streams(&model->gpu)) {
		add_behind(options, &ra_report_projection, &ra_report_projection_devices);
	}
	if (model->gpu.sync_count > 0) {
		add_behind(options, &ra_report_sync, &ra_report_gpu_sync);
	}
	if (ra_memory_has(model)) {
		add_behind(options, &ra_report_memory, &ra_report_op_memory);
		add_behind(options, &ra_report_memory, &ra_report_memory_holders);
	}
}

/* Reads one name of a report. If nsys has two names for one report of ours, that report is shown
 * once. Return: 0, RA_CMD_USAGE. */
static int choose_report(struct ra_cmd_stats *options, const char *name, size_t length)
{
	const char *ours =
		options->compat == RA_COMPAT_NONE ? ra_report_alias_find(name, length) : NULL;
	const struct ra_report *report =
		ours != NULL ? ra_report_list_find(ours, strlen(ours), options->compat)
			     : ra_report_list_find(name, length, options->compat);

	if (length == 3 && memcmp(name, "all", 3) == 0) {
		add_all(options);
		options->has_all = true;
	} else if (report == NULL) {
		return refuse_report(options, name, length);
	} else if (!has_report(options, report)) {
		add_report(options, report);
	} else if (ours == NULL) {
		return ra_cmd_usage("--report: \"%s\" is named twice", report->name);
	}
	return 0;
}

int ra_cmd_stats_choose_reports(struct ra_cmd_stats *options)
{
	const char *name = options->report_names;

	options->report_count = 0;
	if (name == NULL) {
		options->reports[0] = ra_report_list_find_usual(options->compat);
		options->report_count = 1;
		return options->reports[0] != NULL ? 0 : refuse_report(options, "", 0);
	}
	for (;;) {
		const size_t length = strcspn(name, ",");
		const int code = choose_report(options, name, length);

		if (code != 0) {
			return code;
		}
		if (name[length] == '\0') {
			return 0;
		}
		name += length + 1;
	}
}
