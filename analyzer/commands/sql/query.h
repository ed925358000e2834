/* SPDX-License-Identifier: MIT */
/* One statement of SQL over a database that is only read, within bounds of time and memory. */
#ifndef RA_SQL_QUERY_H
#define RA_SQL_QUERY_H

#include "analyzer/table/table.h"

struct ra_sqlite_library;
struct sqlite3;

/* What the rows of an answer are: columns are those of the statement. */
struct ra_query_answer {
	struct ra_table table;
	struct ra_table_column columns[RA_TABLE_MOST_COLUMNS];
	bool has_table; /* the table is to be freed, by ra_query_answer_fini() */
	char error[400];
};

struct ra_query_limits {
	size_t rows;      /* the first; 0: all, of which more than ten million are refused */
	unsigned seconds; /* of the statement */
};

/*
 * Readies a database with nsys' tables to be asked: makes the views slices, kernels, calls and
 * copies of the tables that are there; sqlite takes 1 GiB of memory at most from now on.
 *
 * @why: 200 bytes: the reason where false is returned.
 */
bool ra_query_begin(const struct ra_sqlite_library *sqlite, struct sqlite3 *db, char *why);

/* Runs a statement. Return: false: answer->error says why; the table is then empty. */
bool ra_query_run(const struct ra_sqlite_library *sqlite, struct sqlite3 *db, const char *sql,
                  const struct ra_query_limits *limits, struct ra_query_answer *answer);
void ra_query_answer_fini(struct ra_query_answer *answer);

/* The statement that lists tables, views and their columns. */
extern const char ra_query_schema[];

#endif
