/* SPDX-License-Identifier: MIT */
/* Makes an SQLite file. */
#include "analyzer/write-sqlite/sqlite-db.h"

#include <errno.h>
#include <sqlite3.h>

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
		/* Uses the errno of the file's last call, because the handle's may be of a later
		 * call. */
		if (db->handle != NULL) {
			(void) db->sqlite->file_control(db->handle, "main", SQLITE_FCNTL_LAST_ERRNO,
			                                &last);
			last = last != 0 ? last : db->sqlite->system_errno(db->handle);
		}
		return last != 0 ? last : EIO;
	}
}

void ra_sqlite_db_note(struct ra_sqlite_db *db, int code)
{
	if (db->code == 0 && code != SQLITE_OK && code != SQLITE_DONE) {
		db->code = find_errno(db, code);
	}
}

void ra_sqlite_db_run(struct ra_sqlite_db *db, const char *sql)
{
	if (db->code == 0) {
		ra_sqlite_db_note(db, db->sqlite->exec(db->handle, sql, NULL, NULL, NULL));
	}
}

void ra_sqlite_db_open(struct ra_sqlite_db *db, const char *path)
{
	*db = (struct ra_sqlite_db){ .sqlite = ra_sqlite_library_find(NULL) };
	if (db->sqlite == NULL) {
		db->code = ENOSYS;
		return;
	}
	/* Only one thread at a time has the handle, so calls need no lock. */
	ra_sqlite_db_note(db, db->sqlite->open_v2(path, &db->handle,
	                                          SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
	                                                  SQLITE_OPEN_NOMUTEX,
	                                          NULL));
	/* No journal is needed, because the file is renamed only when it is complete: before that,
	 * nothing must be undone or survive a crash. So no file is made next to it. */
	ra_sqlite_db_run(
		db,
		"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; "
		"PRAGMA encoding='UTF-8'; BEGIN");
}

int ra_sqlite_db_commit(struct ra_sqlite_db *db)
{
	if (db->sqlite != NULL) {
		ra_sqlite_db_run(db, "COMMIT");
	}
	return db->code;
}

int ra_sqlite_db_end(struct ra_sqlite_db *db)
{
	if (db->sqlite != NULL) {
		ra_sqlite_db_note(db, db->sqlite->close(db->handle));
	}
	db->handle = NULL;
	return db->code;
}
