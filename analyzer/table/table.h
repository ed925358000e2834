/* SPDX-License-Identifier: MIT */
/* Tables in memory: typed cells that can be sorted, cut, and written in several forms. */
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
	RA_TABLE_SHARE,     /* part of whole, in per cent for people */
	RA_TABLE_RATIO,     /* the same as a plain number, may be over 1 */
	RA_TABLE_VALUE,     /* a number that the program gave, with its type: i32:-7 */
	RA_TABLE_REAL,      /* a number that may have a fraction */
	RA_TABLE_SIZE,      /* such a number of bytes, with a unit for people */
	RA_TABLE_FLOPS,     /* such a number of operations: 58.9 TFLOP … */
	RA_TABLE_FLOP_RATE, /* … those of a second … */
	RA_TABLE_BYTE_RATE, /* … and bytes of a second */
	RA_TABLE_PART,      /* such a number that is a part of 1, in per cent for people */
	RA_TABLE_FLAG,      /* a number: 0 no, else yes */
	RA_TABLE_CHIP,      /* a number as PyTorch counts: 0 CPU, 1 CUDA */
};

struct ra_table_column {
	const char *key;   /* in CSV and JSON, and for --sort */
	const char *title; /* for people */
	enum ra_table_kind kind;
	const char *usual; /* people are not shown the column when all its cells say this or
	                      nothing; digits for a number, 0 or 1 for a share; NULL: it is always
	                      shown */
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
	const struct ra_table_column *columns; /* borrowed; RA_TABLE_MOST_COLUMNS at most */
	size_t column_count;
	const char *name; /* borrowed: of the report, for lines that say it; NULL: none */
	uint64_t absent;  /* a bit for each column that no form shows */
	struct ra_table_cell *cells; /* owned; row after row */
	size_t row_count;
	size_t cut_count;              /* rows that ra_table_cut took away */
	size_t weight;                 /* as ra_table_rank() finds it: 1 + a column, 0: none */
	size_t sorted;                 /* 1 + the column that --sort named, which is shown
	                                  whatever it says; 0: none */
	size_t capacity;               /* of cells */
	struct ra_table_block *blocks; /* owned: texts made for this table */
};

void ra_table_init(struct ra_table *table, const struct ra_table_column *columns,
                   size_t column_count);
void ra_table_fini(struct ra_table *table);

/* Appends a row of cells without values. */
struct ra_table_cell *ra_table_add_row(struct ra_table *table);

/* Keeps a copy of a text as long as the table. */
struct rlog_string ra_table_keep_text(struct ra_table *table, const char *bytes, size_t length);

/* The same of a text that was made for it, which is freed. */
struct rlog_string ra_table_take_text(struct ra_table *table, struct ra_util_text *text);

/* Leaves a column out in every form: what was asked for has no such column. */
static inline void ra_table_hide(struct ra_table *table, size_t column)
{
	table->absent |= UINT64_C(1) << column;
}

static inline bool ra_table_is_hidden(const struct ra_table *table, size_t column)
{
	return (table->absent >> column & 1) != 0;
}

/* Appends a value as people and programs read it. */
void ra_table_put_value(struct ra_util_text *text, const struct ra_table_cell *cell);

/* Index of a column by its key, the ending _ns, _us or _share apart; column_count if there is none.
 */
size_t ra_table_find_column(const struct ra_table_column *columns, size_t column_count,
                            const char *key);

/* True if two cells of a column, both with a value, say the same. */
bool ra_table_is_equal(const struct ra_table_column *column, const struct ra_table_cell *a,
                       const struct ra_table_cell *b);

/* Sorts the rows; equal ones keep their order, cells without a value come last. */
void ra_table_sort(struct ra_table *table, size_t column, bool is_descending);

/* Keeps the first `limit` rows. */
void ra_table_cut(struct ra_table *table, size_t limit);

static inline struct ra_table_cell ra_table_make_text(struct rlog_string text)
{
	const struct ra_table_cell cell = { .has_value = true, .u.text = text };

	return cell;
}

/* Of a text that lives as long as the table. */
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

/* The number of a device, context or stream: what a file calls -1 is the largest one in memory. */
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

/* Leaves the cell without a value where it is not a number. */
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
