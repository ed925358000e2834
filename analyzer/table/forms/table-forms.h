/* SPDX-License-Identifier: MIT */
/* Lists the output formats of tables: text, CSV, TSV, JSON, lines of JSON, Markdown, SQL. */
#ifndef RA_TABLE_FORMS_H
#define RA_TABLE_FORMS_H

#include "analyzer/table/table.h"

/* What is written around tables if there are several. */
enum ra_table_frame {
	RA_TABLE_FRAME_TITLES, /* for people: titles, and the footer below */
	RA_TABLE_FRAME_ROWS,   /* for programs: an empty line between tables; the footer goes to
	                          stderr */
	RA_TABLE_FRAME_JSON,   /* one object holds the tables and the footer */
};

/* A format; each has one const entry. Code that prints tables reads the properties of the entry,
 * and never asks which format it is. */
struct ra_table_form {
	const char *name;   /* value of --format */
	const char *suffix; /* suffix of files */
	enum ra_table_frame frame;
	bool is_one;            /* for ROWS: there is no empty line between the tables */
	const char *title_mark; /* text before a title */
	bool is_wrapped;        /* texts around the tables are wrapped to the width */
	/* Appends a table. @width: the same as for ra_table_text_put(). */
	void (*put)(struct ra_util_text *text, const struct ra_table *table, size_t width);
};

extern const struct ra_table_form ra_table_forms_text;
extern const struct ra_table_form ra_table_forms_csv;
extern const struct ra_table_form ra_table_forms_json;

/* All formats, the default format first; ends with NULL. */
extern const struct ra_table_form *const ra_table_forms_all[];

#endif
