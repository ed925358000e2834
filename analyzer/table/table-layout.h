/* SPDX-License-Identifier: MIT */
/* The layout of a table for people: which columns are shown, how wide, and how names are told
 * apart that had to be shortened. */
#ifndef RA_TABLE_LAYOUT_H
#define RA_TABLE_LAYOUT_H

#include "analyzer/table/table.h"

#define RA_TABLE_LAYOUT_GAP 2 /* columns of space between columns */

struct ra_table_layout {
	const struct ra_table *table;
	bool *is_hidden;    /* owned; by column */
	bool *is_same;      /* owned; hidden because all rows say the same, and there was no room */
	bool *is_derived;   /* owned; hidden because others tell it, and there was no room */
	bool *is_left_out;  /* owned; hidden because the table would be too wide */
	bool is_brief;      /* figures have four digits */
	bool *is_narrow;    /* owned; not all its cells fit */
	size_t *widths;     /* owned */
	size_t gap;         /* between columns */
	uint32_t **numbers; /* owned; by column and row: behind a shortened name that looks like
	                       another one; 0: none. NULL: the column has none */
	char ***cuts;       /* owned; by column and row: a name shortened so that it shows what it
	                       differs in from others; NULL: as usual. NULL: the column has none */
};

/* Widths of columns with no name shortened. */
struct ra_table_layout_sizes {
	size_t *titles; /* of the titles in one line */
	size_t *tight;  /* with titles in two lines */
	size_t *brief;  /* and with figures of four digits */
};

/* Appends a cell as people read it; `target` is that of names. */
void ra_table_layout_put_cell(struct ra_util_text *text, const struct ra_table_column *column,
                              const struct ra_table_cell *cell, enum ra_util_text_target target);

/* Appends the head of a column as people read it: with the unit of cells that do not show theirs.
 */
void ra_table_layout_put_title(struct ra_util_text *text, const struct ra_table_column *column);

/* Where the second line of a title begins: behind the blank or the / that makes it narrowest; its
 * length if it has none. */
size_t ra_table_layout_break_title(const struct ra_util_text *title);

/* True if its numbers are bytes. */
bool ra_table_layout_is_bytes(const struct ra_table_column *column);

/* True if the column has sentences, which are wrapped and not shortened. */
bool ra_table_layout_is_sentence(const struct ra_table_column *column);

/* Hides columns that say nothing. */
void ra_table_layout_init(struct ra_table_layout *layout, const struct ra_table *table);
void ra_table_layout_fini(struct ra_table_layout *layout);

/*
 * Gives columns their widths. Where the table would have more than `limit` columns (0: no limit)
 * names are shortened and what says least is left out, see table-fit.h.
 */
void ra_table_layout_fit(struct ra_table_layout *layout, size_t limit);

#endif
