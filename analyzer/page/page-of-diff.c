/* SPDX-License-Identifier: MIT */
/* The page of a comparison: where the time of a step went in each run, and what changed. */
#include "analyzer/base/util.h"
#include "analyzer/diff/diff-words.h"
#include "analyzer/page/page-file.h"
#include "analyzer/page/page-html.h"
#include "analyzer/page/page-of.h"

#define ROWS 200 /* of the table of changes */

static void put_side(struct ra_page_file *file, const char *word, const char *name,
                     const struct ra_diff *diff, size_t side)
{
	ra_util_text_format(&file->facts, "<li>%s: ", word);
	ra_page_html_name(&file->facts, ra_util_string(name));
	ra_util_text_format(&file->facts, ", ");
	ra_diff_words_put_units(&file->facts, diff, side);
	ra_util_text_format(&file->facts, "</li>\n");
}

/* What is called so in the tables: before and after, or letters. */
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

/* The answer in a line. */
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

/* How many rows differ, for people and as data. */
static void put_counts(struct ra_page_file *file, const struct ra_diff_several *several,
                       const struct ra_diff_print *options)
{
	ra_util_text_format(&file->footer, "\"comparisons\":[");
	for (size_t i = 0; i < several->count; i++) {
		const struct ra_diff *diff = &several->diffs[i];
		const size_t slower = ra_diff_count_slower(diff);
		const size_t changed = ra_diff_count_changed(diff);

		ra_util_text_format(&file->facts, "<li>");
		if (several->count > 1) {
			ra_util_text_format(&file->facts, "%c: ", (char) ('B' + i));
		}
		put_total(file, diff);
		ra_util_text_format(&file->facts,
		                    "%zu of %zu rows differ, %zu slower beyond noise, %g %% and ",
		                    changed, diff->count, slower, options->limits.percent);
		ra_util_text_put_time(&file->facts, options->limits.time_ns);
		ra_util_text_format(&file->facts, "</li>\n");
		ra_util_text_format(
			&file->footer, "%s{\"unit\":\"%s\",\"slower\":%zu,\"changed\":%zu}",
			i == 0 ? "" : ",", diff->has_steps ? "step" : "input", slower, changed);
	}
	ra_util_text_format(&file->footer, "]");
}

static void put_tables(struct ra_page_file *file, struct ra_table tables[2], bool has_steps)
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
	ra_page_file_add_table(file, &parts, &tables[0]);
	ra_util_text_format(&file->body, "</section>\n");
	ra_page_file_begin_section(file, "changes", changes.title, "");
	ra_table_cut(&tables[1], ROWS);
	ra_page_file_add_table(file, &changes, &tables[1]);
	ra_util_text_format(&file->body, "</section>\n");
}

void ra_page_of_diff_write(const struct ra_diff_several *several,
                           const struct ra_diff_print *options, struct ra_outbuf *out)
{
	struct ra_page_file file = { .title = several->count == 1 ? "Comparison of two runs"
		                                                  : "Comparison of runs" };
	struct ra_diff_headings headings[2];
	struct ra_table tables[2];

	if (several->count == 1) {
		ra_diff_table_fill(tables, several->diffs, RA_DIFF_TABLE_FOR_PAGES);
	} else {
		ra_diff_several_fill(tables, headings, several, true);
	}
	put_sides(&file, several, options);
	put_counts(&file, several, options);
	put_tables(&file, tables, several->diffs[0].has_steps);
	ra_page_file_write(&file, out);
	ra_table_fini(&tables[0]);
	ra_table_fini(&tables[1]);
	ra_page_file_fini(&file);
}
