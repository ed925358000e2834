/* SPDX-License-Identifier: MIT */
/* The output formats for tables: text, CSV, TSV, JSON, lines of JSON, Markdown, SQL. */
#ifndef RA_TABLE_FORMS_H
#define RA_TABLE_FORMS_H

#include "analyzer/table/table.h"

/* The text around several tables. */
enum ra_table_frame {
	RA_TABLE_FRAME_TITLES, /* for people: titles, and the footer below */
	RA_TABLE_FRAME_ROWS,   /* for programs: an empty line between tables; the footer goes to
	                          stderr */
	RA_TABLE_FRAME_JSON,   /* one object holds the tables and the footer */
};

/* One const entry per format. Code that prints tables asks the entry for its properties, never
 * which format it is. */
struct ra_table_form {
	const char *name;   /* value of --format */
	const char *suffix; /* suffix of files */
	enum ra_table_frame frame;
	bool is_one;            /* for ROWS: no empty line between the tables */
	const char *title_mark; /* before a title */
	bool is_wrapped;        /* texts around the tables are wrapped to the width */
	/* Appends a table. @width: as in ra_table_text_put(). */
	void (*put)(struct ra_util_text *text, const struct ra_table *table, size_t width);
};

extern const struct ra_table_form ra_table_forms_text;
extern const struct ra_table_form ra_table_forms_csv;
extern const struct ra_table_form ra_table_forms_json;

/* All formats, the default first; ends with NULL. */
extern const struct ra_table_form *const ra_table_forms_all[];

#endif
