/* SPDX-License-Identifier: MIT */
/* Reads rows of GPU streams into operations, API calls and waits. */
#include "analyzer/read-log/gpu/gpu-load.h"

#include "analyzer/clock/gpu-clock.h"
#include "analyzer/model/gpu/gpu-events.h"
#include "analyzer/read-log/gpu/gpu-defs.h"
#include "analyzer/read-log/gpu/gpu-names.h"
#include "analyzer/read-log/gpu/gpu-threads.h"
#include "analyzer/base/util.h"
#include "format/wire.h"

struct loading {
	const struct ra_gpu_load_source *source;
	struct ra_builder *builder;
	struct ra_model *model;
	struct ra_gpu *gpu;
	struct ra_gpu_threads *threads; /* owned */
	struct ra_util_map queue_index; /* context << 32 | stream → index in gpu->queues */
	struct ra_util_map shape_index;
	struct ra_util_map context_devices;
	struct ra_gpu_events events; /* owned */
	size_t op_capacity;
	size_t api_capacity;
	size_t sync_capacity;
	size_t overhead_capacity;
	size_t memory_capacity;
	size_t pool_capacity;
	size_t node_capacity;
	size_t queue_capacity;
	uint32_t clock;       /* enum rlog_stream_clock of the stream being read */
	struct ra_clock real; /* CLOCK_REALTIME → CLOCK_MONOTONIC */
	size_t real_segment;
	/* The current row, and the values of its attributes. */
	struct rlog_batch batch;
	uint8_t attrs[RLOG_ATTRS]; /* those attributes that some row of the batch has */
	size_t attr_count;
	size_t cursor[RLOG_ATTRS];
	size_t next_row[RLOG_ATTRS]; /* next row with the attribute; SIZE_MAX: there are no more */
	uint64_t value[RLOG_ATTRS];  /* by attribute: the value in the row; 0: the row lacks it */
};

/* Start and duration of the row. */
struct times {
	int64_t start_ns;
	int64_t dur_ns;
};

/* Converts a time to ns on the model's axis. */
static int64_t convert(struct loading *loading, uint64_t clock_ns)
{
	const int64_t zero_ns = loading->model->zero_ns;

	if (loading->clock == RLOG_STREAM_CLOCK_REALTIME) {
		return ra_clock_convert(&loading->real, clock_ns, &loading->real_segment) - zero_ns;
	}
	return (int64_t) (clock_ns - (uint64_t) zero_ns);
}

/* CUPTI gives a start and end of 0 to work that it could not time. The upper limit ensures that the
 * sum of two times does not overflow. Return: false if the row has no usable time; then the row is
 * counted. */
static bool read_times(struct loading *loading, uint64_t ticks, struct times *times)
{
	const uint64_t dur = loading->value[RLOG_ATTR_DUR];
	const bool is_timed = (ticks != 0 || dur != 0) && dur <= (uint64_t) INT64_MAX / 4 &&
	                      ticks <= UINT64_MAX - dur;

	if (is_timed) {
		times->start_ns = convert(loading, ticks);
		times->dur_ns = (int64_t) dur;
		if (times->start_ns > INT64_MIN / 4 && times->start_ns < INT64_MAX / 4) {
			return true;
		}
	}
	loading->gpu->bad_times++;
	return false;
}

static void find_next_row(struct loading *loading, size_t attr)
{
	const struct rlog_attr_column *column = &loading->batch.attr[attr];
	const size_t cursor = loading->cursor[attr];

	loading->next_row[attr] = cursor < column->count ? column->row[cursor] : SIZE_MAX;
}

static void begin_batch(struct loading *loading)
{
	loading->attr_count = 0;
	for (size_t a = 0; a < RLOG_ATTRS; a++) {
		loading->cursor[a] = 0;
		loading->value[a] = 0;
		if (loading->batch.attr[a].count > 0) {
			loading->attrs[loading->attr_count++] = (uint8_t) a;
			find_next_row(loading, a);
		}
	}
}

/* Collects all attributes of a row. Must be called for every row, in order. */
static void gather(struct loading *loading, size_t row)
{
	for (size_t i = 0; i < loading->attr_count; i++) {
		const size_t a = loading->attrs[i];

		if (loading->next_row[a] != row) {
			loading->value[a] = 0;
			continue;
		}
		loading->value[a] = loading->batch.attr[a].value[loading->cursor[a]];
		while (loading->next_row[a] <= row) {
			loading->cursor[a]++;
			find_next_row(loading, a);
		}
	}
}

static uint32_t get32(const struct loading *loading, enum rlog_attr attr)
{
	const uint64_t value = loading->value[attr];

	return value <= UINT32_MAX ? (uint32_t) value : UINT32_MAX;
}

static uint32_t find_queue(struct loading *loading)
{
	struct ra_gpu *gpu = loading->gpu;
	const uint32_t context = get32(loading, RLOG_ATTR_CONTEXT);
	const uint32_t stream = get32(loading, RLOG_ATTR_QUEUE);
	const uint64_t key = (uint64_t) context << 32 | stream;
	uint32_t queue = ra_util_map_find(&loading->queue_index, key);

	if (queue != RA_UTIL_MAP_NONE) {
		return queue;
	}
	ra_util_grow(&gpu->queues, &loading->queue_capacity, gpu->queue_count + 1,
	             sizeof(*gpu->queues));
	queue = (uint32_t) gpu->queue_count;
	gpu->queues[gpu->queue_count++] = (struct ra_gpu_queue){
		.device = get32(loading, RLOG_ATTR_DEVICE), .context = context, .stream = stream
	};
	ra_util_map_put(&loading->queue_index, key, queue);
	return queue;
}

/* Makes the capture last at least as long as everything in it. */
static void note_end(const struct loading *loading, const struct times *times)
{
	const int64_t end_ns = times->start_ns + times->dur_ns;

	if (end_ns > loading->model->end_ns) {
		loading->model->end_ns = end_ns;
	}
}

static void add_op(struct loading *loading, size_t row, enum ra_gpu_kind kind)
{
	struct ra_gpu *gpu = loading->gpu;
	struct ra_gpu_op op = { .kind = (uint8_t) kind, .api = RA_NONE, .slice = RA_NONE };
	struct times times;

	if (!read_times(loading, loading->batch.ticks[row], &times)) {
		return;
	}
	op.start_ns = times.start_ns;
	op.dur_ns = times.dur_ns;
	op.bytes = loading->value[RLOG_ATTR_BYTES];
	op.node = loading->value[RLOG_ATTR_NODE];
	op.corr = get32(loading, RLOG_ATTR_CORR);
	op.graph = get32(loading, RLOG_ATTR_GRAPH);
	op.queued_ns = get32(loading, RLOG_ATTR_QUEUED);
	op.shape = ra_util_map_find(&loading->shape_index, loading->value[RLOG_ATTR_SHAPE]);
	if (kind == RA_GPU_COPY) {
		op.copy_kind = (uint8_t) loading->value[RLOG_ATTR_KIND];
		op.src_memory = (uint8_t) loading->value[RLOG_ATTR_SRC];
		op.dst_memory = (uint8_t) loading->value[RLOG_ATTR_DST];
		op.peer = op.copy_kind == 10 ? get32(loading, RLOG_ATTR_DST) : 0;
	} else if (kind == RA_GPU_SET) {
		op.dst_memory = (uint8_t) loading->value[RLOG_ATTR_KIND];
	}
	ra_builder_map_name(loading->builder, loading->batch.name[row], &op.name);
	op.queue = find_queue(loading);
	RA_UTIL_APPEND(gpu->ops, gpu->op_count, loading->op_capacity, op);
	note_end(loading, &times);
}

static void add_api(struct loading *loading, size_t row)
{
	struct ra_gpu *gpu = loading->gpu;
	struct ra_gpu_api api = { .slice = RA_NONE };
	struct times times;

	if (!read_times(loading, loading->batch.ticks[row], &times)) {
		return;
	}
	api.start_ns = times.start_ns;
	api.dur_ns = times.dur_ns;
	api.corr = get32(loading, RLOG_ATTR_CORR);
	api.result = (int32_t) (uint32_t) loading->value[RLOG_ATTR_RESULT];
	api.is_driver = loading->value[RLOG_ATTR_KIND] == 2;
	ra_builder_map_name(loading->builder, loading->batch.name[row], &api.name);
	api.track =
		ra_gpu_threads_find(loading->threads, loading->value[RLOG_ATTR_TID], api.start_ns);
	RA_UTIL_APPEND(gpu->apis, gpu->api_count, loading->api_capacity, api);
	note_end(loading, &times);
}

static void add_sync(struct loading *loading, size_t row)
{
	struct ra_gpu *gpu = loading->gpu;
	struct times times;

	if (!read_times(loading, loading->batch.ticks[row], &times)) {
		return;
	}
	RA_UTIL_APPEND(gpu->syncs, gpu->sync_count, loading->sync_capacity,
	               (struct ra_gpu_sync){ .start_ns = times.start_ns,
	                                     .dur_ns = times.dur_ns,
	                                     .corr = get32(loading, RLOG_ATTR_CORR),
	                                     .api = RA_NONE,
	                                     .recorded_api = RA_NONE,
	                                     .context = get32(loading, RLOG_ATTR_CONTEXT),
	                                     .stream = get32(loading, RLOG_ATTR_QUEUE),
	                                     .event = (uint32_t) loading->batch.id[row],
	                                     .sync_id = loading->value[RLOG_ATTR_SYNC],
	                                     .kind = (uint8_t) loading->value[RLOG_ATTR_KIND] });
	note_end(loading, &times);
}

static void add_overhead(struct loading *loading, size_t row)
{
	struct ra_gpu *gpu = loading->gpu;
	struct ra_gpu_overhead overhead = { .track = RA_NONE };
	struct times times;

	if (!read_times(loading, loading->batch.ticks[row], &times)) {
		return;
	}
	overhead.start_ns = times.start_ns;
	overhead.dur_ns = times.dur_ns;
	overhead.kind = get32(loading, RLOG_ATTR_KIND);
	overhead.corr = get32(loading, RLOG_ATTR_CORR);
	if (loading->value[RLOG_ATTR_TID] != 0) {
		overhead.track = ra_gpu_threads_find(loading->threads,
		                                     loading->value[RLOG_ATTR_TID], times.start_ns);
	}
	RA_UTIL_APPEND(gpu->overheads, gpu->overhead_count, loading->overhead_capacity, overhead);
}

static void add_memory(struct loading *loading, size_t row)
{
	struct ra_gpu *gpu = loading->gpu;
	const bool is_mapped = loading->value[RLOG_ATTR_DST] == RLOG_MEMORY_MAPPED;
	uint32_t device = get32(loading, RLOG_ATTR_DEVICE);
	struct times times;

	if (!read_times(loading, loading->batch.ticks[row], &times)) {
		return;
	}
	if (is_mapped) {
		device = ra_util_map_find(&loading->context_devices,
		                          loading->value[RLOG_ATTR_CONTEXT]);
		device = device == RA_UTIL_MAP_NONE ? 0 : device;
	}
	RA_UTIL_APPEND(gpu->memories, gpu->memory_count, loading->memory_capacity,
	               (struct ra_gpu_memory){
			       .time_ns = times.start_ns,
			       .bytes = loading->value[RLOG_ATTR_BYTES],
			       .address = loading->value[RLOG_ATTR_ADDR],
			       .device = device,
			       .corr = get32(loading, RLOG_ATTR_CORR),
			       .api = RA_NONE,
			       .pool = loading->value[RLOG_ATTR_POOL],
			       .reserved = loading->value[RLOG_ATTR_RESERVED],
			       .is_mapped = is_mapped,
			       .memory = (uint8_t) loading->value[RLOG_ATTR_SRC],
			       .is_free = loading->value[RLOG_ATTR_KIND] == 2,
		       });
}

static void add_pool_event(struct loading *loading, size_t row)
{
	struct ra_gpu *gpu = loading->gpu;
	struct times times;

	if (!read_times(loading, loading->batch.ticks[row], &times)) {
		return;
	}
	RA_UTIL_APPEND(gpu->pool_events, gpu->pool_event_count, loading->pool_capacity,
	               (struct ra_gpu_pool_event){
			       .time_ns = times.start_ns,
			       .pool = loading->value[RLOG_ATTR_POOL],
			       .reserved = loading->value[RLOG_ATTR_RESERVED],
			       .device = get32(loading, RLOG_ATTR_DEVICE),
			       .kind = (uint8_t) loading->value[RLOG_ATTR_KIND],
		       });
}

static void add_event(struct loading *loading, size_t row)
{
	const struct ra_gpu_recording recording = {
		.sync_id = loading->value[RLOG_ATTR_SYNC],
		.event = (uint32_t) loading->batch.id[row],
		.context = get32(loading, RLOG_ATTR_CONTEXT),
		.stream = get32(loading, RLOG_ATTR_QUEUE),
		.corr = get32(loading, RLOG_ATTR_CORR),
	};

	ra_gpu_events_add(&loading->events, &recording);
}

static void add_node(struct loading *loading, size_t row)
{
	struct ra_gpu *gpu = loading->gpu;
	struct ra_gpu_node node = { .node = loading->value[RLOG_ATTR_NODE],
		                    .original = loading->batch.id[row],
		                    .outer = get32(loading, RLOG_ATTR_GRAPH),
		                    .number = (uint32_t) gpu->node_count,
		                    .is_update = loading->value[RLOG_ATTR_KIND] == 2 };
	struct times times;

	if (!read_times(loading, loading->batch.ticks[row], &times)) {
		return;
	}
	node.time_ns = times.start_ns;
	node.track = ra_gpu_threads_find(loading->threads, loading->value[RLOG_ATTR_TID],
	                                 times.start_ns);
	RA_UTIL_APPEND(gpu->nodes, gpu->node_count, loading->node_capacity, node);
}

static void take_row(struct loading *loading, size_t row)
{
	gather(loading, row);
	loading->gpu->events++;
	switch (loading->batch.op[row]) {
	case RLOG_OP_API:
		add_api(loading, row);
		return;
	case RLOG_OP_KERNEL:
		add_op(loading, row, RA_GPU_KERNEL);
		return;
	case RLOG_OP_COPY:
		add_op(loading, row, RA_GPU_COPY);
		return;
	case RLOG_OP_SET:
		add_op(loading, row, RA_GPU_SET);
		return;
	case RLOG_OP_GRAPH_LAUNCH:
		add_op(loading, row, RA_GPU_GRAPH);
		return;
	case RLOG_OP_GPU_SYNC:
		add_sync(loading, row);
		return;
	case RLOG_OP_OVERHEAD:
		add_overhead(loading, row);
		return;
	case RLOG_OP_MEMORY:
		add_memory(loading, row);
		return;
	case RLOG_OP_MEMORY_POOL:
		add_pool_event(loading, row);
		return;
	case RLOG_OP_GPU_EVENT:
		add_event(loading, row);
		return;
	case RLOG_OP_GRAPH_NODE:
		add_node(loading, row);
		return;
	case RLOG_OP_JIT:
	case RLOG_OP_UNIFIED_MEMORY:
	case RLOG_OP_EXTERNAL:
	case RLOG_OP_LOSS:
	case RLOG_OP_DEPTH:
	case RLOG_OP_MORE:
		return;
	default:
		loading->gpu->unknown_events++;
		return;
	}
}

/* Reads all chunks. Skips damaged ones, because the check of all chunks counts them. */
static int load_chunks(struct loading *loading)
{
	const struct rlog_reader *reader = loading->model->reader;
	struct rlog_batch *batch = &loading->batch;
	size_t count = 0;
	const struct rlog_chunk *chunks = rlog_reader_borrow_chunks(reader, &count);
	int rc = rlog_batch_init(batch, 16384);

	for (size_t i = 0; i < count && rc == 0; i++) {
		const struct ra_gpu_stream *stream =
			ra_gpu_streams_find(loading->source->streams, chunks[i].stream);

		if (stream == NULL || chunks[i].type != RLOG_CHUNK_EVENTS) {
			continue;
		}
		loading->clock = stream->clock;
		rc = rlog_reader_decode_events(reader, &chunks[i], batch, NULL);
		if (rc != 0) {
			loading->model->quality.damaged_stretches += rc != -RLOG_E_NO_MEMORY;
			rc = rc == -RLOG_E_NO_MEMORY ? rc : 0;
			continue;
		}
		begin_batch(loading);
		for (size_t row = 0; row < batch->count; row++) {
			take_row(loading, row);
		}
	}
	rlog_batch_fini(batch);
	return rc;
}

int ra_gpu_load(const struct ra_gpu_load_source *source)
{
	struct loading loading = {
		.source = source,
		.builder = source->builder,
		.model = source->builder->model,
		.gpu = &source->builder->model->gpu,
	};
	int rc = 0;

	ra_gpu_defs_load(source->builder, &loading.shape_index);
	ra_gpu_defs_map_contexts(loading.model, &loading.context_devices);
	loading.threads = ra_gpu_threads_create(loading.model);
	ra_gpu_clock_init(&loading.real, loading.model);
	if (source->streams->count > 0) {
		rc = load_chunks(&loading);
	}
	if (rc == 0) {
		ra_gpu_events_find(&loading.events, loading.gpu);
		ra_gpu_sort(loading.gpu);
		ra_gpu_names_load(source->builder);
	}
	ra_gpu_threads_destroy(loading.threads);
	ra_gpu_events_fini(&loading.events);
	ra_util_map_free(&loading.queue_index);
	ra_util_map_free(&loading.shape_index);
	ra_util_map_free(&loading.context_devices);
	ra_clock_fini(&loading.real);
	return rc;
}
