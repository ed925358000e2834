/* SPDX-License-Identifier: MIT */
/* Collects the items of a timeline, by row and time: ranges of threads, calls, GPU work. */
#ifndef RA_PAGE_ROWS_H
#define RA_PAGE_ROWS_H

#include "analyzer/base/util-map.h"
#include "analyzer/page/page-parts.h"
#include "analyzer/page/page-pieces.h"

#define RA_PAGE_LINES 120 /* most rows of the timeline */

struct ra_page_row {
	size_t name; /* offset in `texts` of the row's name, escaped for JSON, without quotes */
	size_t name_length;
	const char *kind;
	uint32_t lanes;
	uint64_t left_out; /* items left out because no lane was free */
};

struct ra_page_rows {
	struct ra_page_pieces pieces; /* the items; an item's lane is the first free lane below all
	                                 items that are open when it begins */
	struct ra_page_row *rows;     /* owned; each row has at least one item */
	size_t row_count;
	size_t row_capacity;
	size_t rows_left_out;
	/* owned; the texts stay valid as long as page->input and this struct */
	struct rlog_string *names;
	size_t name_count;
	size_t name_capacity;
	struct ra_util_map name_of; /* owned: key of a name → its index in names */
	struct ra_table table;      /* owned: texts of names */
	struct ra_util_text texts;  /* owned */
	int64_t busy_until[RA_PAGE_LANES];
};

/* Called with the ranges of each part of a track, with the arguments of ra_walk_take. */
typedef void ra_page_rows_also(void *context, const struct ra_model *part, uint32_t track);

/* Makes page->rows. Reads the page's ranges once for the rows and for @also; NULL: only for the
 * rows. */
void ra_page_rows_make(struct ra_page *page, ra_page_rows_also *also, void *context);

/* Frees page->rows. */
void ra_page_rows_free(struct ra_page *page);

#endif
