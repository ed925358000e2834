/* SPDX-License-Identifier: MIT */
/* What a report is, and the table of all of them. */
#include "analyzer/report/report.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/compat/hta/hta.h"
#include "analyzer/report/rank-names.h"
#include "analyzer/reports/steps.h"
#include "analyzer/compat/tb/report-tb.h"
#include "analyzer/steps/select.h"
#include "analyzer/steps/steps.h"
#include "analyzer/compat/tb/tb.h"
#include "format/error.h"

/* One a line, so that two additions do not meet. A mode's first one is its usual one. */
/* clang-format off */
static const struct ra_report *const reports[] = {
	&ra_report_ranges,
	&ra_report_threads,
	&ra_report_domains,
	&ra_report_devices,
	&ra_report_kernels,
	&ra_report_launch,
	&ra_report_launches,
	&ra_report_gaps,
	&ra_report_idle,
	&ra_report_idle_streams,
	&ra_report_memcpy,
	&ra_report_memory,
	&ra_report_op_memory,
	&ra_report_memory_peak,
	&ra_report_memory_curve,
	&ra_report_graphs,
	&ra_report_api,
	&ra_report_projection,
	&ra_report_projection_devices,
	&ra_report_gpu_sync,
	&ra_report_overhead,
	&ra_report_payload,
	&ra_report_counters,
	&ra_report_sync,
	&ra_report_overview,
	&ra_report_step_average,
	&ra_report_step_overlap,
	&ra_report_gpu,
	&ra_report_operators,
	&ra_report_modules,
	&ra_report_advice,
	&ra_report_comm,
	&ra_report_trace,
	&ra_report_temporal,
	&ra_report_overlap,
	&ra_report_types,
	&ra_report_queue,
	&ra_report_bandwidth,
	&ra_report_breakdown,
	&ra_report_annotations,
	&ra_report_outliers,
	&ra_report_idle_gaps,
	&ra_report_stragglers,
	&ra_report_sequences,
	&ra_report_hta_temporal,
	&ra_report_hta_overlap,
	&ra_report_hta_types,
	&ra_report_hta_breakdown,
	&ra_report_hta_annotations,
	&ra_report_hta_idle,
	&ra_report_hta_gaps,
	&ra_report_hta_queue,
	&ra_report_hta_bandwidth,
	&ra_report_hta_launch,
	&ra_report_hta_outliers,
	&ra_report_hta_stragglers,
	&ra_report_hta_sequences,
	&ra_report_hta_steps,
	&ra_report_hta_critical,
	&ra_report_hta_critical_types,
	&ra_report_hta_critical_graph,
	&ra_report_hta_critical_edges,
	&ra_report_tb_overview,
	&ra_report_tb_average,
	&ra_report_tb_steps_overlap,
	&ra_report_tb_gpu,
	&ra_report_tb_operators,
	&ra_report_tb_kernels,
	&ra_report_tb_op_kernels,
	&ra_report_tb_memory,
	&ra_report_tb_memory_peak,
	&ra_report_tb_gpu_counters,
	&ra_report_tb_facts,
	&ra_report_tb_advice,
	&ra_report_tb_comm,
	&ra_report_tb_comm_steps,
	&ra_report_key_averages,
	&ra_report_key_averages_torch,
	&ra_report_footer, /* last: it is for all modes, and the usual report of none */
	NULL,
};
/* clang-format on */

const struct ra_report *const *ra_report_borrow_all(void)
{
	return reports;
}

const struct ra_report *ra_report_find(const char *name, size_t length, enum ra_compat compat)
{
	for (size_t i = 0; reports[i] != NULL; i++) {
		if (strlen(reports[i]->name) == length && ra_report_is_for(reports[i], compat) &&
		    memcmp(reports[i]->name, name, length) == 0) {
			return reports[i];
		}
	}
	return NULL;
}

const struct ra_report *ra_report_find_usual(enum ra_compat compat)
{
	for (size_t i = 0; reports[i] != NULL; i++) {
		if (ra_report_is_for(reports[i], compat)) {
			return reports[i];
		}
	}
	return NULL;
}

void ra_report_fini_input(struct ra_report_input *input)
{
	ra_metrics_fini(&input->metrics);
	input->has_metrics = false;
	if (input->hta != NULL) {
		ra_hta_fini(input->hta);
	}
	free(input->hta);
	input->hta = NULL;
	ra_tb_destroy(input->tb);
	input->tb = NULL;
	ra_rank_names_destroy(input->rank_names);
	input->rank_names = NULL;
}

int ra_report_need_hta(struct ra_report_input *input)
{
	if (input->hta != NULL) {
		return 0;
	}
	input->hta = calloc(1, sizeof(*input->hta));
	return input->hta == NULL ? -RLOG_E_NO_MEMORY : ra_hta_init(input->hta, input);
}

int ra_report_need_metrics(struct ra_report_input *input)
{
	int rc;

	if (input->has_metrics) {
		return 0;
	}
	rc = ra_metrics_init(&input->metrics, input->model, input->group_by, input->labels);
	if (rc != 0) {
		ra_metrics_fini(&input->metrics);
		return rc;
	}
	input->has_metrics = true;
	return 0;
}

/* With --steps a report is filled from views in place of the models. */
static int fill_views(const struct ra_report *report, struct ra_report_input *input,
                      struct ra_table *table)
{
	const struct ra_model *const model = input->model;
	struct ra_model *const *const models = input->models;
	struct ra_model **views = calloc(input->model_count + 1, sizeof(struct ra_model *));
	int rc = -RLOG_E_NO_MEMORY;

	if (views != NULL) {
		for (size_t i = 0; i < input->model_count; i++) {
			const struct ra_select *select = &input->selects[i];

			views[i] = (struct ra_model *) (report->scope == RA_REPORT_OF_TIME
			                                        ? &select->time
			                                        : &select->things);
		}
		input->model = views[0];
		input->models = views;
		rc = report->fill(input, table);
		input->model = model;
		input->models = models;
	}
	free(views);
	return rc;
}

/* In a compat mode the rows of other steps are left out. */
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

int ra_report_make(const struct ra_report *report, struct ra_report_input *input,
                   const struct ra_query *query, struct ra_table *table)
{
	int rc;

	ra_table_init(table, report->columns, report->column_count);
	input->limit = query->limit;
	rc = input->selects != NULL && report->scope != RA_REPORT_OF_ALL
	             ? fill_views(report, input, table)
	             : report->fill(input, table);
	keep_steps(report, input, table);
	return rc != 0 ? rc : ra_query_apply(query, report->sort, table);
}

struct rlog_string ra_report_name_domain(const struct ra_model *model, uint16_t domain)
{
	static const struct rlog_string standard = { "(default)", 9, 9 };

	if (model->domains[domain].id == 0 && model->domains[domain].name == 0) {
		return standard;
	}
	return ra_model_string(model, model->domains[domain].name);
}
