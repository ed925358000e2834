/* SPDX-License-Identifier: MIT */
/* `analyzer why` for a model: the figures that its sentences and tables share. */
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
	bool has_others;             /* one of several steps was chosen: … */
	struct ra_steps all;         /* … these are all steps; else zero */
	struct ra_why_warmup warmup; /* steps that were left out; their count may be 0 */
	bool may_lack_graphs;        /* long gaps of a GPU are ahead of nodes of CUDA graphs */
	struct ra_table advice;      /* the report's */
	struct ra_table gpus;        /* the table of the report "gpu" */
	struct ra_table path;        /* "critical-path", the chosen steps summed, longest first */
	size_t width;
	size_t rows;   /* rows of a table at most … */
	size_t tables; /* … and the number of tables */
	bool has_bars;
	bool is_json;
};

/* Makes the figures; fini frees them. @input: must live longer. */
void ra_why_init(struct ra_why *why, struct ra_report_input *input);
void ra_why_fini(struct ra_why *why);

/*
 * Returns how much longer the ranges of a name took in the chosen step than in the median of the
 * other steps. Durations count; of nested ranges of the name only the outer one does.
 * why->has_others must be true.
 */
int64_t ra_why_range_more(const struct ra_why *why, struct rlog_string name);

/* A cell of a table by the key of its column. */
const struct ra_table_cell *ra_why_cell(const struct ra_table *table, size_t row, const char *key);

#endif
