/* SPDX-License-Identifier: MIT */
/* Inserts rows into the tables of an SQLite file. Running a statement costs more than the row that
 * it inserts, so long tables get several rows by one statement. */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/text/util-json.h"
#include "analyzer/base/text/util-text.h"
#include "analyzer/io/sqlite-library.h"
#include "analyzer/write-sqlite/sqlite-db.h"

/* Rows that a statement for a long table inserts. */
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
		const char *text; /* borrowed, but OWN_TEXT is owned */
	} as;
	uint32_t length; /* of a text */
	enum kind kind;
};

/* Rows that are not inserted yet. After those that are whole comes the next one, which is being
 * filled. */
struct ra_sqlite_rows {
	int columns;
	int most;                   /* how many rows are inserted together */
	int count;                  /* whole rows, fewer than most */
	struct sqlite3_stmt *one;   /* inserts a row; NULL: not needed yet */
	struct sqlite3_stmt *batch; /* inserts BATCH rows; likewise */
	uint64_t set[BATCH];        /* by row: the columns that are not NULL, a bit each */
	uint64_t bound[BATCH];      /* by row: the columns that were not NULL in the last run of
	                               batch, a bit each */
	struct value values[];      /* by row, by column */
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
	ra_util_text_put(&sql, d->columns, strlen(d->columns)); /* formats have a limit */
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

/* Return: a statement that inserts so many rows; NULL on failure. */
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
		/* Not copied, because the statement runs before the text's owner is freed. */
		code = sqlite->bind_text64(statement, place, value->as.text, value->length,
		                           SQLITE_STATIC, SQLITE_UTF8);
	}
	ra_sqlite_db_note(table->db, code);
}

/* Binds a row's values that are not NULL. @first: the place of its first column. */
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

/* Makes all values of a row NULL. */
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

/* Inserts BATCH rows by one statement. Values that the last such rows had bound and these rows lack
 * become NULL: this is less work than clearing all. */
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

/* Inserts fewer rows, each by itself. */
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
	if (next < rows->most) { /* the one that is being filled */
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

/* Return: a value of the next row, which the caller sets; NULL after a failure. */
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

/* The number of bytes at the beginning that are valid UTF-8. */
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

/* Return: the text with U+FFFD in place of invalid UTF-8; the caller frees its bytes. */
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
