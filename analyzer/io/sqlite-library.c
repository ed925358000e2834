/* SPDX-License-Identifier: MIT */
/* Loads libsqlite3. */
#include "config.h"

#include "analyzer/io/sqlite-library.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>

#include "analyzer/base/library.h"

#define CALL(call) RA_LIBRARY_CALL(struct ra_sqlite_library, sqlite3_, call)

static const struct ra_library_call calls[] = {
	CALL(open_v2),
	CALL(close),
	CALL(db_config),
	CALL(exec),
	CALL(file_control),
	CALL(errcode),
	CALL(system_errno),
	CALL(errmsg),
	CALL(errstr),
	CALL(prepare_v2),
	CALL(step),
	CALL(reset),
	CALL(finalize),
	CALL(bind_double),
	CALL(bind_int64),
	CALL(bind_null),
	CALL(bind_text),
	CALL(bind_text64),
	CALL(clear_bindings),
	CALL(column_type),
	CALL(column_int64),
	CALL(column_double),
	CALL(column_blob),
	CALL(column_bytes),
	CALL(column_text),
	CALL(column_count),
	CALL(column_name),
	CALL(set_authorizer),
	CALL(progress_handler),
	CALL(hard_heap_limit64),
	CALL(limit),
};

#define CALLS (sizeof(calls) / sizeof(calls[0]))

_Static_assert(CALLS * sizeof(void *) == sizeof(struct ra_sqlite_library),
               "each function is looked up");

const struct ra_sqlite_library *ra_sqlite_library_find(const char **why)
{
	static struct ra_sqlite_library library;
	static char failure[240];
	static bool has_looked;
	const char *said;

	if (!has_looked) {
		has_looked = true;
		if (!ra_library_load(SQLITE_SONAME, calls, CALLS, &library, &said)) {
			snprintf(failure, sizeof(failure),
			         "libsqlite3 can't be loaded (Debian: libsqlite3-0): %s", said);
		}
	}
	if (why != NULL) {
		*why = failure;
	}
	return failure[0] == '\0' ? &library : NULL;
}
