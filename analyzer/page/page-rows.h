/* SPDX-License-Identifier: MIT */
/* Collects the items of a timeline, by row and time: ranges of threads, calls, GPU work. */
#ifndef RA_PAGE_ROWS_H
#define RA_PAGE_ROWS_H

#include "analyzer/base/util-map.h"
#include "analyzer/page/page-parts.h"
#include "analyzer/page/page-pieces.h"

#define RA_PAGE_LINES 120 /* most rows */

struct ra_page_row {
	size_t name; /* offset in `texts` of the name, escaped for JSON, without quotes */
	size_t name_length;
	const char *kind;
	uint32_t lanes;
	uint64_t left_out; /* items left out because no lane was free */
};

struct ra_page_rows {
	struct ra_page_pieces pieces; /* the items; a lane is the first that is free below the
	                                 items that are open when an item begins */
	struct ra_page_row *rows;     /* owned; each row has at least one item */
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

/* @model: may have a walk in place of ranges (walk.h). */
void ra_page_rows_init(struct ra_page_rows *rows, const struct ra_page *page,
                       const struct ra_model *model);
void ra_page_rows_fini(struct ra_page_rows *rows);

#endif
