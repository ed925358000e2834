/* SPDX-License-Identifier: MIT */
/* Runs one SQL statement on a read-only database, with limits on time and memory. */
#ifndef RA_SQL_QUERY_H
#define RA_SQL_QUERY_H

#include "analyzer/table/table.h"

struct ra_sqlite_library;
struct sqlite3;

/* The rows of an answer. The columns are those of the statement. */
struct ra_query_answer {
	struct ra_table table;
	struct ra_table_column columns[RA_TABLE_MOST_COLUMNS];
	bool has_table; /* free the table with ra_query_answer_fini() */
	char error[400];
};

struct ra_query_limits {
	size_t rows;      /* most rows to return; 0: all, but more than ten million are refused */
	unsigned seconds; /* time limit for the statement */
};

/*
 * Prepares a database with nsys' tables for queries: makes the views slices, kernels, calls and
 * copies, if the tables for them exist. From now on sqlite may use at most 1 GiB of memory.
 *
 * @why: room for 200 bytes; gets the reason if false is returned.
 */
bool ra_query_begin(const struct ra_sqlite_library *sqlite, struct sqlite3 *db, char *why);

/* Runs a statement. Return: false: answer->error has the reason; the table is then empty. */
bool ra_query_run(const struct ra_sqlite_library *sqlite, struct sqlite3 *db, const char *sql,
                  const struct ra_query_limits *limits, struct ra_query_answer *answer);
void ra_query_answer_fini(struct ra_query_answer *answer);

/* The statement that lists tables, views and their columns. */
extern const char ra_query_schema[];

#endif
