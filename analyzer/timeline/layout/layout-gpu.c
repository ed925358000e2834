/* SPDX-License-Identifier: MIT */
/* Places rows of devices and streams, and puts each operation on a row. */
#include "analyzer/timeline/layout/layout-gpu.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/timeline/layout/layout-projection.h"
#include "analyzer/base/util-map.h"

/* Readers of PyTorch's traces recognise devices by pids up to this. */
#define LAST_GPU_PID 15

/* The last item on a row. */
struct lane {
	int64_t start_ns;
	int64_t end_ns;
	uint32_t tid;
};

/* An item to be sorted by row. */
struct ref {
	uint32_t device; /* device; for overheads, the process */
	uint32_t context;
	uint32_t stream;
	uint32_t index;
};

struct walk {
	struct ra_layout *layout;
	const struct ra_model *model;
	const struct ra_layout_gpu_visitor *visitor;
	/* device << 32 | stream → index of the queue whose row gets that number */
	struct ra_util_map streams;
	struct ra_util_map queues; /* context << 32 | stream → index of the queue */
	struct ref *syncs;         /* owned */
	struct ref *overheads;     /* owned */
	struct lane *lanes;        /* owned */
	uint32_t lane_count;
	struct ra_layout_gpu_row row;    /* the row that has these lanes */
	struct ra_projection projection; /* owned */
	uint32_t given;                  /* number of device numbers given so far */
	uint32_t device;
	uint32_t pid; /* pid of the current device */
	uint32_t rank;
	size_t section; /* index of the next section; sections are in the order of queues */
};

static int compare_refs(const void *left, const void *right)
{
	const struct ref *a = left;
	const struct ref *b = right;
	int order = RA_ORDER_UP(a, b, device);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, context));
	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, stream));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, index));
}

/* Returns the device of a context, because records of waits have only the context. */
static uint32_t find_device(const struct ra_gpu *gpu, const struct ra_util_map *contexts,
                            uint32_t context)
{
	const uint32_t queue = ra_util_map_find(contexts, context);

	if (queue != RA_UTIL_MAP_NONE) {
		return gpu->queues[queue].device;
	}
	if (gpu->queue_count > 0) {
		return gpu->queues[0].device;
	}
	return gpu->device_count > 0 ? gpu->devices[0].id : 0;
}

static void gather_syncs(struct walk *walk)
{
	const struct ra_gpu *gpu = &walk->model->gpu;
	struct ra_util_map contexts = { 0 };

	walk->syncs = ra_alloc_zeros(gpu->sync_count + 1, sizeof(*walk->syncs));
	for (size_t i = 0; i < gpu->queue_count; i++) {
		ra_util_map_put(&contexts, gpu->queues[i].context, (uint32_t) i);
	}
	for (size_t i = 0; i < gpu->sync_count; i++) {
		const struct ra_gpu_sync *sync = &gpu->syncs[i];

		walk->syncs[i] = (struct ref){ find_device(gpu, &contexts, sync->context),
			                       sync->context, sync->stream, (uint32_t) i };
	}
	ra_util_map_free(&contexts);
	RA_SORT(walk->syncs, gpu->sync_count, compare_refs);
}

static void gather_overheads(struct walk *walk)
{
	const struct ra_model *model = walk->model;
	const struct ra_gpu *gpu = &model->gpu;

	walk->overheads = ra_alloc_zeros(gpu->overhead_count + 1, sizeof(*walk->overheads));
	for (size_t i = 0; i < gpu->overhead_count; i++) {
		const uint32_t track = gpu->overheads[i].track;
		const uint32_t process = track != RA_NONE ? model->tracks[track].process : 0;

		walk->overheads[i] = (struct ref){ .device = process, .index = (uint32_t) i };
	}
	RA_SORT(walk->overheads, gpu->overhead_count, compare_refs);
}

/* Chooses the stream numbers that become numbers of rows, because they are free on their device. */
static void choose_rows(struct walk *walk)
{
	const struct ra_gpu *gpu = &walk->model->gpu;

	for (size_t i = 0; i < gpu->queue_count; i++) {
		const struct ra_gpu_queue *queue = &gpu->queues[i];
		const uint64_t key = (uint64_t) queue->device << 32 | queue->stream;

		if (ra_util_map_find(&walk->streams, key) == RA_UTIL_MAP_NONE) {
			ra_util_map_put(&walk->streams, key, (uint32_t) i);
		}
		ra_util_map_put(&walk->queues, (uint64_t) queue->context << 32 | queue->stream,
		                (uint32_t) i);
	}
}

static bool is_second(const struct walk *walk, uint32_t queue)
{
	const struct ra_gpu_queue *facts = &walk->model->gpu.queues[queue];
	const uint64_t key = (uint64_t) facts->device << 32 | facts->stream;

	return ra_util_map_find(&walk->streams, key) != queue;
}

/* Begins a group of rows. None of them exists yet. */
static void begin_rows(struct walk *walk, const struct ra_layout_gpu_row *row)
{
	walk->lane_count = 0;
	walk->row = *row;
	walk->row.pid = walk->pid;
	walk->row.rank = walk->rank++;
	walk->row.is_second = row->queue != RA_NONE && is_second(walk, row->queue);
}

static void open_lane(struct walk *walk)
{
	struct ra_layout_gpu_row *row = &walk->row;
	/* Number 0 means the process as a whole, so a row can't have it. */
	const bool is_stream = row->kind == RA_LAYOUT_GPU_OP && walk->lane_count == 0 &&
	                       !row->is_second && row->stream > 0 &&
	                       row->stream < RA_LAYOUT_FIRST_ROW;

	row->lane = walk->lane_count;
	row->tid = is_stream ? row->stream : ra_layout_take_row(walk->layout);
	walk->lanes[walk->lane_count++] = (struct lane){ INT64_MIN, INT64_MIN, row->tid };
	if (walk->visitor->row != NULL) {
		walk->visitor->row(walk->visitor->context, row);
	}
}

/* Puts an item on the first row of the group that is free at that time. */
static void place(struct walk *walk, uint32_t index, int64_t start_ns, int64_t dur_ns)
{
	struct lane *lanes = walk->lanes;
	uint32_t lane = 0;

	if (!ra_layout_accept(walk->layout, start_ns)) {
		return;
	}
	/* Perfetto would nest an item of 0 ns and an item that begins at the same time, and not
	 * draw them side by side. */
	while (lane < walk->lane_count &&
	       (lanes[lane].end_ns > start_ns || lanes[lane].start_ns == start_ns)) {
		lane++;
	}
	if (lane == RA_LAYOUT_MAX_LANES) {
		ra_layout_refuse(walk->layout, false);
		return;
	}
	if (lane == walk->lane_count) {
		open_lane(walk);
	}
	lanes[lane].start_ns = start_ns;
	lanes[lane].end_ns = start_ns + dur_ns;
	if (walk->visitor->item != NULL) {
		const struct ra_layout_gpu_item item = { .kind = walk->row.kind,
			                                 .index = index,
			                                 .device = walk->device,
			                                 .pid = walk->row.pid,
			                                 .tid = lanes[lane].tid,
			                                 .start_ns = start_ns,
			                                 .dur_ns = dur_ns };

		walk->visitor->item(walk->visitor->context, &item);
	}
}

/* Goes through the ranges that have work on a stream. */
static void walk_ranges(struct walk *walk, uint32_t index)
{
	const struct ra_gpu *gpu = &walk->model->gpu;
	const struct ra_gpu_queue *queue = &gpu->queues[index];
	struct ra_layout_projection place = { .layout = walk->layout,
		                              .visitor = walk->visitor,
		                              .projection = &walk->projection,
		                              .rank = walk->rank,
		                              .row = { .kind = RA_LAYOUT_GPU_RANGE,
		                                       .pid = walk->pid,
		                                       .queue = index,
		                                       .context = queue->context,
		                                       .stream = queue->stream,
		                                       .is_second = is_second(walk, index) },
		                              .device = walk->device };

	for (size_t i = 0; i < queue->op_count; i++) {
		ra_projection_add(&walk->projection, &gpu->ops[queue->first_op + i]);
	}
	ra_layout_projection_walk(&place);
	ra_projection_clear(&walk->projection);
	walk->rank = place.rank;
}

static void walk_queue(struct walk *walk, uint32_t index)
{
	const struct ra_gpu *gpu = &walk->model->gpu;
	const struct ra_gpu_queue *queue = &gpu->queues[index];
	const struct ra_layout_gpu_row row = { .kind = RA_LAYOUT_GPU_OP,
		                               .queue = index,
		                               .context = queue->context,
		                               .stream = queue->stream };

	begin_rows(walk, &row);
	for (size_t i = queue->first_op; i < queue->first_op + queue->op_count; i++) {
		place(walk, (uint32_t) i, gpu->ops[i].start_ns, gpu->ops[i].dur_ns);
	}
}

/* Puts a section inside the open sections of its row. Here the lanes are the levels of one row. */
static void place_section(struct walk *walk, const struct ra_gpu_section *section, uint32_t index)
{
	const int64_t end_ns = section->start_ns + section->dur_ns;
	struct lane *levels = walk->lanes;
	struct ra_layout_gpu_item item = { .kind = RA_LAYOUT_GPU_SECTION,
		                           .index = index,
		                           .device = walk->device,
		                           .pid = walk->row.pid,
		                           .tid = walk->row.tid,
		                           .start_ns = section->start_ns,
		                           .dur_ns = section->dur_ns };
	uint32_t around;

	if (!ra_layout_accept(walk->layout, section->start_ns)) {
		return;
	}
	/* A section of 0 ns at this very time stays open, and the next section nests in it. */
	while (walk->lane_count > 0 && levels[walk->lane_count - 1].end_ns <= section->start_ns &&
	       levels[walk->lane_count - 1].start_ns < section->start_ns) {
		walk->lane_count--;
	}
	around = walk->lane_count;
	while (around > 0 && levels[around - 1].start_ns == section->start_ns) {
		around--;
	}
	/* Kernels of a stream can overlap, and blocks of both may have the same number. */
	if (walk->lane_count == RA_LAYOUT_MAX_DEPTH ||
	    (around > 0 && levels[around - 1].end_ns < end_ns)) {
		ra_layout_refuse(walk->layout, walk->lane_count == RA_LAYOUT_MAX_DEPTH);
		return;
	}
	item.depth = (uint16_t) walk->lane_count;
	levels[walk->lane_count++] = (struct lane){ section->start_ns, end_ns, 0 };
	if (walk->visitor->item != NULL) {
		walk->visitor->item(walk->visitor->context, &item);
	}
}

/* Goes through the sections of a stream's kernels, block by block. */
static void walk_sections(struct walk *walk, uint32_t index)
{
	const struct ra_gpu *gpu = &walk->model->gpu;
	const struct ra_gpu_queue *queue = &gpu->queues[index];
	size_t *at = &walk->section;
	size_t rows = 0;

	for (const size_t first = *at; *at < gpu->section_count; (*at)++) {
		const struct ra_gpu_section *section = &gpu->sections[*at];

		if (section->op == RA_NONE || gpu->ops[section->op].queue != index) {
			break;
		}
		if (*at == first || section[-1].block != section->block) {
			const struct ra_layout_gpu_row row = { .kind = RA_LAYOUT_GPU_SECTION,
				                               .queue = index,
				                               .context = queue->context,
				                               .stream = queue->stream,
				                               .block = section->block };

			begin_rows(walk, &row);
			rows++;
			walk->row.tid = ra_layout_take_row(walk->layout);
			if (walk->visitor->row != NULL && rows <= RA_LAYOUT_MAX_LANES) {
				walk->visitor->row(walk->visitor->context, &walk->row);
			}
		}
		if (rows <= RA_LAYOUT_MAX_LANES) {
			place_section(walk, section, (uint32_t) *at);
		} else {
			ra_layout_refuse(walk->layout, false);
		}
	}
}

/* Goes through the waits of a device. Return: their number. */
static size_t walk_syncs(struct walk *walk, size_t first, uint32_t device)
{
	const struct ra_gpu *gpu = &walk->model->gpu;
	size_t i = first;

	for (; i < gpu->sync_count && walk->syncs[i].device == device; i++) {
		const struct ref *ref = &walk->syncs[i];

		if (i == first || ref[-1].context != ref->context ||
		    ref[-1].stream != ref->stream) {
			const uint64_t key = (uint64_t) ref->context << 32 | ref->stream;
			const struct ra_layout_gpu_row row = { .kind = RA_LAYOUT_GPU_SYNC,
				                               .queue = ra_util_map_find(
								       &walk->queues, key),
				                               .context = ref->context,
				                               .stream = ref->stream };

			begin_rows(walk, &row);
		}
		place(walk, ref->index, gpu->syncs[ref->index].start_ns,
		      gpu->syncs[ref->index].dur_ns);
	}
	return i - first;
}

static void walk_overheads(struct walk *walk)
{
	const struct ra_gpu *gpu = &walk->model->gpu;

	for (size_t i = 0; i < gpu->overhead_count; i++) {
		const struct ref *ref = &walk->overheads[i];

		if (i == 0 || ref[-1].device != ref->device) {
			const struct ra_layout_gpu_row row = { .kind = RA_LAYOUT_GPU_OVERHEAD,
				                               .queue = RA_NONE,
				                               .stream = UINT32_MAX };

			walk->pid = ra_layout_find_pid(walk->layout, ref->device);
			walk->rank = INT32_MAX; /* drawn below the threads */
			begin_rows(walk, &row);
		}
		place(walk, ref->index, gpu->overheads[ref->index].start_ns,
		      gpu->overheads[ref->index].dur_ns);
	}
}

static void begin_device(struct walk *walk, uint32_t device)
{
	const uint32_t first =
		ra_layout_find_pid(walk->layout, (uint32_t) walk->model->process_count);

	walk->pid = device;
	if (first != 0 || device > LAST_GPU_PID) {
		walk->pid = (first != 0 ? first : RA_LAYOUT_FIRST_GPU_PID) + walk->given++;
	}
	walk->device = device;
	walk->rank = 0;
	if (walk->visitor->device != NULL) {
		walk->visitor->device(walk->visitor->context, device, walk->pid);
	}
}

/* Goes through the devices in the order of their numbers: those of queues and those of waits. */
static void walk_devices(struct walk *walk)
{
	const struct ra_gpu *gpu = &walk->model->gpu;
	size_t queue = 0;
	size_t sync = 0;

	while (queue < gpu->queue_count || sync < gpu->sync_count) {
		const uint32_t device =
			queue < gpu->queue_count &&
					(sync == gpu->sync_count ||
		                         gpu->queues[queue].device <= walk->syncs[sync].device)
				? gpu->queues[queue].device
				: walk->syncs[sync].device;

		begin_device(walk, device);
		for (; queue < gpu->queue_count && gpu->queues[queue].device == device; queue++) {
			walk_ranges(walk, (uint32_t) queue);
			walk_queue(walk, (uint32_t) queue);
			walk_sections(walk, (uint32_t) queue);
		}
		sync += walk_syncs(walk, sync, device);
	}
}

void ra_layout_gpu_walk(struct ra_layout *layout, const struct ra_model *model,
                        const struct ra_layout_gpu_visitor *visitor)
{
	struct walk walk = { .layout = layout, .model = model, .visitor = visitor };

	if (model->gpu.queue_count == 0 && model->gpu.sync_count == 0 &&
	    model->gpu.overhead_count == 0) {
		return;
	}
	walk.lanes = ra_alloc_zeros(RA_LAYOUT_MAX_LANES, sizeof(*walk.lanes));
	gather_syncs(&walk);
	gather_overheads(&walk);
	choose_rows(&walk);
	ra_projection_init(&walk.projection, model);
	walk_devices(&walk);
	walk_overheads(&walk);
	ra_projection_fini(&walk.projection);
	ra_util_map_free(&walk.streams);
	ra_util_map_free(&walk.queues);
	free(walk.syncs);
	free(walk.overheads);
	free(walk.lanes);
}
