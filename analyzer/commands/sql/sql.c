/* SPDX-License-Identifier: MIT */
/* analyzer sql: queries the tables that -o x.sqlite writes. */
#include "config.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/commands/shared/entries.h"
#include "analyzer/commands/options/options.h"
#include "analyzer/commands/shared/progress.h"
#include "analyzer/commands/shared/screen.h"
#include "analyzer/table/forms/table-forms.h"
#include "analyzer/table/table-wrap.h"

#ifdef HAVE_SQLITE
#include "analyzer/commands/sql/query.h"
#include "analyzer/commands/sql/sql-reports.h"
#include "analyzer/io/sqlite-library.h"
#include "analyzer/write-sqlite/sqlite-write.h"
#endif

#define SECONDS 60u

struct options {
	const char *path;
	const char *sql;
	const struct ra_table_form *form;
	size_t width;
	size_t rows;
	size_t seconds;
};

#ifdef HAVE_SQLITE

/* Prints a line for each table and view, for users. */
static void put_schema(struct ra_util_text *text, const struct ra_table *table, size_t width)
{
	for (size_t i = 0; i < table->row_count; i++) {
		const struct ra_table_cell *cells = &table->cells[i * table->column_count];
		struct ra_util_text line = { 0 };

		ra_util_text_put(&line, cells[0].u.text.bytes, cells[0].u.text.length);
		ra_util_text_format(&line, " (");
		ra_util_text_put(&line, cells[2].u.text.bytes, cells[2].u.text.length);
		ra_util_text_format(&line, ")\n");
		ra_table_wrap_put(text, line.bytes, line.length, width);
		ra_util_text_free(&line);
	}
}

static int print_answer(const struct options *options, const struct ra_query_answer *answer)
{
	struct ra_util_text text = { 0 };

	if (options->sql == ra_query_schema && options->form->is_wrapped) {
		put_schema(&text, &answer->table, options->width);
	} else {
		options->form->put(&text, &answer->table, options->width);
	}
	if (text.length > 0 && text.bytes[text.length - 1] != '\n') {
		ra_util_text_put_char(&text, '\n');
	}
	(void) ra_util_text_write(&text, stdout); /* main() checks whether stdout was written */
	ra_util_text_free(&text);
	return RA_CMD_OK;
}

static int ask(const struct options *options, const struct ra_sqlite_library *sqlite,
               struct sqlite3 *db)
{
	const struct ra_query_limits limits = { options->rows, (unsigned) options->seconds };
	struct ra_query_answer *answer = ra_alloc_zeros(1, sizeof(*answer));
	int code = RA_CMD_USAGE;
	char why[200];

	if (!ra_query_begin(sqlite, db, why)) {
		fprintf(stderr, "analyzer: %s: %s\n", options->path, why);
		code = RA_CMD_UNREADABLE;
	} else if (ra_query_run(sqlite, db, options->sql, &limits, answer)) {
		ra_cmd_screen_page();
		code = print_answer(options, answer);
	} else {
		fprintf(stderr, "analyzer: sql: %s\n", answer->error);
	}
	ra_query_answer_fini(answer);
	free(answer);
	return code;
}

static int ask_model(const struct options *options, const struct ra_sqlite_library *sqlite,
                     const struct ra_model *model)
{
	struct sqlite3 *db = NULL;
	int code = ra_sqlite_write_private(model, &db);

	if (code != 0) {
		return ra_cmd_print_unwritten("the database", code);
	}
	if (ra_sql_reports_add(sqlite, db, model,
	                       options->sql == ra_query_schema ? NULL : options->sql)) {
		code = ask(options, sqlite, db);
	} else {
		fprintf(stderr, "analyzer: %s: %s\n", options->path, sqlite->errmsg(db));
		code = RA_CMD_UNREADABLE;
	}
	(void) sqlite->close(db);
	return code;
}

static int run_query(const struct options *options)
{
	static const struct ra_load_options load = { .few_args = true };
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };
	struct ra_model *model = NULL;
	const char *why;
	const struct ra_sqlite_library *sqlite = ra_sqlite_library_find(&why);
	int code;

	if (sqlite == NULL) {
		fprintf(stderr, "analyzer: sql: %s\n", why);
		return RA_CMD_UNREADABLE;
	}
	if (ra_cmd_progress_load(&model, options->path, &load, &err) != 0) {
		return ra_cmd_print_error(options->path, &err);
	}
	code = ask_model(options, sqlite, model);
	ra_cmd_print_lacks(options->path, model);
	ra_model_destroy(model);
	return code;
}

#else

static int run_query(const struct options *options)
{
	(void) options;
	fputs("analyzer: sql: analyzer was built without libsqlite3 (Debian: libsqlite3-dev)\n",
	      stderr);
	return RA_CMD_UNREADABLE;
}

#endif

static int take_option(struct options *options, int option, const char *value)
{
	switch (option) {
	case 'f':
		return ra_cmd_take_form(value, &options->form);
	case 'l':
		return ra_cmd_take_size("--limit", value, &options->rows);
	case 'X':
		return ra_cmd_take_size("--time", value, &options->seconds);
	case 'w':
		return ra_cmd_take_size("--width", value, &options->width);
	default:
		return RA_CMD_USAGE;
	}
}

static int run(int argc, char **argv)
{
	struct options options = { .form = &ra_table_forms_text,
		                   .width = ra_cmd_screen_text_width(),
		                   .seconds = SECONDS };
	int option;

	while ((option = ra_cmd_options_next("sql", argc, argv)) != -1) {
		if (take_option(&options, option, optarg) != 0) {
			return RA_CMD_USAGE;
		}
	}
	if (argc - optind != 1 && argc - optind != 2) {
		return ra_cmd_usage("expected a file, then a statement or .schema");
	}
	if (options.seconds == 0 || options.seconds > 1000000) {
		return ra_cmd_usage("--time: expected 1 to 1000000 seconds");
	}
	options.path = ra_cmd_find_path(argv[optind]);
	options.sql = argc - optind == 2 ? argv[optind + 1] : ".schema";
#ifdef HAVE_SQLITE
	if (strcmp(options.sql, ".schema") == 0 || strcmp(options.sql, ".tables") == 0) {
		options.sql = ra_query_schema;
	}
#endif
	return run_query(&options);
}

const struct ra_cmd cmd_sql = {
	.name = "sql",
	.synopsis = "sql FILE [STATEMENT] [options]",
	.summary = "Ask a log or trace in SQL",
	.notes = "STATEMENT is one SELECT of SQLite over the tables that -o x.sqlite writes, and "
		 "these\n"
		 "views of them: slices (name, domain, start, end, dur, tid, pid), kernels (name, "
		 "start,\n"
		 "end, dur, device, stream, correlation), calls (name, start, end, dur, tid, "
		 "correlation),\n"
		 "copies (name, start, end, dur, bytes, device, stream, correlation). Times are "
		 "ns.\n"
		 "ranges and steps are the reports ranges and overview, with their figures and "
		 "columns,\n"
		 "one row for each name or step; steps also have start and end.\n"
		 "Without STATEMENT, or with .schema, sql prints the tables and their columns. It "
		 "writes\n"
		 "and attaches nothing; SQLite uses 1 GiB of memory at most.\n"
		 "\n"
		 "  analyzer sql a.bin 'SELECT name, sum(dur) FROM slices GROUP BY name'\n"
		 "\n"
		 "Exit: 0, 2 a statement that can't be run, 3 the file can't be read.\n",
	.run = run,
};
