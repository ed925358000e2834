/* SPDX-License-Identifier: MIT */
/* Draws GPUs, with Kineto's categories: API calls, operations, waits, overheads, and arrows from
 * calls to operations. */
#include "analyzer/timeline/perfetto/out-perfetto-gpu.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util-ids.h"
#include "analyzer/timeline/layout/layout-gpu.h"

/* The sort index that puts the rows of GPUs below all processes, as in PyTorch's traces. */
#define FIRST_SORT_INDEX 5000000

#define ROW_NAME_BYTES 768
#define MAX_NAME_BYTES 256

/* The first id of arrows that can't have their correlation as id, because another call uses it. */
#define FIRST_SHARED_ID (UINT64_C(1) << 32)

/* Marks of a call: its arrow has begun; another call has its correlation, and an arrow. The other
 * bits are the number of ends to come. */
#define ARROW_BEGUN  (UINT32_C(1) << 31)
#define ARROW_SHARED (UINT32_C(1) << 30)
#define ARROW_ENDS   (ARROW_SHARED - 1)

/* Chooses an arrow's number. As in Kineto this is the correlation, because TraceLens uses it to
 * find a call's arrow. If two calls of a log have the same correlation, the second one's arrow gets
 * a number above all correlations. */
static uint64_t choose_id(const struct ra_out_perfetto *perfetto, uint32_t api)
{
	const uint64_t first_id = perfetto->place == NULL ? 0 : perfetto->place->first_id;

	return first_id + ((perfetto->gpu->arrows[api] & ARROW_SHARED) == 0
	                           ? perfetto->model->gpu.apis[api].corr
	                           : FIRST_SHARED_ID + api);
}

/* Marks calls whose correlation an earlier call with an arrow has. */
static void mark_shared(struct ra_out_perfetto_gpu *gpu)
{
	struct ra_util_ids owners = { 0 };
	const struct ra_gpu *facts = &gpu->perfetto->model->gpu;
	uint32_t first = UINT32_MAX;
	uint32_t last = 0;
	size_t count = 0;

	for (size_t i = 0; i < facts->api_count; i++) {
		const uint32_t corr = facts->apis[i].corr;

		if (gpu->arrows[i] > 0) {
			first = corr < first ? corr : first;
			last = corr > last ? corr : last;
			count++;
		}
	}
	if (count > 0) {
		ra_util_ids_reserve(&owners, first, last, count);
	}
	for (size_t i = 0; i < facts->api_count; i++) {
		const uint32_t corr = facts->apis[i].corr;

		if (gpu->arrows[i] == 0) {
			continue;
		}
		if (ra_util_ids_find(&owners, corr) == RA_UTIL_MAP_NONE) {
			ra_util_ids_put(&owners, corr, (uint32_t) i);
		} else {
			gpu->arrows[i] |= ARROW_SHARED;
		}
	}
	ra_util_ids_free(&owners);
}

/* Finds the calls from which arrows begin. An operation that begins before its call gets no arrow,
 * because the arrow would point back, or be lost. */
static void choose_arrows(struct ra_out_perfetto_gpu *gpu)
{
	struct ra_out_perfetto *perfetto = gpu->perfetto;
	const struct ra_gpu *facts = &perfetto->model->gpu;

	for (size_t i = 0; i < facts->op_count; i++) {
		const struct ra_gpu_op *op = &facts->ops[i];

		if (op->api == RA_NONE) {
			continue;
		}
		if (op->start_ns >= facts->apis[op->api].start_ns) {
			gpu->arrows[op->api] += gpu->arrows[op->api] < ARROW_ENDS;
		} else {
			perfetto->reversed++;
		}
	}
	mark_shared(gpu);
}

struct ra_out_perfetto_gpu *ra_out_perfetto_gpu_create(struct ra_out_perfetto *perfetto)
{
	const struct ra_model *model = perfetto->model;
	struct ra_out_perfetto_gpu *gpu;

	if (model->gpu.op_count == 0 && model->gpu.api_count == 0 && model->gpu.sync_count == 0 &&
	    model->gpu.overhead_count == 0) {
		return NULL;
	}
	gpu = ra_alloc_zeros(1, sizeof(*gpu));
	gpu->perfetto = perfetto;
	gpu->arrows = ra_alloc_zeros(model->gpu.api_count + 1, sizeof(*gpu->arrows));
	ra_gpu_text_init(&gpu->text, model);
	ra_gpu_order_init(&gpu->order, model);
	choose_arrows(gpu);
	return gpu;
}

void ra_out_perfetto_gpu_destroy(struct ra_out_perfetto_gpu *gpu)
{
	if (gpu != NULL) {
		ra_gpu_text_fini(&gpu->text);
		ra_gpu_order_fini(&gpu->order);
		free(gpu->arrows);
		free(gpu);
	}
}

static struct ra_pen_event make_event(const struct ra_out_perfetto *perfetto, const char *category,
                                      struct ra_pen_text name, int64_t start_ns, int64_t dur_ns)
{
	return (struct ra_pen_event){
		.category = category,
		.name = name,
		.start_ns = start_ns - perfetto->zero_ns,
		.dur_ns = dur_ns,
		.args = RA_PEN_ROOM_ARGS,
	};
}

static void begin_slice(struct ra_out_perfetto *perfetto, const struct ra_pen_event *event)
{
	perfetto->pen->slice(perfetto->pen, event);
	perfetto->written++;
}

/*
 * Draws one end of an arrow. Perfetto binds the end to the slice that began last on the row. So the
 * start of an arrow is at the call's first ns, before anything inside the call begins.
 */
static void put_arrow(struct ra_out_perfetto *perfetto, uint32_t api,
                      const struct ra_pen_event *slice, bool is_end)
{
	uint32_t *arrow = &perfetto->gpu->arrows[api];

	if (is_end) {
		*arrow -= (*arrow & ARROW_ENDS) > 0;
	} else {
		*arrow |= ARROW_BEGUN;
	}
	const struct ra_pen_event event = {
		.category = "ac2g",
		.pid = slice->pid,
		.tid = slice->tid,
		.start_ns = slice->start_ns,
		.id = choose_id(perfetto, api),
		.ends = *arrow & ARROW_ENDS,
		.is_end = is_end,
	};

	perfetto->pen->flow(perfetto->pen, &event);
}

void ra_out_perfetto_gpu_put_call(struct ra_out_perfetto *perfetto,
                                  const struct ra_layout_item *item)
{
	const struct ra_gpu_api *call = &perfetto->model->gpu.apis[item->index];
	struct ra_pen *pen = perfetto->pen;
	struct ra_pen_event event =
		make_event(perfetto, call->is_driver ? "cuda_driver" : "cuda_runtime",
	                   ra_pen_name(RA_PEN_NAMES, call->name), call->start_ns, call->dur_ns);

	event.pid = perfetto->pid;
	event.tid = item->tid;
	begin_slice(perfetto, &event);
	ra_pen_put_uint(pen, "correlation", call->corr);
	if (call->result != 0) {
		ra_pen_put_int(pen, "result", call->result);
	}
	if (item->tid != ra_layout_find_tid(perfetto->layout, call->track)) {
		/* The call crosses a range, so it is on a row of its own. Only this argument shows
		 * its thread. */
		ra_pen_put_int(pen, "tid", perfetto->model->tracks[call->track].tid);
	}
	pen->end(pen);
	if (perfetto->gpu->arrows[item->index] > 0) {
		put_arrow(perfetto, item->index, &event, false);
	}
}

static const char *find_category(const struct ra_gpu_op *op)
{
	switch ((enum ra_gpu_kind) op->kind) {
	case RA_GPU_COPY:
		return "gpu_memcpy";
	case RA_GPU_SET:
		return "gpu_memset";
	default:
		/* graphs are drawn as kernels, so that readers see that the device is busy */
		return "kernel";
	}
}

/* Makes the event for an item on a GPU's row. */
static struct ra_pen_event make_item(const struct ra_out_perfetto *perfetto, const char *category,
                                     struct ra_pen_text name, const struct ra_layout_gpu_item *item)
{
	struct ra_pen_event event =
		make_event(perfetto, category, name, item->start_ns, item->dur_ns);

	event.pid = item->pid;
	event.tid = item->tid;
	return event;
}

static void put_op(struct ra_out_perfetto_gpu *gpu, const struct ra_layout_gpu_item *item)
{
	struct ra_out_perfetto *perfetto = gpu->perfetto;
	const struct ra_gpu *facts = &perfetto->model->gpu;
	const struct ra_gpu_op *op = &facts->ops[item->index];
	char scratch[RA_GPU_TEXT_BYTES];
	const struct ra_pen_text name =
		op->kind == RA_GPU_KERNEL ? ra_pen_name(RA_PEN_KERNELS, op->name)
					  : ra_pen_bytes(ra_gpu_text_op(&gpu->text, op, scratch));
	const struct ra_pen_event event = make_item(perfetto, find_category(op), name, item);

	begin_slice(perfetto, &event);
	ra_out_perfetto_gpu_args_put(perfetto, op);
	perfetto->pen->end(perfetto->pen);
	if (op->api != RA_NONE && gpu->arrows[op->api] >= ARROW_BEGUN &&
	    op->start_ns >= facts->apis[op->api].start_ns) {
		put_arrow(perfetto, op->api, &event, true);
	}
}

static void put_sync(struct ra_out_perfetto_gpu *gpu, const struct ra_layout_gpu_item *item)
{
	struct ra_out_perfetto *perfetto = gpu->perfetto;
	struct ra_pen *pen = perfetto->pen;
	const struct ra_gpu_sync *sync = &perfetto->model->gpu.syncs[item->index];
	const struct ra_pen_text name = ra_pen_bytes(ra_gpu_text_sync(sync->kind));
	const struct ra_pen_event event = make_item(perfetto, "cuda_sync", name, item);

	begin_slice(perfetto, &event);
	ra_pen_put_text(pen, "cuda_sync_kind", name);
	/* As in Kineto, -1 means no stream. */
	ra_pen_put_int(pen, "stream", sync->stream == UINT32_MAX ? -1 : (int64_t) sync->stream);
	ra_pen_put_uint(pen, "correlation", sync->corr);
	ra_pen_put_uint(pen, "device", item->device);
	ra_pen_put_uint(pen, "context", sync->context);
	if (sync->recorded_corr != 0) {
		ra_pen_put_uint(pen, "wait_on_stream", sync->recorded_stream);
		ra_pen_put_uint(pen, "wait_on_cuda_event_record_corr_id", sync->recorded_corr);
	}
	if (sync->event != 0) {
		ra_pen_put_uint(pen, "wait_on_cuda_event_id", sync->event);
	}
	pen->end(pen);
}

static void put_overhead(struct ra_out_perfetto_gpu *gpu, const struct ra_layout_gpu_item *item)
{
	struct ra_out_perfetto *perfetto = gpu->perfetto;
	const struct ra_gpu_overhead *overhead = &perfetto->model->gpu.overheads[item->index];
	const struct ra_pen_text name = ra_pen_bytes(ra_gpu_text_overhead(overhead->kind));
	const struct ra_pen_event event = make_item(perfetto, "overhead", name, item);

	begin_slice(perfetto, &event);
	if (overhead->track != RA_NONE) {
		ra_pen_put_int(perfetto->pen, "tid", perfetto->model->tracks[overhead->track].tid);
	}
	if (overhead->corr != 0) {
		ra_pen_put_uint(perfetto->pen, "correlation", overhead->corr);
	}
	perfetto->pen->end(perfetto->pen);
}

static void put_range(struct ra_out_perfetto_gpu *gpu, const struct ra_layout_gpu_item *item)
{
	struct ra_out_perfetto *perfetto = gpu->perfetto;
	struct ra_pen *pen = perfetto->pen;
	const struct ra_pen_text name =
		ra_pen_name(perfetto->shown, perfetto->model->slices.name[item->index]);
	const struct ra_pen_event event = make_item(perfetto, "gpu_user_annotation", name, item);

	begin_slice(perfetto, &event);
	/* This event gets no "stream", because HolisticTraceAnalysis counts every event that has
	 * one as GPU work. */
	ra_pen_put_uint(pen, "device", item->device);
	ra_pen_put_uint(pen, "context", item->queue->context);
	ra_pen_put_uint(pen, "on stream", item->queue->stream);
	ra_pen_put_uint(pen, "operations", item->projection->ops);
	ra_pen_put_int(pen, "busy_ns", item->projection->busy_ns);
	pen->end(pen);
}

static void put_section(struct ra_out_perfetto_gpu *gpu, const struct ra_layout_gpu_item *item)
{
	struct ra_out_perfetto *perfetto = gpu->perfetto;
	struct ra_pen *pen = perfetto->pen;
	const struct ra_gpu_section *section = &perfetto->model->gpu.sections[item->index];
	char scratch[RA_GPU_TEXT_BYTES];
	const struct ra_pen_text name =
		section->name != 0
			? ra_pen_name(RA_PEN_NAMES, section->name)
			: ra_pen_bytes(ra_gpu_text_section(perfetto->model, section, scratch));
	const struct ra_pen_event event = make_item(perfetto, "kernel_section", name, item);

	begin_slice(perfetto, &event);
	ra_pen_put_uint(pen, "block", section->block);
	ra_pen_put_uint(pen, "sm", section->sm);
	ra_pen_put_uint(pen, "cycles", section->cycles);
	ra_pen_put_uint(pen, "correlation", perfetto->model->gpu.ops[section->op].corr);
	pen->end(pen);
}

static void put_item(void *context, const struct ra_layout_gpu_item *item)
{
	struct ra_out_perfetto_gpu *gpu = context;

	switch (item->kind) {
	case RA_LAYOUT_GPU_OP:
		put_op(gpu, item);
		break;
	case RA_LAYOUT_GPU_SYNC:
		put_sync(gpu, item);
		break;
	case RA_LAYOUT_GPU_OVERHEAD:
		put_overhead(gpu, item);
		break;
	case RA_LAYOUT_GPU_RANGE:
		put_range(gpu, item);
		break;
	case RA_LAYOUT_GPU_SECTION:
		put_section(gpu, item);
		break;
	}
}

/* Returns how many bytes of a name fit. The name is from the program or the system. */
static int get_kept(struct rlog_string name)
{
	return name.length < MAX_NAME_BYTES ? (int) name.length : MAX_NAME_BYTES;
}

/* Formats " ranges of thread 12 (main)". Return: the length in bytes. */
static int format_owner(const struct ra_out_perfetto *perfetto, uint32_t track, char *name,
                        size_t size)
{
	const struct ra_track *facts = &perfetto->model->tracks[track];
	char thread[RA_OUT_PERFETTO_THREAD_BYTES];

	if (facts->kind == RA_TRACK_START_END) {
		return snprintf(name, size, " start/end ranges");
	}
	return snprintf(
		name, size, " ranges of %.*s",
		(int) ra_out_perfetto_meta_format_thread(perfetto, facts, thread, sizeof(thread)),
		thread);
}

/* Names a row, such as "stream 7 (copies)", "context 1 sync", "stream 7 overlap 2". */
static void put_row_name(void *context, const struct ra_layout_gpu_row *row)
{
	const struct ra_out_perfetto_gpu *gpu = context;
	const struct ra_model *model = gpu->perfetto->model;
	const bool has_queue = row->queue != RA_NONE;
	const uint32_t label = has_queue ? model->gpu.queues[row->queue].name : 0;
	const struct rlog_string own = ra_model_string(model, label);
	char name[ROW_NAME_BYTES];
	int length;

	if (row->kind == RA_LAYOUT_GPU_OVERHEAD) {
		length = snprintf(name, sizeof(name), "CUDA overhead");
	} else if (row->stream == UINT32_MAX) {
		length = snprintf(name, sizeof(name), "context %" PRIu32, row->context);
	} else {
		length = snprintf(name, sizeof(name), "stream %" PRIu32, row->stream);
	}
	if (label != 0) {
		length += snprintf(name + length, sizeof(name) - (size_t) length, " (%.*s)",
		                   get_kept(own), own.bytes);
	}
	if (row->is_second) {
		length += snprintf(name + length, sizeof(name) - (size_t) length,
		                   " context %" PRIu32, row->context);
	}
	if (row->kind == RA_LAYOUT_GPU_SECTION) {
		length += snprintf(name + length, sizeof(name) - (size_t) length, " block %" PRIu32,
		                   row->block);
	} else if (row->kind == RA_LAYOUT_GPU_SYNC) {
		length += snprintf(name + length, sizeof(name) - (size_t) length, " sync");
	} else if (row->kind == RA_LAYOUT_GPU_RANGE) {
		length += format_owner(gpu->perfetto, row->track, name + length,
		                       sizeof(name) - (size_t) length);
	}
	if (row->lane > 0) {
		length += snprintf(name + length, sizeof(name) - (size_t) length,
		                   " overlap %" PRIu32, row->lane);
	}
	const struct rlog_string text = { name, (uint32_t) length, (uint32_t) length };

	ra_out_perfetto_meta_row(gpu->perfetto, row->pid, row->tid, text, row->rank);
}

/* Names a device, such as "GPU 0 NVIDIA H200 (left)". */
static void put_device(void *context, uint32_t device, uint32_t pid)
{
	struct ra_out_perfetto_gpu *gpu = context;
	const struct ra_model *model = gpu->perfetto->model;
	const struct ra_out_place *place = gpu->perfetto->place;
	const struct ra_gpu_device *facts = ra_gpu_find_device(&model->gpu, device);
	char label[32];
	char name[2 * MAX_NAME_BYTES + 96];
	const struct rlog_string word = ra_model_device_word(model, device);
	int length =
		snprintf(name, sizeof(name), "%.*s %" PRIu32, get_kept(word), word.bytes, device);

	snprintf(label, sizeof(label), "%.*s %" PRIu32, (int) (word.length < 16 ? word.length : 16),
	         word.bytes, device);
	if (facts != NULL && facts->name != 0) {
		const struct rlog_string own = ra_model_string(model, facts->name);

		length += snprintf(name + length, sizeof(name) - (size_t) length, " %.*s",
		                   get_kept(own), own.bytes);
	}
	if (facts != NULL && facts->label != 0) {
		const struct rlog_string own = ra_model_string(model, facts->label);

		length += snprintf(name + length, sizeof(name) - (size_t) length, " (%.*s)",
		                   get_kept(own), own.bytes);
	}
	if (place != NULL && place->rank >= 0) {
		length += snprintf(name + length, sizeof(name) - (size_t) length,
		                   " (rank %" PRId64 ")", place->rank);
	}
	const struct rlog_string text = { name, (uint32_t) length, (uint32_t) length };

	ra_out_perfetto_meta_process(gpu->perfetto, pid, text, label,
	                             place != NULL ? (int64_t) pid
	                                           : FIRST_SORT_INDEX + (int64_t) device);
	if (!gpu->perfetto->pen->has_counters) {
		ra_out_perfetto_gpu_counters_put(gpu, device, pid);
	}
}

void ra_out_perfetto_gpu_put(struct ra_out_perfetto *perfetto)
{
	const struct ra_layout_gpu_visitor visitor = { .device = put_device,
		                                       .row = put_row_name,
		                                       .item = put_item,
		                                       .context = perfetto->gpu };

	if (perfetto->gpu != NULL) {
		ra_layout_gpu_walk(perfetto->layout, perfetto->model, &visitor);
	}
}
