/* SPDX-License-Identifier: MIT */
/* Writes how several runs differ from one run. */
#include "analyzer/diff/print/diff-several.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"
#include "analyzer/diff/diff-evidence.h"
#include "analyzer/diff/print/diff-short-names.h"
#include "analyzer/diff/diff-order.h"
#include "analyzer/diff/print/diff-table.h"
#include "analyzer/diff/print/diff-unlike.h"
#include "analyzer/diff/print/diff-words.h"
#include "analyzer/table/forms/table-text.h"
#include "analyzer/table/table-wrap.h"

/* The columns: kind, name, domain and the first side's time, then for each other side those of the
 * second enum. */
enum {
	WHAT,
	NAME,
	DOMAIN,
	FIRST,
	HEAD_COLUMNS
};
enum {
	TIME,
	INTERVAL,
	VERDICT,
	CHANGE,
	SIDE_COLUMNS
};

static_assert(HEAD_COLUMNS + RA_DIFF_SEVERAL_MAX * SIDE_COLUMNS == RA_DIFF_SEVERAL_COLUMNS,
              "headings of all columns");

/* Something that is compared, and its row in each comparison; NULL: neither side of that comparison
 * has it. */
struct line {
	const struct ra_diff_row *rows[RA_DIFF_SEVERAL_MAX];
	int64_t change_ns; /* the largest change in any comparison, as an absolute value */
};

static void set_heading(struct ra_diff_headings *h, size_t at, const char *key, const char *title,
                        enum ra_table_kind kind)
{
	snprintf(h->texts[at][0], sizeof(h->texts[at][0]), "%s", key);
	snprintf(h->texts[at][1], sizeof(h->texts[at][1]), "%s", title);
	h->columns[at] = (struct ra_table_column){ h->texts[at][0], h->texts[at][1], kind, NULL };
}

/* Makes the headings of a table. @has_parts: its rows are parts of a step. */
static void make_headings(struct ra_diff_headings *h, size_t sides, bool has_parts)
{
	memset(h, 0, sizeof(*h));
	set_heading(h, WHAT, "what", "What", RA_TABLE_TEXT);
	set_heading(h, NAME, "name", has_parts ? "Part" : "Name", RA_TABLE_TEXT);
	set_heading(h, DOMAIN, "domain", "Domain", RA_TABLE_TEXT);
	h->columns[DOMAIN].usual = "(default)";
	set_heading(h, FIRST, "a_ns", "A", RA_TABLE_TIME);
	h->count = HEAD_COLUMNS;
	for (size_t side = 0; side < sides; side++) {
		const char letter = (char) ('B' + side);
		char title[SIDE_COLUMNS][24];

		snprintf(title[TIME], sizeof(title[TIME]), "%c", letter);
		snprintf(title[CHANGE], sizeof(title[CHANGE]), "%c - A", letter);
		snprintf(title[VERDICT], sizeof(title[VERDICT]), "%c is", letter);
		snprintf(title[INTERVAL], sizeof(title[INTERVAL]),
		         has_parts ? "%c: usual step, 95 %%" : "%c: usual call, 95 %%", letter);
		set_heading(h, h->count + TIME, title[TIME], title[TIME], RA_TABLE_TIME);
		set_heading(h, h->count + INTERVAL, title[INTERVAL], title[INTERVAL],
		            RA_TABLE_TEXT);
		set_heading(h, h->count + VERDICT, title[VERDICT], title[VERDICT], RA_TABLE_TEXT);
		set_heading(h, h->count + CHANGE, title[CHANGE], title[CHANGE], RA_TABLE_TIME);
		h->count += SIDE_COLUMNS;
	}
}

static void put_side(struct ra_table *table, struct ra_table_cell *cells,
                     const struct ra_diff_words_of *of)
{
	const int64_t *time_ns = of->total_ns;

	cells[TIME] = ra_table_make_number(time_ns[1]);
	cells[CHANGE] = ra_table_make_number(time_ns[1] - time_ns[0]);
	cells[VERDICT] = ra_diff_words_explain(table, of);
	cells[INTERVAL] = ra_diff_words_change(table, of);
}

static bool has_part(const struct ra_diff_several *several, size_t role)
{
	for (size_t i = 0; i < several->count; i++) {
		const int64_t *mean_ns = several->diffs[i].roles[role].mean_ns;

		if (mean_ns[0] != 0 || mean_ns[1] != 0) {
			return true;
		}
	}
	return role == RA_ROLE_TOTAL;
}

/* Fills the table of parts. As for two sides, leaves out parts that no side has. */
static void fill_parts(const struct ra_diff_several *several, struct ra_table *table)
{
	for (size_t role = 0; role < RA_ROLES; role++) {
		struct ra_table_cell *cells;

		if (!has_part(several, role)) {
			continue;
		}
		cells = ra_table_add_row(table);
		cells[NAME] = ra_table_make_word(ra_diff_words_role(role));
		cells[FIRST] = ra_table_make_number(several->diffs[0].roles[role].mean_ns[0]);
		for (size_t i = 0; i < several->count; i++) {
			const struct ra_diff_role *from = &several->diffs[i].roles[role];

			put_side(table, cells + HEAD_COLUMNS + i * SIDE_COLUMNS,
			         &(struct ra_diff_words_of){ &several->diffs[i], from->mean_ns,
			                                     from->verdict, &from->evidence });
		}
	}
}

/* Returns the row of the first comparison that has one. */
static const struct ra_diff_row *find_any(const struct line *line)
{
	size_t i = 0;

	while (line->rows[i] == NULL) {
		i++;
	}
	return line->rows[i];
}

static int compare_keys(const void *a, const void *b)
{
	return ra_diff_order_compare_keys(find_any(a), find_any(b));
}

static int compare_changes(const void *a, const void *b)
{
	const struct line *left = a;
	const struct line *right = b;
	const int order = RA_ORDER_DOWN(left, right, change_ns);

	return RA_ORDER_THEN(order, compare_keys(a, b));
}

static void note_change(struct line *line)
{
	for (size_t i = 0; i < RA_DIFF_SEVERAL_MAX; i++) {
		const struct ra_diff_row *row = line->rows[i];
		const int64_t change_ns = row == NULL ? 0 : row->total_ns[1] - row->total_ns[0];

		if (llabs(change_ns) > line->change_ns) {
			line->change_ns = llabs(change_ns);
		}
	}
}

/* Makes a line for each key that any comparison has a row for. Return: how many lines. */
static size_t collect(const struct ra_diff_several *several, struct line *lines)
{
	size_t count = 0;
	size_t kept = 0;

	for (size_t i = 0; i < several->count; i++) {
		for (size_t r = 0; r < several->diffs[i].count; r++) {
			lines[count++].rows[i] = &several->diffs[i].rows[r];
		}
	}
	RA_SORT(lines, count, compare_keys);
	for (size_t at = 0; at < count; at++) {
		if (kept == 0 || compare_keys(&lines[kept - 1], &lines[at]) != 0) {
			lines[kept++] = lines[at];
			continue;
		}
		for (size_t i = 0; i < several->count; i++) {
			if (lines[at].rows[i] != NULL) {
				lines[kept - 1].rows[i] = lines[at].rows[i];
			}
		}
	}
	for (size_t at = 0; at < kept; at++) {
		note_change(&lines[at]);
	}
	RA_SORT(lines, kept, compare_changes);
	return kept;
}

static bool has_changed(const struct line *line)
{
	bool has = line->change_ns != 0;

	for (size_t i = 0; i < RA_DIFF_SEVERAL_MAX; i++) {
		has = has || (line->rows[i] != NULL && line->rows[i]->verdict != RA_DIFF_SAME);
	}
	return has;
}

static void add_line(const struct line *line, const struct ra_diff_several *several,
                     struct ra_table *table)
{
	struct ra_table_cell *cells = ra_table_add_row(table);
	const struct ra_diff_row *any = find_any(line);

	cells[WHAT] = ra_table_make_word(ra_diff_words_kind(any));
	cells[NAME] = ra_table_make_text(any->name);
	if (any->table == RA_SUM_RANGES) {
		cells[DOMAIN] = ra_table_make_text(any->domain);
	}
	for (size_t i = 0; i < several->count; i++) {
		const struct ra_diff_row *row = line->rows[i];

		if (row != NULL && row->stats[0] != NULL) {
			cells[FIRST] = ra_table_make_number(row->total_ns[0]);
		}
		if (row != NULL) {
			put_side(table, cells + HEAD_COLUMNS + i * SIDE_COLUMNS,
			         &(struct ra_diff_words_of){ &several->diffs[i], row->total_ns,
			                                     row->verdict, &row->evidence });
		}
		if (row != NULL && row->stats[1] == NULL) {
			cells[HEAD_COLUMNS + i * SIDE_COLUMNS + TIME].has_value = false;
		}
	}
}

static void fill_rows(const struct ra_diff_several *several, struct ra_table *table)
{
	struct line *lines;
	size_t count = 0;

	for (size_t i = 0; i < several->count; i++) {
		count += several->diffs[i].count;
	}
	lines = ra_alloc_zeros(count + 1, sizeof(*lines));
	count = collect(several, lines);
	for (size_t at = 0; at < count; at++) {
		if (has_changed(&lines[at])) {
			add_line(&lines[at], several, table);
		}
	}
	free(lines);
}

void ra_diff_several_fill(struct ra_table tables[2], struct ra_diff_headings headings[2],
                          const struct ra_diff_several *several)
{
	for (size_t i = 0; i < 2; i++) {
		make_headings(&headings[i], several->count, i == 0);
		ra_table_init(&tables[i], headings[i].columns, headings[i].count);
	}
	fill_parts(several, &tables[0]);
	ra_table_hide(&tables[0], WHAT);
	ra_table_hide(&tables[0], DOMAIN);
	fill_rows(several, &tables[1]);
}

static void put_side_name(struct ra_util_text *text, char letter, const char *name,
                          const struct ra_diff *diff, const struct ra_diff_print *options)
{
	const bool is_markdown = options->form == RA_DIFF_PRINT_MARKDOWN;
	const size_t start = text->length;

	ra_util_text_format(text, "%s%c: ", is_markdown ? "* " : "", letter);
	ra_util_text_put_name(text, ra_util_string(name),
	                      is_markdown ? RA_TEXT_MARKDOWN : RA_TEXT_TERMINAL);
	ra_util_text_format(text, ", ");
	ra_diff_words_put_units(text, diff, letter == 'A' ? 0 : 1);
	ra_util_text_put_char(text, '\n');
	ra_table_wrap_from(text, start, is_markdown ? 0 : options->width);
}

/* Writes how the machines of the other sides differ from the first side's. */
static void put_unlike(struct ra_util_text *text, const struct ra_diff_several *several, size_t at,
                       const struct ra_diff_print *options)
{
	const bool is_markdown = options->form == RA_DIFF_PRINT_MARKDOWN;
	const char letter[] = { 'i', 'n', ' ', (char) ('B' + at), '\0' };
	const size_t start = text->length;

	ra_util_text_format(text, is_markdown ? "* " : "");
	if (!ra_diff_unlike_put(text, &several->diffs[at], (const char *const[2]){ "in A", letter },
	                        is_markdown ? RA_TEXT_MARKDOWN : RA_TEXT_TERMINAL)) {
		text->length = start;
	}
	ra_table_wrap_from(text, start, is_markdown ? 0 : options->width);
}

static void put_table(struct ra_util_text *text, const char *title, const struct ra_table *table,
                      const struct ra_diff_print *options)
{
	const bool is_markdown = options->form == RA_DIFF_PRINT_MARKDOWN;

	ra_util_text_format(text, "\n%s%s\n\n", is_markdown ? "## " : "", title);
	if (table->row_count == 0) {
		ra_util_text_format(text, "nothing\n");
	} else if (is_markdown) {
		ra_table_text_put_markdown(text, table);
	} else {
		ra_table_text_put(text, table, options->width);
	}
}

/* Appends the lines of all sides, those of the first side only once. */
static void put_lacks(struct ra_util_text *text, const struct ra_diff *diff, size_t at)
{
	const char prefix[] = { (char) ('B' + at), ':', ' ', '\0' };

	if (at == 0) {
		ra_sum_set_put_incomplete(text, diff->sets[0], "A: ");
	}
	ra_sum_set_put_incomplete(text, diff->sets[1], prefix);
}

static void put_people(struct ra_util_text *text, const struct ra_diff_several *several,
                       const struct ra_diff_print *options, const struct ra_table tables[2])
{
	bool has_steps = true;
	size_t start;

	for (size_t i = 0; i < several->count; i++) {
		has_steps = has_steps && several->diffs[i].has_steps;
	}
	for (size_t i = 0; i < several->count; i++) {
		put_unlike(text, several, i, options);
	}
	put_side_name(text, 'A', options->names[0], &several->diffs[0], options);
	for (size_t i = 0; i < several->count; i++) {
		put_side_name(text, (char) ('B' + i), several->names[i], &several->diffs[i],
		              options);
	}
	put_table(text,
	          has_steps ? "Where the time of a step went"
	                    : "Where the time of a step or input went",
	          &tables[0], options);
	put_table(text, has_steps ? "What changed, per step" : "What changed, per step or input",
	          &tables[1], options);
	ra_util_text_put_char(text, '\n');
	start = text->length;
	for (size_t i = 0; i < several->count; i++) {
		ra_util_text_format(text, "%c: %zu of %zu rows differ; ", (char) ('B' + i),
		                    ra_diff_count_changed(&several->diffs[i]),
		                    several->diffs[i].count);
		ra_diff_words_put_limits(text, &several->diffs[i], &options->limits);
		ra_util_text_put_char(text, '\n');
		if (ra_diff_words_put_drift(text, &several->diffs[i], RA_DIFF_COMMON_CPU,
		                            (const char[]){ (char) ('B' + i), '\0' })) {
			ra_util_text_put_char(text, '\n');
		}
		if (ra_diff_words_put_totals(text, &several->diffs[i])) {
			ra_util_text_put_char(text, '\n');
		}
		put_lacks(text, &several->diffs[i], i);
	}
	ra_table_wrap_from(text, start,
	                   options->form == RA_DIFF_PRINT_MARKDOWN ? 0 : options->width);
}

/* Writes the JSON documents of all comparisons. Each contains the first side. */
static void print_each(struct ra_util_text *text, const struct ra_diff_several *several,
                       const struct ra_diff_print *options)
{
	struct ra_diff_print one = *options;

	if (options->form == RA_DIFF_PRINT_JUNIT) {
		ra_diff_print_cases(text, several->diffs, several->count);
		return;
	}
	ra_util_text_format(text, "{\"comparisons\":[\n");
	for (size_t i = 0; i < several->count; i++) {
		ra_util_text_put(text, ",", i == 0 ? 0 : 1);
		one.names[1] = several->names[i];
		ra_diff_print(text, &several->diffs[i], &one);
	}
	ra_util_text_format(text, "]}\n");
}

void ra_diff_several_print(struct ra_util_text *text, const struct ra_diff_several *several,
                           const struct ra_diff_print *options)
{
	struct ra_diff_headings headings[2];
	struct ra_table tables[2];

	if (options->form == RA_DIFF_PRINT_JUNIT || options->form == RA_DIFF_PRINT_JSON) {
		print_each(text, several, options);
		return;
	}
	ra_diff_several_fill(tables, headings, several);
	if (options->limit > 0) {
		ra_table_cut(&tables[1], options->limit);
	}
	if (options->form == RA_DIFF_PRINT_TEXT && options->width > 0) {
		ra_diff_short_names_put(&tables[1]);
	}
	put_people(text, several, options, tables);
	ra_table_fini(&tables[0]);
	ra_table_fini(&tables[1]);
}
