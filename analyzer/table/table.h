/* SPDX-License-Identifier: MIT */
/* Tables in memory: typed cells that can be sorted, cut, and written in several formats. */
#ifndef RA_TABLE_H
#define RA_TABLE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/base/util.h"
#include "analyzer/base/text/util-text.h"

enum ra_table_kind {
	RA_TABLE_TEXT,
	RA_TABLE_COUNT,
	RA_TABLE_TIME,      /* ns */
	RA_TABLE_SHARE,     /* part of a whole, for people in percent */
	RA_TABLE_RATIO,     /* the same as a plain number, may be over 1 */
	RA_TABLE_VALUE,     /* a number that the program gave, with its type: i32:-7 */
	RA_TABLE_REAL,      /* a number that may have a fraction, as all below up to PART */
	RA_TABLE_SIZE,      /* bytes, with a unit for people */
	RA_TABLE_FLOPS,     /* floating-point operations: 58.9 TFLOP … */
	RA_TABLE_FLOP_RATE, /* … per second … */
	RA_TABLE_BYTE_RATE, /* … and bytes per second */
	RA_TABLE_PART,      /* a part of 1, for people in percent */
	RA_TABLE_FLAG,      /* a number: 0 no, else yes */
	RA_TABLE_CHIP,      /* a device type as PyTorch numbers them: 0 CPU, 1 CUDA */
};

struct ra_table_column {
	const char *key;   /* name in CSV and JSON, and for --sort */
	const char *title; /* title for people */
	enum ra_table_kind kind;
	const char *usual; /* people do not see the column if all its cells have this value or none;
	                      digits for a number, 0 or 1 for a share; NULL: it is always shown */
};

struct ra_table_cell {
	bool has_value; /* false: "-", an empty cell, null */
	union {
		struct rlog_string text; /* borrowed */
		int64_t number;          /* counts and times */
		double real;
		struct {
			int64_t part;
			int64_t whole;
		} share;
		struct {
			uint64_t bits; /* as in struct ra_attr */
			uint32_t type; /* enum rlog_payload_type */
		} value;
	} u;
};

struct ra_table_block;

#define RA_TABLE_MOST_COLUMNS 64

struct ra_table {
	const struct ra_table_column *columns; /* borrowed; at most RA_TABLE_MOST_COLUMNS */
	size_t column_count;
	const char *name; /* borrowed: the report's name, for formats that have it; NULL: none */
	uint64_t absent;  /* a bit for each column that no format shows */
	struct ra_table_cell *cells; /* owned; row by row */
	size_t row_count;
	size_t cut_count; /* rows that ra_table_cut removed */
	/* Rows that the report counted but did not make, and their sum in the column that rows are
	 * ranked by (ra_table_rank()). */
	size_t unmade_count;
	int64_t unmade_ns;
	size_t weight;   /* 1 + the column found by ra_table_rank(), 0: none */
	size_t sorted;   /* 1 + the column named by --sort, which is always shown; 0: none */
	size_t capacity; /* of cells */
	struct ra_table_block *blocks; /* owned: texts made for this table */
};

void ra_table_init(struct ra_table *table, const struct ra_table_column *columns,
                   size_t column_count);
void ra_table_fini(struct ra_table *table);

/* Appends a row of cells without values. */
struct ra_table_cell *ra_table_add_row(struct ra_table *table);

/* Copies a text; the copy lives as long as the table. */
struct rlog_string ra_table_keep_text(struct ra_table *table, const char *bytes, size_t length);

/* Keeps a text, and frees the one that is passed. */
struct rlog_string ra_table_take_text(struct ra_table *table, struct ra_util_text *text);

/* Hides a column in every format, for a kind of report that does not have it. */
static inline void ra_table_hide(struct ra_table *table, size_t column)
{
	table->absent |= UINT64_C(1) << column;
}

static inline bool ra_table_is_hidden(const struct ra_table *table, size_t column)
{
	return (table->absent >> column & 1) != 0;
}

/* Appends a value in the form for both people and programs. */
void ra_table_put_value(struct ra_util_text *text, const struct ra_table_cell *cell);

/* The index of a column by its key, with or without the ending _ns, _us or _share; column_count if
 * there is none. */
size_t ra_table_find_column(const struct ra_table_column *columns, size_t column_count,
                            const char *key);

/* True if two cells of a column, which both have a value, are equal. */
bool ra_table_is_equal(const struct ra_table_column *column, const struct ra_table_cell *a,
                       const struct ra_table_cell *b);

/* Sorts the rows. Equal ones keep their order; cells without a value come last. */
void ra_table_sort(struct ra_table *table, size_t column, bool is_descending);

/* Keeps the first `limit` rows. */
void ra_table_cut(struct ra_table *table, size_t limit);

static inline struct ra_table_cell ra_table_make_text(struct rlog_string text)
{
	const struct ra_table_cell cell = { .has_value = true, .u.text = text };

	return cell;
}

/* A cell with a text that lives as long as the table. */
static inline struct ra_table_cell ra_table_make_word(const char *word)
{
	return ra_table_make_text(ra_util_string(word));
}

static inline struct ra_table_cell ra_table_make_number(int64_t number)
{
	const struct ra_table_cell cell = { .has_value = true, .u.number = number };

	return cell;
}

static inline struct ra_table_cell ra_table_make_count(uint64_t count)
{
	return ra_table_make_number(count < INT64_MAX ? (int64_t) count : INT64_MAX);
}

/* The number of a device, context or stream. In memory, a file's -1 is the largest number. */
static inline struct ra_table_cell ra_table_make_id(uint32_t id)
{
	return ra_table_make_number(id == UINT32_MAX ? -1 : (int64_t) id);
}

static inline struct ra_table_cell ra_table_make_value(uint32_t type, uint64_t bits)
{
	const struct ra_table_cell cell = { .has_value = true, .u.value = { bits, type } };

	return cell;
}

static inline struct ra_table_cell ra_table_make_real(double real)
{
	const struct ra_table_cell cell = { .has_value = true, .u.real = real };

	return cell;
}

/* Leaves the cell without a value if it is NaN. */
static inline void ra_table_put_real(struct ra_table_cell *cell, double real)
{
	if (!isnan(real)) {
		*cell = ra_table_make_real(real);
	}
}

static inline struct ra_table_cell ra_table_make_share(int64_t part, int64_t whole)
{
	const struct ra_table_cell cell = { .has_value = true, .u.share = { part, whole } };

	return cell;
}

#endif
