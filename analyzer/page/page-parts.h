/* SPDX-License-Identifier: MIT */
/* The parts of the page that is written with -o report.html. */
#ifndef RA_PAGE_PARTS_H
#define RA_PAGE_PARTS_H

#include "analyzer/page/page-file.h"
#include "analyzer/report/report.h"
#include "analyzer/timeline/pens/out.h"

#define RA_PAGE_ROWS 200 /* of a table */

/* The page of one or several files, being built. */
struct ra_page {
	const struct ra_out_options *options;
	struct ra_report_input input;
	struct ra_page_file file; /* owned: what the parts below append to */
};

/* Appends all sections that have rows. */
void ra_page_sections_put(struct ra_page *page);

/* For several files: appends the sections with sums over ranks. */
void ra_page_ranks_put(struct ra_page *page);

/*
 * Appends the distribution of durations for rows of ranges and kernels: "NAME":[[row, bucket,
 * count, …], …], which says how many durations are in which bucket. Nothing for other reports, nor
 * for rows whose name is not unique.
 *
 * Bucket b ≥ 4 has durations from (4 + b % 4) << (b / 4 - 1) ns on, so four buckets for a factor of
 * 2; buckets below 4 have durations of b ns.
 *
 * For the first rows also appends single calls (page-calls.h): "NAME":{"end_ns":…, "parts":…,
 * "rows":[…]}.
 */
void ra_page_shapes_put(struct ra_page *page, const struct ra_report *report,
                        const struct ra_table *table);

/*
 * Appends the timeline as a JSON object: rows of threads and streams with at most about ten
 * thousand items, of which short neighbours are merged (page-timeline.c describes it).
 */
void ra_page_timeline_put(struct ra_page *page, struct ra_util_text *json);

/* Appends the counters as two members of the timeline's object (page-counters.c describes
 * them). */
void ra_page_counters_put(const struct ra_model *model, struct ra_util_text *json);

/* Appends ranges by path with self times, as a JSON array. */
void ra_page_flame_put(struct ra_page *page, struct ra_util_text *json);

#endif
