/* SPDX-License-Identifier: MIT */
/* The parts of the page that is written with -o report.html. */
#ifndef RA_PAGE_PARTS_H
#define RA_PAGE_PARTS_H

#include "analyzer/page/page-file.h"
#include "analyzer/report/report.h"
#include "analyzer/timeline/pens/out.h"

#define RA_PAGE_ROWS 200 /* of a table */

/* A page of one or several files under construction. */
struct ra_page {
	const struct ra_out_options *options;
	struct ra_report_input input;
	struct ra_page_file file; /* owned: what the parts below append to */
};

/* Appends all sections that have rows. */
void ra_page_sections_put(struct ra_page *page);

/* Of several files: appends the sections that are sums over ranks. */
void ra_page_ranks_put(struct ra_page *page);

/*
 * Appends what the rows of a table are made of: "NAME":[[row, bucket, count, …], …] with how many
 * durations lie in which bucket, for ranges and kernels; nothing for other reports, nor for rows
 * that their name alone does not tell from others.
 *
 * Bucket b ≥ 4 holds durations from (4 + b % 4) << (b / 4 - 1) ns on, those below 4 their own
 * number of ns: four to a factor of 2.
 *
 * And of the first rows their single calls (page-calls.h): "NAME":{"end_ns":…, "parts":…,
 * "rows":[…]}.
 */
void ra_page_shapes_put(struct ra_page *page, const struct ra_report *report,
                        const struct ra_table *table);

/*
 * Appends the timeline as a JSON object: rows of threads and streams with at most some ten thousand
 * things, of which short neighbours are put together (page-timeline.c has the form).
 */
void ra_page_timeline_put(struct ra_page *page, struct ra_util_text *json);

/* Appends the counters as two members of the timeline's object (page-counters.c has their form). */
void ra_page_counters_put(const struct ra_model *model, struct ra_util_text *json);

/* Appends the ranges by path with what is theirs alone, as a JSON array. */
void ra_page_flame_put(struct ra_page *page, struct ra_util_text *json);

#endif
