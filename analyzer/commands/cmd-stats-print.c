/* SPDX-License-Identifier: MIT */
/* analyzer stats FILE: prints the tables and the footer. */
#include "analyzer/commands/cmd-stats-parts.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/report/footer.h"
#include "analyzer/report/report-none.h"
#include "analyzer/table/table-data.h"
#include "analyzer/table/table-text.h"
#include "format/error.h"

static void put_table(struct ra_util_text *text, const struct ra_cmd_stats *options,
                      const struct ra_report *report, const struct ra_table *table)
{
	const bool is_first = report == options->reports[0];
	const bool is_none = report->none != NULL && table->row_count + table->cut_count == 0;

	switch (options->form) {
	case RA_STATS_TABLE:
		if (options->report_count > 1) {
			ra_util_text_format(text, "%s%s\n\n", is_first ? "" : "\n", report->title);
		}
		if (is_none) {
			ra_report_none_put(text, report, options->model);
		} else {
			ra_table_text_put(text, table, options->width);
		}
		break;
	case RA_STATS_TORCH: /* see ra_cmd_stats_print() */
		break;
	case RA_STATS_MARKDOWN:
		if (options->report_count > 1) {
			ra_util_text_format(text, "%s## %s\n\n", is_first ? "" : "\n",
			                    report->title);
		}
		if (is_none) {
			ra_report_none_put(text, report, options->model);
		} else {
			ra_table_text_put_markdown(text, table);
		}
		break;
	case RA_STATS_CSV:
		ra_util_text_put(text, "\n", is_first ? 0 : 1);
		ra_table_data_put_csv(text, table);
		break;
	case RA_STATS_TSV:
		ra_util_text_put(text, "\n", is_first ? 0 : 1);
		ra_table_data_put_tsv(text, table);
		break;
	case RA_STATS_JSON:
		ra_util_text_format(text, "%s\"%s\":", is_first ? "" : ",\n", report->name);
		ra_table_data_put_json(text, table);
		break;
	}
}

/* "input" is a text where there is one file, "inputs" an array where there are several. */
static void put_head(struct ra_util_text *text, const struct ra_cmd_stats *options,
                     const struct ra_cmd_inputs *inputs)
{
	const bool has_several = inputs->count > 1;

	if (options->form != RA_STATS_JSON) {
		return;
	}
	ra_util_text_format(text, has_several ? "{\"inputs\":[" : "{\"input\":");
	for (size_t i = 0; i < inputs->count; i++) {
		const struct rlog_string path = { inputs->paths[i],
			                          (uint32_t) strlen(inputs->paths[i]), 0 };

		ra_util_text_format(text, i == 0 ? "\"" : ",\"");
		ra_util_text_put_name(text, path, RA_TEXT_JSON);
		ra_util_text_put_char(text, '"');
	}
	ra_util_text_format(text, "%s,\n\"reports\":{\n", has_several ? "]" : "");
}

static void put_notes(const struct ra_cmd_stats *options, const struct ra_cmd_inputs *inputs,
                      size_t file)
{
	const struct ra_model *model = inputs->models[file];
	struct ra_footer_line lines[RA_FOOTER_LINES];
	struct ra_util_text notes = { 0 };

	ra_cmd_stats_put_steps(&notes, options, file, "analyzer: ");
	if (ra_footer_collect(model, lines) > 0) {
		ra_footer_put_text(&notes, model, "analyzer: ");
	}
	(void) ra_util_text_write(&notes, stderr);
	ra_util_text_free(&notes);
}

/* CSV and TSV have no place for the footer: there it goes to stderr, and only if there is something
 * to say. */
static void put_foot(struct ra_util_text *text, const struct ra_cmd_stats *options,
                     const struct ra_cmd_inputs *inputs, const struct ra_report_input *input)
{
	const bool has_several = inputs->count > 1;

	if (options->form == RA_STATS_JSON) {
		ra_util_text_format(text, has_several ? "},\n\"footers\":[" : "},\n\"footer\":");
	} else if (options->form == RA_STATS_TABLE || options->form == RA_STATS_MARKDOWN) {
		ra_util_text_put_char(text, '\n');
		ra_report_put_figures(text, input);
		ra_labels_put_note(text, input->labels);
	}
	for (size_t i = 0; i < inputs->count; i++) {
		switch (options->form) {
		case RA_STATS_JSON:
			ra_util_text_put(text, ",\n", i == 0 ? 0 : 2);
			ra_util_text_put_char(text, '{');
			ra_report_put_figures_json(text, input);
			ra_cmd_stats_put_steps_json(text, options, i);
			ra_footer_put_json_members(text, inputs->models[i]);
			ra_util_text_put_char(text, '}');
			break;
		case RA_STATS_TABLE:
		case RA_STATS_MARKDOWN:
			if (has_several) {
				ra_util_text_format(text, "%s%s:\n", i == 0 ? "" : "\n",
				                    inputs->paths[i]);
			}
			ra_cmd_stats_put_steps(text, options, i, "");
			ra_footer_put_text(text, inputs->models[i], "");
			break;
		case RA_STATS_CSV:
		case RA_STATS_TSV:
		case RA_STATS_TORCH:
			put_notes(options, inputs, i);
			break;
		}
	}
	if (options->form == RA_STATS_JSON) {
		ra_util_text_format(text, has_several ? "]}\n" : "}\n");
	}
}

int ra_cmd_stats_print(const struct ra_cmd_stats *options, const struct ra_cmd_inputs *inputs)
{
	struct ra_labels labels;
	struct ra_labels kernels;
	struct ra_report_input input = {
		.model = inputs->models[0],
		.models = inputs->models,
		.ranks = inputs->ranks,
		.model_count = inputs->count,
		.selects = options->selects,
		.settings = &options->settings,
		.group_by = options->query.group_by,
		.compat = options->compat,
		.labels = &labels,
		.kernels = &kernels,
	};
	struct ra_query query = options->query;
	struct ra_util_text text = { .out = stdout };
	int rc = ra_labels_init(&labels, inputs->models[0], &options->names.labels);

	if (ra_labels_init(&kernels, inputs->models[0], &options->kernels) != 0) {
		rc = -RLOG_E_NO_MEMORY;
	}
	if (options->form == RA_STATS_TORCH) {
		query.limit = 0; /* columns are as wide as all rows need */
	}
	put_head(&text, options, inputs);
	for (size_t i = 0; i < options->report_count && rc == 0; i++) {
		struct ra_table table;

		rc = ra_report_make(options->reports[i], &input, &query, &table);
		if (rc == 0 && options->form == RA_STATS_TORCH) {
			options->reports[i]->put_torch(&input, &table, options->query.limit, &text);
		} else if (rc == 0) {
			put_table(&text, options, options->reports[i], &table);
		}
		ra_table_fini(&table);
	}
	ra_report_fini_input(&input);
	if (rc == 0) {
		put_foot(&text, options, inputs, &input);
		rc = ra_util_text_write(&text, stdout);
	}
	ra_util_text_free(&text);
	ra_labels_fini(&labels);
	ra_labels_fini(&kernels);
	return rc;
}
