/* SPDX-License-Identifier: MIT */
/* Collects all items that a timeline could show, by row and time: ranges of threads, calls, GPU
 * work. */
#ifndef RA_PAGE_ROWS_H
#define RA_PAGE_ROWS_H

#include "analyzer/base/util-map.h"
#include "analyzer/page/page-parts.h"

#define RA_PAGE_LANES 48  /* most lanes of a row, which limits the depth of nested ranges */
#define RA_PAGE_LINES 120 /* most rows */

struct ra_page_item {
	int64_t start_ns;
	int64_t dur_ns;
	uint32_t name; /* index */
	uint32_t row;
	uint32_t
		lane; /* the first lane that is free below the items that are open when it begins */
};

struct ra_page_row {
	size_t name; /* offset in `texts` of the name, escaped for JSON, without quotes */
	size_t name_length;
	const char *kind;
	uint32_t lanes;
	uint64_t left_out; /* items left out because no lane was free */
};

struct ra_page_rows {
	struct ra_page_item *items; /* owned; ordered by row, then start */
	size_t item_count;
	size_t item_capacity;
	struct ra_page_row *rows; /* owned; each row has at least one item */
	size_t row_count;
	size_t row_capacity;
	size_t rows_left_out;
	struct rlog_string *names; /* owned; the texts are valid as long as page->input and the
	                              rows */
	size_t name_count;
	size_t name_capacity;
	struct ra_util_map name_of; /* owned: key of a name → index */
	struct ra_table table;      /* owned: texts of names */
	struct ra_util_text texts;  /* owned */
	int64_t busy_until[RA_PAGE_LANES];
};

void ra_page_rows_init(struct ra_page_rows *rows, const struct ra_page *page,
                       const struct ra_model *model);
void ra_page_rows_fini(struct ra_page_rows *rows);

#endif
