/* SPDX-License-Identifier: MIT */
/* analyzer stats FILE: checks that the options, the reports and the files fit together. */
#include <stdio.h>
#include <string.h>

#include "analyzer/commands/stats/stats-parts.h"
#include "analyzer/commands/stats/report-list.h"
#include "analyzer/commands/shared/cmd.h"
#include "analyzer/summary-file/report/sum-report.h"

/* True if -g names the key at this index of ra_query_groupings. */
static bool is_asked(const struct ra_cmd_stats *options, size_t key)
{
	const unsigned bit = ra_query_grouping(key);

	return bit == RA_GROUP_BY_DOMAIN ? options->query.group_by == RA_GROUP_BY_DOMAIN
	                                 : (options->query.group_by & bit) != 0;
}

/* Grouping by domain has no bit, because every report on ranges supports it. */
static bool takes_group(const struct ra_report *report, size_t key)
{
	const unsigned bit = ra_query_grouping(key);

	return (report->groups & (bit == RA_GROUP_BY_DOMAIN ? RA_GROUP_BY_PATH : bit)) != 0;
}

static int refuse_groups(const struct ra_cmd_stats *options, const char *key)
{
	fprintf(stderr, "analyzer: --group-by: no chosen report can group by \"%s\"\n", key);
	for (size_t i = 0; i < options->report_count; i++) {
		const struct ra_report *report = options->reports[i];
		const char *before = " can group by";

		fprintf(stderr, "analyzer: the report %s", report->name);
		for (size_t k = 0; ra_query_groupings[k] != NULL; k++) {
			if (takes_group(report, k)) {
				fprintf(stderr, "%s %s", before, ra_query_groupings[k]);
				before = ",";
			}
		}
		fprintf(stderr, "%s\n", report->groups == 0 ? " cannot be grouped" : "");
	}
	return RA_CMD_USAGE;
}

/* Checks --group-by. At least one report must support each key, and each report that can group must
 * support at least one key. */
int ra_cmd_stats_check_groups(const struct ra_cmd_stats *options)
{
	for (size_t k = 0; options->has_groups && ra_query_groupings[k] != NULL; k++) {
		bool is_taken = !is_asked(options, k);

		for (size_t i = 0; i < options->report_count && !is_taken; i++) {
			is_taken = takes_group(options->reports[i], k);
		}
		if (!is_taken) {
			return refuse_groups(options, ra_query_groupings[k]);
		}
	}
	for (size_t i = 0; i < options->report_count && options->has_groups; i++) {
		const struct ra_report *report = options->reports[i];
		const char *asked = NULL;
		bool is_taken = report->groups == 0 || options->has_all;

		for (size_t k = 0; ra_query_groupings[k] != NULL && !is_taken; k++) {
			if (is_asked(options, k)) {
				asked = ra_query_groupings[k];
				is_taken = takes_group(report, k);
			}
		}
		if (!is_taken) {
			return ra_cmd_usage("--group-by: the report %s cannot group by \"%s\"",
			                    report->name, asked == NULL ? "" : asked);
		}
	}
	return 0;
}

static bool has_column(const struct ra_cmd_stats *options, const struct ra_table_column *columns,
                       size_t count)
{
	bool is_descending;

	return ra_query_find_sort(options->query.sort, columns, count, &is_descending) < count;
}

static bool can_sort(const struct ra_cmd_stats *options, const char *name, size_t length)
{
	const struct ra_sum_report *of_sums = ra_sum_report_find(name, length);
	bool can = of_sums != NULL && has_column(options, of_sums->columns, of_sums->column_count);

	for (const struct ra_report *const *all = ra_report_list_borrow(); *all != NULL; all++) {
		can = can ||
		      (ra_report_is_for(*all, options->compat) && strlen((*all)->name) == length &&
		       memcmp((*all)->name, name, length) == 0 &&
		       has_column(options, (*all)->columns, (*all)->column_count));
	}
	return can;
}

bool ra_cmd_stats_can_sort(const struct ra_cmd_stats *options, const char *names)
{
	bool can = false;

	while (options->query.sort != NULL && names != NULL && !can) {
		const size_t length = strcspn(names, ",");

		can = can_sort(options, names, length);
		names = names[length] == '\0' ? NULL : names + length + 1;
	}
	return can;
}

/* Lists the reports of a mode that read several files. */
static void print_reports(enum ra_compat compat)
{
	const char *before = " ";

	for (const struct ra_report *const *all = ra_report_list_borrow(); *all != NULL; all++) {
		if (ra_report_is_for(*all, compat) && (*all)->reads_several) {
			fprintf(stderr, "%s%s", before, (*all)->name);
			before = ", ";
		}
	}
	for (size_t i = 0; compat == RA_COMPAT_NONE && ra_sum_report_all[i] != NULL; i++) {
		fprintf(stderr, "%s%s", before, ra_sum_report_all[i]->name);
		before = ", ";
	}
	fputs(before[0] == ' ' ? " none\n" : "\n", stderr);
}

int ra_cmd_stats_check_count(struct ra_cmd_stats *options, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < options->report_count && count > 1; i++) {
		if (options->reports[i]->reads_several) {
			options->reports[kept++] = options->reports[i];
		} else if (!options->has_all) {
			fprintf(stderr,
			        "analyzer: the report \"%s\" reads one file, and %zu are given; %s",
			        options->reports[i]->name, count,
			        options->compat == RA_COMPAT_NONE
			                ? "--by rank runs it for each; these read several files:"
			                : "these read several files:");
			print_reports(options->compat);
			return RA_CMD_USAGE;
		}
	}
	options->report_count = count > 1 ? kept : options->report_count;
	return options->report_count > 0 ? 0 : ra_cmd_usage("no report here reads several files");
}

/* Checks --compat: another tool's figures can be made only from files of the kind that the tool
 * reads. */
static int check_compat(const struct ra_cmd_stats *options, const struct ra_cmd_inputs *inputs)
{
	for (size_t i = 0; i < inputs->count && options->compat != RA_COMPAT_NONE; i++) {
		if (!ra_model_has(inputs->models[i], RA_HAS_ROWS)) {
			return ra_cmd_usage("--compat=%s reads traces in JSON, and %s is not one",
			                    ra_compat_words[options->compat], inputs->paths[i]);
		}
	}
	return 0;
}

int ra_cmd_stats_check_inputs(struct ra_cmd_stats *options, const struct ra_cmd_inputs *inputs)
{
	const int code = check_compat(options, inputs);

	for (size_t i = 0; i < inputs->count && code == 0; i++) {
		ra_cmd_stats_tell_whole(options->settings.step_range, inputs->models[i],
		                        inputs->paths[i]);
	}
	return code != 0 || options->settings.steps == NULL
	               ? code
	               : ra_cmd_stats_check_steps(options, inputs);
}
