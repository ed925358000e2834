/* SPDX-License-Identifier: MIT */
/* The parts of the page that is written with -o report.html. */
#ifndef RA_PAGE_PARTS_H
#define RA_PAGE_PARTS_H

#include "analyzer/page/page-file.h"
#include "analyzer/report/report.h"
#include "analyzer/timeline/pens/out.h"

#define RA_PAGE_ROWS 200 /* most rows of a table */

/* The page of one or several files, being built. */
struct ra_page {
	const struct ra_out_options *options;
	const struct ra_model *whole; /* the first file's: input.model, or what that is a view of
	                                 (struct ra_out_options) */
	struct ra_report_input input;
	struct ra_page_file file;  /* owned: what the parts below append to */
	struct ra_page_rows *rows; /* owned; of the timeline, once they are made; NULL */
};

/* The model whose losses and open ranges a footer names. */
const struct ra_model *ra_page_sections_foot(const struct ra_page *page, size_t file);

/* Appends all sections that have rows. */
void ra_page_sections_put(struct ra_page *page);

/* For several files: appends the sections with sums over ranks. */
void ra_page_ranks_put(struct ra_page *page);

/*
 * Appends how durations are distributed, for rows of ranges and kernels: "NAME":[[row, bucket,
 * count, …], …]. Each count says how many durations are in the bucket. Other reports get nothing,
 * and neither do rows whose name is not unique.
 *
 * Bucket b ≥ 4 begins at a duration of (4 + b % 4) << (b / 4 - 1) ns, so there are four buckets for
 * each factor of 2. Buckets below 4 have durations of b ns.
 *
 * The first rows also get their single calls (page-calls.h): "NAME":{"end_ns":…, "parts":…,
 * "rows":[…]}.
 */
void ra_page_shapes_put(struct ra_page *page, const struct ra_report *report,
                        const struct ra_table *table);

/*
 * Appends the timeline as a JSON object: rows of threads and streams, with about ten thousand items
 * at most. Short neighbours are merged for that (page-timeline.c describes it).
 */
void ra_page_timeline_put(struct ra_page *page, struct ra_util_text *json);

/* Appends the counters as two members of the timeline's object (page-counters.c describes
 * them). */
void ra_page_counters_put(const struct ra_model *model, struct ra_util_text *json);

/* Appends ranges by path with self times, as a JSON array. */
void ra_page_flame_put(struct ra_page *page, struct ra_util_text *json);

#endif
