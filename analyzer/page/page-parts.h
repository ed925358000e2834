/* SPDX-License-Identifier: MIT */
/* Declares the parts of the page that is written with -o report.html. */
#ifndef RA_PAGE_PARTS_H
#define RA_PAGE_PARTS_H

#include "analyzer/page/page-file.h"
#include "analyzer/report/report.h"
#include "analyzer/timeline/pens/out.h"

#define RA_PAGE_ROWS 200 /* most rows of a table */

/* The page of one or several files, being built. */
struct ra_page {
	const struct ra_out_options *options;
	/* the first file's model: input.model, or the model of which that is a view (struct
	 * ra_out_options) */
	const struct ra_model *whole;
	struct ra_report_input input;
	struct ra_page_file file;  /* owned: what the parts below append to */
	struct ra_page_rows *rows; /* owned; rows of the timeline; NULL: not made yet */
};

/* The model whose losses and open ranges the footer names. */
const struct ra_model *ra_page_sections_foot(const struct ra_page *page, size_t file);

/* Appends all sections that have rows. */
void ra_page_sections_put(struct ra_page *page);

/* For several files: appends the sections with sums over ranks. */
void ra_page_ranks_put(struct ra_page *page);

/*
 * Appends histograms of durations, for rows of ranges and kernels: "NAME":[[row, bucket, count, …],
 * …]. Each count is the number of durations in the bucket. Nothing is appended for other reports,
 * or for rows whose name is not unique.
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
 * Appends the timeline as a JSON object: rows of threads and streams, with some ten thousand items
 * at most. To limit the number, short neighbours are merged (page-timeline.c describes the form).
 */
void ra_page_timeline_put(struct ra_page *page, struct ra_util_text *json);

/* Appends the counters as two members of the timeline's object (page-counters.c describes
 * them). */
void ra_page_counters_put(const struct ra_model *model, struct ra_util_text *json);

/* Appends ranges by path with self times, as a JSON array. */
void ra_page_flame_put(struct ra_page *page, struct ra_util_text *json);

#endif
