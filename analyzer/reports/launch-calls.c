/* SPDX-License-Identifier: MIT */
/* The report "launch-calls": kernels by the thread that launched them and by the call that it
 * used. */
#include "analyzer/reports/reports.h"

#include <stdlib.h>

#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"
#include "analyzer/figures/ranges/durations.h"
#include "analyzer/report/op-names.h"

/* The times that are measured for a kernel and its call. */
enum time {
	TOTAL, /* from the call's start to the end of call or kernel, whichever is later */
	CALL,
	QUEUE, /* from the call's end to the kernel's start, if the kernel starts later */
	RUN,
	TIMES
};

enum column {
	PID,
	TID,
	DEVICE,
	CALL_NAME,
	NAME,
	KERNELS,
	QUEUED,
	SPREADS,
	COLUMNS = SPREADS + TIMES * RA_DURATIONS_SPREAD,
};

/* clang-format off */
#define SPREAD(time, key, title, total) \
	RA_DURATIONS_SPREAD_LIST(SPREADS + (time) * RA_DURATIONS_SPREAD, key, title, total)
/* clang-format on */

static const struct ra_table_column columns[COLUMNS] = {
	[PID] = { "pid", "PID", RA_TABLE_COUNT, NULL },
	[TID] = { "tid", "TID", RA_TABLE_COUNT, NULL },
	[DEVICE] = { "device", "GPU", RA_TABLE_COUNT, "0" },
	[CALL_NAME] = { "api", "API call", RA_TABLE_TEXT, NULL },
	[NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[KERNELS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },
	[QUEUED] = { "queued", "Queued", RA_TABLE_COUNT, NULL },
	SPREAD(TOTAL, "", "", "Total"),
	SPREAD(CALL, "api_", "API ", "Total"),
	SPREAD(QUEUE, "queue_", "Queue ", "Total"),
	SPREAD(RUN, "run_", "Run ", "Total"),
};

/* The key of a row: who launched, and what was launched. */
struct group {
	uint32_t track;
	uint32_t device;
	uint32_t call; /* string id of the call's name */
	uint64_t kernel;
};

struct filling {
	struct ra_report_input *input;
	struct ra_util_map origins;  /* (track, device) → index */
	struct ra_util_map kernels;  /* (call, kernel) → index */
	struct ra_util_map group_of; /* (first index, second index) → index of the group */
	struct group *groups;        /* owned */
	size_t count;
	size_t capacity;
	/* owned; keys are indices of groups; all but QUEUE have them in this order */
	struct ra_durations times[TIMES];
};

static uint32_t find_group(struct filling *filling, const struct group *group)
{
	uint32_t origin;
	uint32_t kernel;
	uint32_t number;

	ra_util_map_number(&filling->origins, (uint64_t) group->track << 32 | group->device,
	                   &origin);
	ra_util_map_number(&filling->kernels,
	                   (uint64_t) group->call << 32 | (uint32_t) group->kernel, &kernel);
	ra_util_map_number(&filling->group_of, (uint64_t) origin << 32 | kernel, &number);
	if (number == filling->count) {
		RA_UTIL_APPEND(filling->groups, filling->count, filling->capacity, *group);
	}
	return number;
}

static void add_kernel(struct filling *filling, const struct ra_gpu_op *op)
{
	const struct ra_gpu *gpu = &filling->input->model->gpu;
	const struct ra_gpu_api *api = &gpu->apis[op->api];
	const int64_t call_end_ns = api->start_ns + api->dur_ns;
	const int64_t end_ns = op->start_ns + op->dur_ns;
	const struct group group = { .track = api->track,
		                     .device = gpu->queues[op->queue].device,
		                     .call = api->name,
		                     .kernel = ra_op_names_find(filling->input, op) };
	const int64_t times[TIMES] = {
		[TOTAL] = (end_ns > call_end_ns ? end_ns : call_end_ns) - api->start_ns,
		[CALL] = api->dur_ns,
		[QUEUE] = op->start_ns - call_end_ns,
		[RUN] = op->dur_ns,
	};
	const uint32_t number = find_group(filling, &group);

	for (size_t t = 0; t < TIMES; t++) {
		if (t != QUEUE || times[t] > 0) {
			ra_durations_add(&filling->times[t], number, times[t]);
		}
	}
}

static void put_group(struct filling *filling, uint32_t number, struct ra_table *table)
{
	const struct ra_model *model = filling->input->model;
	const struct group *group = &filling->groups[number];
	const struct ra_track *track = &model->tracks[group->track];
	struct ra_table_cell *cells = ra_table_add_row(table);
	struct rlog_string name = ra_op_names_text(filling->input, group->kernel, table);

	if (track->process < model->process_count) {
		cells[PID] = ra_table_make_number(model->processes[track->process].pid);
	}
	cells[TID] = ra_table_make_number(track->tid);
	cells[DEVICE] = ra_table_make_id(group->device);
	cells[CALL_NAME] = ra_table_make_text(ra_model_string(model, group->call));
	cells[NAME] = ra_table_make_text(name);
	cells[QUEUED] = ra_table_make_count(0);
	for (size_t t = 0; t < TIMES; t++) {
		const struct ra_durations *durations = &filling->times[t];
		const uint32_t place = ra_util_map_find(&durations->index, number);

		if (place < durations->count) {
			const struct ra_durations_row *row = &durations->rows[place];

			cells[t == QUEUE ? QUEUED : KERNELS] = ra_table_make_count(row->count);
			ra_durations_put_spread(row, &cells[SPREADS + t * RA_DURATIONS_SPREAD]);
		}
	}
}

static void fill(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_gpu *gpu = &input->model->gpu;
	struct filling filling = { .input = input };

	for (size_t i = 0; i < gpu->op_count; i++) {
		if (gpu->ops[i].kind == RA_GPU_KERNEL && gpu->ops[i].api != RA_NONE) {
			add_kernel(&filling, &gpu->ops[i]);
		}
	}
	for (size_t t = 0; t < TIMES; t++) {
		ra_durations_finish(&filling.times[t]);
		ra_durations_find_medians(&filling.times[t]);
	}
	for (uint32_t i = 0; i < filling.count; i++) {
		put_group(&filling, i, table);
	}
	for (size_t t = 0; t < TIMES; t++) {
		ra_durations_fini(&filling.times[t]);
	}
	ra_util_map_free(&filling.origins);
	ra_util_map_free(&filling.kernels);
	ra_util_map_free(&filling.group_of);
	free(filling.groups);
}

const struct ra_report ra_report_launch_calls = {
	.name = "launch-calls",
	.title = "Kernels by the call that launched them",
	.summary = "kernels by thread and call: from the call to the end, call, queue, run",
	.more_of = "launch-sum",
	.none = "no kernels whose call is known",
	.is_gpu = true,
	.columns = columns,
	.column_count = COLUMNS,
	.sort = "total_ns",
	.fill = fill,
};
