/* SPDX-License-Identifier: MIT */
/* Makes GPU operations and devices from a Chrome trace's events. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/producers/producers.h"
#include "analyzer/read-json/model/kineto-arrows.h"
#include "analyzer/read-json/model/kineto-calls.h"
#include "analyzer/read-json/model/kineto-model.h"
#include "analyzer/base/order/run-sort.h"
#include "analyzer/model/gpu/gpu-build.h"

#define RECENT_DIMS 64

struct building {
	struct ra_model *model;
	struct ra_kineto *kineto;
	struct ra_gpu_build gpu;
	/* owned: queue by index in op_event before sorting; afterwards by rank of the queue */
	uint32_t *queue_of;
	/* The arrays read last, at a place given by their string id: kernels have few different
	 * grids and blocks. */
	struct read_dims {
		uint32_t text; /* string id; 0: none */
		bool is_known;
		uint32_t sizes[3];
	} dims[RECENT_DIMS];
};

static bool is_op(const struct ra_kineto *k, uint32_t i)
{
	return (k->flags[i] & RA_KINETO_HAS_TS) != 0 &&
	       (k->kind[i] == RA_KINETO_KERNEL || k->kind[i] == RA_KINETO_MEMCPY ||
	        k->kind[i] == RA_KINETO_MEMSET);
}

/* ---- queues ---- */

static int compare_queues(const void *context, uint32_t left, uint32_t right)
{
	const struct ra_gpu *gpu = context;
	const struct ra_gpu_queue *a = &gpu->queues[left];
	const struct ra_gpu_queue *b = &gpu->queues[right];
	int order = RA_ORDER_UP(a, b, device);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, context));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, stream));
}

static uint32_t find_queue(struct building *building, uint32_t event)
{
	const struct ra_kineto *k = building->kineto;
	const struct ra_kineto_thread *thread = &k->threads[ra_kineto_get_thread(k, event)];
	const struct ra_gpu_queue wanted = {
		.device = ra_kineto_calls_id(k, event, RA_KINETO_ARG_DEVICE, thread->pid_number),
		.context = ra_kineto_calls_id(k, event, RA_KINETO_ARG_CONTEXT, 0),
		.stream = ra_kineto_calls_id(k, event, RA_KINETO_ARG_STREAM, thread->tid_number),
	};

	return ra_gpu_build_queue(&building->gpu, &building->model->gpu, &wanted);
}

/* Sorts the queues and renumbers them in queue_of. */
static void sort_queues(struct building *building, size_t ops)
{
	struct ra_gpu *gpu = &building->model->gpu;
	uint32_t *order = ra_order_create_indices(gpu->queue_count);
	uint32_t *place = ra_alloc_zeros(gpu->queue_count + 1, sizeof(*place));
	struct ra_gpu_queue *sorted = ra_alloc_zeros(gpu->queue_count + 1, sizeof(*sorted));

	ra_run_sort_indices(order, gpu->queue_count, compare_queues, gpu);
	for (uint32_t i = 0; i < gpu->queue_count; i++) {
		sorted[i] = gpu->queues[order[i]];
		place[order[i]] = i;
	}
	for (size_t i = 0; i < ops; i++) {
		building->queue_of[i] = place[building->queue_of[i]];
	}
	free(gpu->queues);
	gpu->queues = sorted;
	free(order);
	free(place);
}

/* ---- launch shapes ---- */

/* Return: false if the arg is not an array that begins with an integer. */
static bool find_dims(struct building *building, uint32_t event, enum ra_kineto_key key,
                      uint32_t sizes[3])
{
	const struct ra_kineto *k = building->kineto;
	struct ra_kineto_value value;
	struct read_dims *dims;
	int64_t numbers[3];

	if (!ra_kineto_get(k, event, key, &value) || value.type != RA_KINETO_JSON) {
		return false;
	}
	dims = &building->dims[(uint32_t) value.integer % RECENT_DIMS];
	if (dims->text != (uint32_t) value.integer) {
		dims->text = (uint32_t) value.integer;
		dims->is_known = ra_kineto_read_dim3(value.text, numbers);
		for (int i = 0; i < 3; i++) {
			dims->sizes[i] = ra_kineto_calls_clip(numbers[i]);
		}
	}
	memcpy(sizes, dims->sizes, sizeof(dims->sizes));
	return dims->is_known;
}

static uint32_t find_shape(struct building *building, uint32_t event)
{
	const struct ra_kineto *k = building->kineto;
	struct ra_gpu_shape shape;
	int64_t number = 0;

	memset(&shape, 0, sizeof(shape)); /* also sets the padding, which is hashed */
	if (!find_dims(building, event, RA_KINETO_ARG_GRID, shape.grid) ||
	    !find_dims(building, event, RA_KINETO_ARG_BLOCK, shape.block)) {
		return RA_NONE;
	}
	if (ra_kineto_get_int(k, event, RA_KINETO_ARG_REGISTERS, &number)) {
		shape.registers = ra_kineto_calls_clip(number);
	}
	if (ra_kineto_get_int(k, event, RA_KINETO_ARG_SHARED_MEMORY, &number)) {
		shape.dynamic_shared_bytes = ra_kineto_calls_clip(
			number); /* Kineto writes the sum of static and dynamic bytes */
	}
	if (ra_kineto_get_int(k, event, RA_KINETO_ARG_PRIORITY, &number) && number >= INT32_MIN &&
	    number <= INT32_MAX) {
		shape.priority = (int32_t) number; /* only CUDA 13.1 and later write it */
	}
	return ra_gpu_build_shape(&building->gpu, &building->model->gpu, &shape);
}

/* ---- operations ---- */

/* Finds the copy kind in "Memcpy HtoD (Pageable -> Device)", for which CUPTI's number is 1; or by a
 * producer's name for the copy. */
static uint8_t read_copy_kind(struct rlog_string name)
{
	for (uint8_t kind = 1; kind <= 10; kind++) {
		const char *word = ra_gpu_copy_name(kind) + strlen("Memcpy ");

		for (size_t i = 0; i + strlen(word) <= name.length; i++) {
			if (memcmp(name.bytes + i, word, strlen(word)) == 0) {
				return kind;
			}
		}
	}
	return ra_producers_find_name(name)->copy_kind;
}

static uint8_t read_memory(const char *text, size_t length)
{
	for (uint8_t kind = 1; kind <= 7; kind++) {
		const char *word = ra_gpu_memory_name(kind);

		if (strlen(word) == length && memcmp(word, text, length) == 0) {
			return kind;
		}
	}
	return 0;
}

/* Reads the two kinds of memory in the parentheses of a copy's name. */
static void read_memories(struct rlog_string name, struct ra_gpu_op *op)
{
	const char *end = name.bytes + name.length;
	const char *open = memchr(name.bytes, '(', name.length);
	const char *close = open != NULL ? memchr(open, ')', (size_t) (end - open)) : NULL;
	const char *arrow = open;

	if (close == NULL) {
		return;
	}
	while (arrow + 4 < close && memcmp(arrow, " -> ", 4) != 0) {
		arrow++;
	}
	if (arrow + 4 < close) {
		op->src_memory = read_memory(open + 1, (size_t) (arrow - open - 1));
		op->dst_memory = read_memory(arrow + 4, (size_t) (close - arrow - 4));
	} else {
		op->dst_memory = read_memory(open + 1, (size_t) (close - open - 1));
	}
}

/* The name of the last copy or memset and what it tells, because the next one often has the same
 * name. */
struct copy_cache {
	uint32_t name;
	struct ra_gpu_op op;
};

/* True for a CUDA graph as one operation. Only our own output writes such operations. */
static bool is_graph(const struct ra_kineto *k, uint32_t event)
{
	static const char start[] = "CUDA graph ";
	const struct rlog_string name = ra_kineto_string(k, k->name[event]);

	return k->is_ours && name.length > sizeof(start) - 1 &&
	       memcmp(name.bytes, start, sizeof(start) - 1) == 0;
}

/* Sets the range in which the operation's graph was captured. */
static void find_captured(const struct ra_kineto *k, uint32_t event, struct ra_gpu_op *op)
{
	const struct ra_kineto_captured *captured = k->captured;

	if (captured != NULL && captured->leaves[event] != RA_KINETO_NONE) {
		op->slice = captured->slices[captured->leaves[event] - captured->first];
		op->rule = RA_GPU_RULE_ORIGIN;
	}
}

static void fill_op(struct building *building, uint32_t i, struct copy_cache *cache)
{
	struct ra_gpu *gpu = &building->model->gpu;
	const struct ra_kineto *k = building->kineto;
	const uint32_t event = k->op_event[i];
	struct ra_gpu_op *op = &gpu->ops[i];
	int64_t number = 0;

	*op = (struct ra_gpu_op){
		.start_ns = ra_kineto_model_start(k, event),
		.dur_ns = ra_kineto_model_dur(k, event),
		.queue = building->queue_of[i],
		.corr = k->corr[event] == RA_KINETO_NONE ? 0 : k->corr[event],
		.api = RA_NONE,
		.slice = RA_NONE,
		.shape = RA_NONE,
	};
	if (ra_kineto_get_int(k, event, RA_KINETO_ARG_BYTES, &number) && number > 0) {
		op->bytes = (uint64_t) number;
	}
	if (ra_kineto_get_int(k, event, RA_KINETO_ARG_QUEUED, &number)) {
		op->queued_ns = ra_kineto_calls_clip(number);
	}
	if (ra_kineto_get_int(k, event, RA_KINETO_ARG_GRAPH_ID, &number)) {
		op->graph = ra_kineto_calls_clip(number);
	}
	if (ra_kineto_get_int(k, event, RA_KINETO_ARG_GRAPH_NODE_ID, &number) && number > 0) {
		op->node = (uint64_t) number;
	}
	find_captured(k, event, op);
	if (is_graph(k, event)) {
		op->kind = RA_GPU_GRAPH;
		return;
	}
	if (k->kind[event] == RA_KINETO_KERNEL) {
		op->kind = RA_GPU_KERNEL;
		op->name = k->name[event];
		op->shape = find_shape(building, event);
		return;
	}
	op->kind = k->kind[event] == RA_KINETO_MEMCPY ? RA_GPU_COPY : RA_GPU_SET;
	if (cache->name != k->name[event]) {
		const struct rlog_string name = ra_kineto_string(k, k->name[event]);

		*cache = (struct copy_cache){ .name = k->name[event] };
		cache->op.copy_kind = read_copy_kind(name);
		read_memories(name, &cache->op);
	}
	op->copy_kind = op->kind == RA_GPU_COPY ? cache->op.copy_kind : 0;
	op->src_memory = cache->op.src_memory;
	op->dst_memory = cache->op.dst_memory;
}

/* Orders operations by queue, then time; at equal times the longer operation comes first. */
struct op_order {
	const struct ra_kineto *kineto;
	const uint32_t *queue_of;
	const uint32_t *events;
};

static int compare_ops(const void *context, uint32_t left, uint32_t right)
{
	const struct op_order *sorting = context;
	const struct ra_kineto *k = sorting->kineto;
	const uint32_t a = sorting->events[left];
	const uint32_t b = sorting->events[right];
	int order = RA_ORDER(sorting->queue_of[left], sorting->queue_of[right]);

	order = RA_ORDER_THEN(order, RA_ORDER(ra_kineto_ts(k, a), ra_kineto_ts(k, b)));
	return RA_ORDER_THEN(order, RA_ORDER(ra_kineto_dur(k, b), ra_kineto_dur(k, a)));
}

/* Sorts op_event and queue_of into the order of the operations. */
static void sort_ops(struct building *building, size_t count)
{
	struct ra_kineto *k = building->kineto;
	const struct op_order order = { k, building->queue_of, k->op_event };
	uint32_t *places = ra_alloc_zeros(count + 1, sizeof(*places));
	uint32_t *events = ra_alloc_zeros(count + 1, sizeof(*events));
	uint32_t *queues = ra_alloc_zeros(count + 1, sizeof(*queues));

	for (uint32_t i = 0; i < count; i++) {
		places[i] = i;
	}
	ra_run_sort_indices(places, count, compare_ops, &order);
	for (size_t i = 0; i < count; i++) {
		events[i] = k->op_event[places[i]];
		queues[i] = building->queue_of[places[i]];
	}
	free(places);
	free(k->op_event);
	k->op_event = events;
	free(building->queue_of);
	building->queue_of = queues;
}

static void make_ops(struct building *building)
{
	struct ra_model *m = building->model;
	struct ra_kineto *k = building->kineto;
	struct ra_gpu *gpu = &m->gpu;
	struct copy_cache cache = { .name = RA_NONE };
	const size_t count = ra_kineto_calls_collect(k, is_op, &k->op_event);

	building->queue_of = ra_alloc_zeros(count + 1, sizeof(*building->queue_of));
	gpu->ops = ra_alloc_zeros(count + 1, sizeof(*gpu->ops));
	for (size_t i = 0; i < count; i++) {
		building->queue_of[i] = find_queue(building, k->op_event[i]);
	}
	sort_queues(building, count);
	sort_ops(building, count);
	for (uint32_t i = 0; i < count; i++) {
		struct ra_gpu_queue *queue = &gpu->queues[building->queue_of[i]];

		fill_op(building, i, &cache);
		if (queue->op_count++ == 0) {
			queue->first_op = i;
		}
		if (gpu->ops[i].start_ns + gpu->ops[i].dur_ns > m->end_ns) {
			m->end_ns = gpu->ops[i].start_ns + gpu->ops[i].dur_ns;
		}
		gpu->op_count++;
	}
}

/* ---- devices ---- */

static int32_t clip31(int64_t value)
{
	return value > INT32_MAX ? INT32_MAX : (int32_t) value;
}

/* Adds devices that are not GPUs and about which the trace tells nothing else. */
static void add_other_devices(struct building *building)
{
	const struct ra_kineto *k = building->kineto;
	struct ra_gpu *gpu = &building->model->gpu;

	for (size_t t = 0; t < k->thread_count; t++) {
		const struct ra_kineto_thread *thread = &k->threads[t];
		struct ra_gpu_device *device = NULL;

		if (thread->device < 0 || thread->device_word == 0) {
			continue;
		}
		for (size_t i = 0; i < gpu->device_count && device == NULL; i++) {
			device = gpu->devices[i].id == ra_kineto_calls_clip(thread->device)
			                 ? &gpu->devices[i]
			                 : NULL;
		}
		if (device == NULL) {
			device = &gpu->devices[gpu->device_count++];
			device->id = ra_kineto_calls_clip(thread->device);
		}
		device->word = thread->device_word;
	}
}

static void make_devices(struct building *building)
{
	const struct ra_kineto *k = building->kineto;
	struct ra_gpu *gpu = &building->model->gpu;

	gpu->devices = ra_alloc_zeros(k->device_count + k->thread_count + 1, sizeof(*gpu->devices));
	for (size_t i = 0; i < k->device_count; i++) {
		const struct ra_kineto_device *d = &k->devices[i];
		struct ra_gpu_device *device = &gpu->devices[gpu->device_count++];

		*device = (struct ra_gpu_device){
			.id = ra_kineto_calls_clip(d->id),
			.name = d->name,
			.memory_bytes = (uint64_t) d->total_memory_bytes,
			.bandwidth_kb_s = (uint64_t) d->bandwidth_kb_s,
			.clock_khz = ra_kineto_calls_clip(d->clock_khz),
		};
		device->limits = (struct ra_occupancy_device){
			.cc_major = clip31(d->compute_major),
			.cc_minor = clip31(d->compute_minor),
			.multiprocessors = clip31(d->multiprocessors),
			.threads_per_block = clip31(d->threads_per_block),
			.threads_per_sm = clip31(d->threads_per_sm),
			.registers_per_block = clip31(d->registers_per_block),
			.registers_per_sm = clip31(d->registers_per_sm),
			.shared_per_block_bytes = d->shared_per_block_bytes,
			.shared_per_sm_bytes = d->shared_per_sm_bytes,
			.shared_optin_bytes = d->shared_optin_bytes,
		};
	}
	add_other_devices(building);
	ra_gpu_sort_devices(gpu);
}

void ra_kineto_model_build_gpu(struct ra_model *model)
{
	struct building building = { .model = model, .kineto = model->kineto };

	make_devices(&building);
	make_ops(&building);
	ra_kineto_arrows_follow(model);
	ra_kineto_calls_build(model);
	model->gpu.events = model->gpu.op_count + model->gpu.api_count + model->gpu.sync_count;
	ra_gpu_build_fini(&building.gpu);
	free(building.queue_of);
}
