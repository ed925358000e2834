/* SPDX-License-Identifier: MIT */
/* The reports "projection" and "projection-devices": when and how long ranges had work on each GPU
 * and stream. */
#include "analyzer/base/alloc.h"
#include "analyzer/reports/reports.h"

#include <stdlib.h>

#include "analyzer/figures/gpu/gpu-order.h"
#include "analyzer/link/projection.h"
#include "analyzer/report/range-names.h"
#include "analyzer/base/util.h"

enum column {
	NAME,
	CATEGORY,
	PAYLOAD,
	DOMAIN,
	KIND,
	DEVICE,
	CONTEXT,
	STREAM,
	STREAM_NAME,
	TOTAL,
	BUSY,
	BUSY_SHARE,
	CALLS,
	OPS,
	AVERAGE,
	MINIMUM,
	MAXIMUM,
	SHAPE,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[CATEGORY] = { "category", "Category", RA_TABLE_TEXT, NULL },
	[PAYLOAD] = { "payload", "Payload", RA_TABLE_VALUE, NULL },
	[DOMAIN] = { "domain", "Domain", RA_TABLE_TEXT, "(default)" },
	[KIND] = { "kind", "Kind", RA_TABLE_TEXT, "push/pop" },
	[DEVICE] = { "device", "GPU", RA_TABLE_COUNT, "0" },
	[CONTEXT] = { "context", "Context", RA_TABLE_COUNT, "1" },
	[STREAM] = { "stream", "Stream", RA_TABLE_COUNT, NULL },
	[STREAM_NAME] = { "stream_name", "Stream name", RA_TABLE_TEXT, "" },
	[TOTAL] = { "projected_total_ns", "Projected", RA_TABLE_TIME, NULL },
	[BUSY] = { "busy_ns", "Busy", RA_TABLE_TIME, NULL },
	[BUSY_SHARE] = { "busy_share", "Busy %", RA_TABLE_SHARE, NULL },
	[CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },
	[OPS] = { "operations", "GPU ops", RA_TABLE_COUNT, NULL },
	[AVERAGE] = { "mean_ns", "Mean", RA_TABLE_TIME, NULL },
	[MINIMUM] = { "min_ns", "Min", RA_TABLE_TIME, NULL },
	[MAXIMUM] = { "max_ns", "Max", RA_TABLE_TIME, NULL },
	[SHAPE] = { "input_shapes", "Input Shapes", RA_TABLE_TEXT, NULL },
};

static const struct ra_range_names_columns key_columns = { NAME,   CATEGORY, PAYLOAD,
	                                                   DOMAIN, KIND,     SHAPE };

/* Sums over the ranges of a group on one stream or device. */
struct sum {
	uint64_t calls;
	uint64_t ops;
	int64_t total_ns;
	int64_t busy_ns;
	int64_t min_ns;
	int64_t max_ns;
	uint32_t group;
	/* The end of the outermost range of the group on the current thread. A range that begins
	 * before this time is inside that range. */
	int64_t until_ns;
	uint32_t track;
};

struct filling {
	struct ra_report_input *input;
	struct ra_table *table;
	struct ra_group group;           /* owned */
	struct ra_projection projection; /* owned */
	struct ra_gpu_order order;       /* owned */
	uint32_t *sum_of;                /* owned; by group: 1 + index of its sum; 0: it has none */
	struct sum *sums;                /* owned */
	size_t sum_count;
	size_t sum_capacity;
	bool is_backward; /* sums only the work that the rule `sequence` moved, if that is shown
	                     separately; false: sums the other work */
};

static struct sum *find_sum(struct filling *filling, uint32_t group)
{
	uint32_t *place = &filling->sum_of[group];

	if (*place == 0) {
		RA_UTIL_APPEND(
			filling->sums, filling->sum_count, filling->sum_capacity,
			(struct sum){ .group = group, .min_ns = INT64_MAX, .track = RA_NONE });
		*place = (uint32_t) filling->sum_count;
	}
	return &filling->sums[*place - 1];
}

/* Adds the rows of the projection. They are ordered by slice, so outer ranges come first. */
static void add_rows(struct filling *filling)
{
	const struct ra_model *model = filling->input->model;
	const struct ra_projection *projection = &filling->projection;
	uint32_t track = 0;

	for (size_t i = 0; i < projection->count; i++) {
		const struct ra_projection_row *row = &projection->rows[i];
		const int64_t start_ns = model->slices.start_ns[row->slice];
		const int64_t span_ns = row->end_ns - row->start_ns;
		struct sum *sum;

		track = ra_model_find_track(model, row->slice, track);
		sum = find_sum(filling, filling->group.of_slice[row->slice]);
		if (sum->track == track && start_ns < sum->until_ns &&
		    model->tracks[track].kind == RA_TRACK_THREAD) {
			continue; /* an outer range of the group has these operations already */
		}
		sum->track = track;
		sum->until_ns = start_ns + model->slices.dur_ns[row->slice];
		sum->calls++;
		sum->ops += row->ops;
		sum->total_ns = ra_util_add_time(sum->total_ns, span_ns);
		sum->busy_ns = ra_util_add_time(sum->busy_ns, row->busy_ns);
		sum->min_ns = span_ns < sum->min_ns ? span_ns : sum->min_ns;
		sum->max_ns = span_ns > sum->max_ns ? span_ns : sum->max_ns;
	}
}

static void put_sum(struct filling *filling, const struct sum *sum, uint32_t device,
                    const struct ra_gpu_queue *queue)
{
	const struct ra_range_names names = { filling->input, filling->group.paths, &key_columns };
	struct ra_table_cell *cells = ra_table_add_row(filling->table);

	ra_range_names_put(&names, &filling->group.keys[sum->group], filling->table, cells);
	if (filling->is_backward) {
		ra_range_names_put_backward(filling->table, &cells[NAME]);
	}
	cells[DEVICE] = ra_table_make_id(device);
	if (queue != NULL) {
		cells[CONTEXT] = ra_table_make_number(queue->context);
		cells[STREAM] = ra_table_make_id(queue->stream);
		if (queue->name != 0) {
			cells[STREAM_NAME] = ra_table_make_text(
				ra_model_string(filling->input->model, queue->name));
		}
	}
	cells[TOTAL] = ra_table_make_number(sum->total_ns);
	cells[BUSY] = ra_table_make_number(sum->busy_ns);
	if (sum->total_ns > 0) {
		cells[BUSY_SHARE] = ra_table_make_share(sum->busy_ns, sum->total_ns);
	}
	cells[CALLS] = ra_table_make_count(sum->calls);
	cells[OPS] = ra_table_make_count(sum->ops);
	cells[AVERAGE] =
		ra_table_make_count(((uint64_t) sum->total_ns + sum->calls / 2) / sum->calls);
	cells[MINIMUM] = ra_table_make_number(sum->min_ns);
	cells[MAXIMUM] = ra_table_make_number(sum->max_ns);
}

/* Makes rows from the sums, and clears the sums. @queue: NULL: the sums are of the whole device. */
static void put_sums(struct filling *filling, uint32_t device, const struct ra_gpu_queue *queue)
{
	ra_projection_finish(&filling->projection);
	add_rows(filling);
	for (size_t i = 0; i < filling->sum_count; i++) {
		put_sum(filling, &filling->sums[i], device, queue);
		filling->sum_of[filling->sums[i].group] = 0;
	}
	filling->sum_count = 0;
	ra_projection_clear(&filling->projection);
}

static void add_op(struct filling *filling, const struct ra_gpu_op *op)
{
	const bool is_backward = ra_gpu_is_backward(&filling->input->model->gpu, op);

	if (is_backward == filling->is_backward) {
		ra_projection_add(&filling->projection, op);
	}
}

static void fill_queues(struct filling *filling)
{
	const struct ra_gpu *gpu = &filling->input->model->gpu;

	for (size_t q = 0; q < gpu->queue_count; q++) {
		const struct ra_gpu_queue *queue = &gpu->queues[q];

		for (size_t i = 0; i < queue->op_count; i++) {
			add_op(filling, &gpu->ops[queue->first_op + i]);
		}
		put_sums(filling, queue->device, queue);
	}
}

/* Makes rows for whole devices, with all their streams together. */
static void fill_devices(struct filling *filling)
{
	const struct ra_gpu *gpu = &filling->input->model->gpu;
	const struct ra_gpu_order *order = &filling->order;

	for (size_t d = 0; d < order->device_count; d++) {
		const struct ra_gpu_order_device *device = &order->devices[d];

		for (size_t i = device->first; i < device->first + device->count; i++) {
			add_op(filling, &gpu->ops[order->ops[i].op]);
		}
		put_sums(filling, device->id, NULL);
	}
}

static void fill(struct ra_report_input *input, bool is_of_devices, struct ra_table *table)
{
	struct filling filling = { .input = input, .table = table };
	const struct ra_model *model = input->model;
	const int passes = model->gpu.has_backward_rows ? 2 : 1;

	ra_group_init(&filling.group, model, input->group_by, input->labels);
	ra_range_names_hide(input, &key_columns, table);
	ra_projection_init(&filling.projection, model);
	ra_gpu_order_init(&filling.order, model);
	filling.sum_of = ra_alloc_zeros(filling.group.count + 1, sizeof(*filling.sum_of));
	for (int pass = 0; pass < passes; pass++) {
		filling.is_backward = pass == 1;
		if (is_of_devices) {
			fill_devices(&filling);
		} else {
			fill_queues(&filling);
		}
	}
	free(filling.sum_of);
	free(filling.sums);
	ra_gpu_order_fini(&filling.order);
	ra_projection_fini(&filling.projection);
	ra_group_fini(&filling.group);
}

static void fill_projection(struct ra_report_input *input, struct ra_table *table)
{
	fill(input, false, table);
}

static void fill_projection_devices(struct ra_report_input *input, struct ra_table *table)
{
	ra_table_hide(table, CONTEXT);
	ra_table_hide(table, STREAM);
	ra_table_hide(table, STREAM_NAME);
	fill(input, true, table);
}

#define GROUPS                                                                            \
	(RA_GROUP_BY_NAME | RA_GROUP_BY_SHAPE | RA_GROUP_BY_PATH | RA_GROUP_BY_CATEGORY | \
	 RA_GROUP_BY_PAYLOAD)

const struct ra_report ra_report_projection = {
	.name = "projection",
	.groups = GROUPS,
	.title = "Projection on the GPU",
	.note = "Projected: from the first start to the last end of a range's GPU work",
	.summary = "ranges by the time of their GPU work: first start to last end, busy time",
	.none = "no GPU work of ranges",
	.is_gpu = true,
	.columns = columns,
	.column_count = COLUMNS,
	.sort = "projected_total",
	.fill = fill_projection,
};

const struct ra_report ra_report_projection_devices = {
	.name = "projection-devices",
	.groups = GROUPS,
	.title = "Projection on GPUs, all streams together",
	.summary = "the same of all streams of a GPU together",
	.more_of = "projection",
	.none = "no GPU work of ranges",
	.is_gpu = true,
	.columns = columns,
	.column_count = COLUMNS,
	.sort = "projected_total",
	.fill = fill_projection_devices,
};
