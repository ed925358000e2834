/* SPDX-License-Identifier: MIT */
/* The GPU part of the model: frees it, and finds devices and names. */
#include "analyzer/model/gpu/gpu.h"

#include <stdlib.h>

#include "analyzer/base/order/order.h"
#include "analyzer/base/order/search.h"

#define FIND(table, number) \
	((size_t) (number) < sizeof(table) / sizeof((table)[0]) ? (table)[number] : NULL)

void ra_gpu_fini(struct ra_gpu *gpu)
{
	free(gpu->ops);
	free(gpu->apis);
	free(gpu->syncs);
	free(gpu->overheads);
	free(gpu->sections);
	free(gpu->memories);
	free(gpu->pool_events);
	free(gpu->nodes);
	free(gpu->queues);
	free(gpu->devices);
	free(gpu->shapes);
	*gpu = (struct ra_gpu){ 0 };
}

/* At equal times a free comes before an allocation, because the allocation may reuse the
 * address. */
static int compare_memories(const void *left, const void *right)
{
	const struct ra_gpu_memory *a = left;
	const struct ra_gpu_memory *b = right;
	int order = RA_ORDER_UP(a, b, time_ns);

	order = RA_ORDER_THEN(order, RA_ORDER_DOWN(a, b, is_free));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, address));
}

static int compare_nodes(const void *left, const void *right)
{
	const struct ra_gpu_node *a = left;
	const struct ra_gpu_node *b = right;
	int order = RA_ORDER_UP(a, b, node);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, time_ns));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, number));
}

static int compare_pool_events(const void *left, const void *right)
{
	const struct ra_gpu_pool_event *a = left;
	const struct ra_gpu_pool_event *b = right;
	int order = RA_ORDER_UP(a, b, time_ns);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, pool));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, kind));
}

void ra_gpu_sort_memories(struct ra_gpu *gpu)
{
	RA_SORT(gpu->pool_events, gpu->pool_event_count, compare_pool_events);
	RA_SORT(gpu->nodes, gpu->node_count, compare_nodes);
	RA_SORT(gpu->memories, gpu->memory_count, compare_memories);
}

const struct ra_gpu_device *ra_gpu_find_device(const struct ra_gpu *gpu, uint32_t id)
{
	struct ra_search at = ra_search_in(0, gpu->device_count);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, gpu->devices[at.middle].id < id);
	}
	return at.low < gpu->device_count && gpu->devices[at.low].id == id ? &gpu->devices[at.low]
	                                                                   : NULL;
}

const char *ra_gpu_kind_name(enum ra_gpu_kind kind)
{
	static const char *const names[RA_GPU_KINDS] = {
		[RA_GPU_KERNEL] = "kernel",
		[RA_GPU_COPY] = "memcpy",
		[RA_GPU_SET] = "memset",
		[RA_GPU_GRAPH] = "graph",
	};

	return names[kind];
}

const char *ra_gpu_rule_name(enum ra_gpu_rule rule)
{
	static const char *const names[RA_GPU_RULES] = {
		[RA_GPU_RULE_NONE] = "none",          [RA_GPU_RULE_STACK] = "stack",
		[RA_GPU_RULE_START_END] = "startend", [RA_GPU_RULE_HANDOFF] = "handoff",
		[RA_GPU_RULE_SEQUENCE] = "sequence",  [RA_GPU_RULE_PROCESS] = "process",
		[RA_GPU_RULE_HELPER] = "helper",      [RA_GPU_RULE_ORIGIN] = "origin",
	};

	return names[rule];
}

/* Indexed by the values of CUPTI's CUpti_ActivityMemcpyKind. */
const char *ra_gpu_copy_name(uint8_t copy_kind)
{
	static const char *const names[] = {
		"Memcpy Unknown", "Memcpy HtoD", "Memcpy DtoH", "Memcpy HtoA",
		"Memcpy AtoH",    "Memcpy AtoA", "Memcpy AtoD", "Memcpy DtoA",
		"Memcpy DtoD",    "Memcpy HtoH", "Memcpy PtoP",
	};
	const char *name = FIND(names, copy_kind);

	return name ? name : names[0];
}

/* Indexed by the values of CUPTI's CUpti_ActivityMemoryKind. */
const char *ra_gpu_memory_name(uint8_t memory)
{
	static const char *const names[] = {
		"Unknown", "Pageable", "Pinned",        "Device",
		"Array",   "Managed",  "Device Static", "Managed Static",
	};
	const char *name = FIND(names, memory);

	return name ? name : names[0];
}

const char *ra_gpu_launch_name(uint8_t launch_type)
{
	static const char *const names[] = { "regular", "cooperative", "cooperative, devices",
		                             "command list" };

	return launch_type < sizeof(names) / sizeof(names[0]) ? names[launch_type] : "unknown";
}

const char *ra_gpu_sync_name(uint8_t kind)
{
	static const char *const names[] = {
		[1] = "event",
		[2] = "stream waits for event",
		[3] = "stream",
		[4] = "context",
	};
	const char *name = FIND(names, kind);

	return name != NULL ? name : "other";
}

const char *ra_gpu_overhead_name(uint32_t kind)
{
	/* CUPTI's own kinds begin at 2^16. */
	static const char *const names[] = {
		[1] = "Buffer Flush",
		[2] = "Instrumentation",
		[3] = "Resource",
		[4] = "Runtime Triggered Module Loading",
		[5] = "Lazy Function Loading",
		[6] = "Command Buffer Full",
		[7] = "Activity Buffer Request",
		[8] = "UVM Activity Init",
	};
	const char *name = (kind & 0xFFFF) == 0 ? FIND(names, kind >> 16) : NULL;

	if (kind == 1) {
		return "Driver Compiler";
	}
	return name != NULL ? name : "Other";
}
