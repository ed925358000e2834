/* SPDX-License-Identifier: MIT */
/* analyzer stats FILE: the user's request, and the functions that its source files share. */
#ifndef RA_CMD_STATS_PARTS_H
#define RA_CMD_STATS_PARTS_H

#include "analyzer/commands/shared/inputs.h"
#include "analyzer/commands/shared/names.h"
#include "analyzer/model/input.h"
#include "analyzer/report/report.h"
#include "analyzer/steps/steps.h"
#include "analyzer/table/forms/table-forms.h"

#define RA_CMD_STATS_REPORTS 64 /* more than there are reports; each can be named only once */

/* Forms of tables that only stats has: PyTorch's text, and all figures of summaries. */
extern const struct ra_table_form ra_cmd_stats_torch;
extern const struct ra_table_form ra_cmd_stats_openmetrics;

struct ra_cmd_stats {
	char *const *files; /* the arguments: files and folders */
	size_t file_count;
	const char *prefix;       /* -o: prefix of the files, one for each report; NULL: all reports
	                             go to stdout */
	const char *report_names; /* NULL: the default report */
	enum ra_compat compat;
	const struct ra_report *reports[RA_CMD_STATS_REPORTS];
	size_t report_count;
	const char *other_names;      /* names of the other kind of reports, which are made
	                                 separately; NULL: none */
	bool has_list;                /* --list: print only the names of the reports */
	bool has_all;                 /* "all" was among the names */
	bool has_groups;              /* --group-by was given */
	const struct ra_model *model; /* the first model, once it is loaded */
	struct ra_query query;
	struct ra_settings settings;
	struct ra_cmd_names names;
	struct ra_labels_options kernels;
	bool has_kernel_form; /* the user chose the form of kernels' names */
	bool has_settings;    /* --set was given */
	struct ra_load_options load;
	const struct ra_table_form *form;
	size_t width;
	size_t brief;   /* --brief: bytes; 0: it was not given */
	size_t workers; /* as in struct ra_cmd_sums */
	bool strict;
	bool by_rank;
	bool has_finding;               /* the finding on ranks has been printed already */
	bool is_of_sums;                /* the result of ra_cmd_stats_wants_sums() */
	struct ra_range_stream *stream; /* owned: NULL: the models hold all ranges */
	struct ra_steps_options chosen; /* the steps that --steps asks for … */
	struct ra_input_steps steps;    /* … in the form that readers take */
	struct ra_select *selects;      /* owned: one for each file; NULL: no --steps, or a compat
	                                   mode */
	size_t select_count;
};

/* True if --sort is given, and one of the named reports has such a column. @names: a list such as
 * "ranges,ranks", of reports on files or on summaries. */
bool ra_cmd_stats_can_sort(const struct ra_cmd_stats *options, const char *names);

/* Reads the list in options->report_names, such as "ranges,threads". Return: 0, RA_CMD_USAGE. */
int ra_cmd_stats_choose_reports(struct ra_cmd_stats *options);

/*
 * Adds reports that users expect besides those that they named: waits for the GPU after "sync"; the
 * ranges that took memory after the memory totals; and so on. Adds a report only if it has rows.
 * For output that programs read, adds none, so that each named report is one table.
 */
void ra_cmd_stats_add_related(struct ra_cmd_stats *options, const struct ra_model *model);

/* True if one of the files is a summary, or a folder of a batch, which contains a summary. */
bool ra_cmd_stats_has_sum(const struct ra_cmd_stats *options);

/* True if the reports must be made from summaries (stats-sums.c): a file is a summary; or the
 * reports can be made from summaries, and there are several inputs or the user wants a row for each
 * rank. */
bool ra_cmd_stats_wants_sums(const struct ra_cmd_stats *options);

struct ra_sum_set;

/* Writes an answer about all files together. Return: an exit code. */
typedef int ra_cmd_stats_answer(void *context, const struct ra_cmd_stats *options,
                                const struct ra_sum_set *set);

/* Reads the files as summaries and passes them to `answer`, unless none could be read. Prints a
 * line on stderr for each file that can't be read. Return: an exit code, which may be that of
 * --strict. */
int ra_cmd_stats_answer_sums(const struct ra_cmd_stats *options, ra_cmd_stats_answer *answer,
                             void *context);

/* Makes and prints the reports from summaries. Return: an exit code. */
int ra_cmd_stats_run_sums(const struct ra_cmd_stats *options);

/* Checks reports from summaries: their names must be known, and summaries must have the figures
 * that the options ask for. Return: 0, RA_CMD_USAGE. */
int ra_cmd_stats_check_sums(const struct ra_cmd_stats *options);

/*
 * Check --by rank, or make and print its reports, for reports that summaries do not have
 * (stats-ranks.c). They are made for each input, with only one input in memory at a time.
 *
 * Return: 0, RA_CMD_USAGE; an exit code.
 */
int ra_cmd_stats_check_ranks(const struct ra_cmd_stats *options);
int ra_cmd_stats_run_ranks(struct ra_cmd_stats *options);

typedef int (*ra_cmd_stats_step)(struct ra_cmd_stats *options);

/*
 * Checks and makes reports from summaries and from single files, in the order of their names
 * (stats-mixed.c). If one of them is refused, none is made.
 *
 * Return: an exit code.
 */
int ra_cmd_stats_run_mixed(const struct ra_cmd_stats *options, ra_cmd_stats_step check,
                           ra_cmd_stats_step run);

/* Writes the reports to stdout, or with -o to files. Return: an exit code. */
int ra_cmd_stats_print(const struct ra_cmd_stats *options, const struct ra_cmd_inputs *inputs);

/* Appends for JSON the members before all reports: "input" as a text or, with `has_several`, the
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
 * Checks that the chosen reports and options fit together, and prints on stderr which do not.
 *
 * Return: 0, RA_CMD_USAGE.
 */
int ra_cmd_stats_check_groups(const struct ra_cmd_stats *options);

/* Checks the reports once the number of files is known. If there are several files, reduces "all"
 * to the reports that read several. */
int ra_cmd_stats_check_count(struct ra_cmd_stats *options, size_t count);

/* Checks the reports once the models are loaded. */
int ra_cmd_stats_check_inputs(struct ra_cmd_stats *options, const struct ra_cmd_inputs *inputs);

/* Reports on stderr if no range has the name that the user gave for steps. @range: NULL: none was
 * given. */
void ra_cmd_stats_tell_whole(const char *range, const struct ra_model *model, const char *path);

/* Checks --steps (stats-steps.c): every file must have some of these steps. Refuses reports with
 * another tool's figures, which always cover all steps; if the user named "all", leaves them
 * out. */
int ra_cmd_stats_check_steps(struct ra_cmd_stats *options, const struct ra_cmd_inputs *inputs);

/* Checks --steps for one file. If none of the steps in options->only exists, prints which steps
 * exist. */
int ra_cmd_stats_check_model(const struct ra_steps_options *options, const struct ra_model *model);

/* Makes views of the models if --steps selects some steps. */
void ra_cmd_stats_select(struct ra_cmd_stats *options, const struct ra_cmd_inputs *inputs);
void ra_cmd_stats_free_selects(struct ra_cmd_stats *options);

/* Appends a line on the steps that were left out of a file, after `prefix`. Appends nothing without
 * --steps. */
void ra_cmd_stats_put_steps(struct ra_util_text *text, const struct ra_cmd_stats *options,
                            size_t file, const char *prefix);

/* Appends a line that compares the single step chosen by --steps with the others. Appends nothing
 * if no single step is chosen. */
void ra_cmd_stats_put_others(struct ra_util_text *text, const struct ra_cmd_stats *options,
                             const struct ra_model *model);

/* Appends the line of ra_cmd_stats_put_steps() as a member of a JSON object, followed by a comma.
 */
void ra_cmd_stats_put_steps_json(struct ra_util_text *text, const struct ra_cmd_stats *options,
                                 size_t file);

/* With --brief, appends what several files lack. Files that lack the same share one line. */
void ra_cmd_stats_put_feet(struct ra_util_text *text, const struct ra_cmd_stats *options,
                           const struct ra_cmd_inputs *inputs);

#endif
