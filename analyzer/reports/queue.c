/* SPDX-License-Identifier: MIT */
/* The reports "queue" and "bandwidth": how many operations wait on each stream, and how fast copies
 * are. */
#include "analyzer/reports/reports.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/figures/rank-gpu.h"
#include "analyzer/base/util.h"

enum column {
	RANK,
	DEVICE,
	KEY,
	COUNT,
	MEAN,
	DEVIATION,
	MIN,
	P25,
	P50,
	P75,
	MAX,
	TIME_MEAN,
	COLUMNS,
};

/* clang-format off */
#define SHARED_COLUMNS \
	[RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL }, \
	[DEVICE] = { "device", "GPU", RA_TABLE_COUNT, NULL }, \
	[COUNT] = { "count", "Changes", RA_TABLE_COUNT, NULL }, \
	[MEAN] = { "mean", "Mean", RA_TABLE_REAL, NULL }, \
	[DEVIATION] = { "std", "Std", RA_TABLE_REAL, NULL }, \
	[MIN] = { "min", "Min", RA_TABLE_REAL, NULL }, \
	[P25] = { "p25", "25 %", RA_TABLE_REAL, NULL }, \
	[P50] = { "p50", "50 %", RA_TABLE_REAL, NULL }, \
	[P75] = { "p75", "75 %", RA_TABLE_REAL, NULL }, \
	[MAX] = { "max", "Max", RA_TABLE_REAL, NULL }, \
	[TIME_MEAN] = { "time_mean", "Mean over time", RA_TABLE_REAL, NULL }
/* clang-format on */

static const struct ra_table_column queue_columns[COLUMNS] = {
	SHARED_COLUMNS,
	[KEY] = { "stream", "Stream", RA_TABLE_COUNT, NULL },
};

static const struct ra_table_column bandwidth_columns[COLUMNS] = {
	SHARED_COLUMNS,
	[KEY] = { "name", "Name", RA_TABLE_TEXT, NULL },
};

struct steps {
	struct ra_rank_step *steps; /* owned */
	size_t count;
	size_t capacity;
};

/* Adds a step up at one time, and a step down at another. */
static void add_steps(struct steps *steps, int64_t from_ns, int64_t to_ns, double change)
{
	ra_util_grow(&steps->steps, &steps->capacity, steps->count + 2, sizeof(*steps->steps));
	steps->steps[steps->count++] = (struct ra_rank_step){ from_ns, change };
	steps->steps[steps->count++] = (struct ra_rank_step){ to_ns, -change };
}

/* Adds a row that describes the steps, if there are any. Frees the steps. */
static void add_row(struct ra_table *table, int64_t rank, uint32_t device, struct ra_table_cell key,
                    struct steps *steps)
{
	const double above = table->columns == bandwidth_columns ? 0 : -1;
	struct ra_table_cell *cells;
	struct ra_describe stats = { 0 };
	double figures[RA_DESCRIBE_FIGURES];
	double mean = NAN;

	if (steps->count == 0) {
		return;
	}
	ra_rank_gpu_describe(&stats, &mean, steps->steps, steps->count, above);
	steps->count = 0;
	cells = ra_table_add_row(table);
	cells[RANK] = ra_table_make_number(rank);
	cells[DEVICE] = ra_table_make_id(device);
	cells[KEY] = key;
	cells[COUNT] = ra_table_make_count(stats.count);
	ra_describe_list(&stats, figures);
	for (size_t i = 0; i < RA_DESCRIBE_FIGURES; i++) {
		ra_table_put_real(&cells[MEAN + i], figures[i]);
	}
	ra_table_put_real(&cells[TIME_MEAN], mean);
}

/* Adds rows for the operations that wait. An operation waits from the start of its call to its own
 * start; this time is never negative. */
static void add_queues(int64_t rank, const struct ra_model *model, struct ra_table *table)
{
	const struct ra_gpu *gpu = &model->gpu;
	struct steps steps = { 0 };

	for (size_t q = 0; q < gpu->queue_count; q++) {
		const struct ra_gpu_queue *queue = &gpu->queues[q];

		for (size_t i = 0; i < queue->op_count; i++) {
			const struct ra_gpu_op *op = &gpu->ops[queue->first_op + i];
			const int64_t launch_ns =
				op->api == RA_NONE ? 0 : gpu->apis[op->api].start_ns;

			if (op->api != RA_NONE) {
				add_steps(&steps, launch_ns,
				          op->start_ns > launch_ns ? op->start_ns : launch_ns, 1);
			}
		}
		add_row(table, rank, queue->device, ra_table_make_id(queue->stream), &steps);
	}
	free(steps.steps);
}

static void note_mean(struct ra_report_input *input, const struct ra_table *table)
{
	if (table->row_count > 0) {
		ra_report_add_note(input, "Mean over time: from the first change of a row to its "
		                          "last; a single copy has its own bandwidth");
	}
}

static void fill_queue(struct ra_report_input *input, struct ra_table *table)
{
	for (size_t i = 0; i < ra_report_file_count(input); i++) {
		add_queues(ra_report_file_rank(input, i), ra_report_file_model(input, i), table);
	}
	note_mean(input, table);
}

const struct ra_report ra_report_queue = {
	.name = "queue",
	.title = "Queue length of streams",
	.summary = "work launched on each stream and not yet begun, at each change",
	.reads_several = true,
	.none = "no GPU work whose call is known",
	.is_gpu = true,
	.columns = queue_columns,
	.column_count = COLUMNS,
	.fill = fill_queue,
};

/* The kinds of copies, followed by memory sets. */
#define KINDS    256
#define KIND_SET 0

static void add_bandwidth(int64_t rank, const struct ra_model *model, uint32_t device,
                          unsigned kind, struct ra_table *table)
{
	const struct ra_gpu *gpu = &model->gpu;
	const char *name = kind == KIND_SET ? "Memset" : ra_gpu_copy_name((uint8_t) kind);
	struct steps steps = { 0 };

	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];
		const bool is_kind = kind == KIND_SET
		                             ? op->kind == RA_GPU_SET
		                             : op->kind == RA_GPU_COPY && op->copy_kind == kind;

		if (is_kind && op->dur_ns > 0 && op->bytes > 0 &&
		    gpu->queues[op->queue].device == device) {
			add_steps(&steps, op->start_ns, ra_util_add_time(op->start_ns, op->dur_ns),
			          (double) op->bytes / (double) op->dur_ns);
		}
	}
	add_row(table, rank, device, ra_table_make_word(name), &steps);
	free(steps.steps);
}

static void add_bandwidths(int64_t rank, const struct ra_model *model, struct ra_table *table)
{
	const struct ra_gpu *gpu = &model->gpu;
	bool has[KINDS] = { false };

	for (size_t i = 0; i < gpu->op_count; i++) {
		has[KIND_SET] |= gpu->ops[i].kind == RA_GPU_SET;
		if (gpu->ops[i].kind == RA_GPU_COPY && gpu->ops[i].copy_kind != KIND_SET) {
			has[gpu->ops[i].copy_kind] = true;
		}
	}
	for (size_t q = 0; q < gpu->queue_count; q++) {
		const uint32_t device = gpu->queues[q].device;

		/* takes each device once, because queues are sorted by device */
		for (unsigned k = 0; k < KINDS && (q == 0 || gpu->queues[q - 1].device != device);
		     k++) {
			if (has[k]) {
				add_bandwidth(rank, model, device, k, table);
			}
		}
	}
}

static void fill_bandwidth(struct ra_report_input *input, struct ra_table *table)
{
	for (size_t i = 0; i < ra_report_file_count(input); i++) {
		add_bandwidths(ra_report_file_rank(input, i), ra_report_file_model(input, i),
		               table);
	}
	note_mean(input, table);
}

const struct ra_report ra_report_bandwidth = {
	.name = "bandwidth",
	.title = "Bandwidth of copies (GB/s)",
	.summary = "bandwidth (GB/s) of copies and memsets by kind, at each change",
	.more_of = "memcpy",
	.reads_several = true,
	.none = "no copies or memsets of known size",
	.is_gpu = true,
	.columns = bandwidth_columns,
	.column_count = COLUMNS,
	.fill = fill_bandwidth,
};
