/* SPDX-License-Identifier: MIT */
/* Lays out a table for people: which columns are shown, how wide they are, and how shortened names
 * that look the same are made distinct. */
#ifndef RA_TABLE_LAYOUT_H
#define RA_TABLE_LAYOUT_H

#include "analyzer/table/table.h"

#define RA_TABLE_LAYOUT_GAP 2 /* usual width of the space between two columns */

struct ra_table_layout {
	const struct ra_table *table;
	bool *is_hidden; /* owned; by column */
	/* owned; by column: hidden because all rows have the same value; a line below the table
	 * has it */
	bool *is_same;
	/* owned; by column: hidden for lack of room; it can be computed from other columns */
	bool *is_derived;
	bool *is_left_out; /* owned; by column: hidden because the table would be too wide */
	bool is_brief;     /* figures have four digits */
	bool *is_narrow;   /* owned; by column: some cells do not fit */
	size_t *widths;    /* owned; by column */
	size_t gap;        /* width of the space between two columns */
	/* owned; numbers[column][row]: the number to write after a shortened name that looks like
	 * another; 0: none. numbers[column] is NULL if no name of the column needs one */
	uint32_t **numbers;
	/* owned; cuts[column][row]: the name, shortened so that its difference from others is
	 * shown; NULL: it is shortened as usual. cuts[column] is NULL if that holds for all rows */
	char ***cuts;
};

/* Widths of the columns, by column, with all names in full. */
struct ra_table_layout_sizes {
	size_t *titles; /* with titles in one line */
	size_t *tight;  /* with titles in two lines */
	size_t *brief;  /* with titles in two lines and figures of four digits */
};

/* Appends a cell for people. @target: how names are escaped. */
void ra_table_layout_put_cell(struct ra_util_text *text, const struct ra_table_column *column,
                              const struct ra_table_cell *cell, enum ra_util_text_target target);

/* Appends the title of a column for people, with the unit if the cells do not show it. */
void ra_table_layout_put_title(struct ra_util_text *text, const struct ra_table_column *column);

/* Where the second line of a title begins: after that blank or / which makes the title narrowest.
 * Return: the title's length if it has neither. */
size_t ra_table_layout_break_title(const struct ra_util_text *title);

/* True if the column's numbers are bytes. */
bool ra_table_layout_is_bytes(const struct ra_table_column *column);

/* True if the column has sentences, which are wrapped and not shortened. */
bool ra_table_layout_is_sentence(const struct ra_table_column *column);

/* Begins a layout, and hides the columns that tell nothing. */
void ra_table_layout_init(struct ra_table_layout *layout, const struct ra_table *table);
void ra_table_layout_fini(struct ra_table_layout *layout);

/*
 * Sets the widths of the columns. If the table would be wider than `limit` (0: no limit), names are
 * shortened and the columns that tell least are left out (table-fit.h).
 */
void ra_table_layout_fit(struct ra_table_layout *layout, size_t limit);

#endif
