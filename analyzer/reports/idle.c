/* SPDX-License-Identifier: MIT */
/* The reports "idle" and "idle-streams": how long GPUs and their streams were idle, and why. */
#include "analyzer/reports/reports.h"

#include <stdlib.h>

#include "analyzer/advice/advice-reading.h"
#include "analyzer/base/util.h"
#include "analyzer/figures/gpu/gpu-gaps.h"
#include "analyzer/figures/rank-gpu.h"
#include "analyzer/steps/select.h"

enum idle_column {
	IDLE_RANK,
	IDLE_DEVICE,
	IDLE_CONTEXT,
	IDLE_STREAM,
	IDLE_NAME,
	IDLE_GAPS,
	IDLE_TOTAL,
	IDLE_HOST,
	IDLE_HOST_SHARE,
	IDLE_READING,
	IDLE_KERNEL,
	IDLE_KERNEL_SHARE,
	IDLE_QUEUED,
	IDLE_QUEUED_SHARE,
	IDLE_OTHER,
	IDLE_OTHER_SHARE,
	IDLE_BEFORE,
	IDLE_AFTER,
	IDLE_COLUMNS,
};

static const struct ra_table_column idle_columns[IDLE_COLUMNS] = {
	[IDLE_RANK] = { "rank", "Rank", RA_TABLE_COUNT, "0" },
	[IDLE_DEVICE] = { "device", "GPU", RA_TABLE_COUNT, NULL },
	[IDLE_CONTEXT] = { "context", "Context", RA_TABLE_COUNT, NULL },
	[IDLE_STREAM] = { "stream", "Stream", RA_TABLE_COUNT, NULL },
	[IDLE_NAME] = { "name", "Name", RA_TABLE_TEXT, "" },
	[IDLE_GAPS] = { "gaps", "# of Gaps", RA_TABLE_COUNT, NULL },
	[IDLE_TOTAL] = { "idle_ns", "Idle", RA_TABLE_TIME, NULL },
	[IDLE_HOST] = { "host_wait_ns", "Host wait", RA_TABLE_TIME, NULL },
	[IDLE_HOST_SHARE] = { "host_wait_share", "Host %", RA_TABLE_SHARE, NULL },
	[IDLE_READING] = { "host_reading_ns", "Of it, reads input", RA_TABLE_TIME, "0" },
	[IDLE_KERNEL] = { "kernel_wait_ns", "Kernel wait", RA_TABLE_TIME, NULL },
	[IDLE_KERNEL_SHARE] = { "kernel_wait_share", "Kernel %", RA_TABLE_SHARE, NULL },
	[IDLE_QUEUED] = { "queued_ns", "Queued", RA_TABLE_TIME, NULL },
	[IDLE_QUEUED_SHARE] = { "queued_share", "Queued %", RA_TABLE_SHARE, NULL },
	[IDLE_OTHER] = { "other_ns", "Other", RA_TABLE_TIME, NULL },
	[IDLE_OTHER_SHARE] = { "other_share", "Other %", RA_TABLE_SHARE, NULL },
	[IDLE_BEFORE] = { "before_ns", "Before first", RA_TABLE_TIME, NULL },
	[IDLE_AFTER] = { "after_ns", "After last", RA_TABLE_TIME, NULL },
};

/* One of the files for which sums are made. */
struct idle_file {
	const struct ra_model *model;
	const struct ra_gpu_order *order;
	const struct ra_intervals *reading; /* by track: when the thread read input */
	int64_t rank;
	int64_t short_ns;
	bool is_of_streams; /* one row for each stream; false: one for each device */
};

/* How much of a gap the thread that launched the work after it spent reading input. */
static int64_t find_reading(const struct idle_file *file, const struct ra_gpu_gap *gap)
{
	const struct ra_gpu *gpu = &file->model->gpu;
	const uint32_t api = gap->cause == RA_GPU_GAPS_HOST ? gpu->ops[gap->after].api : RA_NONE;

	if (api == RA_NONE || gpu->apis[api].track >= file->model->track_count) {
		return 0;
	}
	return ra_intervals_cover(&file->reading[gpu->apis[api].track], gap->start_ns,
	                          ra_util_add_time(gap->start_ns, gap->dur_ns));
}

static void put_causes(const struct idle_file *file, struct ra_gpu_gaps *walk,
                       struct ra_table_cell *cells)
{
	static const enum idle_column columns[RA_GPU_GAPS_CAUSES] = {
		[RA_GPU_GAPS_HOST] = IDLE_HOST,     [RA_GPU_GAPS_KERNEL] = IDLE_KERNEL,
		[RA_GPU_GAPS_QUEUED] = IDLE_QUEUED, [RA_GPU_GAPS_OTHER] = IDLE_OTHER,
		[RA_GPU_GAPS_BEFORE] = IDLE_BEFORE, [RA_GPU_GAPS_AFTER] = IDLE_AFTER,
	};
	int64_t sums[RA_GPU_GAPS_CAUSES] = { 0 };
	int64_t reading_ns = 0;
	int64_t total_ns = 0;
	uint64_t count = 0;
	struct ra_gpu_gap gap;

	while (ra_gpu_gaps_next(walk, &gap)) {
		reading_ns = ra_util_add_time(reading_ns, find_reading(file, &gap));
		sums[gap.cause] = ra_util_add_time(sums[gap.cause], gap.dur_ns);
		if (gap.cause <= RA_GPU_GAPS_OTHER) {
			total_ns = ra_util_add_time(total_ns, gap.dur_ns);
			count++;
		}
	}
	cells[IDLE_GAPS] = ra_table_make_count(count);
	cells[IDLE_TOTAL] = ra_table_make_number(total_ns);
	cells[IDLE_READING] = ra_table_make_number(reading_ns);
	for (int i = 0; i < RA_GPU_GAPS_CAUSES; i++) {
		cells[columns[i]] = ra_table_make_number(sums[i]);
		if (i <= RA_GPU_GAPS_OTHER && total_ns > 0) {
			cells[columns[i] + 1] = ra_table_make_share(sums[i], total_ns);
		}
	}
}

static void put_queue(const struct idle_file *file, size_t queue, struct ra_table *table)
{
	const struct ra_model *model = file->model;
	const struct ra_gpu_queue *q = &model->gpu.queues[queue];
	struct ra_table_cell *cells = ra_table_add_row(table);
	struct ra_gpu_gaps walk;

	cells[IDLE_RANK] = ra_table_make_number(file->rank);
	cells[IDLE_DEVICE] = ra_table_make_id(q->device);
	cells[IDLE_CONTEXT] = ra_table_make_count(q->context);
	cells[IDLE_STREAM] = ra_table_make_id(q->stream);
	if (q->name != 0) {
		cells[IDLE_NAME] = ra_table_make_text(ra_model_string(model, q->name));
	}
	ra_gpu_gaps_begin_queue(&walk, &model->gpu, file->order, queue);
	walk.short_ns = file->short_ns;
	put_causes(file, &walk, cells);
}

static void put_device(const struct idle_file *file, size_t device, struct ra_table *table)
{
	struct ra_table_cell *cells = ra_table_add_row(table);
	struct ra_gpu_gaps walk;

	cells[IDLE_RANK] = ra_table_make_number(file->rank);
	cells[IDLE_DEVICE] = ra_table_make_id(file->order->devices[device].id);
	ra_gpu_gaps_begin_device(&walk, &file->model->gpu, file->order, device);
	walk.short_ns = file->short_ns;
	put_causes(file, &walk, cells);
}

/* Adds the rows of a file. Its streams are ordered by device. */
static void put_file(const struct idle_file *file, struct ra_table *table)
{
	const struct ra_model *model = file->model;
	const struct ra_gpu_order *order = file->order;

	for (size_t d = 0; d < order->device_count && !file->is_of_streams; d++) {
		if (order->devices[d].count > 0) {
			put_device(file, d, table);
		}
	}
	for (size_t q = 0; q < model->gpu.queue_count && file->is_of_streams; q++) {
		if (model->gpu.queues[q].op_count > 0) {
			put_queue(file, q, table);
		}
	}
}

static void fill_files(struct ra_report_input *input, bool is_of_streams, struct ra_table *table)
{
	for (size_t i = 0; i < ra_report_file_count(input); i++) {
		const struct ra_model *model = ra_report_file_model(input, i);
		struct ra_intervals *reading = ra_advice_reading_init(model);
		struct ra_gpu_order order;
		struct idle_file file = {
			.model = model,
			.reading = reading,
			.order = &order,
			.rank = ra_report_file_rank(input, i),
			.short_ns = RA_GPU_GAPS_SHORT_NS,
			.is_of_streams = is_of_streams,
		};

		if (input->settings != NULL) {
			file.short_ns = (int64_t) (input->settings->idle_delay_us * 1000);
		}
		ra_gpu_order_init(&order, file.model);
		put_file(&file, table);
		ra_gpu_order_fini(&order);
		ra_advice_reading_fini(reading, model);
	}
}

static const char idle_note[] =
	"Idle: whole gaps between operations, by cause (% of all). Host wait: the CPU called the "
	"next launch "
	"only in the gap, so it was late (advice says why); Kernel wait: in time, below 30us; "
	"Queued: long before; Other: not known";

static const char reading_note[] = "Of it, reads input: the part of the host wait in which the "
				   "launching thread waits for a batch of input; it does not tell "
				   "of a CPU that is slow to launch";

/* Adds a note that explains the column for reading, if it is shown. */
static void tell_reading(struct ra_report_input *input, const struct ra_table *table)
{
	for (size_t row = 0; row < table->row_count; row++) {
		if (table->cells[row * IDLE_COLUMNS + IDLE_READING].u.number > 0) {
			ra_report_add_note(input, reading_note);
			return;
		}
	}
}

static void fill_idle(struct ra_report_input *input, struct ra_table *table)
{
	ra_report_add_note(input, idle_note);
	ra_table_hide(table, IDLE_CONTEXT);
	ra_table_hide(table, IDLE_STREAM);
	ra_table_hide(table, IDLE_NAME);
	fill_files(input, false, table);
	tell_reading(input, table);
}

static void fill_idle_streams(struct ra_report_input *input, struct ra_table *table)
{
	fill_files(input, true, table);
	tell_reading(input, table);
}

const struct ra_report ra_report_idle = {
	.name = "idle",
	.scope = RA_REPORT_OF_TIME,
	.reads_several = true,
	.title = "Idle time",
	.summary = "why GPUs had nothing to do",
	.note = idle_note,
	.none = "no GPU work",
	.is_gpu = true,
	.columns = idle_columns,
	.column_count = IDLE_COLUMNS,
	.fill = fill_idle,
};

const struct ra_report ra_report_idle_streams = {
	.name = "idle-streams",
	.scope = RA_REPORT_OF_TIME,
	.reads_several = true,
	.title = "Idle time of streams",
	.summary = "why streams had nothing to do",
	.more_of = "idle",
	.none = "no GPU work",
	.is_gpu = true,
	.columns = idle_columns,
	.column_count = IDLE_COLUMNS,
	.fill = fill_idle_streams,
};
