/* SPDX-License-Identifier: MIT */
/* Reports on summaries, of one input or of many. */
#ifndef RA_SUM_REPORT_H
#define RA_SUM_REPORT_H

#include "analyzer/report/query.h"
#include "analyzer/summary-file/report/sum-set.h"
#include "analyzer/table/forms/table-forms.h"

/* A report. Each has one const entry, in sum-report.c, sum-report-steps.c or sum-report-facts.c. */
struct ra_sum_report {
	const char *name;
	const char *title;
	const char *summary; /* text for --list; NULL: that of the report on one input */
	const char *none;    /* printed instead of the table if it has no rows */
	const struct ra_table_column *columns;
	size_t column_count;
	uint64_t never; /* a bit for each column that the report never has */
	/* The first and the last column that compare ranks; 0: none. If the table is too narrow for
	 * them, they are printed in a table of their own below, after the first columns, which
	 * identify the rows. */
	size_t first_of_ranks;
	size_t last_of_ranks;
	size_t row_columns;
	const char *sort; /* in the form of --sort; NULL: the order of filling */
	/* Appends the rows. */
	void (*fill)(const struct ra_sum_set *set, struct ra_table *table);
	/* Appends what people should notice in the table; NULL: there is no such text. */
	void (*put_finding)(struct ra_util_text *text, const struct ra_sum_set *set);
};

/* All reports; ends with NULL. */
extern const struct ra_sum_report *const ra_sum_report_all[];

extern const struct ra_sum_report ra_sum_report_ranges;
extern const struct ra_sum_report ra_sum_report_kernels;
extern const struct ra_sum_report ra_sum_report_memcpy;
extern const struct ra_sum_report ra_sum_report_api;
extern const struct ra_sum_report ra_sum_report_overview;
extern const struct ra_sum_report ra_sum_report_ranks;
extern const struct ra_sum_report ra_sum_report_environment;

/* Return: NULL: no report has this name. */
const struct ra_sum_report *ra_sum_report_find(const char *name, size_t length);

struct ra_sum_report_options {
	const struct ra_sum_report *const *reports;
	size_t report_count;
	struct ra_query query; /* only `sort` and `limit` are used */
	const struct ra_table_form *form;
	size_t width;
	bool is_ranked; /* rows are ranked by weight, and the rows that the limit cuts are summed */
};

/* Appends the reports. Appends the footer, too, if the format has a place for it. */
void ra_sum_report_put(struct ra_util_text *text, const struct ra_sum_set *set,
                       const struct ra_sum_report_options *options);

#endif
