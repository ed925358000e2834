/* SPDX-License-Identifier: MIT */
/* Writes what differs, for people and machines. */
#include "analyzer/diff/diff-print.h"

#include <stdio.h>

#include "analyzer/diff/diff-words.h"
#include "analyzer/table/junit.h"
#include "analyzer/table/table-data.h"
#include "analyzer/table/table-text.h"

static const struct ra_table_column role_columns[] = {
	{ "part", "Part", RA_TABLE_TEXT, NULL },
	{ "before_ns", "Before", RA_TABLE_TIME, NULL },
	{ "after_ns", "After", RA_TABLE_TIME, NULL },
	{ "change_ns", "Change", RA_TABLE_TIME, NULL },
	{ "change_part", "Change %", RA_TABLE_PART, NULL },
	{ "verdict", "Verdict", RA_TABLE_TEXT, NULL },
};

enum column {
	WHAT,
	NAME,
	DOMAIN,
	CALLS_BEFORE,
	CALLS_AFTER,
	BEFORE,
	AFTER,
	CHANGE,
	CHANGE_PART,
	VERDICT,
	SELF_BEFORE,
	SELF_AFTER,
	GPU_BEFORE,
	GPU_AFTER,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[WHAT] = { "what", "What", RA_TABLE_TEXT, NULL },
	[NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[DOMAIN] = { "domain", "Domain", RA_TABLE_TEXT, "(default)" },
	[CALLS_BEFORE] = { "calls_before", "Calls before", RA_TABLE_REAL, NULL },
	[CALLS_AFTER] = { "calls_after", "Calls after", RA_TABLE_REAL, NULL },
	[BEFORE] = { "before_ns", "Before", RA_TABLE_TIME, NULL },
	[AFTER] = { "after_ns", "After", RA_TABLE_TIME, NULL },
	[CHANGE] = { "change_ns", "Change", RA_TABLE_TIME, NULL },
	[CHANGE_PART] = { "change_part", "Change %", RA_TABLE_PART, NULL },
	[VERDICT] = { "verdict", "Verdict", RA_TABLE_TEXT, NULL },
	[SELF_BEFORE] = { "self_before_ns", "Self before", RA_TABLE_TIME, "0" },
	[SELF_AFTER] = { "self_after_ns", "Self after", RA_TABLE_TIME, "0" },
	[GPU_BEFORE] = { "gpu_before_ns", "GPU before", RA_TABLE_TIME, "0" },
	[GPU_AFTER] = { "gpu_after_ns", "GPU after", RA_TABLE_TIME, "0" },
};

static void put_change(struct ra_table_cell *cells, const int64_t time_ns[2])
{
	cells[0] = ra_table_make_number(time_ns[1] - time_ns[0]);
	if (time_ns[0] > 0) {
		cells[1] = ra_table_make_real((double) (time_ns[1] - time_ns[0]) /
		                              (double) time_ns[0]);
	}
}

static int fill_roles(const struct ra_diff *diff, struct ra_table *table)
{
	for (size_t role = 0; role < RA_ROLES; role++) {
		const struct ra_diff_role *from = &diff->roles[role];
		struct ra_table_cell *cells = ra_table_add_row(table);

		if (cells == NULL) {
			return -RLOG_E_NO_MEMORY;
		}
		cells[0] = ra_table_make_text(ra_sum_texts_make(ra_diff_words_role(role)));
		cells[1] = ra_table_make_number(from->mean_ns[0]);
		cells[2] = ra_table_make_number(from->mean_ns[1]);
		put_change(&cells[3], from->mean_ns);
		cells[5] = ra_diff_words_verdict(from->verdict);
	}
	return 0;
}

static int add_row(const struct ra_diff *diff, const struct ra_diff_row *row,
                   struct ra_table *table)
{
	struct ra_table_cell *cells = ra_table_add_row(table);

	if (cells == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	cells[WHAT] = ra_table_make_text(ra_sum_texts_make(ra_diff_words_kind(row)));
	cells[NAME] = ra_table_make_text(row->name);
	if (row->table == RA_SUM_RANGES) {
		cells[DOMAIN] = ra_table_make_text(row->domain);
	}
	for (size_t side = 0; side < 2; side++) {
		if (row->stats[side] == NULL) {
			continue;
		}
		cells[CALLS_BEFORE + side] =
			ra_table_make_real((double) row->calls[side] / (double) diff->units[side]);
		cells[BEFORE + side] = ra_table_make_number(row->total_ns[side]);
		if (row->table == RA_SUM_RANGES) {
			cells[SELF_BEFORE + side] = ra_table_make_number(row->self_ns[side]);
			cells[GPU_BEFORE + side] = ra_table_make_number(row->gpu_ns[side]);
		}
	}
	put_change(&cells[CHANGE], row->total_ns);
	cells[VERDICT] = ra_diff_words_verdict(row->verdict);
	return 0;
}

/* People are spared what did not change; machines get all rows. */
static int fill_rows(const struct ra_diff *diff, bool with_same, struct ra_table *table)
{
	int rc = 0;

	for (size_t i = 0; i < diff->count && rc == 0; i++) {
		const struct ra_diff_row *row = &diff->rows[i];

		if (with_same || row->total_ns[0] != row->total_ns[1] ||
		    row->verdict != RA_DIFF_SAME) {
			rc = add_row(diff, row, table);
		}
	}
	return rc;
}

static void put_name(struct ra_util_text *text, const char *name, enum ra_util_text_target target)
{
	ra_util_text_put_name(text, ra_sum_texts_make(name), target);
}

static void put_people(struct ra_util_text *text, const struct ra_diff *diff,
                       const struct ra_diff_print *options, struct ra_table tables[2])
{
	const bool is_markdown = options->form == RA_DIFF_PRINT_MARKDOWN;
	const enum ra_util_text_target target = is_markdown ? RA_TEXT_MARKDOWN : RA_TEXT_TERMINAL;
	const char *unit = diff->has_steps ? "step" : "input";

	ra_util_text_format(text, "%sbefore: ", is_markdown ? "* " : "");
	put_name(text, options->names[0], target);
	ra_util_text_format(text, ", %llu %ss\n%safter:  ", (unsigned long long) diff->units[0],
	                    unit, is_markdown ? "* " : "");
	put_name(text, options->names[1], target);
	ra_util_text_format(text, ", %llu %ss\n\n%sWhere the time of %s went\n\n",
	                    (unsigned long long) diff->units[1], unit, is_markdown ? "## " : "",
	                    diff->has_steps ? "a step" : "an input");
	if (is_markdown) {
		ra_table_text_put_markdown(text, &tables[0]);
	} else {
		ra_table_text_put(text, &tables[0], options->width);
	}
	ra_util_text_format(text, "\n%sWhat changed, per %s\n\n", is_markdown ? "## " : "", unit);
	if (tables[1].row_count == 0) {
		ra_util_text_format(text, "nothing\n");
	} else if (is_markdown) {
		ra_table_text_put_markdown(text, &tables[1]);
	} else {
		ra_table_text_put(text, &tables[1], options->width);
	}
	ra_util_text_format(text, "\n%zu of %zu rows differ; %zu slower beyond noise, %g %% and ",
	                    ra_diff_count_changed(diff), diff->count, ra_diff_count_slower(diff),
	                    options->limits.percent);
	ra_util_text_put_time(text, options->limits.time_ns);
	ra_util_text_put_char(text, '\n');
}

static void put_json(struct ra_util_text *text, const struct ra_diff *diff,
                     const struct ra_diff_print *options, const struct ra_table tables[2])
{
	static const char *const keys[2] = { "before", "after" };

	ra_util_text_put_char(text, '{');
	for (size_t side = 0; side < 2; side++) {
		ra_util_text_format(text, "\"%s\":{\"input\":\"", keys[side]);
		put_name(text, options->names[side], RA_TEXT_JSON);
		ra_util_text_format(text, "\",\"inputs\":%zu,\"units\":%llu},\n",
		                    diff->sets[side]->source_count,
		                    (unsigned long long) diff->units[side]);
	}
	ra_util_text_format(text,
	                    "\"unit\":\"%s\",\"slower\":%zu,\"changed\":%zu,\n\"limits\":"
	                    "{\"percent\":%g,\"time_ns\":%lld},\n\"parts\":",
	                    diff->has_steps ? "step" : "input", ra_diff_count_slower(diff),
	                    ra_diff_count_changed(diff), options->limits.percent,
	                    (long long) options->limits.time_ns);
	ra_table_data_put_json(text, &tables[0]);
	ra_util_text_format(text, ",\n\"rows\":");
	ra_table_data_put_json(text, &tables[1]);
	ra_util_text_format(text, "}\n");
}

static void put_case(struct ra_util_text *text, const char *what, struct rlog_string name,
                     const int64_t time_ns[2], enum ra_diff_verdict verdict)
{
	struct ra_util_text failure = { 0 };

	if (verdict == RA_DIFF_SLOWER) {
		ra_util_text_format(&failure, "slower: ");
		ra_util_text_put_time(&failure, time_ns[0]);
		ra_util_text_format(&failure, " before, ");
		ra_util_text_put_time(&failure, time_ns[1]);
		ra_util_text_format(&failure, " after");
	}
	ra_junit_put(text, what, name,
	             (struct rlog_string){ failure.bytes, (uint32_t) failure.length, 0 });
	text->failed |= failure.failed;
	ra_util_text_free(&failure);
}

/* @suffix: of what kinds of rows are called, where there are several comparisons. */
static void put_cases(struct ra_util_text *text, const struct ra_diff *diff, const char *suffix)
{
	char what[64];

	for (size_t role = 0; role < RA_ROLES; role++) {
		snprintf(what, sizeof(what), "step%s", suffix);
		put_case(text, what, ra_sum_texts_make(ra_diff_words_role(role)),
		         diff->roles[role].mean_ns, diff->roles[role].verdict);
	}
	for (size_t i = 0; i < diff->count; i++) {
		const struct ra_diff_row *row = &diff->rows[i];

		if (row->stats[0] != NULL && row->stats[1] != NULL) {
			snprintf(what, sizeof(what), "%s%s", ra_diff_words_kind(row), suffix);
			put_case(text, what, row->name, row->total_ns, row->verdict);
		}
	}
}

int ra_diff_print_cases(struct ra_util_text *text, const struct ra_diff *diffs, size_t count)
{
	size_t cases = count * RA_ROLES;
	size_t slower = 0;

	for (size_t i = 0; i < count; i++) {
		slower += ra_diff_count_slower(&diffs[i]);
		for (size_t r = 0; r < diffs[i].count; r++) {
			cases += diffs[i].rows[r].stats[0] != NULL &&
			         diffs[i].rows[r].stats[1] != NULL;
		}
	}
	ra_junit_begin(text, "analyzer diff", cases, slower);
	for (size_t i = 0; i < count; i++) {
		char suffix[8] = "";

		if (count > 1) {
			snprintf(suffix, sizeof(suffix), ", %c", (char) ('B' + i));
		}
		put_cases(text, &diffs[i], suffix);
	}
	ra_junit_end(text);
	return text->failed ? -RLOG_E_NO_MEMORY : 0;
}

int ra_diff_print(struct ra_util_text *text, const struct ra_diff *diff,
                  const struct ra_diff_print *options)
{
	struct ra_table tables[2];
	int rc;

	if (options->form == RA_DIFF_PRINT_JUNIT) {
		return ra_diff_print_cases(text, diff, 1);
	}
	ra_table_init(&tables[0], role_columns, sizeof(role_columns) / sizeof(role_columns[0]));
	ra_table_init(&tables[1], columns, COLUMNS);
	rc = fill_roles(diff, &tables[0]);
	if (rc == 0) {
		rc = fill_rows(diff, options->form == RA_DIFF_PRINT_JSON, &tables[1]);
	}
	if (rc == 0 && options->form == RA_DIFF_PRINT_JSON) {
		put_json(text, diff, options, tables);
	} else if (rc == 0) {
		if (options->limit > 0) {
			ra_table_cut(&tables[1], options->limit);
		}
		put_people(text, diff, options, tables);
	}
	ra_table_fini(&tables[0]);
	ra_table_fini(&tables[1]);
	return text->failed ? -RLOG_E_NO_MEMORY : rc;
}
