/* SPDX-License-Identifier: MIT */
/* Declares what describes a report, and the input from which reports are made. */
#ifndef RA_REPORT_H
#define RA_REPORT_H

#include "analyzer/report/compat.h"
#include "analyzer/figures/ranges/metrics.h"
#include "analyzer/model/files.h"
#include "analyzer/model/model.h"
#include "analyzer/report/query.h"
#include "analyzer/report/settings.h"
#include "analyzer/table/table.h"

struct ra_hta;
struct ra_range_stream;
struct ra_rank_names;
struct ra_report_steps;
struct ra_select;
struct ra_tb;

#define RA_REPORT_FIGURES 64 /* more than all reports have, so none is dropped */
#define RA_REPORT_NOTES   40 /* more than all reports have, so none is dropped */

/* A result that reports share, with its function to free it. Each is made when a report first needs
 * it. */
struct ra_report_kept {
	void *thing;
	void (*destroy)(void *thing);
};

/* A single figure outside the table: its key, unit and value. */
struct ra_report_figure {
	struct ra_table_column column;
	struct ra_table_cell cell;
};

/* The input of reports. Figures that several reports need are computed once, on first use. */
struct ra_report_input {
	const struct ra_model *model;
	/* All files by rank, if there are several; models[0] equals model. */
	struct ra_model *const *models;
	const int64_t *ranks;
	size_t model_count;
	/* With --steps, the views of each model; NULL: all steps. ra_report_make() replaces the
	 * models by these views, as the report's scope requires. */
	const struct ra_select *selects;
	const struct ra_settings *settings;
	unsigned group_by; /* enum ra_group_by, or'ed */
	enum ra_compat compat;
	struct ra_labels *labels;  /* borrowed; NULL: names are not changed */
	struct ra_labels *kernels; /* borrowed; labels of kernels; NULL: names are not changed */
	bool has_finding;          /* the finding on ranks is printed apart from the figures */
	bool within_steps;   /* leave out everything before the first step or after the last */
	bool merges_numbers; /* output for people: one row "op-memory" for step 1, step 2, ... */
	size_t limit;        /* number of rows shown, 0: all; ra_report_make() sets it */
	/* borrowed; set if the model has only totals; otherwise NULL */
	struct ra_range_stream *stream;
	bool has_metrics;
	struct ra_metrics metrics;        /* owned; sums grouped by group_by */
	struct ra_hta *hta;               /* kept; for --compat=hta, of all files */
	struct ra_tb *tb;                 /* kept; NULL until ra_report_tb_need() */
	struct ra_rank_names *rank_names; /* kept; see ra_rank_names_input() */
	struct ra_report_steps *steps;    /* kept; see ra_report_steps_find() */
	struct ra_report_kept *kept;      /* owned, like the results that it lists */
	size_t kept_count;
	/* The single figures of the reports made so far, for the footer. */
	struct ra_report_figure figures[RA_REPORT_FIGURES];
	size_t figure_count;
	/* Notes for people below the tables, each once; borrowed, static texts. */
	const char *notes[RA_REPORT_NOTES];
	size_t note_count;
};

/* The part of the model that a report gets when only some steps are requested (select.h). */
enum ra_report_scope {
	RA_REPORT_OF_THINGS, /* what belongs to the steps */
	RA_REPORT_OF_TIME,   /* what existed while the steps lasted */
	/* everything: the report finds the steps itself, or does not depend on them */
	RA_REPORT_OF_ALL,
};

/* What a report needs. If no requested report needs a model with every range, a log of any size is
 * read in bounded memory (report-stream.h). */
enum ra_report_needs {
	RA_REPORT_NEEDS_ALL = 0,              /* a model with every range */
	RA_REPORT_NEEDS_FACTS = 1 << 0,       /* threads, domains, losses, locks, totals */
	RA_REPORT_NEEDS_SUMS = 1 << 1,        /* metrics grouped by input->group_by */
	RA_REPORT_NEEDS_DOMAIN_SUMS = 1 << 2, /* metrics by domain, without medians */
	RA_REPORT_NEEDS_SAMPLES = 1 << 3,     /* samples of counters */
};

/*
 * Describes a report. Each report has a const entry in a file of its own, listed in
 * commands/stats/report-list.c. A report that also gives other tools' figures has another entry
 * with the same name for each set of columns; `compat` tells them apart.
 */
struct ra_report {
	const char *name;
	unsigned compat; /* modes for which this entry is, RA_COMPAT_BIT or'ed; 0: RA_COMPAT_NONE */
	bool reads_several; /* takes several files, input->models; false: only one file */
	bool is_of_steps;   /* for compat modes: rows are of steps, and --steps selects rows */
	enum ra_report_scope scope;
	unsigned needs;  /* enum ra_report_needs, or'ed */
	unsigned groups; /* allowed values of --group-by, enum ra_group_by or'ed */
	const char *title;
	const char *summary; /* for --help, without a full stop */
	/* The report after which --list shows this one, because nobody looks for it by itself.
	 * NULL: it is listed under a question (commands/stats/questions.c). */
	const char *more_of;
	const struct ra_table_column *columns;
	size_t column_count;
	const char *note; /* line below the table in the summary; NULL: none */
	/* text for people if the table has no rows; NULL: the table's head is shown */
	const char *none;
	/* how the log's own reason for that begins; if the log has such a line, it is shown
	 * instead; NULL: none */
	const char *none_status;
	/* text instead of `none` for a trace in JSON; NULL: the same text */
	const char *none_trace;
	bool is_gpu; /* if there is no GPU data, the reason for that is shown instead */
	const char *none_without_gpu; /* text added to that reason if nothing ran on a GPU */
	bool is_long;     /* has a row or memory for each event, so it is not part of "all" */
	const char *sort; /* default order, in the form of --sort; NULL: the order of filling */
	/* Appends the rows. */
	void (*fill)(struct ra_report_input *input, struct ra_table *table);
	/* Appends the rows in another form for people; NULL: they get the table. */
	void (*put_text)(const struct ra_table *table, struct ra_util_text *text);
	/* Appends the table in the text layout of torch.profiler, with `limit` rows, 0: all;
	 * NULL: the report has none. The table is complete and sorted. */
	void (*put_torch)(const struct ra_report_input *input, const struct ra_table *table,
	                  size_t limit, struct ra_util_text *text);
};

/* Declares a report. For lists such as RA_REPORTS, which has their names in the order of --list. */
#define RA_REPORT_DECLARE(name) extern const struct ra_report name;

/* True if this entry is for the mode. */
static inline bool ra_report_is_for(const struct ra_report *report, enum ra_compat compat)
{
	return ((report->compat != 0 ? report->compat : RA_COMPAT_BIT(RA_COMPAT_NONE)) >> compat &
	        1) != 0;
}

/* The files of the input. The functions below give their number, and the model and rank of each. */
static inline struct ra_files ra_report_files(const struct ra_report_input *input)
{
	return (struct ra_files){ input->model, input->models, input->ranks, input->model_count };
}

static inline size_t ra_report_file_count(const struct ra_report_input *input)
{
	const struct ra_files files = ra_report_files(input);

	return ra_files_count(&files);
}

static inline const struct ra_model *ra_report_file_model(const struct ra_report_input *input,
                                                          size_t index)
{
	const struct ra_files files = ra_report_files(input);

	return ra_files_model(&files, index);
}

static inline int64_t ra_report_file_rank(const struct ra_report_input *input, size_t index)
{
	const struct ra_files files = ra_report_files(input);

	return ra_files_rank(&files, index);
}

/* Frees what reports made. Zero-initialise an input, set only the members that reports don't make,
 * and use it once. */
void ra_report_fini_input(struct ra_report_input *input);

/* Computes input->metrics, if it has not been done. */
void ra_report_need_metrics(struct ra_report_input *input);

/* Makes metrics by domain, optionally without medians; the caller owns them. */
void ra_report_make_domain_metrics(const struct ra_report_input *input, struct ra_metrics *metrics);

/* Lets ra_report_fini_input() free a shared result with `destroy`, in reverse order of these
 * calls. */
void ra_report_keep(struct ra_report_input *input, void *thing, void (*destroy)(void *thing));

/* Makes a report's table: fills, sorts and cuts it. */
void ra_report_make(const struct ra_report *report, struct ra_report_input *input,
                    const struct ra_query *query, struct ra_table *table);

/* Adds a single figure to the input. Its texts are borrowed. Figures beyond RA_REPORT_FIGURES are
 * dropped. */
void ra_report_add_figure(struct ra_report_input *input, const char *key, const char *title,
                          enum ra_table_kind kind, struct ra_table_cell cell);

/* Adds once the figure on which estimates from launch shapes depend: the share of kernel time whose
 * shape is known. Adds nothing if that is none or all of it. */
void ra_report_add_shapes(struct ra_report_input *input, int64_t known_ns, int64_t whole_ns);

/* True if that share is large enough for estimates. */
static inline bool ra_report_is_shaped(double known, double whole)
{
	return known > 0 && known >= whole / 2;
}

/* True if some calls wait for the GPU, but the input has no records of waits. */
bool ra_report_lacks_waits(const struct ra_model *model);

struct ra_rate;

/*
 * Drops the columns of rates (rates.h) from `first` on if no row has a rate, and tells so if peak
 * rates are not known.
 *
 * @known: what ra_rate_take_known() noted of all rows.
 */
void ra_report_show_rates(struct ra_report_input *input, const struct ra_rate *known,
                          struct ra_table *table, size_t first);

/* Adds a note for people below the tables; notes beyond RA_REPORT_NOTES are dropped. */
void ra_report_add_note(struct ra_report_input *input, const char *note);

/* Appends a figure. For people: as a line. For JSON: as a member, followed by a comma. */
void ra_report_put_figure(struct ra_util_text *text, const struct ra_report_figure *figure);
void ra_report_put_figures(struct ra_util_text *text, const struct ra_report_input *input);
void ra_report_put_figures_json(struct ra_util_text *text, const struct ra_report_input *input);

/* Converts a list in a trace, such as "[2, 3]", to the form for people, and keeps it in the
 * table. */
struct rlog_string ra_report_keep_list(struct ra_table *table, struct rlog_string list);

/* The name of a domain, as reports show it. */
struct rlog_string ra_report_name_domain(const struct ra_model *model, uint16_t domain);

#endif
