/* SPDX-License-Identifier: MIT */
/* HTA's figures of a whole run: stragglers, sequences, steps. */
#include "analyzer/compat/hta/reports.h"

#include <stdlib.h>

#include "analyzer/compat/hta/sequences.h"
#include "analyzer/compat/hta/shared.h"
#include "analyzer/compat/hta/stragglers.h"

enum straggler_column {
	STRAGGLER_RANK,
	STRAGGLER_HITS,
	STRAGGLER_NAME,
	STRAGGLER_START,
	STRAGGLER_COLUMNS,
};

static const struct ra_table_column straggler_columns[STRAGGLER_COLUMNS] = {
	[STRAGGLER_RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL },
	[STRAGGLER_HITS] = { "hits", "Steps", RA_TABLE_COUNT, NULL },
	[STRAGGLER_NAME] = { "name", "Collective", RA_TABLE_TEXT, NULL },
	[STRAGGLER_START] = { "normalized_start", "Start (steps)", RA_TABLE_REAL, NULL },
};

static void add_straggler(const struct ra_hta *hta, const struct ra_hta_straggler *row,
                          struct ra_table *table)
{
	const struct ra_kineto *k = hta->ranks[row->of].kineto;
	struct ra_table_cell *cells = ra_table_add_row(table);

	cells[STRAGGLER_RANK] = ra_table_make_number(row->rank);
	cells[STRAGGLER_HITS] = ra_table_make_count(row->hits);
	cells[STRAGGLER_NAME] = ra_table_make_text(ra_kineto_string(k, k->name[row->event]));
	cells[STRAGGLER_START] = ra_table_make_real(row->start);
}

static void fill_stragglers(struct ra_report_input *input, struct ra_table *table)
{
	struct ra_hta_stragglers stragglers = { 0 };

	ra_hta_need(input);
	ra_hta_stragglers_find(&stragglers, input->hta, input->settings->stragglers);
	for (size_t i = 0; i < stragglers.count; i++) {
		add_straggler(input->hta, &stragglers.rows[i], table);
	}
	free(stragglers.rows);
}

const struct ra_report ra_report_hta_stragglers = {
	.name = "stragglers",
	.compat = RA_COMPAT_BIT(RA_COMPAT_HTA),
	.reads_several = true,
	.title = "Stragglers",
	.summary = "ranks that come last to the collective whose duration differs most",
	.none = "no long collective within a step on two ranks or more",
	.columns = straggler_columns,
	.column_count = STRAGGLER_COLUMNS,
	.fill = fill_stragglers,
};

enum sequence_column {
	SEQUENCE_RANK,
	SEQUENCE_PATTERN,
	SEQUENCE_COUNT,
	SEQUENCE_GPU,
	SEQUENCE_CPU,
	SEQUENCE_COLUMNS,
};

static const struct ra_table_column sequence_columns[SEQUENCE_COLUMNS] = {
	[SEQUENCE_RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL },
	[SEQUENCE_PATTERN] = { "pattern", "Pattern", RA_TABLE_TEXT, NULL },
	[SEQUENCE_COUNT] = { "count", "Count", RA_TABLE_COUNT, NULL },
	[SEQUENCE_GPU] = { "gpu_us", "GPU", RA_TABLE_REAL, NULL },
	[SEQUENCE_CPU] = { "cpu_us", "CPU", RA_TABLE_REAL, NULL },
};

/* Writes the names of a sequence: "operator|kernel|kernel". */
static void put_pattern(const struct ra_hta_rank *rank, const struct ra_hta_sequences *sequences,
                        const struct ra_hta_sequence *row, struct ra_table *table,
                        struct ra_table_cell *cell)
{
	struct rlog_string name = ra_kineto_string(rank->kineto, row->name);
	struct ra_util_text text = { 0 };

	ra_util_text_put(&text, name.bytes, name.length);
	for (size_t i = 0; i < row->kernel_count; i++) {
		name = ra_kineto_string(rank->kineto, sequences->kernels[row->first_kernel + i]);
		ra_util_text_put_char(&text, '|');
		ra_util_text_put(&text, name.bytes, name.length);
	}
	*cell = ra_table_make_text(ra_table_take_text(table, &text));
}

static void add_sequences(const struct ra_hta_rank *rank, const struct ra_hta_sequences *sequences,
                          struct ra_table *table)
{
	for (size_t i = 0; i < sequences->count; i++) {
		const struct ra_hta_sequence *row = &sequences->rows[i];
		struct ra_table_cell *cells = ra_table_add_row(table);

		cells[SEQUENCE_RANK] = ra_table_make_number(rank->rank);
		cells[SEQUENCE_COUNT] = ra_table_make_count(row->count);
		cells[SEQUENCE_GPU] = ra_table_make_real(row->gpu_us);
		cells[SEQUENCE_CPU] = ra_table_make_real(row->cpu_us);
		put_pattern(rank, sequences, row, table, &cells[SEQUENCE_PATTERN]);
	}
}

static void fill_sequences(struct ra_report_input *input, struct ra_table *table)
{
	ra_hta_need(input);
	for (size_t i = 0; i < input->hta->count; i++) {
		struct ra_hta_sequences sequences;

		ra_hta_sequences_find(&sequences, &input->hta->ranks[i], input->settings->op,
		                      input->settings->op_kernels);
		add_sequences(&input->hta->ranks[i], &sequences, table);
		ra_hta_sequences_fini(&sequences);
	}
}

const struct ra_report ra_report_hta_sequences = {
	.name = "sequences",
	.compat = RA_COMPAT_BIT(RA_COMPAT_HTA),
	.reads_several = true,
	.title = "Frequent sequences of kernels",
	.summary = "sequences of kernels below an operator (--set op=NAME), and how often",
	.none = "no such operator with so many kernels (--set op=NAME, --set op-kernels=N)",
	.columns = sequence_columns,
	.column_count = SEQUENCE_COLUMNS,
	.sort = "count",
	.fill = fill_sequences,
};

enum step_column {
	STEP_RANK,
	STEP_NUMBER,
	STEP_EVENTS,
	STEP_GPU_EVENTS,
	STEP_COLUMNS,
};

static const struct ra_table_column step_columns[STEP_COLUMNS] = {
	[STEP_RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL },
	[STEP_NUMBER] = { "step", "Step", RA_TABLE_COUNT, NULL },
	[STEP_EVENTS] = { "events", "Events", RA_TABLE_COUNT, NULL },
	[STEP_GPU_EVENTS] = { "gpu_events", "GPU events", RA_TABLE_COUNT, NULL },
};

static void add_steps(struct ra_hta_rank *rank, struct ra_table *table)
{
	const struct ra_hta_steps *steps = ra_hta_shared_steps(rank);

	for (size_t i = 0; i < steps->count; i++) {
		const struct ra_hta_step *step = &steps->steps[i];
		struct ra_table_cell *cells;

		if (step->events == 0) {
			continue;
		}
		cells = ra_table_add_row(table);
		cells[STEP_RANK] = ra_table_make_number(rank->rank);
		cells[STEP_NUMBER] = ra_table_make_number(step->number);
		cells[STEP_EVENTS] = ra_table_make_count(step->events);
		cells[STEP_GPU_EVENTS] = ra_table_make_count(step->gpu_events);
	}
}

static void fill_steps(struct ra_report_input *input, struct ra_table *table)
{
	ra_hta_need(input);
	for (size_t i = 0; i < input->hta->count; i++) {
		add_steps(&input->hta->ranks[i], table);
	}
}

const struct ra_report ra_report_hta_steps = {
	.name = "steps",
	.compat = RA_COMPAT_BIT(RA_COMPAT_HTA),
	.reads_several = true,
	.title = "Steps of the profiler",
	.summary = "steps that HTA keeps of the trace, and how many events each has",
	.none = "no steps of the profiler",
	.columns = step_columns,
	.column_count = STEP_COLUMNS,
	.fill = fill_steps,
};
