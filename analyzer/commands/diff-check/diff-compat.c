/* SPDX-License-Identifier: MIT */
/* analyzer diff --compat=TOOL: compares two traces as another tool does. */
#include "analyzer/commands/diff-check/diff-compat.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/base/util.h"
#include "analyzer/commands/shared/inputs.h"
#include "analyzer/commands/shared/screen.h"
#include "analyzer/commands/shared/cmd.h"
#include "analyzer/diff/compat/diff-hta.h"
#include "analyzer/diff/compat/diff-tb-tables.h"
#include "analyzer/report/report.h"
#include "analyzer/table/forms/table-data.h"
#include "analyzer/table/forms/table-text.h"

/* One of the two traces. */
struct side {
	struct ra_cmd_inputs inputs;
	struct ra_hta hta; /* only in mode hta, as is ops */
	struct ra_hta_ops ops;
	struct ra_tb *tb; /* owned; only in mode tb */
};

/* The tables of another tool's comparison. */
struct shown {
	const char *sides[2]; /* the tool's words for both sides */
	const char *keys[2];  /* names of the tables in JSON */
	const char *order[2]; /* in text: the key of the column to sort by, largest first; NULL: not
	                         sorted */
	struct ra_table tables[2];
	size_t count;
};

int ra_cmd_diff_compat_take(struct ra_cmd_diff_compat *compat, const char *value)
{
	if (strcmp(value, ra_compat_words[RA_COMPAT_HTA]) == 0) {
		compat->compat = RA_COMPAT_HTA;
	} else if (strcmp(value, ra_compat_words[RA_COMPAT_TB]) == 0) {
		compat->compat = RA_COMPAT_TB;
	} else if (strcmp(value, ra_compat_words[RA_COMPAT_NONE]) == 0) {
		compat->compat = RA_COMPAT_NONE;
	} else {
		return ra_cmd_usage("--compat: \"%s\" is none of none, hta, tb", value);
	}
	return 0;
}

static int load_side(struct side *side, const char *name)
{
	const struct ra_load_options options = { .rows_only = true, .few_args = true };
	char *const names[] = { (char *) name };
	int code = ra_cmd_inputs_init(&side->inputs, names, 1);

	if (code == 0) {
		code = ra_cmd_inputs_load(&side->inputs, &options);
	}
	for (size_t i = 0; code == 0 && i < side->inputs.count; i++) {
		if (!ra_model_has(side->inputs.models[i], RA_HAS_ROWS)) {
			code = ra_cmd_usage("%s: --compat: this is no trace of PyTorch in JSON",
			                    side->inputs.paths[i]);
		}
	}
	return code;
}

/* Counts the operators of the first rank, as HTA's TraceDiff does. */
static int count_ops(struct side *side, const char *only)
{
	struct ra_settings settings;
	const struct ra_report_input input = { .models = side->inputs.models,
		                               .ranks = side->inputs.ranks,
		                               .model_count = side->inputs.count,
		                               .settings = &settings };

	ra_settings_init(&settings);
	ra_hta_init(&side->hta, &input);
	return ra_hta_ops_init(&side->ops, &side->hta.ranks[0], only) == 0
	               ? 0
	               : ra_cmd_usage("%s: there is no step %s", side->inputs.paths[0],
	                              only == NULL ? "of the profiler to compare" : only);
}

static void put_text(struct ra_util_text *text, const char *bytes, enum ra_util_text_target form)
{
	ra_util_text_put_name(text, ra_util_string(bytes), form);
}

static void put_json(struct ra_util_text *text, const struct ra_cmd_diff_compat *compat,
                     const struct ra_diff_print *print, const struct shown *shown)
{
	ra_util_text_format(text, "{\"compat\":\"%s\"", ra_compat_words[compat->compat]);
	for (size_t i = 0; i < 2; i++) {
		ra_util_text_format(text, ",\"%s\":\"", shown->sides[i]);
		put_text(text, print->names[i], RA_TEXT_JSON);
		ra_util_text_put_char(text, '"');
	}
	for (size_t i = 0; i < shown->count; i++) {
		ra_util_text_format(text, ",\n\"%s\":", shown->keys[i]);
		ra_table_data_put_json(text, &shown->tables[i]);
	}
	ra_util_text_format(text, "}\n");
}

static void put_people(struct ra_util_text *text, const struct ra_diff_print *print,
                       struct shown *shown)
{
	const bool is_markdown = print->form == RA_DIFF_PRINT_MARKDOWN;

	for (size_t i = 0; i < 2; i++) {
		ra_util_text_format(text, "%s%s: ", is_markdown ? "* " : "", shown->sides[i]);
		put_text(text, print->names[i], is_markdown ? RA_TEXT_MARKDOWN : RA_TEXT_TERMINAL);
		ra_util_text_put_char(text, '\n');
	}
	for (size_t i = 0; i < shown->count; i++) {
		struct ra_table *table = &shown->tables[i];
		const size_t by =
			shown->order[i] == NULL
				? table->column_count
				: ra_table_find_column(table->columns, table->column_count,
		                                       shown->order[i]);

		if (by < table->column_count) {
			ra_table_sort(table, by, true);
		}
		if (print->limit > 0) {
			ra_table_cut(table, print->limit);
		}
		ra_util_text_put_char(text, '\n');
		if (is_markdown) {
			ra_table_text_put_markdown(text, table);
		} else {
			ra_table_text_put(text, table, print->width);
		}
	}
}

static void print_tables(const struct ra_cmd_diff_compat *compat, const struct ra_diff_print *print,
                         struct shown *shown)
{
	struct ra_util_text text = { 0 };

	ra_cmd_screen_page();
	if (print->form == RA_DIFF_PRINT_JSON) {
		put_json(&text, compat, print, shown);
	} else {
		put_people(&text, print, shown);
	}
	(void) ra_util_text_write(&text, stdout);
	ra_util_text_free(&text);
}

static int fill_hta(struct shown *shown, struct side both[2], const char *steps)
{
	int code = 0;

	*shown = (struct shown){ .sides = { "control", "test" },
		                 .keys = { "rows" },
		                 .order = { "diff_duration" },
		                 .count = 1 };
	ra_table_init(&shown->tables[0], ra_diff_hta_columns, RA_DIFF_HTA_COLUMNS);
	for (size_t i = 0; i < 2 && code == 0; i++) {
		code = count_ops(&both[i], steps);
	}
	if (code == 0) {
		ra_diff_hta_fill(&shown->tables[0], &both[0].ops, &both[1].ops);
	}
	return code;
}

/* @is_whole: the output is for a program, so print all rows. */
static int fill_tb(struct shown *shown, struct side both[2], bool is_whole)
{
	struct ra_diff_tb diff = { 0 };
	int rc;

	*shown = (struct shown){ .sides = { "baseline", "exp" },
		                 .keys = { "nodes", "operators" },
		                 .order = { NULL, "delta_host_duration" },
		                 .count = 2 };
	for (size_t i = 0; i < 2; i++) {
		both[i].tb = ra_tb_create(both[i].inputs.models[0]->kineto);
	}
	rc = ra_diff_tb_init(&diff, &both[0].tb->nodes, &both[1].tb->nodes);
	if (rc == 0) {
		ra_diff_tb_tables_fill(shown->tables, &diff, is_whole);
	}
	ra_diff_tb_fini(&diff);
	return rc == 0 ? 0 : ra_cmd_usage("--compat=tb: one of both traces has no operators");
}

int ra_cmd_diff_compat_run(const struct ra_cmd_diff_compat *compat,
                           const struct ra_diff_print *print)
{
	struct side both[2] = { 0 };
	struct shown shown = { 0 };
	int code = print->form == RA_DIFF_PRINT_JUNIT
	                   ? ra_cmd_usage("--format: junit is not for --compat")
	                   : 0;

	if (code == 0 && compat->compat == RA_COMPAT_TB && compat->steps != NULL) {
		code = ra_cmd_usage("--steps: the plugin compares all steps at once");
	}
	for (size_t i = 0; i < 2 && code == 0; i++) {
		code = load_side(&both[i], print->names[i]);
	}
	if (code == 0) {
		code = compat->compat == RA_COMPAT_HTA
		               ? fill_hta(&shown, both, compat->steps)
		               : fill_tb(&shown, both, print->form == RA_DIFF_PRINT_JSON);
	}
	if (code == 0) {
		print_tables(compat, print, &shown);
	}
	for (size_t i = 0; i < 2; i++) {
		ra_table_fini(&shown.tables[i]);
		ra_hta_ops_fini(&both[i].ops);
		ra_hta_fini(&both[i].hta);
		ra_tb_destroy(both[i].tb);
		ra_cmd_inputs_fini(&both[i].inputs);
	}
	return code;
}
