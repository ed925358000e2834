/* SPDX-License-Identifier: MIT */
/* `analyzer why` for a model: computes the figures that its sentences and tables share. */
#ifndef RA_WHY_FIGURES_H
#define RA_WHY_FIGURES_H

#include "analyzer/commands/stats/stats-others.h"
#include "analyzer/commands/why/why-warmup.h"
#include "analyzer/report/report-steps.h"
#include "analyzer/report/report.h"

#define RA_WHY_TABLES 3

/* Figures that the sentences and the tables share. */
struct ra_why {
	struct ra_report_input *input;
	const struct ra_report_steps *steps;
	struct ra_cmd_others others;
	bool has_others;             /* one of several steps was chosen; then … */
	struct ra_steps all;         /* … this has all steps; else it is zero */
	struct ra_why_warmup warmup; /* steps that were left out; their count is 0 if none were */
	bool may_lack_graphs;        /* a GPU has long gaps before nodes of CUDA graphs */
	struct ra_table advice;      /* the table of the report "advice" */
	struct ra_table gpus;        /* the table of the report "gpu" */
	struct ra_table path;        /* the table of the report "critical-path", with the chosen
	                                steps summed, longest first */
	size_t width;
	size_t rows;   /* most rows of a table … */
	size_t tables; /* … and most tables */
	bool has_bars;
	bool is_json;
};

/* Computes the figures; fini frees them. @input: must live longer. */
void ra_why_init(struct ra_why *why, struct ra_report_input *input);
void ra_why_fini(struct ra_why *why);

/*
 * Returns how much longer the ranges of a name took in the chosen step than in the median of the
 * other steps. It compares durations; of nested ranges of the name only the outermost one counts.
 * why->has_others must be true.
 */
int64_t ra_why_range_more(const struct ra_why *why, struct rlog_string name);

/* Finds a cell of a row by the key of its column. */
const struct ra_table_cell *ra_why_cell(const struct ra_table *table, size_t row, const char *key);

#endif
