/* SPDX-License-Identifier: MIT */
/* Turns CUPTI's records into events of the log. */
#include "libranges/cupti/records/cupti-records.h"

#include <string.h>
#include <time.h>

#include "format/batch.h"
#include "format/wire.h"
#include "libranges/base/clock.h"
#include "libranges/base/memory.h"
#include "libranges/cupti/load/cupti-calls.h"
#include "libranges/cupti/records/cupti-defs.h"
#include "libranges/cupti/records/cupti-graphs.h"
#include "libranges/cupti/load/cupti-load.h"
#include "libranges/cupti/records/cupti-tally.h"
#include "libranges/cupti/records/cupti-window.h"
#include "libranges/record/names/names.h"
#include "libranges/record/record.h"

#define CACHED_NAMES 64u
#define WAIT_NS      1000000

/* Names already seen in one buffer. Few kernels make up most launches. */
struct names {
	const char *pointer[CACHED_NAMES];
	const char *copy[CACHED_NAMES];
	uint32_t id[CACHED_NAMES];
};

static uint32_t kind_of(const void *record)
{
	uint32_t kind;

	memcpy(&kind, record, sizeof(kind));
	return kind;
}

static uint32_t intern(struct names *names, const char *text)
{
	const size_t slot = (uintptr_t) text / 8 % CACHED_NAMES;
	size_t length;
	bool lost = false;

	if (!text) {
		return 0;
	}
	/* Compares the text, because the memory of an unloaded module may have another name by
	 * now. */
	if (names->pointer[slot] == text && names->copy[slot] &&
	    strcmp(names->copy[slot], text) == 0) {
		return names->id[slot];
	}
	length = rcap_memory_measure(text, RCAP_NAMES_LOOK_BYTES);
	if (length == RCAP_MEMORY_BAD) {
		rcap_cupti_tally_add(RCAP_CUPTI_TALLY_NAMELESS);
		return 0;
	}
	names->pointer[slot] = text;
	names->id[slot] = rcap_names_intern(text, length, 0, &names->copy[slot], &lost);
	return names->id[slot];
}

void rcap_cupti_records_keep_texts(uint8_t *bytes, size_t valid_bytes)
{
	struct names names;
	size_t next = 0;
	void *record;

	memset(&names, 0, sizeof(names));
	while ((record = rcap_cupti_load_step(bytes, valid_bytes, &next)) != NULL) {
		const uint32_t kind = kind_of(record);
		size_t at;
		const char *text;
		uint64_t id;

		if (kind == RCAP_CUPTI_CONCURRENT_KERNEL || kind == RCAP_CUPTI_KERNEL) {
			at = offsetof(struct rcap_cupti_kernel, name);
		} else if (kind == RCAP_CUPTI_DEVICE) {
			at = offsetof(struct rcap_cupti_device, name);
		} else {
			continue;
		}
		memcpy(&text, (char *) record + at, sizeof(text));
		id = intern(&names, text);
		memcpy((char *) record + at, &id, sizeof(id));
	}
}

uint64_t rcap_cupti_records_count(uint8_t *bytes, size_t valid_bytes)
{
	size_t next = 0;
	uint64_t count = 0;

	while (rcap_cupti_load_step(bytes, valid_bytes, &next)) {
		count++;
	}
	return count;
}

/* State of a conversion. */
struct conversion {
	struct rcap_thread *gpu;
	bool has_tids;
	uint64_t wait_until_ns;
	uint64_t *last_ns; /* time of the previous event */
};

static void count_loss(const struct conversion *to, uint32_t cause)
{
	/* Relaxed: a statistic. */
	atomic_fetch_add_explicit(&to->gpu->stream->lost[cause], 1, memory_order_relaxed);
}

/* True if operations without an end are to be counted as still running at the program's end. */
static bool is_cut;

void rcap_cupti_records_cut(void)
{
	is_cut = true;
}

/*
 * A limit ten years after the start. CUPTI's times are never later. The limit is so wide because
 * recordings may come from a machine that has run for longer than this one. Times of a wrong clock
 * differ by more.
 */
static uint64_t latest_ns = UINT64_MAX;

void rcap_cupti_records_open(bool is_monotonic)
{
	static const uint64_t years_s = UINT64_C(10) * 365 * 24 * 3600;
	struct timespec now = { 0 };

	clock_gettime(is_monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME, &now);
	latest_ns = ((uint64_t) now.tv_sec + years_s) * UINT64_C(1000000000);
}

static bool is_work(uint32_t op)
{
	return op == RLOG_OP_KERNEL || op == RLOG_OP_COPY || op == RLOG_OP_SET ||
	       op == RLOG_OP_GRAPH_LAUNCH;
}

/* Begins an event that has a duration. Return: false if its times are impossible. Such an event is
 * counted. */
static bool begin(const struct conversion *to, struct rcap_timed *event, uint32_t op,
                  uint64_t start, uint64_t end)
{
	if (op == RLOG_OP_KERNEL) {
		rcap_cupti_tally_add(RCAP_CUPTI_TALLY_KERNELS);
	}
	if (start == 0 || end < start || end > latest_ns) {
		count_loss(to, RLOG_CAUSE_GPU_TS_INVALID);
		/* Work that still waits in a stream has no times at all. */
		if (end > latest_ns || start > latest_ns) {
			rcap_cupti_tally_add(RCAP_CUPTI_TALLY_OTHER_CLOCK);
		} else if (end == 0 && (start != 0 || (is_cut && is_work(op)))) {
			rcap_cupti_tally_add(RCAP_CUPTI_TALLY_UNFINISHED);
		} else if (op == RLOG_OP_KERNEL && start == 0) {
			rcap_cupti_tally_add(RCAP_CUPTI_TALLY_TIMELESS);
		}
		return false;
	}
	event->ticks = start;
	event->op = op;
	event->name = 0;
	event->id = 0;
	event->payload_type = 0;
	event->count = 0;
	rcap_record_add(event, RLOG_ATTR_DUR, end - start);
	return true;
}

static void add_place(struct rcap_timed *event, uint32_t device, uint32_t context, uint32_t stream)
{
	rcap_record_add(event, RLOG_ATTR_DEVICE, device < RCAP_CUPTI_ON_HOST ? device : 0);
	rcap_record_add(event, RLOG_ATTR_CONTEXT, context < RCAP_CUPTI_ON_HOST ? context : 0);
	rcap_record_add(event, RLOG_ATTR_QUEUE, stream == RCAP_CUPTI_NO_ID ? 0 : stream);
}

static void add_node(struct rcap_timed *event, uint32_t graph, uint64_t node, uint32_t correlation)
{
	rcap_record_add(event, RLOG_ATTR_GRAPH, graph);
	rcap_record_add(event, RLOG_ATTR_NODE, node);
	if (graph != 0) {
		rcap_cupti_graphs_count(correlation);
	}
}

static void put(const struct conversion *to, const struct rcap_timed *event)
{
	*to->last_ns = event->ticks;
	rcap_cupti_window_put(to->gpu, event, to->wait_until_ns);
}

/* Returns the ticks from `before` to the start of a kernel; 0: unknown. */
static uint64_t lead(uint64_t before, uint64_t start)
{
	return before != 0 && before < start ? start - before : 0;
}

static void convert_kernel(const struct conversion *to, const void *record, uint32_t kind)
{
	struct rcap_cupti_kernel kernel;
	struct rcap_timed event;

	rcap_cupti_load_record(&kernel, sizeof(kernel), record, kind);
	if (!begin(to, &event, RLOG_OP_KERNEL, kernel.start, kernel.end)) {
		return;
	}
	event.name = (uint32_t) (uintptr_t) kernel.name;
	add_place(&event, kernel.device, kernel.context, kernel.stream);
	rcap_record_add(&event, RLOG_ATTR_CORR, kernel.correlation);
	rcap_record_add(&event, RLOG_ATTR_SHAPE, rcap_cupti_defs_shape(&kernel));
	add_node(&event, kernel.graph, kernel.graph_node, kernel.correlation);
	rcap_record_add(&event, RLOG_ATTR_QUEUED, lead(kernel.queued, kernel.start));
	rcap_record_add(&event, RLOG_ATTR_SUBMITTED, lead(kernel.submitted, kernel.start));
	put(to, &event);
}

static void convert_memcpy(const struct conversion *to, const void *record, uint32_t kind)
{
	struct rcap_cupti_memcpy copy;
	struct rcap_timed event;

	rcap_cupti_load_record(&copy, sizeof(copy), record, kind);
	if (!begin(to, &event, RLOG_OP_COPY, copy.start, copy.end)) {
		return;
	}
	add_place(&event, copy.device, copy.context, copy.stream);
	rcap_record_add(&event, RLOG_ATTR_CORR, copy.correlation);
	rcap_record_add(&event, RLOG_ATTR_BYTES, copy.bytes);
	rcap_record_add(&event, RLOG_ATTR_KIND, copy.copy_kind);
	rcap_record_add(&event, RLOG_ATTR_SRC, copy.src_kind);
	rcap_record_add(&event, RLOG_ATTR_DST, copy.dst_kind);
	add_node(&event, copy.graph, copy.graph_node, copy.correlation);
	put(to, &event);
}

static void convert_memcpy2(const struct conversion *to, const void *record, uint32_t kind)
{
	struct rcap_cupti_memcpy2 copy;
	struct rcap_timed event;

	rcap_cupti_load_record(&copy, sizeof(copy), record, kind);
	if (!begin(to, &event, RLOG_OP_COPY, copy.start, copy.end)) {
		return;
	}
	add_place(&event, copy.device, copy.context, copy.stream);
	rcap_record_add(&event, RLOG_ATTR_CORR, copy.correlation);
	rcap_record_add(&event, RLOG_ATTR_BYTES, copy.bytes);
	rcap_record_add(&event, RLOG_ATTR_KIND, copy.copy_kind);
	rcap_record_add(&event, RLOG_ATTR_SRC, copy.src_device);
	rcap_record_add(&event, RLOG_ATTR_DST, copy.dst_device);
	add_node(&event, copy.graph, copy.graph_node, copy.correlation);
	put(to, &event);
}

static void convert_memset(const struct conversion *to, const void *record, uint32_t kind)
{
	struct rcap_cupti_memset set;
	struct rcap_timed event;

	rcap_cupti_load_record(&set, sizeof(set), record, kind);
	if (!begin(to, &event, RLOG_OP_SET, set.start, set.end)) {
		return;
	}
	add_place(&event, set.device, set.context, set.stream);
	rcap_record_add(&event, RLOG_ATTR_CORR, set.correlation);
	rcap_record_add(&event, RLOG_ATTR_BYTES, set.bytes);
	rcap_record_add(&event, RLOG_ATTR_KIND, set.memory_kind);
	add_node(&event, set.graph, set.graph_node, set.correlation);
	put(to, &event);
}

static void put_call(const struct conversion *to, const struct rcap_cupti_call *call)
{
	const struct rcap_cupti_api *api = &call->api;
	struct rcap_timed event;

	if (!begin(to, &event, RLOG_OP_API, api->start, api->end)) {
		return;
	}
	rcap_cupti_graphs_count_call(call);
	event.name = call->name;
	rcap_record_add(&event, RLOG_ATTR_TID, to->has_tids ? api->thread : 0);
	rcap_record_add(&event, RLOG_ATTR_CORR, api->correlation);
	rcap_record_add(&event, RLOG_ATTR_KIND, api->kind == RCAP_CUPTI_RUNTIME ? 1 : 2);
	rcap_record_add(&event, RLOG_ATTR_RESULT, api->result);
	put(to, &event);
}

static void convert_api(const struct conversion *to, const void *record, uint32_t kind)
{
	const bool is_runtime = kind == RCAP_CUPTI_RUNTIME;
	struct rcap_cupti_call call;
	struct rcap_cupti_call other;

	rcap_cupti_load_record(&call.api, sizeof(call.api), record, kind);
	call.name = rcap_cupti_calls_name(
		is_runtime ? RCAP_CUPTI_DOMAIN_RUNTIME : RCAP_CUPTI_DOMAIN_DRIVER, call.api.cbid);
	if (call.name == RCAP_CUPTI_CALLS_LEFT_OUT) {
		return;
	}
	if (is_runtime ? rcap_cupti_calls_meet(call.api.correlation, &other)
	               : rcap_cupti_calls_hold(&call, &other)) {
		put_call(to, &other);
	}
	if (is_runtime) {
		put_call(to, &call);
	}
}

static void convert_sync(const struct conversion *to, const void *record, uint32_t kind)
{
	struct rcap_cupti_sync sync;
	struct rcap_timed event;

	rcap_cupti_load_record(&sync, sizeof(sync), record, kind);
	if (!begin(to, &event, RLOG_OP_GPU_SYNC, sync.start, sync.end)) {
		return;
	}
	event.id = sync.event == RCAP_CUPTI_NO_ID ? 0 : sync.event;
	add_place(&event, 0, sync.context, sync.stream);
	rcap_record_add(&event, RLOG_ATTR_CORR, sync.correlation);
	rcap_record_add(&event, RLOG_ATTR_KIND, sync.type);
	rcap_record_add(&event, RLOG_ATTR_RESULT, sync.result);
	rcap_record_add(&event, RLOG_ATTR_SYNC, sync.event_sync_id);
	put(to, &event);
}

static void convert_overhead(const struct conversion *to, const void *record, uint32_t kind)
{
	struct rcap_cupti_overhead overhead;
	struct rcap_timed event;

	rcap_cupti_load_record(&overhead, sizeof(overhead), record, kind);
	if (!begin(to, &event, RLOG_OP_OVERHEAD, overhead.start, overhead.end)) {
		return;
	}
	rcap_record_add(&event, RLOG_ATTR_KIND, overhead.overhead_kind);
	if (overhead.object_kind >= RCAP_CUPTI_OBJECT_DEVICE) {
		add_place(&event, overhead.object[0], overhead.object[1], overhead.object[2]);
	} else if (overhead.object_kind == RCAP_CUPTI_OBJECT_THREAD && to->has_tids) {
		rcap_record_add(&event, RLOG_ATTR_TID, overhead.object[1]);
	}
	rcap_record_add(&event, RLOG_ATTR_CORR, overhead.correlation);
	put(to, &event);
}

/* Adds the size of a memory pool, unless the pool belongs to another process: then the size is
 * unknown. */
static void add_pool(struct rcap_timed *event, uint64_t address, uint32_t type, uint64_t bytes,
                     uint64_t used)
{
	const bool is_local = type == RCAP_CUPTI_POOL_LOCAL;

	rcap_record_add(event, RLOG_ATTR_POOL, address);
	rcap_record_add(event, RLOG_ATTR_RESERVED, is_local ? bytes : 0);
	rcap_record_add(event, RLOG_ATTR_USED, is_local ? used : 0);
}

static void convert_memory(const struct conversion *to, const void *record, uint32_t kind)
{
	struct rcap_cupti_memory memory;
	struct rcap_timed event;

	rcap_cupti_load_record(&memory, sizeof(memory), record, kind);
	if (!begin(to, &event, RLOG_OP_MEMORY, memory.time, memory.time)) {
		return;
	}
	rcap_record_add(&event, RLOG_ATTR_KIND, memory.operation);
	rcap_record_add(&event, RLOG_ATTR_BYTES, memory.bytes);
	rcap_record_add(&event, RLOG_ATTR_ADDR, memory.address);
	add_place(&event, memory.device, memory.context, memory.stream);
	rcap_record_add(&event, RLOG_ATTR_CORR, memory.correlation);
	rcap_record_add(&event, RLOG_ATTR_SRC, memory.memory_kind);
	if (memory.is_async) {
		add_pool(&event, memory.pool, memory.pool_type, memory.pool_bytes,
		         memory.pool_used);
	}
	put(to, &event);
}

static void convert_pool(const struct conversion *to, const void *record, uint32_t kind)
{
	struct rcap_cupti_memory_pool pool;
	struct rcap_timed event;

	rcap_cupti_load_record(&pool, sizeof(pool), record, kind);
	if (!begin(to, &event, RLOG_OP_MEMORY_POOL, pool.time, pool.time)) {
		return;
	}
	rcap_record_add(&event, RLOG_ATTR_KIND, pool.operation);
	rcap_record_add(&event, RLOG_ATTR_SRC, pool.type);
	rcap_record_add(&event, RLOG_ATTR_BYTES, pool.min_bytes);
	rcap_record_add(&event, RLOG_ATTR_DEVICE, pool.device);
	rcap_record_add(&event, RLOG_ATTR_CORR, pool.correlation);
	add_pool(&event, pool.pool, pool.type, pool.bytes, pool.used);
	put(to, &event);
}

static void convert_graph(const struct conversion *to, const void *record, uint32_t kind)
{
	struct rcap_cupti_graph graph;
	struct rcap_timed event;

	rcap_cupti_load_record(&graph, sizeof(graph), record, kind);
	rcap_cupti_graphs_count_whole();
	if (!begin(to, &event, RLOG_OP_GRAPH_LAUNCH, graph.start, graph.end)) {
		return;
	}
	if (graph.device == RCAP_CUPTI_ON_HOST) {
		graph.device = graph.end_device;
		graph.context = graph.end_context;
	}
	add_place(&event, graph.device, graph.context, graph.stream);
	rcap_record_add(&event, RLOG_ATTR_CORR, graph.correlation);
	rcap_record_add(&event, RLOG_ATTR_GRAPH, graph.graph);
	put(to, &event);
}

static void convert_jit(const struct conversion *to, const void *record, uint32_t kind)
{
	struct rcap_cupti_jit jit;
	struct rcap_timed event;

	rcap_cupti_load_record(&jit, sizeof(jit), record, kind);
	if (!begin(to, &event, RLOG_OP_JIT, jit.start, jit.end)) {
		return;
	}
	add_place(&event, jit.device, 0, 0);
	rcap_record_add(&event, RLOG_ATTR_CORR, jit.correlation);
	rcap_record_add(&event, RLOG_ATTR_KIND, jit.operation);
	rcap_record_add(&event, RLOG_ATTR_SRC, jit.entry);
	put(to, &event);
}

static void convert_event(const struct conversion *to, const void *record, uint32_t kind)
{
	struct rcap_cupti_event cuda_event;
	struct rcap_timed event = { .op = RLOG_OP_GPU_EVENT, .ticks = *to->last_ns };

	rcap_cupti_load_record(&cuda_event, sizeof(cuda_event), record, kind);
	event.id = cuda_event.id;
	add_place(&event, cuda_event.device, cuda_event.context, cuda_event.stream);
	rcap_record_add(&event, RLOG_ATTR_CORR, cuda_event.correlation);
	rcap_record_add(&event, RLOG_ATTR_SYNC, cuda_event.sync_id);
	/* A record without a time still shows what a stream waits for. */
	if (cuda_event.time != 0) {
		event.ticks = cuda_event.time;
	} else {
		rcap_record_add(&event, RLOG_ATTR_KIND, RLOG_EVENT_WITHOUT_TIME);
	}
	put(to, &event);
}

static void convert_unified(const struct conversion *to, const void *record, uint32_t kind)
{
	struct rcap_cupti_unified unified;
	struct rcap_timed event;
	bool is_instant;

	rcap_cupti_load_record(&unified, sizeof(unified), record, kind);
	is_instant = unified.counter == RCAP_CUPTI_COUNTER_CPU_FAULT ||
	             unified.counter == RCAP_CUPTI_COUNTER_THRASHING ||
	             unified.counter == RCAP_CUPTI_COUNTER_REMOTE_MAP;
	if (!begin(to, &event, RLOG_OP_UNIFIED_MEMORY, unified.start,
	           is_instant ? unified.start : unified.end)) {
		return;
	}
	rcap_record_add(&event, RLOG_ATTR_KIND, unified.counter);
	/* For a fault of the CPU, this field is the address of an instruction. */
	rcap_record_add(&event, RLOG_ATTR_BYTES,
	                unified.counter == RCAP_CUPTI_COUNTER_CPU_FAULT ? 0 : unified.value);
	rcap_record_add(&event, RLOG_ATTR_ADDR, unified.address);
	rcap_record_add(&event, RLOG_ATTR_SRC, unified.src);
	rcap_record_add(&event, RLOG_ATTR_DST, unified.dst);
	rcap_record_add(&event, RLOG_ATTR_QUEUE, unified.stream);
	put(to, &event);
}

static void convert_external(const struct conversion *to, const void *record, uint32_t kind)
{
	struct rcap_cupti_external external;
	struct rcap_timed event = { .op = RLOG_OP_EXTERNAL, .ticks = *to->last_ns };

	rcap_cupti_load_record(&external, sizeof(external), record, kind);
	event.id = external.id;
	rcap_record_add(&event, RLOG_ATTR_CORR, external.correlation);
	rcap_record_add(&event, RLOG_ATTR_KIND, external.external_kind);
	put(to, &event);
}

static void convert_description(const struct conversion *to, const void *record, uint32_t kind)
{
	union {
		struct rcap_cupti_device device;
		struct rcap_cupti_context context;
		struct rcap_cupti_stream stream;
	} of;

	(void) to;
	rcap_cupti_load_record(&of, sizeof(of), record, kind);
	if (kind == RCAP_CUPTI_DEVICE) {
		rcap_cupti_defs_add_device(&of.device);
	} else if (kind == RCAP_CUPTI_CONTEXT) {
		rcap_cupti_defs_add_context(&of.context);
	} else {
		rcap_cupti_defs_add_stream(&of.stream);
	}
}

typedef void convert_fn(const struct conversion *to, const void *record, uint32_t kind);

static convert_fn *const converters[RCAP_CUPTI_KINDS] = {
	[RCAP_CUPTI_MEMCPY] = convert_memcpy,
	[RCAP_CUPTI_MEMSET] = convert_memset,
	[RCAP_CUPTI_KERNEL] = convert_kernel,
	[RCAP_CUPTI_DRIVER] = convert_api,
	[RCAP_CUPTI_RUNTIME] = convert_api,
	[RCAP_CUPTI_DEVICE] = convert_description,
	[RCAP_CUPTI_CONTEXT] = convert_description,
	[RCAP_CUPTI_CONCURRENT_KERNEL] = convert_kernel,
	[RCAP_CUPTI_OVERHEAD] = convert_overhead,
	[RCAP_CUPTI_MEMCPY2] = convert_memcpy2,
	[RCAP_CUPTI_CUDA_EVENT] = convert_event,
	[RCAP_CUPTI_STREAM] = convert_description,
	[RCAP_CUPTI_SYNCHRONIZATION] = convert_sync,
	[RCAP_CUPTI_MEMORY2] = convert_memory,
	[RCAP_CUPTI_MEMORY_POOL] = convert_pool,
	[RCAP_CUPTI_GRAPH_TRACE] = convert_graph,
	[RCAP_CUPTI_JIT] = convert_jit,
	[RCAP_CUPTI_UNIFIED_MEMORY] = convert_unified,
	[RCAP_CUPTI_EXTERNAL] = convert_external,
};

/* Kept from buffer to buffer, because the first record of a buffer may have no time. */
static uint64_t last_ns;

void rcap_cupti_records_convert(struct rcap_thread *gpu, struct rcap_cupti_buffer *buffer,
                                bool has_tids, uint64_t wait_until_ns)
{
	const struct conversion to = { gpu, has_tids, wait_until_ns, &last_ns };
	uint8_t *bytes = rcap_cupti_buffers_bytes(buffer);
	size_t next = 0;
	void *record;

	while ((record = rcap_cupti_load_step(bytes, buffer->valid_bytes, &next)) != NULL) {
		const uint32_t kind = kind_of(record);

		if (converters[kind]) {
			converters[kind](&to, record, kind);
		} else {
			count_loss(&to, RLOG_CAUSE_GPU_DROPPED);
			rcap_cupti_tally_add_kind(RCAP_CUPTI_TALLY_UNKNOWN, kind);
		}
	}
	if (next != buffer->valid_bytes) {
		count_loss(&to, RLOG_CAUSE_GPU_DROPPED); /* the rest, which has at least one record,
		                                          * can't be read */
		rcap_cupti_tally_add_kind(RCAP_CUPTI_TALLY_UNREADABLE,
		                          next + 4 <= buffer->bytes ? kind_of(bytes + next) : 0);
	}
}

void rcap_cupti_records_settle(struct rcap_thread *gpu, bool has_tids, bool all,
                               uint64_t wait_until_ns)
{
	const struct conversion to = { gpu, has_tids, wait_until_ns, &last_ns };
	struct rcap_cupti_call call;
	uint32_t at = 0;

	while (rcap_cupti_calls_settle(all, &at, &call)) {
		put_call(&to, &call);
	}
}

void rcap_cupti_records_put(struct rcap_thread *gpu, const struct rcap_timed *event,
                            uint64_t wait_until_ns)
{
	const struct conversion to = { gpu, true, wait_until_ns, &last_ns };

	put(&to, event);
}
