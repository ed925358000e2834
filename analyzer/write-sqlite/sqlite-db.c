/* SPDX-License-Identifier: MIT */
/* Makes an SQLite file: tables to which rows are appended. */
#include "analyzer/write-sqlite/sqlite-db.h"

#include <errno.h>
#include <sqlite3.h>
#include <string.h>

#include "analyzer/base/text/util-json.h"
#include "analyzer/base/text/util-text.h"
#include "analyzer/io/sqlite-library.h"

static int find_errno(struct ra_sqlite_db *db, int code)
{
	int last = 0;

	switch (code & 0xFF) {
	case SQLITE_NOMEM:
		return ENOMEM;
	case SQLITE_FULL:
		return ENOSPC;
	case SQLITE_PERM:
	case SQLITE_READONLY:
		return EACCES;
	default:
		/* The errno of the file's last call; the handle's may be of a later call. */
		if (db->handle != NULL) {
			(void) db->sqlite->file_control(db->handle, "main", SQLITE_FCNTL_LAST_ERRNO,
			                                &last);
			last = last != 0 ? last : db->sqlite->system_errno(db->handle);
		}
		return last != 0 ? last : EIO;
	}
}

static void note(struct ra_sqlite_db *db, int code)
{
	if (db->code == 0 && code != SQLITE_OK && code != SQLITE_DONE) {
		db->code = find_errno(db, code);
	}
}

static void run(struct ra_sqlite_db *db, const char *sql)
{
	if (db->code == 0) {
		note(db, db->sqlite->exec(db->handle, sql, NULL, NULL, NULL));
	}
}

void ra_sqlite_db_open(struct ra_sqlite_db *db, const char *path)
{
	*db = (struct ra_sqlite_db){ .sqlite = ra_sqlite_library_find(NULL) };
	if (db->sqlite == NULL) {
		db->code = ENOSYS;
		return;
	}
	/* One thread at a time has the handle, so each call may do without a lock. */
	note(db, db->sqlite->open_v2(
			 path, &db->handle,
			 SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL));
	/* The file is renamed when it is whole. Until then nothing must be undone or survive a
	 * crash, so no journal is needed, and no file is made next to it. */
	run(db, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; "
	        "PRAGMA encoding='UTF-8'; BEGIN");
}

int ra_sqlite_db_commit(struct ra_sqlite_db *db)
{
	if (db->sqlite != NULL) {
		run(db, "COMMIT");
	}
	return db->code;
}

int ra_sqlite_db_end(struct ra_sqlite_db *db)
{
	if (db->sqlite != NULL) {
		note(db, db->sqlite->close(db->handle));
	}
	db->handle = NULL;
	return db->code;
}

void ra_sqlite_table_create(struct ra_sqlite_table *table)
{
	const struct ra_sqlite_definition *d = table->definition;
	struct ra_sqlite_db *db = table->db;
	struct ra_util_text sql = { 0 };

	if (table->insert != NULL || db->code != 0) {
		return;
	}
	ra_util_text_format(&sql, "CREATE TABLE %s (", d->name);
	ra_util_text_put(&sql, d->columns, strlen(d->columns)); /* formats have a limit */
	ra_util_text_put(&sql, ")", 2);
	run(db, sql.bytes);
	ra_util_text_clear(&sql);
	ra_util_text_format(&sql, "INSERT INTO %s (", d->name);
	ra_util_text_put(&sql, d->filled, strlen(d->filled));
	ra_util_text_format(&sql, ") VALUES (?");
	for (const char *c = d->filled; *c != '\0'; c++) {
		if (*c == ',') {
			ra_util_text_put(&sql, ",?", 2);
		}
	}
	ra_util_text_put(&sql, ")", 2);
	if (db->code == 0) {
		note(db, db->sqlite->prepare_v2(db->handle, sql.bytes, -1, &table->insert, NULL));
	}
	ra_util_text_free(&sql);
}

void ra_sqlite_table_close(struct ra_sqlite_table *table)
{
	if (table->insert != NULL) {
		table->db->sqlite->finalize(table->insert);
	}
	table->insert = NULL;
}

void ra_sqlite_table_set_int(struct ra_sqlite_table *table, int place, int64_t value)
{
	ra_sqlite_table_create(table);
	if (table->db->code == 0) {
		note(table->db, table->db->sqlite->bind_int64(table->insert, place + 1, value));
	}
}

void ra_sqlite_table_set_real(struct ra_sqlite_table *table, int place, double value)
{
	ra_sqlite_table_create(table);
	if (table->db->code == 0) {
		note(table->db, table->db->sqlite->bind_double(table->insert, place + 1, value));
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

static void set_mended(struct ra_sqlite_table *table, int place, struct rlog_string text)
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
	note(table->db,
	     table->db->sqlite->bind_text64(table->insert, place + 1, mended.bytes, mended.length,
	                                    SQLITE_TRANSIENT, SQLITE_UTF8));
	ra_util_text_free(&mended);
}

void ra_sqlite_table_set_text(struct ra_sqlite_table *table, int place, struct rlog_string text)
{
	ra_sqlite_table_create(table);
	if (table->db->code != 0) {
		return;
	}
	if (count_good(text) < text.length) {
		set_mended(table, place, text);
	} else {
		/* Not copied, because the row is added before the text's owner is freed. */
		note(table->db,
		     table->db->sqlite->bind_text64(table->insert, place + 1,
		                                    text.bytes != NULL ? text.bytes : "",
		                                    text.length, SQLITE_STATIC, SQLITE_UTF8));
	}
}

void ra_sqlite_table_set_word(struct ra_sqlite_table *table, int place, const char *word)
{
	const uint32_t length = (uint32_t) strlen(word);

	ra_sqlite_table_set_text(table, place, (struct rlog_string){ word, length, length });
}

void ra_sqlite_table_add(struct ra_sqlite_table *table, const int64_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (values[i] != RA_SQLITE_NULL) {
			ra_sqlite_table_set_int(table, (int) i, values[i]);
		}
	}
	ra_sqlite_table_create(table);
	if (table->db->code == 0) {
		note(table->db, table->db->sqlite->step(table->insert));
		table->db->sqlite->reset(table->insert);
		table->db->sqlite->clear_bindings(table->insert);
	}
}
