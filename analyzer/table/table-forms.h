/* SPDX-License-Identifier: MIT */
/* The forms of tables: text, CSV, TSV, JSON, lines of JSON, Markdown, SQL. */
#ifndef RA_TABLE_FORMS_H
#define RA_TABLE_FORMS_H

#include "analyzer/table/table.h"

/* What stands around several tables. */
enum ra_table_frame {
	RA_TABLE_FRAME_TITLES, /* for people: titles, and the footer below */
	RA_TABLE_FRAME_ROWS,   /* for programs: an empty line between; the footer goes to stderr */
	RA_TABLE_FRAME_JSON,   /* one object has the tables and the footer */
};

/* One const entry each: who prints tables asks the entry, never which form it is. */
struct ra_table_form {
	const char *name;   /* as --format takes it */
	const char *suffix; /* of files */
	enum ra_table_frame frame;
	bool is_one;            /* of ROWS: lines of all tables follow each other */
	const char *title_mark; /* before a title */
	bool is_wrapped;        /* texts beside the tables are wrapped to the width */
	/* Failures stay in text. @width: as in ra_table_text_put(). */
	void (*put)(struct ra_util_text *text, const struct ra_table *table, size_t width);
};

extern const struct ra_table_form ra_table_forms_text;
extern const struct ra_table_form ra_table_forms_csv;
extern const struct ra_table_form ra_table_forms_json;

/* All of them, the default first; ends with NULL. */
extern const struct ra_table_form *const ra_table_forms_all[];

#endif
