/* SPDX-License-Identifier: MIT */
/* analyzer stats FILE: what was asked for, for the file that prints it. */
#ifndef RA_CMD_STATS_PARTS_H
#define RA_CMD_STATS_PARTS_H

#include "analyzer/commands/shared/inputs.h"
#include "analyzer/commands/shared/names.h"
#include "analyzer/report/report.h"
#include "analyzer/steps/steps.h"
#include "analyzer/table/table-forms.h"

#define RA_CMD_STATS_REPORTS 64 /* more than there are; each can be named once */

/* Forms that only some of stats has: PyTorch's text, and all figures of summaries. */
extern const struct ra_table_form ra_cmd_stats_torch;
extern const struct ra_table_form ra_cmd_stats_openmetrics;

struct ra_cmd_stats {
	char *const *files; /* as given: files and folders */
	size_t file_count;
	const char *prefix;       /* -o: a file for each report; NULL: all to stdout */
	const char *report_names; /* NULL: the usual one */
	enum ra_compat compat;
	const struct ra_report *reports[RA_CMD_STATS_REPORTS];
	size_t report_count;
	bool has_list;                /* --list: the names of the reports, and nothing else */
	bool has_all;                 /* "all" was among the names */
	bool has_groups;              /* --group-by was given */
	const struct ra_model *model; /* the first one, once it is loaded */
	struct ra_query query;
	struct ra_settings settings;
	struct ra_cmd_names names;
	struct ra_labels_options kernels;
	bool has_kernel_form; /* the user chose it */
	bool has_settings;    /* --set was given */
	struct ra_load_options load;
	const struct ra_table_form *form;
	size_t width;
	size_t brief;   /* --brief: bytes; 0: it was not given */
	size_t workers; /* as of struct ra_cmd_sums */
	bool strict;
	bool by_rank;
	bool is_of_sums;                /* as ra_cmd_stats_wants_sums() */
	struct ra_range_stream *stream; /* owned: NULL: the models hold all ranges */
	struct ra_select *selects;      /* owned: by file; NULL: no --steps, or a compat mode */
	size_t select_count;
};

/* Takes "ranges,threads" of options->report_names. Return: 0, RA_CMD_USAGE. */
int ra_cmd_stats_choose_reports(struct ra_cmd_stats *options);

/*
 * To people a wait is a wait, so behind "sync" come the waits for the GPU; and behind who had how
 * much memory, which ranges took it, and so on. Only where there are any. Programs get the tables
 * that they named: one report, one table.
 */
void ra_cmd_stats_add_related(struct ra_cmd_stats *options, const struct ra_model *model);

/*
 * True if the reports are made from summaries: a file is one, or the reports can be so made and
 * there are several inputs, or rows of ranks are asked for (stats-sums.c).
 */
bool ra_cmd_stats_wants_sums(const struct ra_cmd_stats *options);

/* Makes and prints them. Return: an exit code. */
int ra_cmd_stats_run_sums(const struct ra_cmd_stats *options);

/* Checks what they need: known names, no option that summaries have no figures for. Return: 0,
 * RA_CMD_USAGE. */
int ra_cmd_stats_check_sums(const struct ra_cmd_stats *options);

/*
 * --by rank of reports that summaries do not have (stats-ranks.c): of each input, one in memory
 * at a time. Checks them, or makes and prints them.
 *
 * Return: 0, RA_CMD_USAGE; an exit code.
 */
int ra_cmd_stats_check_ranks(const struct ra_cmd_stats *options);
int ra_cmd_stats_run_ranks(struct ra_cmd_stats *options);

typedef int (*ra_cmd_stats_step)(struct ra_cmd_stats *options);

/*
 * Checks and makes reports, those from summaries and those from the files each by themselves, in
 * the order in which they are named (stats-mixed.c). Nothing is made if something is refused.
 *
 * Return: an exit code.
 */
int ra_cmd_stats_run_mixed(const struct ra_cmd_stats *options, ra_cmd_stats_step check,
                           ra_cmd_stats_step run);

/* Writes the reports to stdout, or with -o to files. Return: an exit code. */
int ra_cmd_stats_print(const struct ra_cmd_stats *options, const struct ra_cmd_inputs *inputs);

/* What stands before all reports: of JSON, whose "input" is a text, or with `has_several` an array
 * "inputs". */
void ra_cmd_stats_put_head(struct ra_util_text *text, const struct ra_cmd_stats *options,
                           char *const *paths, size_t count, bool has_several);

/* A table with its title, or why it has no rows. */
void ra_cmd_stats_put_table(struct ra_util_text *text, const struct ra_cmd_stats *options,
                            const struct ra_report *report, const struct ra_table *table);

/* Writes the text of a report to its file, PREFIX_REPORT.EXT. Return: 0, or an exit code. */
int ra_cmd_stats_save(const struct ra_cmd_stats *options, const char *report,
                      const struct ra_util_text *text);

/*
 * Checks that chosen reports and options go together, and says on stderr what does not.
 *
 * Return: 0, RA_CMD_USAGE.
 */
int ra_cmd_stats_check_groups(const struct ra_cmd_stats *options);

/* The same with the number of files; of "all" only the reports that read several stay. */
int ra_cmd_stats_check_count(struct ra_cmd_stats *options, size_t count);

/* The same with what was loaded. */
int ra_cmd_stats_check_inputs(struct ra_cmd_stats *options, const struct ra_cmd_inputs *inputs);

/* Says on stderr if no range has the name that was given for steps; NULL: none was. */
void ra_cmd_stats_tell_whole(const char *range, const struct ra_model *model, const char *path);

/*
 * The same with --steps (stats-steps.c): every file must have some of these. Where another
 * tool's figures are of all steps only, a report cannot be had; of "all" those that can stay.
 */
int ra_cmd_stats_check_steps(struct ra_cmd_stats *options, const struct ra_cmd_inputs *inputs);

/* The same of one file: says what steps there are if none of options->only is. */
int ra_cmd_stats_check_model(const struct ra_steps_options *options, const struct ra_model *model);

/* Makes the views of what was loaded if --steps asks for some steps, else none. */
void ra_cmd_stats_select(struct ra_cmd_stats *options, const struct ra_cmd_inputs *inputs);
void ra_cmd_stats_free_selects(struct ra_cmd_stats *options);

/* Appends the line that says what of a file was left out, with `prefix` before it; nothing without
 * --steps. The other one: as a member of a JSON object, with a comma behind it. */
void ra_cmd_stats_put_steps(struct ra_util_text *text, const struct ra_cmd_stats *options,
                            size_t file, const char *prefix);

/* Appends a line that compares the one step that --steps chose with the others; else none. */
void ra_cmd_stats_put_others(struct ra_util_text *text, const struct ra_cmd_stats *options,
                             const struct ra_model *model);
void ra_cmd_stats_put_steps_json(struct ra_util_text *text, const struct ra_cmd_stats *options,
                                 size_t file);

/* Appends what several files lack, with --brief: that of those that lack the same once. */
void ra_cmd_stats_put_feet(struct ra_util_text *text, const struct ra_cmd_stats *options,
                           const struct ra_cmd_inputs *inputs);

#endif
