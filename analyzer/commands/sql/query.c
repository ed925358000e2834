/* SPDX-License-Identifier: MIT */
/* Runs one SQL statement on a read-only database, with limits on time and memory. */
#include "analyzer/commands/sql/query.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyzer/base/alloc.h"
#include "analyzer/io/sqlite-library.h"

#define MOST_ROWS   10000000u
#define MOST_MEMORY (INT64_C(1) << 30)
#define MOST_TEXT   (16 << 20)          /* most bytes of a value */
#define MOST_ANSWER (UINT64_C(1) << 29) /* most bytes of all rows */
#define STEPS       1000 /* sqlite's virtual machine checks the clock after this many steps */

const char ra_query_schema[] =
	"SELECT m.name AS name, m.type AS type, group_concat(c.name, ', ') AS columns FROM "
	"(SELECT name, type FROM temp.sqlite_master UNION ALL "
	"SELECT name, type FROM main.sqlite_master WHERE name NOT LIKE 'ENUM!_%' ESCAPE '!') m "
	"JOIN pragma_table_info(m.name) c WHERE m.type IN ('table', 'view') "
	"GROUP BY m.name, m.type ORDER BY m.type = 'table' AND m.name NOT IN ('ranges', 'steps'), "
	"m.name";

/* Views of nsys' tables, with the words of our reports. Times are ns from the capture's start. */
static const struct {
	const char *table; /* the view is made only if this table exists */
	const char *sql;
} views[] = {
	{ "NVTX_EVENTS",
	  "CREATE TEMP VIEW slices AS SELECT coalesce(e.text, s.value) AS name, d.text AS domain, "
	  "e.start AS start, e.end AS end, e.end - e.start AS dur, e.globalTid & 0xFFFFFF AS tid, "
	  "e.globalTid >> 24 & 0xFFFFFF AS pid FROM main.NVTX_EVENTS e "
	  "LEFT JOIN main.StringIds s ON s.id = e.textId LEFT JOIN (SELECT domainId, text FROM "
	  "main.NVTX_EVENTS WHERE eventType = 75) d ON d.domainId = e.domainId "
	  "WHERE e.eventType IN (59, 60, 70, 71)" },
	{ "CUPTI_ACTIVITY_KIND_KERNEL",
	  "CREATE TEMP VIEW kernels AS SELECT s.value AS name, k.start AS start, k.end AS end, "
	  "k.end - k.start AS dur, k.deviceId AS device, k.streamId AS stream, "
	  "k.correlationId AS correlation FROM main.CUPTI_ACTIVITY_KIND_KERNEL k "
	  "LEFT JOIN main.StringIds s ON s.id = k.demangledName" },
	{ "CUPTI_ACTIVITY_KIND_RUNTIME",
	  "CREATE TEMP VIEW calls AS SELECT s.value AS name, c.start AS start, c.end AS end, "
	  "c.end - c.start AS dur, c.globalTid & 0xFFFFFF AS tid, "
	  "c.correlationId AS correlation FROM main.CUPTI_ACTIVITY_KIND_RUNTIME c "
	  "LEFT JOIN main.StringIds s ON s.id = c.nameId" },
	{ "CUPTI_ACTIVITY_KIND_MEMCPY",
	  "CREATE TEMP VIEW copies AS SELECT coalesce(k.label, k.name) AS name, c.start AS start, "
	  "c.end AS end, c.end - c.start AS dur, c.bytes AS bytes, c.deviceId AS device, "
	  "c.streamId AS stream, c.correlationId AS correlation FROM "
	  "main.CUPTI_ACTIVITY_KIND_MEMCPY c LEFT JOIN main.ENUM_CUDA_MEMCPY_OPER k "
	  "ON k.id = c.copyKind" },
};

/* ---- what a statement may do ---- */

/* Allows reading, and functions without side effects. */
static int authorize(void *context, int action, const char *first, const char *second,
                     const char *database, const char *trigger)
{
	(void) context;
	(void) first;
	(void) database;
	(void) trigger;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_FUNCTION:
		return second != NULL && (strcmp(second, "load_extension") == 0 ||
		                          strcmp(second, "fts3_tokenizer") == 0)
		               ? SQLITE_DENY
		               : SQLITE_OK;
	default:
		return SQLITE_DENY;
	}
}

static int is_late(void *context)
{
	const struct timespec *end = context;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec > end->tv_sec ||
	       (now.tv_sec == end->tv_sec && now.tv_nsec >= end->tv_nsec);
}

/* ---- the database ---- */

static int note_row(void *context, int count, char **texts, char **names)
{
	(void) count;
	(void) texts;
	(void) names;
	*(bool *) context = true;
	return 0;
}

static bool has_table(const struct ra_sqlite_library *sqlite, struct sqlite3 *db, const char *name)
{
	char sql[160];
	bool is_there = false;

	snprintf(sql, sizeof(sql), "SELECT 1 FROM main.sqlite_master WHERE name = '%s'", name);
	(void) sqlite->exec(db, sql, note_row, &is_there, NULL);
	return is_there;
}

bool ra_query_begin(const struct ra_sqlite_library *sqlite, struct sqlite3 *db, char *why)
{
	int code = sqlite->exec(db, "PRAGMA temp_store=MEMORY", NULL, NULL, NULL);

	(void) sqlite->hard_heap_limit64(MOST_MEMORY);
	(void) sqlite->limit(db, SQLITE_LIMIT_LENGTH, MOST_TEXT);
	(void) sqlite->db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]) && code == SQLITE_OK; i++) {
		if (has_table(sqlite, db, views[i].table)) {
			code = sqlite->exec(db, views[i].sql, NULL, NULL, NULL);
		}
	}
	if (code != SQLITE_OK) {
		snprintf(why, 200, "%s", sqlite->errmsg(db));
	}
	return code == SQLITE_OK;
}

/* ---- rows ---- */

/* Chooses the kind of a column: text if one of its values is text, else real if one is real. */
static void widen(enum ra_table_kind *kind, int type, bool is_first)
{
	const enum ra_table_kind other = type == SQLITE_INTEGER ? RA_TABLE_COUNT
	                                 : type == SQLITE_FLOAT ? RA_TABLE_REAL
	                                                        : RA_TABLE_TEXT;

	if (is_first || other == RA_TABLE_TEXT ||
	    (*kind == RA_TABLE_COUNT && other == RA_TABLE_REAL)) {
		*kind = is_first || *kind != RA_TABLE_TEXT ? other : *kind;
	}
}

static struct ra_table_cell make_cell(const struct ra_sqlite_library *sqlite,
                                      struct sqlite3_stmt *statement, int i, struct ra_table *table,
                                      enum ra_table_kind kind)
{
	const int type = sqlite->column_type(statement, i);

	if (type == SQLITE_NULL) {
		return (struct ra_table_cell){ 0 };
	}
	if (kind == RA_TABLE_COUNT) {
		return ra_table_make_number(sqlite->column_int64(statement, i));
	}
	if (kind == RA_TABLE_REAL) {
		return ra_table_make_real(sqlite->column_double(statement, i));
	}
	/* In a column of text, every value is read as text. */
	const char *text = (const char *) sqlite->column_text(statement, i);

	return ra_table_make_text(ra_table_keep_text(table, text != NULL ? text : "",
	                                             (size_t) sqlite->column_bytes(statement, i)));
}

/* The state while the rows of an answer are read. */
struct walk {
	const struct ra_sqlite_library *sqlite;
	struct sqlite3_stmt *statement;
	const struct ra_query_limits *limits;
	const struct timespec *end;
	struct ra_query_answer *answer;
};

/* Checks the time and the answer's size. It checks the time, too, because a function may take long
 * within one step of sqlite's virtual machine. Return: 0, or the code with which to stop. */
static int check_bounds(const struct walk *walk, size_t rows, uint64_t bytes)
{
	char *error = walk->answer->error;

	if (is_late((void *) walk->end)) {
		return SQLITE_INTERRUPT;
	}
	if (rows > MOST_ROWS) {
		snprintf(error, sizeof(walk->answer->error),
		         "the answer has more than %u rows; ask for fewer with --limit", MOST_ROWS);
		return SQLITE_TOOBIG;
	}
	if (bytes > MOST_ANSWER) {
		snprintf(error, sizeof(walk->answer->error),
		         "the answer has more than 512 MiB; ask for fewer rows with --limit");
		return SQLITE_TOOBIG;
	}
	return 0;
}

/* Reads the rows of the statement. @table: gets the rows; NULL: only finds the types of columns.
 * @kinds: the types of columns. Return: sqlite's code. */
static int step_all(const struct walk *walk, enum ra_table_kind *kinds, struct ra_table *table)
{
	const struct ra_sqlite_library *sqlite = walk->sqlite;
	const int columns = sqlite->column_count(walk->statement);
	bool has_value[RA_TABLE_MOST_COLUMNS] = { false };
	uint64_t bytes = 0;
	size_t count = 0;
	int code = SQLITE_DONE;

	while ((walk->limits->rows == 0 || count < walk->limits->rows) &&
	       (code = sqlite->step(walk->statement)) == SQLITE_ROW) {
		struct ra_table_cell *cells = table != NULL ? ra_table_add_row(table) : NULL;

		for (int i = 0; i < columns; i++) {
			const int type = sqlite->column_type(walk->statement, i);

			bytes += sizeof(*cells);
			bytes += type == SQLITE_TEXT || type == SQLITE_BLOB
			                 ? (uint64_t) sqlite->column_bytes(walk->statement, i)
			                 : 0;
			if (table != NULL) {
				cells[i] = make_cell(sqlite, walk->statement, i, table, kinds[i]);
			} else if (type != SQLITE_NULL) {
				widen(&kinds[i], type, !has_value[i]);
				has_value[i] = true;
			}
		}
		code = check_bounds(walk, ++count, bytes);
		if (code != 0) {
			return code;
		}
		code = SQLITE_DONE; /* in case this was the last row to show */
	}
	return code;
}

static bool fail(const struct ra_sqlite_library *sqlite, struct sqlite3 *db, int code,
                 const struct ra_query_limits *limits, struct ra_query_answer *answer)
{
	if (answer->error[0] != '\0') {
		return false; /* the user gets a message */
	}
	if (code == SQLITE_INTERRUPT) {
		snprintf(answer->error, sizeof(answer->error),
		         "the statement took more than %u s; --time allows more", limits->seconds);
	} else if (code == SQLITE_AUTH) {
		snprintf(answer->error, sizeof(answer->error),
		         "%s: a statement may only read; PRAGMA and ATTACH are refused",
		         sqlite->errmsg(db));
	} else {
		snprintf(answer->error, sizeof(answer->error), "%s", sqlite->errmsg(db));
	}
	return false;
}

/* Makes a column's name that every form of tables can contain. Characters other than letters,
 * digits and the usual signs become _. If another column has the same name, the column's number is
 * appended. */
static void name_column(const char *name, int column, struct ra_query_answer *answer,
                        struct ra_util_text *text)
{
	static const char usual[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_ .()*+-/%=<>";

	ra_util_text_clear(text);
	for (const char *c = name; *c != '\0' && text->length < 200; c++) {
		ra_util_text_put_char(text, strchr(usual, *c) != NULL ? *c : '_');
	}
	for (int i = 0; i < column; i++) {
		if (strlen(answer->columns[i].key) == text->length &&
		    memcmp(answer->columns[i].key, text->bytes, text->length) == 0) {
			ra_util_text_format(text, "_%d", column + 1);
			break;
		}
	}
	ra_util_text_put_char(text, '\0');
}

/* Begins a table. The names of its columns live as long as the table. */
static void begin_table(const struct ra_sqlite_library *sqlite, struct sqlite3_stmt *statement,
                        const enum ra_table_kind *kinds, struct ra_query_answer *answer)
{
	const int columns = sqlite->column_count(statement);
	struct ra_util_text name = { 0 };

	ra_table_init(&answer->table, answer->columns, (size_t) columns);
	answer->table.name = "answer";
	answer->has_table = true;
	for (int i = 0; i < columns; i++) {
		struct rlog_string kept;

		name_column(sqlite->column_name(statement, i), i, answer, &name);
		kept = ra_table_keep_text(&answer->table, name.bytes, name.length);
		answer->columns[i] =
			(struct ra_table_column){ kept.bytes, kept.bytes, kinds[i], NULL };
	}
	ra_util_text_free(&name);
}

/* Runs the statement twice: the first pass finds the types of columns. */
static int fill(const struct walk *walk)
{
	enum ra_table_kind kinds[RA_TABLE_MOST_COLUMNS] = { RA_TABLE_TEXT };
	int code = step_all(walk, kinds, NULL);

	if (code == SQLITE_DONE) {
		(void) walk->sqlite->reset(walk->statement);
		begin_table(walk->sqlite, walk->statement, kinds, walk->answer);
		code = step_all(walk, kinds, &walk->answer->table);
	}
	return code;
}

bool ra_query_run(const struct ra_sqlite_library *sqlite, struct sqlite3 *db, const char *sql,
                  const struct ra_query_limits *limits, struct ra_query_answer *answer)
{
	struct sqlite3_stmt *statement = NULL;
	struct timespec end;
	const char *tail = "";
	int code;

	*answer = (struct ra_query_answer){ .error = "" };
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += limits->seconds;
	sqlite->progress_handler(db, STEPS, is_late, &end);
	/* Our own statement may do everything, because it lists columns by a PRAGMA. */
	(void) sqlite->set_authorizer(db, sql == ra_query_schema ? NULL : authorize, NULL);
	code = sqlite->prepare_v2(db, sql, -1, &statement, &tail);
	if (code != SQLITE_OK) {
		return fail(sqlite, db, code, limits, answer);
	}
	if (statement == NULL || tail[strspn(tail, " \t\r\n;")] != '\0') {
		snprintf(answer->error, sizeof(answer->error), "expected one statement, found %s",
		         statement == NULL ? "none" : "several");
		(void) sqlite->finalize(statement);
		return false;
	}
	if (sqlite->column_count(statement) < 1 ||
	    sqlite->column_count(statement) > (int) RA_TABLE_MOST_COLUMNS) {
		snprintf(answer->error, sizeof(answer->error),
		         "expected a SELECT of 1 to %d columns", RA_TABLE_MOST_COLUMNS);
		(void) sqlite->finalize(statement);
		return false;
	}
	code = fill(&(struct walk){ sqlite, statement, limits, &end, answer });
	if (code != SQLITE_DONE) {
		(void) fail(sqlite, db, code, limits, answer);
		ra_query_answer_fini(answer);
	}
	(void) sqlite->finalize(statement);
	return code == SQLITE_DONE;
}

void ra_query_answer_fini(struct ra_query_answer *answer)
{
	if (answer->has_table) {
		ra_table_fini(&answer->table);
		answer->has_table = false;
	}
}
