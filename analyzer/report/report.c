/* SPDX-License-Identifier: MIT */
/* Makes reports: fills, sorts and cuts their tables. Frees what they share. */
#include "analyzer/report/report.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/phase.h"
#include "analyzer/figures/ranges/metrics-walk.h"
#include "analyzer/figures/ranges/range-stream.h"
#include "analyzer/rows/kineto.h"
#include "analyzer/steps/select.h"
#include "analyzer/steps/steps.h"

void ra_report_fini_input(struct ra_report_input *input)
{
	ra_metrics_fini(&input->metrics);
	while (input->kept_count > 0) {
		const struct ra_report_kept *kept = &input->kept[--input->kept_count];

		kept->destroy(kept->thing);
	}
	free(input->kept);
	input->kept = NULL;
}

void ra_report_keep(struct ra_report_input *input, void *thing, void (*destroy)(void *thing))
{
	input->kept = ra_alloc_resize(input->kept, input->kept_count + 1, sizeof(*input->kept));
	input->kept[input->kept_count++] = (struct ra_report_kept){ thing, destroy };
}

static void make_metrics(const struct ra_report_input *input, unsigned by, struct ra_labels *labels,
                         struct ra_metrics *metrics)
{
	if (input->model->walk != NULL) {
		ra_metrics_init_walk(metrics, input->model, by, labels, true);
	} else {
		ra_metrics_init(metrics, input->model, by, labels);
	}
}

void ra_report_need_metrics(struct ra_report_input *input)
{
	if (input->has_metrics) {
		return;
	}
	if (input->stream != NULL) {
		ra_range_stream_make(input->stream, RA_RANGE_STREAM_NAMES, &input->metrics);
	} else {
		make_metrics(input, input->group_by, input->labels, &input->metrics);
	}
	input->has_metrics = true;
}

void ra_report_make_domain_metrics(const struct ra_report_input *input, struct ra_metrics *metrics)
{
	if (input->stream != NULL) {
		ra_range_stream_make(input->stream, RA_RANGE_STREAM_DOMAINS, metrics);
	} else {
		make_metrics(input, RA_GROUP_BY_DOMAIN, NULL, metrics);
	}
}

/* With --steps, fills a report from views instead of the models. */
static void fill_views(const struct ra_report *report, struct ra_report_input *input,
                       struct ra_table *table)
{
	const struct ra_model *const model = input->model;
	struct ra_model *const *const models = input->models;
	struct ra_model **views = ra_alloc_zeros(input->model_count + 1, sizeof(struct ra_model *));

	for (size_t i = 0; i < input->model_count; i++) {
		const struct ra_select *select = &input->selects[i];

		views[i] =
			(struct ra_model *) (report->scope == RA_REPORT_OF_TIME ? &select->time
		                                                                : &select->things);
	}
	input->model = views[0];
	input->models = views;
	report->fill(input, table);
	input->model = model;
	input->models = models;
	free(views);
}

/* In a compat mode, drops the rows of other steps. */
static void keep_steps(const struct ra_report *report, const struct ra_report_input *input,
                       struct ra_table *table)
{
	const size_t column = ra_table_find_column(report->columns, report->column_count, "step");
	const char *only = input->settings != NULL ? input->settings->steps : NULL;
	size_t kept = 0;

	if (only == NULL || !report->is_of_steps || column == report->column_count) {
		return;
	}
	for (size_t i = 0; i < table->row_count; i++) {
		struct ra_table_cell *cells = &table->cells[i * table->column_count];

		if (ra_steps_is_chosen(cells[column].u.text, only)) {
			memmove(&table->cells[kept++ * table->column_count], cells,
			        table->column_count * sizeof(*cells));
		}
	}
	table->row_count = kept;
}

void ra_report_make(const struct ra_report *report, struct ra_report_input *input,
                    const struct ra_query *query, struct ra_table *table)
{
	ra_phase_begin(report->name);
	ra_table_init(table, report->columns, report->column_count);
	input->limit = query->limit;
	if (input->selects != NULL && report->scope != RA_REPORT_OF_ALL) {
		fill_views(report, input, table);
	} else {
		report->fill(input, table);
	}
	keep_steps(report, input, table);
	ra_query_apply(query, report->sort, table);
	ra_phase_end();
}

struct rlog_string ra_report_keep_list(struct ra_table *table, struct rlog_string list)
{
	char *text = ra_kineto_list_text(list);
	const struct rlog_string kept = ra_table_keep_text(table, text, strlen(text));

	free(text);
	return kept;
}

struct rlog_string ra_report_name_domain(const struct ra_model *model, uint16_t domain)
{
	static const struct rlog_string standard = { "(default)", 9, 9 };

	if (model->domains[domain].id == 0 && model->domains[domain].name == 0) {
		return standard;
	}
	return ra_model_string(model, model->domains[domain].name);
}
