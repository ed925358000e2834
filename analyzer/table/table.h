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
	RA_TABLE_SHARE,     /* a part of a whole; people see percent */
	RA_TABLE_RATIO,     /* a part of a whole as a plain number, which may be more than 1 */
	RA_TABLE_VALUE,     /* a number that the program gave, with its type: i32:-7 */
	RA_TABLE_REAL,      /* a number that may have a fraction, like all kinds below up to PART */
	RA_TABLE_SIZE,      /* bytes; people see a unit */
	RA_TABLE_FLOPS,     /* floating-point operations, such as 58.9 TFLOP … */
	RA_TABLE_FLOP_RATE, /* … per second … */
	RA_TABLE_BYTE_RATE, /* … and bytes per second */
	RA_TABLE_PART,      /* a part of 1; people see percent */
	RA_TABLE_FLAG,      /* a number: 0 means no, all others yes */
	RA_TABLE_CHIP,      /* a device type by PyTorch's numbers: 0 CPU, 1 CUDA */
};

struct ra_table_column {
	const char *key;   /* name in CSV and JSON, and for --sort */
	const char *title; /* title for people */
	enum ra_table_kind kind;
	/* people do not see the column if each cell has this value or none; digits for a number,
	 * 0 or 1 for a share; NULL: always shown */
	const char *usual;
};

struct ra_table_cell {
	bool has_value; /* false: the cell is shown as "-", empty, or null */
	union {
		struct rlog_string text; /* borrowed */
		int64_t number;          /* for counts and times */
		double real;
		struct {
			int64_t part;
			int64_t whole;
		} share;
		struct {
			uint64_t bits; /* bits as in struct ra_attr */
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
	uint64_t absent;  /* a bit for each column that is hidden in all formats */
	struct ra_table_cell *cells; /* owned; row by row */
	size_t row_count;
	size_t cut_count; /* rows that ra_table_cut removed */
	/* Rows that the report counted but did not make: their number, and their sum in the column
	 * by which rows are ranked (ra_table_rank()). */
	size_t unmade_count;
	int64_t unmade_ns;
	size_t weight; /* 1 + index of the column that ra_table_rank() found; 0: none */
	/* 1 + index of the column that --sort names, which is always shown; 0: none */
	size_t sorted;
	size_t capacity;               /* room for this many cells */
	struct ra_table_block *blocks; /* owned: texts that were made for this table */
};

void ra_table_init(struct ra_table *table, const struct ra_table_column *columns,
                   size_t column_count);
void ra_table_fini(struct ra_table *table);

/* Appends a row of cells without values. */
struct ra_table_cell *ra_table_add_row(struct ra_table *table);

/* Copies a text; the copy lives as long as the table. */
struct rlog_string ra_table_keep_text(struct ra_table *table, const char *bytes, size_t length);

/* Moves a text into the table: the text passed is freed. */
struct rlog_string ra_table_take_text(struct ra_table *table, struct ra_util_text *text);

/* Hides a column in every format, for a report that does not have it. */
static inline void ra_table_hide(struct ra_table *table, size_t column)
{
	table->absent |= UINT64_C(1) << column;
}

static inline bool ra_table_is_hidden(const struct ra_table *table, size_t column)
{
	return (table->absent >> column & 1) != 0;
}

/* Appends a value in a form for both people and programs. */
void ra_table_put_value(struct ra_util_text *text, const struct ra_table_cell *cell);

/* The index of a column by its key, with or without the ending _ns, _us or _share; column_count:
 * there is none. */
size_t ra_table_find_column(const struct ra_table_column *columns, size_t column_count,
                            const char *key);

/* True if two cells of a column are equal. Both must have a value. */
bool ra_table_is_equal(const struct ra_table_column *column, const struct ra_table_cell *a,
                       const struct ra_table_cell *b);

/* Sorts the rows. Equal rows keep their order; cells without a value come last. */
void ra_table_sort(struct ra_table *table, size_t column, bool is_descending);

/* Keeps the first `limit` rows. */
void ra_table_cut(struct ra_table *table, size_t limit);

static inline struct ra_table_cell ra_table_make_text(struct rlog_string text)
{
	const struct ra_table_cell cell = { .has_value = true, .u.text = text };

	return cell;
}

/* A cell with a text that lives at least as long as the table. */
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

/* A cell with the number of a device, context or stream. If a file has -1, the number in memory is
 * the largest one. */
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

/* Sets a cell. If the number is NaN, the cell has no value. */
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
