/* SPDX-License-Identifier: MIT */
/* Reads an SQLite file as a set of tables whose columns may be missing. */
#include "analyzer/read-nsys/nsys-db.h"

#include <sqlite3.h>
#include <sys/stat.h>

#include "analyzer/base/text/util-text.h"
#include "analyzer/io/sqlite-library.h"

static int note_failure(struct ra_nsys_db *db, int sqlite_code)
{
	const int code = sqlite_code == SQLITE_NOMEM ? RLOG_E_NO_MEMORY
	                 : sqlite_code == SQLITE_PERM || sqlite_code == SQLITE_IOERR
	                         ? RLOG_E_SYSTEM
	                         : RLOG_E_NOT_A_LOG;

	if (db->rc == 0) {
		db->rc = rlog_error_set(db->err, code, RLOG_NO_OFFSET, "SQLite says: %s",
		                        db->handle != NULL ? db->sqlite->errmsg(db->handle)
		                                           : db->sqlite->errstr(sqlite_code));
		/* SQLite's message may quote text of the file, which may have any bytes, so control
		 * characters are replaced. */
		for (size_t i = 0; db->err != NULL && db->err->message[i] != '\0'; i++) {
			if ((unsigned char) db->err->message[i] < ' ') {
				db->err->message[i] = ' ';
			}
		}
	}
	return db->rc;
}

/* Opens the file as immutable. Then SQLite makes no lock and no file next to it, so that it works
 * in folders that can't be written. */
static int open_unchanging(struct ra_nsys_db *db, const char *path)
{
	struct ra_util_text uri = { 0 };
	int code;

	ra_util_text_format(&uri, "file:");
	for (const char *c = path; *c != '\0'; c++) {
		if (*c == '%' || *c == '?' || *c == '#') {
			ra_util_text_format(&uri, "%%%02x", (unsigned) *c);
		} else {
			ra_util_text_put_char(&uri, *c);
		}
	}
	ra_util_text_format(&uri, "?immutable=1");
	ra_util_text_put_char(&uri, '\0');
	db->sqlite->close(db->handle);
	code = db->sqlite->open_v2(uri.bytes, &db->handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
	                           NULL);
	ra_util_text_free(&uri);
	return code;
}

static int try_schema(struct ra_nsys_db *db)
{
	return db->sqlite->exec(db->handle, "SELECT 1 FROM sqlite_master LIMIT 1", NULL, NULL,
	                        NULL);
}

int ra_nsys_db_open(struct ra_nsys_db *db, const char *path, struct rlog_error *err)
{
	const char *why;
	struct stat status;
	int code;

	*db = (struct ra_nsys_db){ .sqlite = ra_sqlite_library_find(&why), .err = err };
	if (db->sqlite == NULL) {
		return rlog_error_set(err, RLOG_E_NOT_A_LOG, RLOG_NO_OFFSET,
		                      "this is an SQLite database, and %s", why);
	}
	if (stat(path, &status) == 0) {
		db->file_bytes = (uint64_t) status.st_size;
	}
	code = db->sqlite->open_v2(path, &db->handle, SQLITE_OPEN_READONLY, NULL);
	if (code == SQLITE_OK) {
		code = try_schema(db);
	}
	if (code == SQLITE_CANTOPEN || code == SQLITE_READONLY) {
		code = open_unchanging(db, path);
		code = code == SQLITE_OK ? try_schema(db) : code;
	}
	if (code != SQLITE_OK) {
		return note_failure(db, code);
	}
	db->sqlite->db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	db->sqlite->exec(db->handle, "PRAGMA cell_size_check=1; PRAGMA trusted_schema=0", NULL,
	                 NULL, NULL);
	return 0;
}

void ra_nsys_db_close(struct ra_nsys_db *db)
{
	if (db->sqlite != NULL) {
		db->sqlite->close(db->handle);
	}
	db->handle = NULL;
}

static sqlite3_stmt *prepare(struct ra_nsys_db *db, const char *sql)
{
	sqlite3_stmt *statement = NULL;

	if (db->rc == 0 &&
	    db->sqlite->prepare_v2(db->handle, sql, -1, &statement, NULL) != SQLITE_OK) {
		note_failure(db, db->sqlite->errcode(db->handle));
	}
	return statement;
}

/* True if a query about one or two names has a row. */
static bool has_row(struct ra_nsys_db *db, const char *sql, const char *first, const char *second)
{
	struct ra_nsys_rows rows = { db, prepare(db, sql) };
	bool has;

	if (rows.statement != NULL) {
		db->sqlite->bind_text(rows.statement, 1, first, -1, SQLITE_STATIC);
	}
	if (rows.statement != NULL && second != NULL) {
		db->sqlite->bind_text(rows.statement, 2, second, -1, SQLITE_STATIC);
	}
	has = ra_nsys_rows_next(&rows);
	ra_nsys_rows_close(&rows);
	return has;
}

bool ra_nsys_db_has(struct ra_nsys_db *db, const char *table)
{
	return has_row(db, "SELECT 1 FROM sqlite_master WHERE type='table' AND name=?1", table,
	               NULL);
}

void ra_nsys_rows_open(struct ra_nsys_rows *rows, struct ra_nsys_db *db, const char *table,
                       const char *const *columns, const char *where)
{
	struct ra_util_text sql = { 0 };

	*rows = (struct ra_nsys_rows){ .db = db };
	if (!ra_nsys_db_has(db, table)) {
		return;
	}
	ra_util_text_format(&sql, "SELECT ");
	for (size_t i = 0; columns[i] != NULL; i++) {
		const bool has = has_row(db, "SELECT 1 FROM pragma_table_info(?1) WHERE name=?2",
		                         table, columns[i]);

		if (has) {
			ra_util_text_format(&sql, "%s\"%s\"", i == 0 ? "" : ",", columns[i]);
		} else {
			ra_util_text_format(&sql, "%sNULL", i == 0 ? "" : ",");
		}
	}
	ra_util_text_format(&sql, " FROM \"%s\"%s%s", table, where != NULL ? " WHERE " : "",
	                    where != NULL ? where : "");
	ra_util_text_put_char(&sql, '\0');
	rows->statement = prepare(db, sql.bytes);
	ra_util_text_free(&sql);
}

void ra_nsys_rows_close(struct ra_nsys_rows *rows)
{
	if (rows->statement != NULL) {
		rows->db->sqlite->finalize(rows->statement);
	}
	rows->statement = NULL;
}

bool ra_nsys_rows_next(struct ra_nsys_rows *rows)
{
	int code;

	if (rows->statement == NULL || rows->db->rc != 0) {
		return false;
	}
	code = rows->db->sqlite->step(rows->statement);
	if (code != SQLITE_ROW && code != SQLITE_DONE) {
		note_failure(rows->db, code);
	}
	return code == SQLITE_ROW;
}

bool ra_nsys_rows_is_null(const struct ra_nsys_rows *rows, int column)
{
	return rows->db->sqlite->column_type(rows->statement, column) == SQLITE_NULL;
}

int64_t ra_nsys_rows_int(const struct ra_nsys_rows *rows, int column, int64_t none)
{
	return ra_nsys_rows_is_null(rows, column)
	               ? none
	               : rows->db->sqlite->column_int64(rows->statement, column);
}

uint32_t ra_nsys_rows_u32(const struct ra_nsys_rows *rows, int column, uint32_t none)
{
	const int64_t value = ra_nsys_rows_int(rows, column, none);

	return value < 0 ? 0 : value > UINT32_MAX ? UINT32_MAX : (uint32_t) value;
}

double ra_nsys_rows_real(const struct ra_nsys_rows *rows, int column)
{
	return rows->db->sqlite->column_double(rows->statement, column);
}

struct rlog_string ra_nsys_rows_text(const struct ra_nsys_rows *rows, int column)
{
	struct rlog_string text = { NULL, 0, 0 };

	if (!ra_nsys_rows_is_null(rows, column)) {
		const char *bytes = rows->db->sqlite->column_blob(rows->statement, column);
		const int count = rows->db->sqlite->column_bytes(rows->statement, column);

		text.bytes = bytes != NULL ? bytes : "";
		text.length = count > 0 ? (uint32_t) count : 0;
		text.full_length = text.length;
	}
	return text;
}
