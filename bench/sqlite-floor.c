/* SPDX-License-Identifier: MIT */
/* A lower bound (floor) for the output .sqlite, for bench-scale.py. `sqlite-floor OUT ROWS` inserts
 * rows like those of ranges, one by one with bound values, and does nothing else. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/io/sqlite-library.h"
#include "analyzer/write-sqlite/sqlite-tables.h"

/* The columns that are set for a range. */
enum {
	START = 1,
	END = 2,
	TYPE = 3,
	THREAD = 7,
	TEXT = 9,
	DOMAIN = 10,
	FILLED = 17,
};

#define PUSH_POP 59

static void stop(const char *what)
{
	(void) fprintf(stderr, "sqlite-floor: %s\n", what);
	exit(1); /* NOLINT(concurrency-mt-unsafe): one thread */
}

static struct sqlite3_stmt *prepare(const struct ra_sqlite_library *sqlite, struct sqlite3 *db)
{
	const struct ra_sqlite_definition *table = &ra_sqlite_tables_nvtx;
	struct sqlite3_stmt *insert = NULL;
	char sql[2000];
	int used = snprintf(sql, sizeof(sql), "CREATE TABLE %s (%s)", table->name, table->columns);

	if (sqlite->exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) {
		stop(sqlite->errmsg(db));
	}
	used = snprintf(sql, sizeof(sql), "INSERT INTO %s (%s) VALUES (?", table->name,
	                table->filled);
	for (int i = 1; i < FILLED; i++) {
		used += snprintf(sql + used, sizeof(sql) - (size_t) used, ",?");
	}
	(void) snprintf(sql + used, sizeof(sql) - (size_t) used, ")");
	if (sqlite->prepare_v2(db, sql, -1, &insert, NULL) != SQLITE_OK) {
		stop(sqlite->errmsg(db));
	}
	return insert;
}

int main(int argc, char **argv)
{
	const struct ra_sqlite_library *sqlite = ra_sqlite_library_find(NULL);
	const long long rows = argc > 2 ? strtoll(argv[2], NULL, 10) : 0;
	struct sqlite3_stmt *insert;
	struct sqlite3 *db = NULL;

	if (argc < 3 || sqlite == NULL) {
		stop("usage: sqlite-floor OUT ROWS, with libsqlite3");
	}
	(void) remove(argv[1]);
	if (sqlite->open_v2(argv[1], &db,
	                    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
	                    NULL) != SQLITE_OK ||
	    sqlite->exec(db, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN", NULL, NULL,
	                 NULL) != SQLITE_OK) {
		stop("opening");
	}
	insert = prepare(sqlite, db);
	for (long long i = 0; i < rows; i++) {
		sqlite->bind_int64(insert, START, i * 1000);
		sqlite->bind_int64(insert, END, i * 1000 + 1 + i % 997);
		sqlite->bind_int64(insert, TYPE, PUSH_POP);
		sqlite->bind_int64(insert, THREAD, 1LL << 48 | 12345LL << 24 | 12345);
		sqlite->bind_int64(insert, TEXT, i % 40);
		sqlite->bind_int64(insert, DOMAIN, 0);
		if (sqlite->step(insert) != SQLITE_DONE) {
			stop(sqlite->errmsg(db));
		}
		sqlite->reset(insert);
	}
	sqlite->finalize(insert);
	sqlite->exec(db, "COMMIT", NULL, NULL, NULL);
	sqlite->close(db);
	return 0;
}
