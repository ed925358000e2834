/* SPDX-License-Identifier: MIT */
/* Writes the page of a comparison: where the time of a step went in each run, and what changed. */
#include <math.h>

#include "analyzer/base/util.h"
#include "analyzer/diff/diff-evidence.h"
#include "analyzer/diff/print/diff-table.h"
#include "analyzer/diff/print/diff-unlike.h"
#include "analyzer/diff/print/diff-words.h"
#include "analyzer/page/page-file.h"
#include "analyzer/page/page-html.h"
#include "analyzer/page/page-of.h"

#define ROWS 200 /* most rows of the table of changes */

static void put_side(struct ra_page_file *file, const char *word, const char *name,
                     const struct ra_diff *diff, size_t side)
{
	ra_util_text_format(&file->facts, "<li>%s: ", word);
	ra_page_html_name(&file->facts, ra_util_string(name));
	ra_util_text_format(&file->facts, ", ");
	ra_diff_words_put_units(&file->facts, diff, side);
	ra_util_text_format(&file->facts, "</li>\n");
}

/* Explains the names of the sides in the tables: before and after, or letters. */
static void put_sides(struct ra_page_file *file, const struct ra_diff_several *several,
                      const struct ra_diff_print *options)
{
	const bool is_pair = several->count == 1;

	put_side(file, is_pair ? "before" : "A", options->names[0], &several->diffs[0], 0);
	for (size_t i = 0; i < several->count; i++) {
		const char letter[] = { (char) ('B' + i), '\0' };

		put_side(file, is_pair ? "after" : letter, several->names[i], &several->diffs[i],
		         1);
	}
}

/* Writes the result of the comparison in one line. */
static void put_total(struct ra_page_file *file, const struct ra_diff *diff)
{
	const int64_t *mean_ns = diff->roles[RA_ROLE_TOTAL].mean_ns;
	const int64_t change_ns = mean_ns[1] - mean_ns[0];

	if (!diff->has_steps || mean_ns[0] <= 0 || change_ns == 0) {
		return;
	}
	ra_util_text_format(&file->facts, "a step takes ");
	ra_util_text_put_time(&file->facts, change_ns < 0 ? -change_ns : change_ns);
	ra_util_text_format(&file->facts, " %s (%+.2f %%); ", change_ns < 0 ? "less" : "more",
	                    (double) change_ns * 100 / (double) mean_ns[0]);
}

/* Writes the changes that all rows share, one line each. */
static void put_drift(struct ra_page_file *file, const struct ra_diff *diff, const char *side)
{
	struct ra_util_text text = { 0 };

	if (ra_diff_words_put_drift(&text, diff, RA_DIFF_COMMON_CPU, side)) {
		ra_util_text_format(&file->facts, "<li>");
		ra_page_html_put(&file->facts, text.bytes, text.length);
		ra_util_text_format(&file->facts, "</li>\n");
	}
	ra_util_text_free(&text);
}

/* Writes how the machines differ. */
static void put_unlike(struct ra_page_file *file, const struct ra_diff *diff, const char *first,
                       const char *second)
{
	struct ra_util_text text = { 0 };

	if (ra_diff_unlike_put(&text, diff, (const char *const[2]){ first, second },
	                       RA_TEXT_TERMINAL)) {
		ra_util_text_format(&file->facts, "<li>");
		ra_page_html_put(&file->facts, text.bytes, text.length - 1);
		ra_util_text_format(&file->facts, "</li>\n");
	}
	ra_util_text_free(&text);
}

/* Writes which data the sides lack, one line each. */
static void put_lacks(struct ra_page_file *file, const struct ra_diff *diff, const char *first,
                      const char *second)
{
	struct ra_util_text text = { 0 };

	ra_diff_words_put_lacks(&text, diff, (const char *const[2]){ first, second });
	for (size_t at = 0, end; at < text.length; at = end + 1) {
		end = at;
		while (text.bytes[end] != '\n') {
			end++;
		}
		ra_util_text_format(&file->facts, "<li>");
		ra_page_html_put(&file->facts, text.bytes + at, end - at);
		ra_util_text_format(&file->facts, "</li>\n");
	}
	ra_util_text_free(&text);
}

/* Writes how many rows differ, as text and as data. */
static void put_counts(struct ra_page_file *file, const struct ra_diff_several *several,
                       const struct ra_diff_print *options)
{
	ra_util_text_format(&file->footer, "\"comparisons\":[");
	for (size_t i = 0; i < several->count; i++) {
		const struct ra_diff *diff = &several->diffs[i];
		const size_t slower = ra_diff_count_slower(diff);
		const size_t changed = ra_diff_count_changed(diff);
		char side[8];

		snprintf(side, sizeof(side), "in %c", (char) ('B' + i));
		put_unlike(file, diff, several->count > 1 ? "in A" : "before",
		           several->count > 1 ? side : "after");
		ra_util_text_format(&file->facts, "<li>");
		if (several->count > 1) {
			ra_util_text_format(&file->facts, "%c: ", (char) ('B' + i));
		}
		put_total(file, diff);
		ra_util_text_format(&file->facts, "%zu of %zu rows differ, ", changed, diff->count);
		ra_diff_words_put_limits(&file->facts, diff, &options->limits);
		ra_util_text_format(&file->facts, "</li>\n");
		snprintf(side, sizeof(side), "%c", (char) ('B' + i));
		put_drift(file, diff, several->count > 1 ? side : "the second side");
		snprintf(side, sizeof(side), "%c: ", (char) ('B' + i));
		put_lacks(file, diff, several->count > 1 ? "A: " : "before: ",
		          several->count > 1 ? side : "after: ");
		ra_util_text_format(
			&file->footer, "%s{\"unit\":\"%s\",\"slower\":%zu,\"changed\":%zu}",
			i == 0 ? "" : ",", diff->has_steps ? "step" : "input", slower, changed);
	}
	ra_util_text_format(&file->footer, "]");
}

/* Writes the figures of a row's single runs, as relative differences from the mean of the runs
 * before the change. */
static void put_dots(struct ra_util_text *json, size_t row, const double *figures,
                     const struct ra_diff *diff)
{
	const size_t before = diff->sides[0]->run_count;
	const size_t all = before + diff->sides[1]->run_count;
	double sum = 0;
	size_t count = 0;

	for (size_t i = 0; i < before; i++) {
		sum += isnan(figures[i]) ? 0 : figures[i];
		count += !isnan(figures[i]);
	}
	ra_util_text_format(json, "[%zu,[", row);
	for (size_t i = 0; i < all; i++) {
		ra_util_text_format(json, "%s", i == before ? "],[" : i == 0 ? "" : ",");
		if (isnan(figures[i]) || count == 0) {
			ra_util_text_format(json, "null");
		} else {
			ra_util_text_format(json, "%.4f", expm1(figures[i] - sum / (double) count));
		}
	}
	ra_util_text_format(json, "]]");
}

/* Writes the figures of single runs for all rows in the page. */
static void put_all_dots(struct ra_util_text *json, const struct ra_diff *diff)
{
	size_t shown = 0;
	const char *comma = "";

	ra_util_text_format(json, ",\"dots\":{\"parts\":[");
	for (size_t role = 0; role < RA_ROLES; role++) {
		const bool is_shown = ra_diff_table_has_part(diff, role);

		if (is_shown && diff->roles[role].figures != NULL) {
			ra_util_text_format(json, "%s", comma);
			put_dots(json, shown, diff->roles[role].figures, diff);
			comma = ",";
		}
		shown += is_shown;
	}
	ra_util_text_format(json, "],\"changes\":[");
	comma = "";
	shown = 0;
	for (size_t i = 0; i < diff->count && shown < ROWS; i++) {
		const struct ra_diff_row *row = &diff->rows[i];

		if (ra_diff_table_has_row(row) && row->figures != NULL) {
			ra_util_text_format(json, "%s", comma);
			put_dots(json, shown, row->figures, diff);
			comma = ",";
		}
		shown += ra_diff_table_has_row(row);
	}
	ra_util_text_format(json, "]}");
}

/* Writes a table. @data: the rows that the page's data get, as numbers; may be the table itself if
 * it has all rows. */
static void put_table(struct ra_page_file *file, const struct ra_page_table_words *words,
                      const struct ra_table *table, const struct ra_table *data)
{
	ra_page_file_add_data(file, words->report, data);
	ra_util_text_format(&file->body, "<div class=report id=\"r-%s\">\n", words->report);
	ra_page_table_put(&file->body, words, table);
	ra_util_text_format(&file->body, "</div>\n");
}

static void put_tables(struct ra_page_file *file, struct ra_table tables[2],
                       struct ra_table data[2], bool has_steps)
{
	const struct ra_page_table_words parts = {
		.report = "parts",
		.title = has_steps ? "Where the time of a step went"
		                   : "Where the time of an input went",
	};
	const struct ra_page_table_words changes = {
		.report = "changes",
		.title = has_steps ? "What changed, per step" : "What changed, per input",
		.command = "analyzer diff -f json",
		.note = tables[1].row_count == 0 ? "Nothing changed." : NULL,
	};

	ra_page_file_begin_section(file, "parts", parts.title,
	                           "<div class=view id=\"view-parts\"></div>\n");
	put_table(file, &parts, &tables[0], &data[0]);
	ra_util_text_format(&file->body, "</section>\n");
	ra_page_file_begin_section(file, "changes", changes.title, "");
	ra_table_cut(&tables[1], ROWS);
	if (data != tables) {
		ra_table_cut(&data[1], ROWS);
	}
	put_table(file, &changes, &tables[1], &data[1]);
	ra_util_text_format(&file->body, "</section>\n");
}

void ra_page_of_diff_write(const struct ra_diff_several *several,
                           const struct ra_diff_print *options, struct ra_outbuf *out)
{
	const bool is_pair = several->count == 1;
	struct ra_page_file file = { .title = is_pair ? "Comparison of two runs"
		                                      : "Comparison of runs" };
	struct ra_diff_headings headings[2];
	struct ra_table tables[2];
	struct ra_table data[2];

	if (is_pair) {
		ra_diff_table_fill(tables, several->diffs, RA_DIFF_TABLE_FOR_PEOPLE);
		ra_diff_table_fill(data, several->diffs, RA_DIFF_TABLE_FOR_PAGE_DATA);
	} else {
		ra_diff_several_fill(tables, headings, several);
	}
	put_sides(&file, several, options);
	put_counts(&file, several, options);
	if (is_pair) {
		put_all_dots(&file.footer, several->diffs);
	}
	put_tables(&file, tables, is_pair ? data : tables, several->diffs[0].has_steps);
	ra_page_file_write(&file, out);
	for (size_t i = 0; i < 2; i++) {
		ra_table_fini(&tables[i]);
		if (is_pair) {
			ra_table_fini(&data[i]);
		}
	}
	ra_page_file_fini(&file);
}
