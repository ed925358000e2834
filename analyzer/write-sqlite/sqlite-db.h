/* SPDX-License-Identifier: MIT */
/* Makes an SQLite file: tables to which rows are appended. */
#ifndef RA_SQLITE_DB_H
#define RA_SQLITE_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/tables.h"

struct ra_sqlite_library;
struct sqlite3;
struct ra_sqlite_rows;
struct ra_sqlite_table;

/* An SQLite file that is being written. The first failure is kept, and after it nothing is
 * written. */
struct ra_sqlite_db {
	const struct ra_sqlite_library *sqlite; /* the library's functions */
	struct sqlite3 *handle;
	int code; /* errno of the first failure; 0: there was none */
	/* the only table that may have rows that are not inserted yet */
	struct ra_sqlite_table *pending;
};

/* Means NULL in a row of integers. */
#define RA_SQLITE_NULL INT64_MIN

/* Defines a table: its columns in SQL, and which of them are filled, in the order of the values in
 * a row. */
struct ra_sqlite_definition {
	const char *name;
	const char *columns;
	const char *filled; /* names of the filled columns; at most 64 */
};

/* A table that is being written. It is made with its first row, as in nsys. Zero-initialise, then
 * set the first three members. The struct must stay at its place until the table is closed. */
struct ra_sqlite_table {
	struct ra_sqlite_db *db;
	const struct ra_sqlite_definition *definition;
	bool is_long; /* many rows are expected, so they are inserted several at a time */
	struct ra_sqlite_rows *rows; /* owned; NULL: the table was not made yet */
};

/* Makes a file where there is none, or in an empty one. All writes are one transaction. Without
 * libsqlite3 it fails with ENOSYS. */
void ra_sqlite_db_open(struct ra_sqlite_db *db, const char *path);

/* Notes the code that a function of SQLite returned, if it is the first failure. */
void ra_sqlite_db_note(struct ra_sqlite_db *db, int code);

/* Runs SQL, unless there was a failure. */
void ra_sqlite_db_run(struct ra_sqlite_db *db, const char *sql);

/* Ends the transaction; the database stays open. Return: 0, or the errno of the first failure. */
int ra_sqlite_db_commit(struct ra_sqlite_db *db);

/* Closes the database. Return: 0, or the errno of the first failure since open. */
int ra_sqlite_db_end(struct ra_sqlite_db *db);

/* ---- sqlite-rows.c ---- */

/* Makes the table even if it gets no rows. */
void ra_sqlite_table_create(struct ra_sqlite_table *table);

/* Inserts the rows that are left. */
void ra_sqlite_table_close(struct ra_sqlite_table *table);

/* These set a value of the next row, by its index among the filled columns. Values that are not set
 * are NULL. */
void ra_sqlite_table_set_int(struct ra_sqlite_table *table, int place, int64_t integer);
void ra_sqlite_table_set_real(struct ra_sqlite_table *table, int place, double real);

/* The function for texts. Invalid UTF-8 becomes U+FFFD. Texts are not copied: a text must stay
 * valid until its row is added; in a long table, until the table is closed. */
void ra_sqlite_table_set_text(struct ra_sqlite_table *table, int place, struct rlog_string text);
void ra_sqlite_table_set_word(struct ra_sqlite_table *table, int place, const char *word);

/* Adds the row. Rows of all tables are inserted in the order in which they were added, so the
 * file's bytes do not depend on how many are inserted together. @values: values of the first
 * columns; RA_SQLITE_NULL for NULL. */
void ra_sqlite_table_add(struct ra_sqlite_table *table, const int64_t *values, size_t count);

#endif
