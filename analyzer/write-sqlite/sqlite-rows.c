/* SPDX-License-Identifier: MIT */
/* Inserts rows into the tables of an SQLite file. Running a statement costs more than inserting a
 * row, so one statement inserts several rows of a long table. */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/text/util-json.h"
#include "analyzer/base/text/util-text.h"
#include "analyzer/io/sqlite-library.h"
#include "analyzer/write-sqlite/sqlite-db.h"

/* Number of rows that one statement inserts into a long table. */
#define BATCH 16

enum kind {
	INTEGER,
	REAL,
	TEXT,
	OWN_TEXT
};

struct value {
	union {
		int64_t integer;
		double real;
		const char *text; /* borrowed, but owned if the kind is OWN_TEXT */
	} as;
	uint32_t length; /* length of the text */
	enum kind kind;
};

/* The rows that are not inserted yet: the complete ones, and after them the next row, which is
 * being filled. */
struct ra_sqlite_rows {
	int columns;
	int most;                   /* number of rows that are inserted together */
	int count;                  /* number of complete rows; less than `most` */
	struct sqlite3_stmt *one;   /* inserts one row; NULL: not needed so far */
	struct sqlite3_stmt *batch; /* inserts BATCH rows; NULL: not needed so far */
	uint64_t set[BATCH];        /* by row: a bit for each column that is not NULL */
	/* by row: a bit for each column that was not NULL when `batch` ran last */
	uint64_t bound[BATCH];
	struct value values[]; /* ordered by row, then column */
};

static struct value *values_of(struct ra_sqlite_rows *rows, int row)
{
	return &rows->values[(size_t) row * (size_t) rows->columns];
}

/* ---- the table ---- */

static int count_columns(const struct ra_sqlite_definition *definition)
{
	int count = 1;

	for (const char *c = definition->filled; *c != '\0'; c++) {
		count += *c == ',';
	}
	return count;
}

static void make(struct ra_sqlite_table *table)
{
	const struct ra_sqlite_definition *d = table->definition;
	const int columns = count_columns(d);
	const int most = table->is_long ? BATCH : 1;
	struct ra_util_text sql = { 0 };

	ra_util_text_format(&sql, "CREATE TABLE %s (", d->name);
	/* put by itself, because formatted text has a limit */
	ra_util_text_put(&sql, d->columns, strlen(d->columns));
	ra_util_text_put(&sql, ")", 2);
	ra_sqlite_db_run(table->db, sql.bytes);
	ra_util_text_free(&sql);
	table->rows = ra_alloc_zeros(1, sizeof(*table->rows) + (size_t) columns * (size_t) most *
	                                                               sizeof(struct value));
	table->rows->columns = columns;
	table->rows->most = most;
}

void ra_sqlite_table_create(struct ra_sqlite_table *table)
{
	if (table->rows == NULL && table->db->code == 0) {
		make(table);
	}
}

/* Makes a statement that inserts this many rows. Return: NULL on failure. */
static struct sqlite3_stmt *prepare(struct ra_sqlite_table *table, int rows)
{
	const struct ra_sqlite_definition *d = table->definition;
	struct ra_sqlite_db *db = table->db;
	struct sqlite3_stmt *statement = NULL;
	struct ra_util_text sql = { 0 };

	if (db->code != 0) {
		return NULL;
	}
	ra_util_text_format(&sql, "INSERT INTO %s (", d->name);
	ra_util_text_put(&sql, d->filled, strlen(d->filled));
	ra_util_text_format(&sql, ") VALUES ");
	for (int row = 0; row < rows; row++) {
		ra_util_text_format(&sql, row > 0 ? ",(?" : "(?");
		for (int i = 1; i < table->rows->columns; i++) {
			ra_util_text_put(&sql, ",?", 2);
		}
		ra_util_text_put_char(&sql, ')');
	}
	ra_sqlite_db_note(db, db->sqlite->prepare_v2(db->handle, sql.bytes, (int) sql.length,
	                                             &statement, NULL));
	ra_util_text_free(&sql);
	return statement;
}

/* ---- inserts ---- */

static void bind(struct ra_sqlite_table *table, struct sqlite3_stmt *statement, int place,
                 const struct value *value)
{
	const struct ra_sqlite_library *sqlite = table->db->sqlite;
	int code;

	if (value->kind == INTEGER) {
		code = sqlite->bind_int64(statement, place, value->as.integer);
	} else if (value->kind == REAL) {
		code = sqlite->bind_double(statement, place, value->as.real);
	} else {
		/* Not copied, because the statement runs before the owner frees the text. */
		code = sqlite->bind_text64(statement, place, value->as.text, value->length,
		                           SQLITE_STATIC, SQLITE_UTF8);
	}
	ra_sqlite_db_note(table->db, code);
}

/* Binds those values of a row that are not NULL. @first: index of the place for its first
 * column. */
static void bind_row(struct ra_sqlite_table *table, struct sqlite3_stmt *statement, int row,
                     int first)
{
	const struct ra_sqlite_rows *rows = table->rows;
	const struct value *values = values_of(table->rows, row);

	for (uint64_t set = rows->set[row]; set != 0; set &= set - 1) {
		const int i = __builtin_ctzll(set);

		bind(table, statement, first + i, &values[i]);
	}
}

static void insert(struct ra_sqlite_table *table, struct sqlite3_stmt *statement)
{
	struct ra_sqlite_db *db = table->db;

	if (db->code == 0) {
		ra_sqlite_db_note(db, db->sqlite->step(statement));
		db->sqlite->reset(statement);
	}
}

/* Sets all values of a row to NULL. */
static void clear_row(struct ra_sqlite_rows *rows, int row)
{
	struct value *values = values_of(rows, row);

	for (uint64_t set = rows->set[row]; set != 0; set &= set - 1) {
		const int i = __builtin_ctzll(set);

		if (values[i].kind == OWN_TEXT) {
			free((char *) values[i].as.text);
		}
	}
	rows->set[row] = 0;
}

/* Inserts BATCH rows with one statement. Only values that were bound for the last such rows and are
 * not set in these rows are set to NULL: this is less work than clearing all. */
static void insert_batch(struct ra_sqlite_table *table)
{
	const struct ra_sqlite_library *sqlite = table->db->sqlite;
	struct ra_sqlite_rows *rows = table->rows;

	if (rows->batch == NULL) {
		rows->batch = prepare(table, BATCH);
	}
	for (int row = 0; row < BATCH && table->db->code == 0; row++) {
		const int first = row * rows->columns + 1;
		uint64_t gone = rows->bound[row] & ~rows->set[row];

		for (; gone != 0; gone &= gone - 1) {
			sqlite->bind_null(rows->batch, first + __builtin_ctzll(gone));
		}
		bind_row(table, rows->batch, row, first);
		rows->bound[row] = rows->set[row];
	}
	insert(table, rows->batch);
	for (int row = 0; row < BATCH; row++) {
		clear_row(rows, row);
	}
	rows->count = 0;
}

/* Inserts fewer rows, each with a statement of its own. */
static void insert_rest(struct ra_sqlite_table *table)
{
	struct ra_sqlite_rows *rows = table->rows;
	const int next = rows->count;

	if (next == 0) {
		return;
	}
	if (rows->one == NULL) {
		rows->one = prepare(table, 1);
	}
	for (int row = 0; row < next; row++) {
		if (table->db->code == 0) {
			bind_row(table, rows->one, row, 1);
			insert(table, rows->one);
			table->db->sqlite->clear_bindings(rows->one);
		}
		clear_row(rows, row);
	}
	rows->count = 0;
	if (next < rows->most) { /* the row that is being filled */
		memcpy(rows->values, values_of(rows, next),
		       (size_t) rows->columns * sizeof(rows->values[0]));
		rows->set[0] = rows->set[next];
		rows->set[next] = 0;
	}
}

void ra_sqlite_table_close(struct ra_sqlite_table *table)
{
	struct ra_sqlite_rows *rows = table->rows;
	struct ra_sqlite_db *db = table->db;

	if (rows == NULL) {
		return;
	}
	if (db->pending == table) {
		insert_rest(table);
		db->pending = NULL;
	}
	clear_row(rows, 0);
	db->sqlite->finalize(rows->one);
	db->sqlite->finalize(rows->batch);
	free(rows);
	table->rows = NULL;
}

/* ---- values of the next row ---- */

/* Gives the place for a value of the next row, which the caller sets. Return: NULL after a
 * failure. */
static struct value *fill(struct ra_sqlite_table *table, int place, enum kind kind)
{
	struct ra_sqlite_rows *rows;
	struct value *value;

	ra_sqlite_table_create(table);
	if (table->db->code != 0) {
		return NULL;
	}
	rows = table->rows;
	value = values_of(rows, rows->count) + place;
	value->kind = kind;
	rows->set[rows->count] |= UINT64_C(1) << place;
	return value;
}

void ra_sqlite_table_set_int(struct ra_sqlite_table *table, int place, int64_t integer)
{
	struct value *value = fill(table, place, INTEGER);

	if (value != NULL) {
		value->as.integer = integer;
	}
}

void ra_sqlite_table_set_real(struct ra_sqlite_table *table, int place, double real)
{
	struct value *value = fill(table, place, REAL);

	if (value != NULL) {
		value->as.real = real;
	}
}

/* The number of bytes at the start of a text that are valid UTF-8. */
static size_t count_good(struct rlog_string text)
{
	size_t at = 0;

	while (at < text.length) {
		size_t bad;
		const size_t length =
			ra_util_json_utf8_length(text.bytes + at, text.length - at, &bad);

		if (length == 0) {
			break;
		}
		at += length;
	}
	return at;
}

/* Replaces invalid UTF-8 by U+FFFD. Return: the new text; the caller frees its bytes. */
static struct ra_util_text mend(struct rlog_string text)
{
	struct ra_util_text mended = { 0 };
	size_t bad = 0;

	for (size_t at = 0; at < text.length;) {
		const struct rlog_string rest = { text.bytes + at, text.length - (uint32_t) at, 0 };
		const size_t good = count_good(rest);

		ra_util_text_put(&mended, rest.bytes, good);
		at += good;
		if (at < text.length) {
			ra_util_json_utf8_length(text.bytes + at, text.length - at, &bad);
			ra_util_text_put(&mended, "\xEF\xBF\xBD", 3);
			at += bad;
		}
	}
	return mended;
}

void ra_sqlite_table_set_text(struct ra_sqlite_table *table, int place, struct rlog_string text)
{
	const bool is_good = count_good(text) == text.length;
	struct value *value = fill(table, place, is_good ? TEXT : OWN_TEXT);

	if (value == NULL) {
		return;
	}
	if (is_good) {
		value->as.text = text.bytes != NULL ? text.bytes : "";
		value->length = text.length;
	} else {
		const struct ra_util_text mended = mend(text);

		value->as.text = mended.bytes;
		value->length = (uint32_t) mended.length;
	}
}

void ra_sqlite_table_set_word(struct ra_sqlite_table *table, int place, const char *word)
{
	const uint32_t length = (uint32_t) strlen(word);

	ra_sqlite_table_set_text(table, place, (struct rlog_string){ word, length, length });
}

void ra_sqlite_table_add(struct ra_sqlite_table *table, const int64_t *values, size_t count)
{
	struct ra_sqlite_db *db = table->db;

	for (size_t i = 0; i < count; i++) {
		if (values[i] != RA_SQLITE_NULL) {
			ra_sqlite_table_set_int(table, (int) i, values[i]);
		}
	}
	ra_sqlite_table_create(table);
	if (db->code != 0) {
		return;
	}
	if (db->pending != table && db->pending != NULL) {
		insert_rest(db->pending);
	}
	db->pending = table;
	table->rows->count++;
	if (table->rows->count == table->rows->most) {
		if (table->is_long) {
			insert_batch(table);
		} else {
			insert_rest(table);
		}
	}
}
