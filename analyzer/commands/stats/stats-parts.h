/* SPDX-License-Identifier: MIT */
/* analyzer stats FILE: what the user asked for, shared by its source files. */
#ifndef RA_CMD_STATS_PARTS_H
#define RA_CMD_STATS_PARTS_H

#include "analyzer/commands/shared/inputs.h"
#include "analyzer/commands/shared/names.h"
#include "analyzer/model/input.h"
#include "analyzer/report/report.h"
#include "analyzer/steps/steps.h"
#include "analyzer/table/forms/table-forms.h"

#define RA_CMD_STATS_REPORTS 64 /* more reports than exist; each can be named once */

/* Forms that only stats has: PyTorch's text, and all figures of summaries. */
extern const struct ra_table_form ra_cmd_stats_torch;
extern const struct ra_table_form ra_cmd_stats_openmetrics;

struct ra_cmd_stats {
	char *const *files; /* arguments: files and folders */
	size_t file_count;
	const char *prefix;       /* -o: a file for each report; NULL: all to stdout */
	const char *report_names; /* NULL: the default report */
	enum ra_compat compat;
	const struct ra_report *reports[RA_CMD_STATS_REPORTS];
	size_t report_count;
	const char *other_names;      /* names of other kinds, whose reports are made separately;
	                                 NULL: none */
	bool has_list;                /* --list: only the names of the reports */
	bool has_all;                 /* "all" was among the names */
	bool has_groups;              /* --group-by was given */
	const struct ra_model *model; /* the first one, after it is loaded */
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
	size_t workers; /* as in struct ra_cmd_sums */
	bool strict;
	bool by_rank;
	bool has_finding;               /* the finding on ranks is printed apart */
	bool is_of_sums;                /* the result of ra_cmd_stats_wants_sums() */
	struct ra_range_stream *stream; /* owned: NULL: the models hold all ranges */
	struct ra_steps_options chosen; /* what --steps asks for … */
	struct ra_input_steps steps;    /* … as readers ask for it */
	struct ra_select *selects;      /* owned: by file; NULL: no --steps, or a compat mode */
	size_t select_count;
};

/* True if --sort is given, and one of the reports named "ranges,ranks", of files or of summaries,
 * has such a column. */
bool ra_cmd_stats_can_sort(const struct ra_cmd_stats *options, const char *names);

/* Reads "ranges,threads" from options->report_names. Return: 0, RA_CMD_USAGE. */
int ra_cmd_stats_choose_reports(struct ra_cmd_stats *options);

/*
 * Adds reports that users expect beside the ones they named: waits for the GPU after "sync"; after
 * the memory totals, the ranges that took memory; and so on. Adds them only if they have rows.
 * Programs get exactly the tables that they named: one report, one table.
 */
void ra_cmd_stats_add_related(struct ra_cmd_stats *options, const struct ra_model *model);

/* True if a file is a summary, or a folder of a batch, which contains one. */
bool ra_cmd_stats_has_sum(const struct ra_cmd_stats *options);

/* True if the reports are made from summaries: a file is a summary; or the reports can be made
 * from summaries and there are several inputs, or rows for ranks are asked for (stats-sums.c). */
bool ra_cmd_stats_wants_sums(const struct ra_cmd_stats *options);

struct ra_sum_set;

/* Writes something about the files as a whole. Return: an exit code. */
typedef int ra_cmd_stats_answer(void *context, const struct ra_cmd_stats *options,
                                const struct ra_sum_set *set);

/* Reads the files as summaries and gives them to `answer`, unless none could be read. Return: an
 * exit code, also that of --strict; what can't be read has a line on stderr. */
int ra_cmd_stats_answer_sums(const struct ra_cmd_stats *options, ra_cmd_stats_answer *answer,
                             void *context);

/* Makes and prints these reports. Return: an exit code. */
int ra_cmd_stats_run_sums(const struct ra_cmd_stats *options);

/* Checks them: names must be known, and options must have figures in summaries. Return: 0,
 * RA_CMD_USAGE. */
int ra_cmd_stats_check_sums(const struct ra_cmd_stats *options);

/*
 * --by rank for reports that summaries do not have (stats-ranks.c): made for each input, with one
 * in memory at a time. Checks them, or makes and prints them.
 *
 * Return: 0, RA_CMD_USAGE; an exit code.
 */
int ra_cmd_stats_check_ranks(const struct ra_cmd_stats *options);
int ra_cmd_stats_run_ranks(struct ra_cmd_stats *options);

typedef int (*ra_cmd_stats_step)(struct ra_cmd_stats *options);

/*
 * Checks and makes reports from summaries and from single files, in the order in which they are
 * named (stats-mixed.c). If any is refused, none is made.
 *
 * Return: an exit code.
 */
int ra_cmd_stats_run_mixed(const struct ra_cmd_stats *options, ra_cmd_stats_step check,
                           ra_cmd_stats_step run);

/* Writes the reports to stdout, or with -o to files. Return: an exit code. */
int ra_cmd_stats_print(const struct ra_cmd_stats *options, const struct ra_cmd_inputs *inputs);

/* Appends what precedes all reports, for JSON: "input" as a text or, with `has_several`, the
 * array "inputs". */
void ra_cmd_stats_put_head(struct ra_util_text *text, const struct ra_cmd_stats *options,
                           char *const *paths, size_t count, bool has_several);

/* Appends a table with its title, or the reason why it has no rows. */
void ra_cmd_stats_put_table(struct ra_util_text *text, const struct ra_cmd_stats *options,
                            const struct ra_report *report, const struct ra_table *table);

/* Writes the text of a report to its file, PREFIX_REPORT.EXT. Return: 0, or an exit code. */
int ra_cmd_stats_save(const struct ra_cmd_stats *options, const char *report,
                      const struct ra_util_text *text);

/*
 * Checks that the chosen reports and options fit together, and prints on stderr what does not.
 *
 * Return: 0, RA_CMD_USAGE.
 */
int ra_cmd_stats_check_groups(const struct ra_cmd_stats *options);

/* Checks with the number of files; "all" is reduced to the reports that read several. */
int ra_cmd_stats_check_count(struct ra_cmd_stats *options, size_t count);

/* Checks with the loaded models. */
int ra_cmd_stats_check_inputs(struct ra_cmd_stats *options, const struct ra_cmd_inputs *inputs);

/* Reports on stderr if no range has the name given for steps; NULL: none was given. */
void ra_cmd_stats_tell_whole(const char *range, const struct ra_model *model, const char *path);

/* Checks --steps (stats-steps.c): every file must have some of these steps. Refuses a report that
 * has another tool's figures, which always cover all steps; "all" leaves out such reports. */
int ra_cmd_stats_check_steps(struct ra_cmd_stats *options, const struct ra_cmd_inputs *inputs);

/* Checks --steps for one file: lists the existing steps if none of options->only exists. */
int ra_cmd_stats_check_model(const struct ra_steps_options *options, const struct ra_model *model);

/* Makes the views of the models if --steps selects some steps, else none. */
void ra_cmd_stats_select(struct ra_cmd_stats *options, const struct ra_cmd_inputs *inputs);
void ra_cmd_stats_free_selects(struct ra_cmd_stats *options);

/* Appends the line on what was left out of a file, after `prefix`; nothing without --steps. The
 * other function appends it as a member of a JSON object, followed by a comma. */
void ra_cmd_stats_put_steps(struct ra_util_text *text, const struct ra_cmd_stats *options,
                            size_t file, const char *prefix);

/* Appends a line that compares the single step chosen by --steps with the others; else nothing. */
void ra_cmd_stats_put_others(struct ra_util_text *text, const struct ra_cmd_stats *options,
                             const struct ra_model *model);
void ra_cmd_stats_put_steps_json(struct ra_util_text *text, const struct ra_cmd_stats *options,
                                 size_t file);

/* With --brief, appends what several files lack, with one line for all files that lack the same. */
void ra_cmd_stats_put_feet(struct ra_util_text *text, const struct ra_cmd_stats *options,
                           const struct ra_cmd_inputs *inputs);

#endif
