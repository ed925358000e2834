/* SPDX-License-Identifier: MIT */
/* analyzer search FILE: finds single ranges, calls and GPU operations by name, thread or stream,
 * and time. */
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"
#include "analyzer/commands/search/search-busy.h"
#include "analyzer/commands/search/search-hits.h"
#include "analyzer/commands/search/search-top.h"
#include "analyzer/commands/search/search-units.h"
#include "analyzer/commands/shared/brief.h"
#include "analyzer/commands/shared/entries.h"
#include "analyzer/commands/options/options.h"
#include "analyzer/commands/shared/progress.h"
#include "analyzer/commands/shared/screen.h"
#include "analyzer/commands/shared/times.h"
#include "analyzer/model/input.h"
#include "analyzer/footer/footer.h"
#include "analyzer/rows/kineto.h"
#include "analyzer/table/table-budget.h"
#include "analyzer/table/forms/table-forms.h"
#include "analyzer/table/layout/table-rank.h"
#include "analyzer/table/forms/table-text.h"
#include "analyzer/table/table-wrap.h"

#define ROWS        20 /* rows of a table for users, unless --limit is given */
#define TABLES      2
#define MOST_PLACES 12 /* at most this many threads are named */

struct options {
	const char *path;
	struct ra_search_query query;
	const struct ra_table_form *form;
	size_t width;
	size_t limit;
	bool has_limit;
	bool by_start;
	bool with_python;
	const struct ra_search_unit *unit; /* unit of times for users; NULL: a suitable one for each
	                                      time */
	bool strict;
	size_t brief;
};

enum hit_column {
	HIT_START,
	HIT_DUR,
	HIT_KIND,
	HIT_NAME,
	HIT_THREAD,
	HIT_COLUMNS,
};

static const struct ra_table_column hit_columns[HIT_COLUMNS] = {
	[HIT_START] = { "start_ns", "At", RA_TABLE_TIME, NULL },
	[HIT_DUR] = { "dur_ns", "Duration", RA_TABLE_TIME, NULL },
	[HIT_KIND] = { "kind", "Kind", RA_TABLE_TEXT, NULL },
	[HIT_NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[HIT_THREAD] = { "thread", "Thread or stream", RA_TABLE_TEXT, NULL },
};

enum name_column {
	NAME_KIND,
	NAME_NAME,
	NAME_COUNT,
	NAME_TOTAL,
	NAME_LONGEST,
	NAME_COLUMNS,
};

static const struct ra_table_column name_columns[NAME_COLUMNS] = {
	[NAME_KIND] = { "kind", "Kind", RA_TABLE_TEXT, NULL },
	[NAME_NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[NAME_COUNT] = { "count", "Count", RA_TABLE_COUNT, NULL },
	[NAME_TOTAL] = { "total_ns", "Time", RA_TABLE_TIME, NULL },
	[NAME_LONGEST] = { "max_ns", "Longest", RA_TABLE_TIME, NULL },
};

/* If two times are given, Time is only the time between them; Longest is a whole duration. */
static const struct ra_table_column cut_columns[NAME_COLUMNS] = {
	[NAME_KIND] = { "kind", "Kind", RA_TABLE_TEXT, NULL },
	[NAME_NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[NAME_COUNT] = { "count", "Count", RA_TABLE_COUNT, NULL },
	[NAME_TOTAL] = { "total_ns", "Time between", RA_TABLE_TIME, NULL },
	[NAME_LONGEST] = { "max_ns", "Longest, whole", RA_TABLE_TIME, NULL },
};

/* The data for an answer. */
struct answer {
	const struct options *options;
	const struct ra_model *model;
	struct ra_search_hits *found;
	struct ra_table names;
	struct ra_table hits;
};

static void add_hit(struct ra_table *table, struct ra_search_hits *hits,
                    const struct ra_search_hit *hit)
{
	struct ra_table_cell *cells = ra_table_add_row(table);
	char scratch[RA_GPU_TEXT_BYTES];
	struct rlog_string name = ra_search_hits_name(hits, hit, scratch);

	if (name.bytes == scratch) {
		name = ra_table_keep_text(table, name.bytes, name.length);
	}
	cells[HIT_START] = ra_table_make_number(hit->start_ns);
	cells[HIT_DUR] = ra_table_make_number(hit->dur_ns);
	cells[HIT_KIND] = ra_table_make_word(ra_search_hits_kind(hits, hit));
	cells[HIT_NAME] = ra_table_make_text(name);
	cells[HIT_THREAD] = ra_table_make_word(hits->places[hit->place]);
}

/* Returns the columns in which a match differs from the first row, as one bit for each column. */
static unsigned find_differences(const struct ra_table *table, struct ra_search_hits *hits,
                                 const struct ra_search_hit *hit)
{
	const struct ra_table_cell *first = table->cells;
	char scratch[RA_GPU_TEXT_BYTES];
	unsigned found = 0;

	found |= (unsigned) (first[HIT_START].u.number != hit->start_ns) << HIT_START;
	found |= (unsigned) (first[HIT_DUR].u.number != hit->dur_ns) << HIT_DUR;
	found |= (unsigned) !ra_util_string_is(first[HIT_KIND].u.text,
	                                       ra_search_hits_kind(hits, hit))
	         << HIT_KIND;
	found |= (unsigned) (ra_util_string_compare(first[HIT_NAME].u.text,
	                                            ra_search_hits_name(hits, hit, scratch)) != 0)
	         << HIT_NAME;
	found |= (unsigned) !ra_util_string_is(first[HIT_THREAD].u.text, hits->places[hit->place])
	         << HIT_THREAD;
	return found;
}

/*
 * Makes rows for the first matches in the requested order, at most as many as can be shown. Of the
 * other matches only the number and the sum of the durations are kept. A table leaves out a column
 * that is the same in all rows, which is right only if it is the same in all matches. So a match
 * that differs in such a column gets a row, too.
 */
static void fill_hits(struct ra_table *table, struct ra_search_hits *hits, size_t most,
                      bool by_start)
{
	const unsigned all = (1u << HIT_COLUMNS) - 1;
	size_t count;
	size_t *rows = ra_search_top_find(hits, most, by_start, &count);
	unsigned seen = 0; /* columns in which the rows so far differ */

	ra_table_init(table, hit_columns, HIT_COLUMNS);
	for (size_t i = 0; i < count; i++) {
		add_hit(table, hits, &hits->all[rows[i]]);
		seen |= find_differences(table, hits, &hits->all[rows[i]]);
	}
	for (size_t i = 0; i < hits->count && count > 0 && count < hits->count; i++) {
		const struct ra_search_hit *hit = &hits->all[i];
		unsigned found;

		if (ra_search_top_is_in(hits, i, rows[count - 1], by_start)) {
			continue;
		}
		found = seen == all ? 0 : find_differences(table, hits, hit);
		if ((found & ~seen) != 0) {
			add_hit(table, hits, hit);
			seen |= found;
		} else {
			table->unmade_count++;
			table->unmade_ns = ra_util_add_time(table->unmade_ns, hit->dur_ns);
		}
	}
	free(rows);
}

/* Finds or adds the row for a kind and name. */
static struct ra_table_cell *find_name(struct ra_table *table, struct ra_util_map *index,
                                       const char *kind, struct rlog_string name)
{
	uint64_t key = ra_util_string_hash(name.bytes, name.length) ^
	               ra_util_string_hash(kind, strlen(kind));
	struct ra_table_cell *cells;

	for (uint32_t at; (at = ra_util_map_find(index, key)) != RA_UTIL_MAP_NONE; key++) {
		cells = &table->cells[(size_t) at * NAME_COLUMNS];
		if (ra_util_string_is(cells[NAME_KIND].u.text, kind) &&
		    ra_util_string_compare(cells[NAME_NAME].u.text, name) == 0) {
			return cells;
		}
	}
	ra_util_map_put(index, key, (uint32_t) table->row_count);
	name = ra_table_keep_text(table, name.bytes, name.length);
	cells = ra_table_add_row(table);
	cells[NAME_KIND] = ra_table_make_word(kind);
	cells[NAME_NAME] = ra_table_make_text(name);
	cells[NAME_COUNT] = ra_table_make_number(0);
	cells[NAME_TOTAL] = ra_table_make_number(0);
	cells[NAME_LONGEST] = ra_table_make_number(0);
	return cells;
}

/* Sums the matches by name. Only the time between the two requested times counts. */
static void fill_names(struct ra_table *table, struct ra_search_hits *hits, bool is_cut)
{
	struct ra_util_map index = { 0 };

	ra_table_init(table, is_cut ? cut_columns : name_columns, NAME_COLUMNS);
	for (size_t i = 0; i < hits->count; i++) {
		const struct ra_search_hit *hit = &hits->all[i];
		char scratch[RA_GPU_TEXT_BYTES];
		const struct rlog_string name = ra_search_hits_name(hits, hit, scratch);
		struct ra_table_cell *cells =
			find_name(table, &index, ra_search_hits_kind(hits, hit), name);

		cells[NAME_COUNT].u.number++;
		cells[NAME_TOTAL].u.number =
			ra_util_add_time(cells[NAME_TOTAL].u.number, hit->in_ns);
		cells[NAME_LONGEST].u.number = hit->dur_ns > cells[NAME_LONGEST].u.number
		                                       ? hit->dur_ns
		                                       : cells[NAME_LONGEST].u.number;
	}
	ra_table_sort(table, NAME_TOTAL, true);
	ra_util_map_free(&index);
}

/* Writes "213 of them, of 4 names, between 100ms and 200ms". */
static void put_head(struct ra_util_text *text, const struct answer *answer)
{
	const struct ra_search_query *query = &answer->options->query;

	ra_util_text_format(text, "%zu found, of %zu name%s", answer->found->count,
	                    answer->names.row_count, ra_util_text_plural(answer->names.row_count));
	if (query->from_ns > INT64_MIN) {
		ra_util_text_format(text, ", from ");
		ra_search_unit_put(text, query->from_ns, answer->options->unit);
	}
	if (query->to_ns < INT64_MAX) {
		ra_util_text_format(text, ", to ");
		ra_search_unit_put(text, query->to_ns, answer->options->unit);
	}
	if (query->from_ns > answer->found->model->end_ns) {
		ra_util_text_format(text, "; the recording ends at ");
		ra_util_text_put_time(text, answer->found->model->end_ns);
	}
	ra_util_text_put_char(text, '\n');
}

/* Says how many functions of Python the trace has, if they were not searched. */
static void put_python(struct ra_util_text *text, const struct answer *answer)
{
	const struct ra_model *model = answer->model;

	if (!answer->options->with_python && ra_model_has(model, RA_HAS_ROWS) &&
	    model->kineto->kind_count[RA_KINETO_PYTHON_FUNCTION] > 0) {
		const uint64_t count = model->kineto->kind_count[RA_KINETO_PYTHON_FUNCTION];

		ra_util_text_format(
			text,
			"%llu function%s of Python %s not searched (--python searches them)\n",
			(unsigned long long) count, ra_util_text_plural(count),
			count == 1 ? "was" : "were");
	}
}

/* If no thread matched, lists the threads. */
static void put_places(struct ra_util_text *text, const struct answer *answer)
{
	const struct ra_search_hits *found = answer->found;
	const size_t count = found->place_count - 1; /* the last place stands for no place */
	const size_t start = text->length;

	ra_util_text_format(text, "threads and streams:");
	for (size_t i = 0; i < count && i < MOST_PLACES; i++) {
		ra_util_text_format(text, i == 0 ? " " : ", ");
		ra_util_text_put_name(text, ra_util_string(found->places[i]), RA_TEXT_TERMINAL);
	}
	if (count > MOST_PLACES) {
		ra_util_text_format(text, ", %zu more", count - MOST_PLACES);
	}
	ra_util_text_put_char(text, '\n');
	ra_table_wrap_from(text, start, answer->options->width);
}

static void put_table(struct ra_util_text *text, const struct answer *answer,
                      const struct ra_table *table, const char *title, size_t rows)
{
	struct ra_table_column columns[HIT_COLUMNS + NAME_COLUMNS];
	struct ra_table some = *table;

	ra_util_text_put_char(text, '\n');
	ra_util_text_style(text, RA_STYLE_TITLE);
	ra_util_text_format(text, "%s", title);
	ra_util_text_style(text, RA_STYLE_NONE);
	ra_util_text_format(text, "\n\n");
	ra_table_rank(&some, false);
	if (rows > 0) {
		ra_table_cut(&some, rows);
	}
	if (answer->options->unit != NULL) {
		ra_search_unit_copy(&some);
		ra_search_unit_turn(&some, columns, answer->options->unit);
	}
	ra_table_text_put(text, &some, answer->options->width);
	if (answer->options->unit != NULL) {
		ra_table_fini(&some);
	}
}

/* Says if some of the ranges found are inside others, because their time is counted for both. */
static void put_inside(struct ra_util_text *text, const struct answer *answer)
{
	const size_t start = text->length;
	int64_t outer_ns;
	const size_t inside = ra_search_hits_count_inside(answer->found, &outer_ns);

	if (inside > 0) {
		ra_util_text_format(text,
		                    "%zu of the ranges are inside others that were found, and "
		                    "count twice: the outermost alone took ",
		                    inside);
		ra_search_unit_put(text, outer_ns, answer->options->unit);
		ra_util_text_put_char(text, '\n');
		ra_table_wrap_from(text, start, answer->options->width);
	}
}

/* Writes the answer in one size (ra_table_budget_put). */
static void put_answer(struct ra_util_text *text, size_t rows, size_t tables, const void *context)
{
	const struct answer *answer = context;
	const struct options *options = answer->options;
	const size_t most = options->limit > 0 && options->limit < rows ? options->limit : rows;
	size_t start;

	put_head(text, answer);
	start = text->length;
	ra_search_busy_put(text, answer->found, &options->query);
	ra_table_wrap_from(text, start, options->width);
	put_python(text, answer);
	if (answer->hits.row_count == 0 && options->query.thread != NULL) {
		put_places(text, answer);
	}
	if (answer->hits.row_count > 0) {
		put_table(text, answer, &answer->names, "By name", most);
		put_inside(text, answer);
	}
	if (answer->hits.row_count > 0 && tables == TABLES) {
		put_table(text, answer, &answer->hits,
		          options->by_start ? "One by one, the earliest first"
		                            : "One by one, the longest first",
		          most);
	} else if (answer->hits.row_count > 0) {
		ra_util_text_format(text, "\nleft out for --brief: 1 of 2 tables\n");
	}
	start = text->length;
	ra_util_text_put_char(text, '\n');
	ra_footer_put_text(text, answer->model, "");
	ra_table_wrap_from(text, start, options->width);
}

static void print_answer(const struct options *options, const struct answer *answer)
{
	struct ra_util_text text = { .has_styles = ra_cmd_screen_has_color() };

	if (options->brief > 0) {
		ra_table_budget_fit(&text, options->brief, TABLES, put_answer, answer);
	} else if (options->form == &ra_table_forms_text) {
		put_answer(&text, options->has_limit ? SIZE_MAX : ROWS, TABLES, answer);
	} else {
		struct ra_table some = answer->hits;

		if (options->limit > 0) {
			ra_table_cut(&some, options->limit);
		}
		options->form->put(&text, &some, options->width);
		ra_util_text_put(&text, "\n",
		                 text.length > 0 && text.bytes[text.length - 1] != '\n');
	}
	(void) ra_util_text_write(&text, stdout); /* main() checks whether stdout was written */
	ra_util_text_free(&text);
}

/* The most rows that the answer can show. */
static size_t find_most(const struct options *options)
{
	if (options->limit > 0) {
		return options->limit;
	}
	if (options->brief > 0) {
		return options->brief; /* a row has more than one byte */
	}
	return options->form == &ra_table_forms_text && !options->has_limit ? ROWS : SIZE_MAX;
}

static int search_file(const struct options *options)
{
	const struct ra_input_window window = { options->query.from_ns, options->query.to_ns };
	/* Only if no text for users is written: that text needs the steps, and ends with remarks on
	 * the whole log. */
	const bool is_window = options->form != &ra_table_forms_text && !options->strict &&
	                       (window.from_ns != INT64_MIN || window.to_ns != INT64_MAX);
	const struct ra_load_options load = { .few_args = true,
		                              .with_python = options->with_python,
		                              .window = is_window ? &window : NULL };
	const bool is_short = options->form == &ra_table_forms_text && options->width > 0;
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };
	struct answer answer = { .options = options };
	struct ra_search_hits hits;
	struct ra_model *model = NULL;
	int code = RA_CMD_OK;

	if (ra_cmd_progress_load(&model, options->path, &load, &err) != 0) {
		return ra_cmd_print_error(options->path, &err);
	}
	ra_search_hits_init(&hits, model, &options->query,
	                    is_short ? RA_KERNEL_SHORT : RA_KERNEL_FULL);
	answer.model = model;
	answer.found = &hits;
	fill_names(&answer.names, &hits,
	           options->query.from_ns > INT64_MIN || options->query.to_ns < INT64_MAX);
	fill_hits(&answer.hits, &hits, find_most(options), options->by_start);
	ra_cmd_screen_page();
	print_answer(options, &answer);
	fflush(stdout); /* errors come after the results */
	(void) ra_cmd_print_lacks(options->path, model);
	if (options->strict && ra_footer_is_incomplete(model)) {
		code = RA_CMD_INCOMPLETE;
	}
	ra_table_fini(&answer.names);
	ra_table_fini(&answer.hits);
	ra_search_hits_fini(&hits);
	ra_model_destroy(model);
	return code;
}

static int take_option(struct options *options, int option, const char *value)
{
	static const char *const orders[] = { "dur", "start", NULL };
	int choice;

	switch (option) {
	case 'N':
		options->query.name = value;
		return 0;
	case 'H':
		options->query.thread = value;
		return 0;
	case '<':
		return ra_cmd_times_take("--from", value, &options->query.from_ns);
	case '>':
		return ra_cmd_times_take("--to", value, &options->query.to_ns);
	case 'U':
		return ra_search_unit_take(value, &options->unit);
	case 'P':
		options->with_python = true;
		return 0;
	case 's':
		choice = ra_cmd_choose("--sort", value, orders);
		options->by_start = choice == 1;
		return choice < 0 ? RA_CMD_USAGE : 0;
	case 'f':
		return ra_cmd_take_form(value, &options->form);
	case 'l':
		options->has_limit = true;
		return ra_cmd_take_size("--limit", value, &options->limit);
	case 'w':
		return ra_cmd_take_size("--width", value, &options->width);
	case 'b':
		return ra_cmd_brief_take(value, &options->brief);
	case 'S':
		options->strict = true;
		return 0;
	default:
		return RA_CMD_USAGE;
	}
}

static int run(int argc, char **argv)
{
	struct options options = { .query = { .from_ns = INT64_MIN, .to_ns = INT64_MAX },
		                   .form = &ra_table_forms_text,
		                   .width = ra_cmd_screen_text_width() };
	int option;

	while ((option = ra_cmd_options_next("search", argc, argv)) != -1) {
		const int code = take_option(&options, option, optarg);

		if (code != 0) {
			return code;
		}
	}
	if (argc - optind != 1) {
		return ra_cmd_usage(optind == argc ? "no file given" : "more than one file given");
	}
	if (options.query.to_ns <= options.query.from_ns) {
		return ra_cmd_usage("--to must be later than --from");
	}
	options.path = ra_cmd_find_path(argv[optind]);
	return search_file(&options);
}

const struct ra_cmd cmd_search = {
	.name = "search",
	.synopsis = "search FILE [options]",
	.summary = "Find single ranges, calls and GPU work by name, thread and time",
	.notes = "Finds what overlaps the time, and prints its whole duration. Sums by name count\n"
		 "only the time within, and ranges inside others as well. With a time or a thread, "
		 "a\n"
		 "line says how long each thread was in what was found (steps aside), how long "
		 "only in\n"
		 "ranges around it, and how long in neither; the next line names what was "
		 "innermost\n"
		 "longest.\n",
	.run = run,
};
