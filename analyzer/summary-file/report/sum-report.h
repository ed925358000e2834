/* SPDX-License-Identifier: MIT */
/* Reports on summaries, of one input or of many. */
#ifndef RA_SUM_REPORT_H
#define RA_SUM_REPORT_H

#include "analyzer/report/query.h"
#include "analyzer/summary-file/report/sum-set.h"
#include "analyzer/table/forms/table-forms.h"

/* One const entry each, in sum-report.c, sum-report-steps.c and sum-report-facts.c. */
struct ra_sum_report {
	const char *name;
	const char *title;
	const char *summary; /* for --list; NULL: that of the report on one input */
	const char *none;    /* printed instead of a table without rows */
	const struct ra_table_column *columns;
	size_t column_count;
	uint64_t never; /* a bit for each column that it never has */
	/* The first and last column that compare ranks, 0: none. If there is no room for them, they
	 * get a table below, after the first columns, which identify the rows. */
	size_t first_of_ranks;
	size_t last_of_ranks;
	size_t row_columns;
	const char *sort; /* as a value of --sort; NULL: the order of filling */
	/* Appends the rows. */
	void (*fill)(const struct ra_sum_set *set, struct ra_table *table);
	/* Appends what people should notice in the table; NULL: nothing. */
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

/* Return: NULL if no report has this name. */
const struct ra_sum_report *ra_sum_report_find(const char *name, size_t length);

struct ra_sum_report_options {
	const struct ra_sum_report *const *reports;
	size_t report_count;
	struct ra_query query; /* only its sort and limit are used */
	const struct ra_table_form *form;
	size_t width;
	bool is_ranked; /* rows are ranked by weight, and those that the limit cuts are summed */
};

/* Appends the reports and, if the format has a place for it, the footer. */
void ra_sum_report_put(struct ra_util_text *text, const struct ra_sum_set *set,
                       const struct ra_sum_report_options *options);

#endif
