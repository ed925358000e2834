/* SPDX-License-Identifier: MIT */
/* Reports on summaries, of one input or of many. */
#ifndef RA_SUM_REPORT_H
#define RA_SUM_REPORT_H

#include "analyzer/report/query.h"
#include "analyzer/summary-file/report/sum-set.h"
#include "analyzer/table/table-forms.h"

/* One const entry each, in sum-report.c, sum-report-steps.c and sum-report-facts.c. */
struct ra_sum_report {
	const char *name;
	const char *title;
	const char *summary; /* in --list; NULL: that of the report on one input */
	const char *none;    /* in place of a table without rows */
	const struct ra_table_column *columns;
	size_t column_count;
	uint64_t never; /* a bit for each column that it does not have */
	/* First and last of the columns that compare ranks, 0: none; where they have no room beside
	 * the others they get a table below, behind the first columns, which tell rows apart. */
	size_t first_of_ranks;
	size_t last_of_ranks;
	size_t row_columns;
	const char *sort; /* as --sort takes it; NULL: as filled */
	/* Appends the rows. */
	void (*fill)(const struct ra_sum_set *set, struct ra_table *table);
	/* Appends what people should see in the table; NULL: nothing. */
	void (*put_finding)(struct ra_util_text *text, const struct ra_sum_set *set);
};

/* All of them; ends with NULL. */
extern const struct ra_sum_report *const ra_sum_report_all[];

extern const struct ra_sum_report ra_sum_report_ranges;
extern const struct ra_sum_report ra_sum_report_kernels;
extern const struct ra_sum_report ra_sum_report_memcpy;
extern const struct ra_sum_report ra_sum_report_api;
extern const struct ra_sum_report ra_sum_report_overview;
extern const struct ra_sum_report ra_sum_report_ranks;
extern const struct ra_sum_report ra_sum_report_environment;

/* Return: NULL if there is none of this name. */
const struct ra_sum_report *ra_sum_report_find(const char *name, size_t length);

struct ra_sum_report_options {
	const struct ra_sum_report *const *reports;
	size_t report_count;
	struct ra_query query; /* of it sort and limit */
	const struct ra_table_form *form;
	size_t width;
	bool is_ranked; /* rows by weight, and of what the limit cuts the sum */
};

/* Appends the reports and, where the form has a place for it, the footer. */
void ra_sum_report_put(struct ra_util_text *text, const struct ra_sum_set *set,
                       const struct ra_sum_report_options *options);

#endif
