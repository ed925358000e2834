/* SPDX-License-Identifier: MIT */
/* The reports "breakdown" and "annotations": the names that take the most time on each rank. */
#include "analyzer/base/alloc.h"
#include "analyzer/reports/reports.h"

#include <stdlib.h>

#include "analyzer/base/order/order.h"
#include "analyzer/figures/ranges/durations.h"
#include "analyzer/rows/kineto.h"
#include "analyzer/report/op-names.h"
#include "analyzer/link/projection.h"
#include "analyzer/figures/rank-gpu.h"
#include "analyzer/report/rank-names.h"

enum column {
	RANK,
	TYPE,
	NAME,
	CALLS,
	COLUMNS = CALLS + RA_DURATIONS_COLUMNS,
};

static const struct ra_table_column breakdown_columns[COLUMNS] = {
	[RANK] = { "rank", "Rank", RA_TABLE_COUNT, "0" },
	[TYPE] = { "kernel_type", "Type", RA_TABLE_TEXT, NULL },
	[NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	RA_DURATIONS_COLUMN_LIST(CALLS),
};

/* In a key, the bits above the name have the kind of work. */
#define KIND_SHIFT 48

static enum ra_rank_kind kind_of(const struct ra_durations_row *row)
{
	return (enum ra_rank_kind)(row->key >> KIND_SHIFT);
}

static uint64_t name_of(const struct ra_durations_row *row)
{
	return row->key & ((UINT64_C(1) << KIND_SHIFT) - 1);
}

/* A name of one kind, to sort by time. */
struct place {
	int64_t sum_ns;
	size_t row;
};

static int compare_places(const void *a, const void *b)
{
	const struct place *left = a;
	const struct place *right = b;

	return RA_ORDER_THEN(RA_ORDER_DOWN(left, right, sum_ns), RA_ORDER_UP(left, right, row));
}

/* Collects the rows of a kind, the longest first. */
static size_t list_places(struct place *places, const struct ra_durations *durations,
                          enum ra_rank_kind kind)
{
	size_t count = 0;

	for (size_t i = 0; i < durations->count; i++) {
		if ((unsigned) kind_of(&durations->rows[i]) == kind) {
			places[count++] = (struct place){ durations->rows[i].sum_ns, i };
		}
	}
	RA_SORT(places, count, compare_places);
	return count;
}

/* Returns the number of names to show. If there are no more than the user asked for, all are shown.
 * If there are more, at most that many are shown, and only until their sum reaches the share of the
 * kind's time that the user asked for. */
static size_t count_shown(const struct place *places, size_t count,
                          const struct ra_settings *settings)
{
	double whole = 0;
	double sum = 0;
	size_t shown = 0;

	for (size_t i = 0; i < count; i++) {
		whole += (double) places[i].sum_ns;
	}
	if (count <= settings->kernels) {
		return count;
	}
	while (shown < settings->kernels && sum < settings->kernel_share * whole) {
		sum += (double) places[shown++].sum_ns;
	}
	return shown;
}

static void put_row(const struct ra_report_input *input, int64_t rank,
                    const struct ra_durations_row *row, bool is_rest, struct ra_table *table)
{
	struct ra_table_cell *cells = ra_table_add_row(table);

	cells[RANK] = ra_table_make_number(rank);
	cells[TYPE] = ra_table_make_word(ra_rank_gpu_kind_name(kind_of(row)));
	cells[NAME] = ra_table_make_word("others");
	if (!is_rest) {
		cells[NAME] = ra_table_make_text(ra_op_names_text(input, name_of(row), table));
	}
	ra_durations_put(row, &cells[CALLS]);
}

/* The names of a kind, a part of the list of all places. */
struct kind {
	const struct place *places;
	size_t count;
	size_t shown;
};

static void put_kind(const struct ra_report_input *input, int64_t rank,
                     const struct ra_durations *durations, const struct kind *kind,
                     struct ra_table *table)
{
	for (size_t i = 0; i < kind->count && i <= kind->shown; i++) {
		put_row(input, rank, &durations->rows[kind->places[i].row], i == kind->shown,
		        table);
	}
}

static void put_kinds(const struct ra_report_input *input, int64_t rank,
                      struct ra_durations *durations, struct ra_table *table)
{
	static const enum ra_rank_kind all[] = { RA_RANK_COMPUTATION, RA_RANK_COMMUNICATION,
		                                 RA_RANK_MEMORY };
	struct place *places = ra_alloc_zeros(durations->count + 1, sizeof(*places));
	struct kind kinds[3];
	size_t used = 0;

	for (size_t k = 0; k < 3; k++) {
		const struct place *own = places + used;
		const size_t count = list_places(places + used, durations, all[k]);

		kinds[k] = (struct kind){ own, count, count_shown(own, count, input->settings) };
		for (size_t i = kinds[k].shown + 1; i < count; i++) {
			ra_durations_join(durations, own[i].row, own[kinds[k].shown].row);
		}
		used += count;
	}
	ra_durations_finish(durations);
	for (size_t k = 0; k < 3; k++) {
		put_kind(input, rank, durations, &kinds[k], table);
	}
	free(places);
}

static void add_ops(struct ra_durations *durations, const struct ra_report_input *input)
{
	const struct ra_model *model = input->model;

	for (size_t i = 0; i < model->gpu.op_count; i++) {
		const struct ra_gpu_op *op = &model->gpu.ops[i];
		const uint64_t kind = ra_rank_gpu_kind(op);

		if (kind == RA_RANK_MEMORY && input->settings->memory == 0) {
			continue;
		}
		ra_durations_add(durations, kind << KIND_SHIFT | ra_op_names_find(input, op),
		                 op->dur_ns);
	}
}

static void fill_breakdown(struct ra_report_input *input, struct ra_table *table)
{
	for (size_t i = 0; i < ra_report_file_count(input); i++) {
		struct ra_durations durations = { 0 };
		struct ra_report_input file;

		ra_rank_names_input(&file, input, i);
		add_ops(&durations, &file);
		put_kinds(&file, ra_report_file_rank(input, i), &durations, table);
		ra_durations_fini(&durations);
	}
}

const struct ra_report ra_report_breakdown = {
	.name = "breakdown",
	.reads_several = true,
	.title = "Breakdown of GPU work",
	.summary = "the GPU work of each rank and type that takes the most time, by name",
	.more_of = "temporal",
	.none = "no GPU work",
	.is_gpu = true,
	.columns = breakdown_columns,
	.column_count = COLUMNS,
	.fill = fill_breakdown,
};

static const struct ra_table_column annotation_columns[COLUMNS] = {
	[RANK] = { "rank", "Rank", RA_TABLE_COUNT, "0" },
	[TYPE] = { "device_type", "On", RA_TABLE_TEXT, NULL },
	[NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	RA_DURATIONS_COLUMN_LIST(CALLS),
};

/* True for a range that the user has annotated. Operators in PyTorch's traces are not annotations.
 * In logs all ranges are. */
static bool is_annotation(const struct ra_model *model, size_t slice)
{
	return (model->slices.flags[slice] & RA_SLICE_WAIT) == 0 &&
	       (!ra_model_has(model, RA_HAS_OPERATORS) || model->slices.domain[slice] == 0);
}

/* Adds a range. Ranges that have the same name in reports share a key, which is the name's
 * label. */
static void add_range(struct ra_durations *durations, const struct ra_report_input *input,
                      size_t slice, int64_t dur_ns)
{
	ra_durations_add(durations, ra_labels_find(input->labels, input->model->slices.name[slice]),
	                 dur_ns);
}

static void add_ranges(struct ra_durations *durations, const struct ra_report_input *input)
{
	const struct ra_model *model = input->model;

	for (size_t i = 0; i < model->slices.count; i++) {
		if (is_annotation(model, i)) {
			add_range(durations, input, i, model->slices.dur_ns[i]);
		}
	}
}

/* Adds the projections of ranges onto each stream. */
static void add_projections(struct ra_durations *durations, const struct ra_report_input *input)
{
	const struct ra_gpu *gpu = &input->model->gpu;
	struct ra_projection projection;

	ra_projection_init(&projection, input->model);
	for (size_t q = 0; q < gpu->queue_count; q++) {
		const struct ra_gpu_queue *queue = &gpu->queues[q];

		for (size_t i = 0; i < queue->op_count; i++) {
			ra_projection_add(&projection, &gpu->ops[queue->first_op + i]);
		}
		ra_projection_finish(&projection);
		for (size_t i = 0; i < projection.count; i++) {
			const struct ra_projection_row *row = &projection.rows[i];

			if (is_annotation(input->model, row->slice)) {
				add_range(durations, input, row->slice,
				          row->end_ns - row->start_ns);
			}
		}
		ra_projection_clear(&projection);
	}
	ra_projection_fini(&projection);
}

static void put_annotations(const struct ra_report_input *input, int64_t rank, const char *type,
                            struct ra_durations *durations, struct ra_table *table)
{
	struct place *places = ra_alloc_zeros(durations->count + 1, sizeof(*places));

	ra_durations_finish(durations);
	(void) list_places(places, durations, 0); /* annotations have no kind */
	for (size_t i = 0; i < durations->count; i++) {
		const struct ra_durations_row *row = &durations->rows[places[i].row];
		struct ra_table_cell *cells = ra_table_add_row(table);

		cells[RANK] = ra_table_make_number(rank);
		cells[TYPE] = ra_table_make_word(type);
		cells[NAME] = ra_table_make_text(ra_op_names_of_label(input, (uint32_t) row->key));
		ra_durations_put(row, &cells[CALLS]);
	}
	free(places);
}

static void fill_annotations(struct ra_report_input *input, struct ra_table *table)
{
	for (size_t i = 0; i < ra_report_file_count(input); i++) {
		const int64_t rank = ra_report_file_rank(input, i);
		struct ra_durations ranges = { 0 };
		struct ra_durations projections = { 0 };
		struct ra_report_input file;

		ra_rank_names_input(&file, input, i);
		add_ranges(&ranges, &file);
		add_projections(&projections, &file);
		put_annotations(&file, rank, "CPU", &ranges, table);
		put_annotations(&file, rank, "GPU", &projections, table);
		ra_durations_fini(&ranges);
		ra_durations_fini(&projections);
	}
}

const struct ra_report ra_report_annotations = {
	.name = "annotations",
	.reads_several = true,
	.title = "Annotations",
	.summary = "ranges of each rank on the CPU, and their projections on the GPU",
	.none = "no ranges",
	.columns = annotation_columns,
	.column_count = COLUMNS,
	.fill = fill_annotations,
};
