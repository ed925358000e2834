/* SPDX-License-Identifier: MIT */
/* Loads libsqlite3 when the first database is read. If the program were linked with it, each start
 * would take four times as long. */
#ifndef RA_SQLITE_LIBRARY_H
#define RA_SQLITE_LIBRARY_H

struct sqlite3;
struct sqlite3_stmt;

/* The functions that we call, without their prefix. sqlite-library.c checks their types against
 * sqlite3.h. */
struct ra_sqlite_library {
	int (*open_v2)(const char *path, struct sqlite3 **db, int flags, const char *vfs);
	int (*close)(struct sqlite3 *db);
	int (*db_config)(struct sqlite3 *db, int op, ...);
	int (*exec)(struct sqlite3 *db, const char *sql,
	            int (*row)(void *context, int count, char **texts, char **names), void *context,
	            char **message);
	int (*file_control)(struct sqlite3 *db, const char *name, int op, void *value);
	int (*errcode)(struct sqlite3 *db);
	int (*system_errno)(struct sqlite3 *db);
	const char *(*errmsg)(struct sqlite3 *db);
	const char *(*errstr)(int code);

	int (*prepare_v2)(struct sqlite3 *db, const char *sql, int bytes,
	                  struct sqlite3_stmt **statement, const char **tail);
	int (*step)(struct sqlite3_stmt *statement);
	int (*reset)(struct sqlite3_stmt *statement);
	int (*finalize)(struct sqlite3_stmt *statement);

	int (*bind_double)(struct sqlite3_stmt *statement, int place, double value);
	int (*bind_int64)(struct sqlite3_stmt *statement, int place, long long value);
	int (*bind_null)(struct sqlite3_stmt *statement, int place);
	int (*bind_text)(struct sqlite3_stmt *statement, int place, const char *text, int bytes,
	                 void (*destroy)(void *text));
	int (*bind_text64)(struct sqlite3_stmt *statement, int place, const char *text,
	                   unsigned long long bytes, void (*destroy)(void *text),
	                   unsigned char encoding);
	int (*clear_bindings)(struct sqlite3_stmt *statement);

	int (*column_type)(struct sqlite3_stmt *statement, int column);
	long long (*column_int64)(struct sqlite3_stmt *statement, int column);
	double (*column_double)(struct sqlite3_stmt *statement, int column);
	const void *(*column_blob)(struct sqlite3_stmt *statement, int column);
	int (*column_bytes)(struct sqlite3_stmt *statement, int column);
	const unsigned char *(*column_text)(struct sqlite3_stmt *statement, int column);
	int (*column_count)(struct sqlite3_stmt *statement);
	const char *(*column_name)(struct sqlite3_stmt *statement, int column);

	int (*set_authorizer)(struct sqlite3 *db,
	                      int (*authorize)(void *context, int action, const char *first,
	                                       const char *second, const char *database,
	                                       const char *trigger),
	                      void *context);
	void (*progress_handler)(struct sqlite3 *db, int steps, int (*call)(void *context),
	                         void *context);
	long long (*hard_heap_limit64)(long long bytes);
	int (*limit)(struct sqlite3 *db, int which, int most);
};

/*
 * Loads the library at the first call, and keeps it until the program ends. Context: one thread.
 *
 * @why: on failure gets a line that says why, valid until the program ends; may be NULL.
 * Return: the functions, or NULL.
 */
const struct ra_sqlite_library *ra_sqlite_library_find(const char **why);

#endif
