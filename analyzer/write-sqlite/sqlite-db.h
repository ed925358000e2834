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

/* The first failure is kept; after it nothing is written. */
struct ra_sqlite_db {
	const struct ra_sqlite_library *sqlite; /* the library's functions */
	struct sqlite3 *handle;
	int code;                        /* errno of the first failure, 0 if there is none */
	struct ra_sqlite_table *pending; /* the only table that may have rows to be inserted */
};

/* NULL in a row of integers. */
#define RA_SQLITE_NULL INT64_MIN

/* A table: its columns in SQL, and which of them rows fill, in which order. */
struct ra_sqlite_definition {
	const char *name;
	const char *columns;
	const char *filled; /* at most 64 */
};

/* The table is made with the first row, as in nsys. Zero-initialise, then set the first three. The
 * table must stay where it is until it is closed. */
struct ra_sqlite_table {
	struct ra_sqlite_db *db;
	const struct ra_sqlite_definition *definition;
	bool is_long; /* many rows are expected: they are inserted several at a time */
	struct ra_sqlite_rows *rows; /* owned; NULL: the table does not exist yet */
};

/* Makes a file at a path where there is none, or an empty one. All writes are one transaction.
 * Without libsqlite3 it fails with ENOSYS. */
void ra_sqlite_db_open(struct ra_sqlite_db *db, const char *path);

/* Keeps what an SQLite function returned, if it is the first failure. */
void ra_sqlite_db_note(struct ra_sqlite_db *db, int code);

/* Runs SQL, but not after a failure. */
void ra_sqlite_db_run(struct ra_sqlite_db *db, const char *sql);

/* Ends the transaction; the database stays open. Return: 0, or the errno of the first failure. */
int ra_sqlite_db_commit(struct ra_sqlite_db *db);

/* Closes the database. Return: 0, or the errno of the first failure since open. */
int ra_sqlite_db_end(struct ra_sqlite_db *db);

/* ---- sqlite-rows.c ---- */

/* Makes the table even if it gets no rows. */
void ra_sqlite_table_create(struct ra_sqlite_table *table);

/* Inserts what is left. */
void ra_sqlite_table_close(struct ra_sqlite_table *table);

/* Set a value of the next row, by its index among the filled columns. Values that are not set are
 * NULL. */
void ra_sqlite_table_set_int(struct ra_sqlite_table *table, int place, int64_t integer);
void ra_sqlite_table_set_real(struct ra_sqlite_table *table, int place, double real);

/* Invalid UTF-8 becomes U+FFFD. Texts are not copied: they must live until the row is added, those
 * of a long table until it is closed. */
void ra_sqlite_table_set_text(struct ra_sqlite_table *table, int place, struct rlog_string text);
void ra_sqlite_table_set_word(struct ra_sqlite_table *table, int place, const char *word);

/* Appends the row. Rows of all tables are inserted in the order in which they are added, so the
 * file's bytes do not depend on how many are inserted together. @values: of the first columns,
 * RA_SQLITE_NULL for NULL. */
void ra_sqlite_table_add(struct ra_sqlite_table *table, const int64_t *values, size_t count);

#endif
