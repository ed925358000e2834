/* SPDX-License-Identifier: MIT */
/* analyzer diff --compat=TOOL: two traces as another tool compares them. */
#include "analyzer/commands/cmd-diff-compat.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/base/util.h"
#include "analyzer/commands/cmd-inputs.h"
#include "analyzer/commands/cmd-screen.h"
#include "analyzer/commands/cmd.h"
#include "analyzer/diff/diff-hta.h"
#include "analyzer/report/report.h"
#include "analyzer/table/table-data.h"
#include "analyzer/table/table-text.h"

/* One of both traces. */
struct side {
	struct ra_cmd_inputs inputs;
	struct ra_hta hta;
	struct ra_hta_ops ops;
};

static const char *const sides[2] = { "control", "test" };

int ra_cmd_diff_compat_take(struct ra_cmd_diff_compat *compat, const char *value)
{
	if (strcmp(value, ra_compat_words[RA_COMPAT_HTA]) == 0) {
		compat->compat = RA_COMPAT_HTA;
	} else if (strcmp(value, ra_compat_words[RA_COMPAT_NONE]) == 0) {
		compat->compat = RA_COMPAT_NONE;
	} else {
		return ra_cmd_usage("--compat: \"%s\" is none of none, hta", value);
	}
	return 0;
}

static int load_side(struct side *side, const char *name)
{
	const struct ra_load_options options = { .rows_only = true };
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

/* The first rank's, as TraceDiff does. */
static int count_ops(struct side *side, const char *only)
{
	struct ra_settings settings;
	const struct ra_report_input input = { .models = side->inputs.models,
		                               .ranks = side->inputs.ranks,
		                               .model_count = side->inputs.count,
		                               .settings = &settings };
	int rc;

	ra_settings_init(&settings);
	rc = ra_hta_init(&side->hta, &input);
	if (rc == 0) {
		rc = ra_hta_ops_init(&side->ops, &side->hta.ranks[0], only);
	}
	if (rc == -RLOG_E_ARGUMENT) {
		return ra_cmd_usage("%s: there is no step %s", side->inputs.paths[0],
		                    only == NULL ? "of the profiler to compare" : only);
	}
	return rc != 0 ? ra_cmd_print_unwritten("standard output", ENOMEM) : 0;
}

static void put_text(struct ra_util_text *text, const char *bytes, enum ra_util_text_target form)
{
	ra_util_text_put_name(text, ra_util_string(bytes), form);
}

static void put_json(struct ra_util_text *text, const struct ra_cmd_diff_compat *compat,
                     const struct ra_diff_print *print, const struct ra_table *table)
{
	ra_util_text_format(text, "{\"compat\":\"%s\",", ra_compat_words[compat->compat]);
	for (size_t i = 0; i < 2; i++) {
		ra_util_text_format(text, "\"%s\":\"", sides[i]);
		put_text(text, print->names[i], RA_TEXT_JSON);
		ra_util_text_format(text, "\",");
	}
	ra_util_text_format(text, "\n\"rows\":");
	ra_table_data_put_json(text, table);
	ra_util_text_format(text, "}\n");
}

static void put_people(struct ra_util_text *text, const struct ra_diff_print *print,
                       const struct ra_table *table)
{
	const bool is_markdown = print->form == RA_DIFF_PRINT_MARKDOWN;

	for (size_t i = 0; i < 2; i++) {
		ra_util_text_format(text, "%s%s: ", is_markdown ? "* " : "", sides[i]);
		put_text(text, print->names[i], is_markdown ? RA_TEXT_MARKDOWN : RA_TEXT_TERMINAL);
		ra_util_text_put_char(text, '\n');
	}
	ra_util_text_put_char(text, '\n');
	if (is_markdown) {
		ra_table_text_put_markdown(text, table);
	} else {
		ra_table_text_put(text, table, print->width);
	}
}

static int print_table(const struct ra_cmd_diff_compat *compat, const struct ra_diff_print *print,
                       struct ra_table *table)
{
	struct ra_util_text text = { 0 };
	int code = 0;

	ra_cmd_screen_page();
	if (print->form == RA_DIFF_PRINT_JSON) {
		put_json(&text, compat, print, table);
	} else if (ra_table_sort(table,
	                         ra_table_find_column(table->columns, table->column_count,
	                                              "diff_duration"),
	                         true) == 0) { /* what takes longer first */
		if (print->limit > 0) {
			ra_table_cut(table, print->limit);
		}
		put_people(&text, print, table);
	}
	if (ra_util_text_write(&text, stdout) == -RLOG_E_NO_MEMORY) {
		code = ra_cmd_print_unwritten("standard output", ENOMEM);
	}
	ra_util_text_free(&text);
	return code;
}

int ra_cmd_diff_compat_run(const struct ra_cmd_diff_compat *compat,
                           const struct ra_diff_print *print)
{
	struct side both[2] = { 0 };
	struct ra_table table;
	int code = print->form == RA_DIFF_PRINT_JUNIT
	                   ? ra_cmd_usage("--format: junit is not for --compat")
	                   : 0;

	ra_table_init(&table, ra_diff_hta_columns, RA_DIFF_HTA_COLUMNS);
	for (size_t i = 0; i < 2 && code == 0; i++) {
		code = load_side(&both[i], print->names[i]);
		if (code == 0) {
			code = count_ops(&both[i], compat->steps);
		}
	}
	if (code == 0 && ra_diff_hta_fill(&table, &both[0].ops, &both[1].ops) != 0) {
		code = ra_cmd_print_unwritten("standard output", ENOMEM);
	}
	code = code != 0 ? code : print_table(compat, print, &table);
	ra_table_fini(&table);
	for (size_t i = 0; i < 2; i++) {
		ra_hta_ops_fini(&both[i].ops);
		ra_hta_fini(&both[i].hta);
		ra_cmd_inputs_fini(&both[i].inputs);
	}
	return code;
}
