/* SPDX-License-Identifier: MIT */
/* An SQLite file that is made: tables to which rows are appended. */
#ifndef RA_SQLITE_DB_H
#define RA_SQLITE_DB_H

#include <stddef.h>
#include <stdint.h>

#include "format/tables.h"

struct ra_sqlite_library;
struct sqlite3;
struct sqlite3_stmt;

/* Failures stick: after the first, nothing is written any more. */
struct ra_sqlite_db {
	const struct ra_sqlite_library *sqlite; /* what is called */
	struct sqlite3 *handle;
	int code; /* the errno of the first failure, 0 if there is none */
};

/* NULL in a row of integers. */
#define RA_SQLITE_NULL INT64_MIN

/* A table: its columns as SQL has them, and which of them rows fill, in which order. */
struct ra_sqlite_definition {
	const char *name;
	const char *columns;
	const char *filled;
};

/* Made when the first row comes, as nsys does. Zero-initialise but for db and definition. */
struct ra_sqlite_table {
	struct ra_sqlite_db *db;
	const struct ra_sqlite_definition *definition;
	struct sqlite3_stmt *insert; /* NULL: it is not there yet */
};

/* Makes a file of a path where nothing, or an empty file, is; all becomes one transaction. Without
 * libsqlite3 it fails with ENOSYS. */
void ra_sqlite_db_open(struct ra_sqlite_db *db, const char *path);

/* Ends the transaction; the database stays open. Return: 0, or the errno of the first failure. */
int ra_sqlite_db_commit(struct ra_sqlite_db *db);

/* Closes. Return: 0, or the errno of the first failure since open. */
int ra_sqlite_db_end(struct ra_sqlite_db *db);

/* Makes the table, which is then there even without rows. */
void ra_sqlite_table_create(struct ra_sqlite_table *table);
void ra_sqlite_table_close(struct ra_sqlite_table *table);

/* Values of the next row, by their place among the filled columns; those not set are NULL. */
void ra_sqlite_table_set_int(struct ra_sqlite_table *table, int place, int64_t value);
void ra_sqlite_table_set_real(struct ra_sqlite_table *table, int place, double value);

/* What is no UTF-8 becomes U+FFFD. */
void ra_sqlite_table_set_text(struct ra_sqlite_table *table, int place, struct rlog_string text);
void ra_sqlite_table_set_word(struct ra_sqlite_table *table, int place, const char *word);

/* Appends the row. @values: of the first places, RA_SQLITE_NULL among them for NULL. */
void ra_sqlite_table_add(struct ra_sqlite_table *table, const int64_t *values, size_t count);

#endif
