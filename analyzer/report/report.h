/* SPDX-License-Identifier: MIT */
/* What a report is, and what reports are made from. */
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

#define RA_REPORT_FIGURES 16
#define RA_REPORT_NOTES   12
#define RA_REPORT_KEPT    7

/* What reports make when the first of them asks, and share. */
struct ra_report_kept {
	void *thing;
	void (*destroy)(void *thing);
};

/* A figure that is no row: its key, unit and value. */
struct ra_report_figure {
	struct ra_table_column column;
	struct ra_table_cell cell;
};

/* What reports are made from. Figures that several need are computed once, when the first asks. */
struct ra_report_input {
	const struct ra_model *model;
	/* All files where there are several, by rank; models[0] is model. */
	struct ra_model *const *models;
	const int64_t *ranks;
	size_t model_count;
	/* --steps: the views of each model; NULL: all steps. ra_report_make() puts them in place of
	 * the models, as a report's scope says. */
	const struct ra_select *selects;
	const struct ra_settings *settings;
	unsigned group_by; /* enum ra_group_by, or'ed */
	enum ra_compat compat;
	struct ra_labels *labels;  /* borrowed; NULL: names as they are */
	struct ra_labels *kernels; /* the same for names of kernels */
	bool merges_numbers;       /* for people: in "op-memory" step 1, step 2, ... are one row */
	size_t limit;              /* rows that will be shown, 0: all; ra_report_make() sets it */
	struct ra_range_stream *stream; /* borrowed; where the model has totals; else NULL */
	bool has_metrics;
	struct ra_metrics metrics;                  /* owned; by group_by */
	struct ra_hta *hta;                         /* kept; --compat=hta, all files */
	struct ra_tb *tb;                           /* kept; NULL until ra_report_tb_need() */
	struct ra_rank_names *rank_names;           /* kept; see ra_rank_names_input() */
	struct ra_report_steps *steps;              /* kept; see ra_report_steps_find() */
	struct ra_report_kept kept[RA_REPORT_KEPT]; /* owned */
	size_t kept_count;
	/* Single figures of the reports made so far, for the footer. */
	struct ra_report_figure figures[RA_REPORT_FIGURES];
	size_t figure_count;
	/* What people are told below the tables, each once; borrowed, of static storage. */
	const char *notes[RA_REPORT_NOTES];
	size_t note_count;
};

/* What a report sees of the model if only some steps are asked for (select.h). */
enum ra_report_scope {
	RA_REPORT_OF_THINGS, /* what belongs to the steps */
	RA_REPORT_OF_TIME,   /* what was there while they lasted */
	RA_REPORT_OF_ALL,    /* everything: it finds the steps itself, or has nothing to do with
	                        them */
};

/*
 * What a report is made from, where that is less than a model that holds each range. A log of any
 * size is then read in bounded memory, if all reports asked for are content with that
 * (report-stream.h).
 */
enum ra_report_needs {
	RA_REPORT_NEEDS_ALL = 0,              /* of some events each by itself */
	RA_REPORT_NEEDS_FACTS = 1 << 0,       /* threads, domains, losses, locks, totals */
	RA_REPORT_NEEDS_SUMS = 1 << 1,        /* metrics of input->group_by */
	RA_REPORT_NEEDS_DOMAIN_SUMS = 1 << 2, /* metrics by domain, without medians */
};

/*
 * One const entry per report, in a file of its own, listed in commands/stats/report-list.c. A
 * report that gives other tools' figures as well has an entry more for each kind of columns, of the
 * same name: `compat` tells them apart.
 */
struct ra_report {
	const char *name;
	unsigned compat;    /* the modes it is for, as RA_COMPAT_BIT; 0: RA_COMPAT_NONE */
	bool reads_several; /* files: input->models; else only one can be given */
	bool is_of_steps;   /* of compat: rows are of steps, --steps chooses among them */
	enum ra_report_scope scope;
	unsigned needs;  /* enum ra_report_needs, or'ed */
	unsigned groups; /* what --group-by can ask for, enum ra_group_by or'ed */
	const char *title;
	const char *summary; /* for --help, without a full stop */
	/* Of a report that nobody looks for by itself: the one with which --list names it. NULL: it
	 * stands under a question (commands/stats/questions.c). */
	const char *more_of;
	const struct ra_table_column *columns;
	size_t column_count;
	const char *note; /* a line below the table in the summary, NULL: none */
	const char *none; /* what people are told in place of a table without rows, NULL: its head
	                     is shown */
	const char *none_status; /* words with which the log's own reason begins, which is told in
	                            place of that; NULL: none */
	const char *none_trace;  /* the same of a trace in JSON, NULL: none */
	bool is_gpu;             /* … or why there is no GPU data */
	const char *none_without_gpu; /* told behind that reason where nothing ran on a GPU */
	bool is_long;     /* a row for each event, or memory for each: not among "all" */
	const char *sort; /* the order a reader expects, as --sort takes it; NULL: as filled */
	/* Appends the rows. */
	void (*fill)(struct ra_report_input *input, struct ra_table *table);
	/* Appends the rows for people in place of the table; NULL: they get a table. */
	void (*put_text)(const struct ra_table *table, struct ra_util_text *text);
	/* Appends the table in the text layout of torch.profiler, `limit` rows, 0: all; NULL: the
	 * report has none. The table is whole and sorted. */
	void (*put_torch)(const struct ra_report_input *input, const struct ra_table *table,
	                  size_t limit, struct ra_util_text *text);
};

/* Declares a report of a list such as RA_REPORTS, which holds their names in the order of --list.
 */
#define RA_REPORT_DECLARE(name) extern const struct ra_report name;

/* True if the report has an entry for this mode. */
static inline bool ra_report_is_for(const struct ra_report *report, enum ra_compat compat)
{
	return ((report->compat != 0 ? report->compat : RA_COMPAT_BIT(RA_COMPAT_NONE)) >> compat &
	        1) != 0;
}

/* The files of the input, and each: its model and the number of its rank. */
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

/* Frees what reports made. Zero-initialise an input, set what is not made here, and use it once. */
void ra_report_fini_input(struct ra_report_input *input);

/* Computes input->metrics unless they are there. */
void ra_report_need_metrics(struct ra_report_input *input);

/* Makes metrics by domain, perhaps without medians; the caller's. */
void ra_report_make_domain_metrics(const struct ra_report_input *input, struct ra_metrics *metrics);

/*
 * Has ra_report_fini_input() free a thing that reports share, with `destroy`, the last first. At
 * most RA_REPORT_KEPT things.
 */
void ra_report_keep(struct ra_report_input *input, void *thing, void (*destroy)(void *thing));

/* Makes a report's table: filled, sorted, cut. */
void ra_report_make(const struct ra_report *report, struct ra_report_input *input,
                    const struct ra_query *query, struct ra_table *table);

/* Adds a figure to the input's; texts are borrowed. Beyond RA_REPORT_FIGURES none is kept. */
void ra_report_add_figure(struct ra_report_input *input, const char *key, const char *title,
                          enum ra_table_kind kind, struct ra_table_cell cell);

/*
 * Adds, once, the figure that estimates from launch shapes rest on: the part of kernel time of
 * which the shape is known. Not if none or all is.
 */
void ra_report_add_shapes(struct ra_report_input *input, int64_t known_ns, int64_t whole_ns);

/* True if that is enough to estimate from. */
static inline bool ra_report_is_shaped(double known, double whole)
{
	return known > 0 && known >= whole / 2;
}

/* True if there are no records of waits for the GPU, but calls that wait. */
bool ra_report_lacks_waits(const struct ra_model *model);

struct ra_rate;

/*
 * Leaves out the columns of rates (rates.h) from `first` on if no row has any, and says it if peaks
 * are not known.
 *
 * @known: what ra_rate_take_known() noted of all rows.
 */
void ra_report_show_rates(struct ra_report_input *input, const struct ra_rate *known,
                          struct ra_table *table, size_t first);

/* Adds a line that people find below the tables; beyond RA_REPORT_NOTES none is kept. */
void ra_report_add_note(struct ra_report_input *input, const char *note);

/* Appends the figures: for people a line each and the notes, for JSON members with a comma behind
 * each. */
void ra_report_put_figure(struct ra_util_text *text, const struct ra_report_figure *figure);
void ra_report_put_figures(struct ra_util_text *text, const struct ra_report_input *input);
void ra_report_put_figures_json(struct ra_util_text *text, const struct ra_report_input *input);

/* Keeps a list of a trace, as "[2, 3]", as people read it. */
struct rlog_string ra_report_keep_list(struct ra_table *table, struct rlog_string list);

/* Name of a domain as reports show it. */
struct rlog_string ra_report_name_domain(const struct ra_model *model, uint16_t domain);

#endif
