/* SPDX-License-Identifier: MIT */
/* The report "footer": what the file lacks and what was repaired in it, as a table. */
#include "analyzer/reports/reports.h"

#include "analyzer/base/util-string.h"
#include "analyzer/model/model-rows.h"
#include "analyzer/report/footer.h"
#include "analyzer/report/report-steps.h"

enum column {
	CAUSE,
	COUNT,
	TEXT,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[CAUSE] = { "cause", "Cause", RA_TABLE_TEXT, NULL },
	[COUNT] = { "count", "Count", RA_TABLE_COUNT, NULL },
	[TEXT] = { "text", "Meaning", RA_TABLE_TEXT, NULL },
};

static void put_row(struct ra_table *table, const char *cause, const char *text)
{
	struct ra_table_cell *cells = ra_table_add_row(table);

	cells[CAUSE] = ra_table_make_word(cause);
	cells[TEXT] = ra_table_make_word(text);
}

/* Whether kernels ran on a GPU of which no name is known. */
static bool lacks_name(const struct ra_gpu *gpu)
{
	for (size_t i = 0; i < gpu->queue_count; i++) {
		const struct ra_gpu_device *device = ra_gpu_find_device(gpu, gpu->queues[i].device);

		if (device == NULL || device->name == 0) {
			return gpu->op_count > 0;
		}
	}
	return false;
}

static bool has_shapes(const struct ra_kineto *kineto)
{
	for (uint32_t i = 0; i < kineto->count; i++) {
		if (kineto->kind[i] == RA_KINETO_CPU_OP && ra_kineto_get_shape(kineto, i) != 0) {
			return true;
		}
	}
	return false;
}

/* True if the trace says that an option of its profiler was on. */
static bool was_on(const struct ra_kineto *kineto, const char *option)
{
	bool was = false;

	for (size_t i = 0; i < kineto->fact_count; i++) {
		if (ra_kineto_is_text(kineto, kineto->facts[i].key, option)) {
			was = ra_kineto_is_text(kineto, kineto->facts[i].json, "1") ||
			      ra_kineto_is_text(kineto, kineto->facts[i].json, "true");
		}
	}
	return was;
}

/* True if functions of Python are ranges (--python). */
static bool has_python(const struct ra_model *model)
{
	for (size_t i = 0; i < model->domain_count; i++) {
		if (ra_util_string_is(ra_model_string(model, model->domains[i].name),
		                      "python_function")) {
			return true;
		}
	}
	return false;
}

/* What a profiler of PyTorch records if it is asked to. */
static void put_options(const struct ra_model *model, struct ra_table *table)
{
	const struct ra_kineto *kineto = model->kineto;

	if (kineto->kind_count[RA_KINETO_CPU_OP] == 0) {
		return;
	}
	if (kineto->kind_count[RA_KINETO_MEMORY] == 0) {
		put_row(table, "no_memory",
		        was_on(kineto, "profile_memory")
		                ? "the trace has no memory events, though profile_memory was on: "
		                  "PyTorch allocated nothing meanwhile, or did not write it"
		                : "the trace has no memory events: who holds memory is "
		                  "not known (profile_memory=True)");
	}
	if (!has_shapes(kineto)) {
		put_row(table, "no_shapes",
		        was_on(kineto, "record_shapes")
		                ? "no operator has the sizes of its inputs, though record_shapes "
		                  "was on: FLOP/s are not known"
		                : "no operator has the sizes of its inputs: FLOP/s are "
		                  "not known (record_shapes=True)");
	}
	if (kineto->kind_count[RA_KINETO_PYTHON_FUNCTION] > 0 && !has_python(model)) {
		struct ra_table_cell *cells = ra_table_add_row(table);

		cells[CAUSE] = ra_table_make_word("python_unused");
		cells[COUNT] = ra_table_make_count(kineto->kind_count[RA_KINETO_PYTHON_FUNCTION]);
		cells[TEXT] = ra_table_make_word(
			"functions of Python are recorded: gaps, advice and critical-path tell "
			"them; with --python they are ranges, too");
	}
	if (kineto->kind_count[RA_KINETO_PYTHON_FUNCTION] == 0) {
		put_row(table, "no_python",
		        was_on(kineto, "with_stack")
		                ? "the trace has no functions of Python, though with_stack was "
		                  "on: which line launched what is not known"
		                : "the trace has no functions of Python: which line "
		                  "launched what is not known (with_stack=True)");
	}
}

/* What others' traces may have and this one does not: nothing is lost, and yet questions stay open.
 * Of a log `info` says what was captured; of a trace that is read as another tool does it there is
 * no more of the model than what the lines above need; several are said of one by one. */
static void put_absent(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_model *model = input->model;

	if (model->reader != NULL || input->compat != RA_COMPAT_NONE || input->model_count > 1) {
		return;
	}
	if (ra_report_steps_is_whole(input)) {
		put_row(table, "no_steps",
		        "no range is a step: times are of the whole "
		        "(--step-range NAME makes steps of ranges)");
	}
	if (model->gpu.op_count == 0) {
		put_row(table, "no_gpu_work", "the trace has no GPU work");
	}
	if (lacks_name(&model->gpu)) {
		put_row(table, "no_gpu_name",
		        "a GPU has no name: shares of its peak are not known");
	}
	if (ra_model_has(model, RA_HAS_ROWS)) {
		put_options(model, table);
	}
}

static void fill_footer(struct ra_report_input *input, struct ra_table *table)
{
	struct ra_footer_line lines[RA_FOOTER_LINES];
	/* It is of one file: a page of several has the lines of each below its tables. */
	const size_t count = input->model_count > 1 ? 0 : ra_footer_collect(input->model, lines);

	for (size_t i = 0; i < count; i++) {
		struct ra_table_cell *cells = ra_table_add_row(table);

		cells[CAUSE] = ra_table_make_word(lines[i].key);
		if (lines[i].count > 0) {
			cells[COUNT] = ra_table_make_count(lines[i].count);
		}
		cells[TEXT] = ra_table_make_word(lines[i].text);
	}
	put_absent(input, table);
}

const struct ra_report ra_report_footer = {
	.name = "footer",
	.scope = RA_REPORT_OF_ALL,
	.needs = RA_REPORT_NEEDS_FACTS,
	.compat = ~0u,
	.title = "Footer",
	.summary = "what the file lacks, and what was repaired in it",
	.columns = columns,
	.column_count = COLUMNS,
	.none = "nothing that was recorded is missing; how much of the time was in no range and no "
		"call `analyzer why` tells",
	.fill = fill_footer,
};
