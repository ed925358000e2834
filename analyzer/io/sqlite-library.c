/* SPDX-License-Identifier: MIT */
/* Loading libsqlite3. */
#include "config.h"

#include "analyzer/io/sqlite-library.h"

#include <dlfcn.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* No compiler takes a pointer here whose type is not that of the function in sqlite3.h. */
#define IS_AS_DECLARED(call) \
	_Generic(sqlite3_##call, __typeof__(((struct ra_sqlite_library *) NULL)->call) : true)

#define CALL(call)                                                                               \
	{                                                                                        \
		"sqlite3_" #call, offsetof(struct ra_sqlite_library, call), IS_AS_DECLARED(call) \
	}

static const struct {
	const char *name;
	size_t offset;
	bool is_as_declared;
} calls[] = {
	CALL(open_v2),       CALL(close),          CALL(db_config),    CALL(exec),
	CALL(file_control),  CALL(errcode),        CALL(system_errno), CALL(errmsg),
	CALL(errstr),        CALL(prepare_v2),     CALL(step),         CALL(reset),
	CALL(finalize),      CALL(bind_double),    CALL(bind_int64),   CALL(bind_text),
	CALL(bind_text64),   CALL(clear_bindings), CALL(column_type),  CALL(column_int64),
	CALL(column_double), CALL(column_blob),    CALL(column_bytes),
};

_Static_assert(sizeof(calls) / sizeof(calls[0]) * sizeof(void *) ==
                       sizeof(struct ra_sqlite_library),
               "each function is looked up");

static bool load(struct ra_sqlite_library *library)
{
	void *handle = dlopen(SQLITE_SONAME, RTLD_LAZY | RTLD_LOCAL);

	for (size_t i = 0; handle != NULL && i < sizeof(calls) / sizeof(calls[0]); i++) {
		void *function = dlsym(handle, calls[i].name);

		if (function == NULL) {
			return false;
		}
		memcpy((char *) library + calls[i].offset, &function, sizeof(function));
	}
	return handle != NULL;
}

const struct ra_sqlite_library *ra_sqlite_library_find(const char **why)
{
	static struct ra_sqlite_library library;
	static char failure[240];
	static bool has_looked;

	if (!has_looked) {
		has_looked = true;
		if (!load(&library)) {
			/* There is one thread. NOLINTNEXTLINE(concurrency-mt-unsafe) */
			const char *said = dlerror();

			snprintf(failure, sizeof(failure),
			         "libsqlite3 can't be loaded (Debian: libsqlite3-0): %s",
			         said != NULL ? said : SQLITE_SONAME);
		}
	}
	if (why != NULL) {
		*why = failure;
	}
	return failure[0] == '\0' ? &library : NULL;
}
