/* SPDX-License-Identifier: MIT */
/* Reads an SQLite file as a set of tables whose columns may be missing. */
#ifndef RA_NSYS_DB_H
#define RA_NSYS_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/error.h"
#include "format/tables.h"

struct ra_sqlite_library;
struct sqlite3;
struct sqlite3_stmt;

struct ra_nsys_db {
	const struct ra_sqlite_library *sqlite; /* the library's functions */
	struct sqlite3 *handle;
	struct rlog_error *err; /* borrowed, may be NULL: gets the first error */
	uint64_t file_bytes;
	int rc; /* code of the first error, after which nothing more is read; 0: no error */
};

/* Opens a file. Return: 0, or -RLOG_E_SYSTEM, -RLOG_E_NOT_A_LOG (not a database, damaged, or
 * libsqlite3 is missing), -RLOG_E_NO_MEMORY. Close it in any case. */
int ra_nsys_db_open(struct ra_nsys_db *db, const char *path, struct rlog_error *err);
void ra_nsys_db_close(struct ra_nsys_db *db);

/* True if there is a table with this name. Views are ignored, because a view can run for ever. */
bool ra_nsys_db_has(struct ra_nsys_db *db, const char *table);

/* The rows of a table. */
struct ra_nsys_rows {
	struct ra_nsys_db *db;
	struct sqlite3_stmt *statement; /* NULL: the table has no rows */
};

/*
 * Selects columns of a table. A missing column is NULL in each row; a missing table has no rows.
 *
 * @columns: ends with NULL. @where: an SQL condition; NULL: all rows.
 */
void ra_nsys_rows_open(struct ra_nsys_rows *rows, struct ra_nsys_db *db, const char *table,
                       const char *const *columns, const char *where);
void ra_nsys_rows_close(struct ra_nsys_rows *rows);

/* Moves to the next row. Return: false at the end, or if db->rc is not 0. */
bool ra_nsys_rows_next(struct ra_nsys_rows *rows);

/* The value of a column in the current row. The column is given by its index in the list. */
bool ra_nsys_rows_is_null(const struct ra_nsys_rows *rows, int column);
int64_t ra_nsys_rows_int(const struct ra_nsys_rows *rows, int column, int64_t none);
double ra_nsys_rows_real(const struct ra_nsys_rows *rows, int column);

/* The value limited to 32 bits. */
uint32_t ra_nsys_rows_u32(const struct ra_nsys_rows *rows, int column, uint32_t none);

/* The text, borrowed until the next row; bytes NULL: none. It may not be UTF-8. */
struct rlog_string ra_nsys_rows_text(const struct ra_nsys_rows *rows, int column);

#endif
