/* SPDX-License-Identifier: MIT */
/* The model's GPU half: what ran on devices, and the API calls that asked for it. */
#ifndef RA_GPU_H
#define RA_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/model/occupancy.h"

/* Times as in model.h; RA_NONE (model.h) stands for "none" in all indices. */

enum ra_gpu_kind {
	RA_GPU_KERNEL,
	RA_GPU_COPY,
	RA_GPU_SET,
	RA_GPU_GRAPH, /* a CUDA graph as a whole; its nodes are then not there one by one */
	RA_GPU_KINDS
};

/* How an operation came to its range; tried in this order, but a sequence found goes before a stack
 * (doc/metrics.md, section 6). */
enum ra_gpu_rule {
	RA_GPU_RULE_NONE,
	RA_GPU_RULE_STACK,     /* innermost push/pop range open on the launching thread */
	RA_GPU_RULE_START_END, /* innermost start/end range open in the process */
	RA_GPU_RULE_HANDOFF,
	RA_GPU_RULE_SEQUENCE,
	RA_GPU_RULE_PROCESS,
	RA_GPU_RULE_ORIGIN, /* of a graph's node: where that was made, not where it was launched */
	RA_GPU_RULES
};

/* Work on a device. Ordered by queue, then start, longer first. */
struct ra_gpu_op {
	int64_t start_ns;
	int64_t dur_ns;
	uint64_t bytes; /* copies and sets */
	uint64_t node;  /* of a graph, 0 none */
	uint32_t name;  /* string id; 0 for copies, sets and graphs */
	uint32_t queue; /* index into queues */
	uint32_t corr;  /* CUPTI's; 0 none */
	uint32_t api;   /* index into apis: the call that launched it */
	uint32_t slice; /* range it belongs to; before linking: what the file tells, mostly none */
	uint32_t shape; /* index into shapes; kernels */
	uint32_t graph; /* id, 0 none */
	uint32_t peer;  /* device it copied to, peer copies */
	uint32_t queued_ns; /* before start, 0 unknown; stops at 2^32-1 */
	uint8_t kind : 4;   /* enum ra_gpu_kind */
	uint8_t rule : 4;   /* enum ra_gpu_rule */
	uint8_t copy_kind;  /* as CUPTI counts: 1 HtoD, 2 DtoH, 8 DtoD, 10 PtoP … */
	uint8_t src_memory;
	uint8_t dst_memory;
};

/* A call of CUDA's runtime or driver API. Ordered by track, then start, longer first. */
struct ra_gpu_api {
	int64_t start_ns;
	int64_t dur_ns;
	uint32_t name;  /* string id */
	uint32_t track; /* of its thread */
	uint32_t corr;
	uint32_t slice; /* innermost push/pop range open on its thread when it began */
	int32_t result;
	uint8_t is_driver;
	uint8_t has_twin; /* one of the other API has the same correlation */
};

/* Waiting for the device; ordered by start. */
struct ra_gpu_sync {
	int64_t start_ns;
	int64_t dur_ns;
	uint32_t corr;
	uint32_t api;
	uint32_t context;
	uint32_t stream;
	uint32_t event;            /* CUDA's id, 0 not known */
	uint64_t sync_id;          /* of the event's recording, 0 not known */
	uint32_t recorded_corr;    /* of the call that recorded it, 0 not known: then also no … */
	uint32_t recorded_api;     /* … index into apis, RA_NONE */
	uint32_t recorded_context; /* … place */
	uint32_t recorded_stream;
	uint8_t kind; /* 1 event, 2 stream waits for event, 3 stream, 4 context */
};

/* The driver or CUPTI was busy with itself; ordered by start. */
struct ra_gpu_overhead {
	int64_t start_ns;
	int64_t dur_ns;
	uint32_t kind;  /* as CUPTI counts */
	uint32_t track; /* of its thread, RA_NONE unknown */
	uint32_t corr;
};

/* Memory was allocated or freed; ordered by time. */
struct ra_gpu_memory {
	int64_t time_ns;
	uint64_t bytes;
	uint64_t address;
	uint32_t device;
	uint32_t corr;
	uint32_t api;
	uint64_t pool;     /* address of the memory pool it is from, 0 none … */
	uint64_t reserved; /* … and the bytes that this holds then */
	uint8_t memory;    /* kind, as CUPTI counts */
	uint8_t is_free;
	uint8_t is_mapped; /* by cuMemMap */
	/* A region that the program told by NVTX, not what CUDA allocated: */
	bool is_region;   /* `address` is its number, `device` RA_NONE if nothing tells it */
	bool has_regions; /* of CUDA's: regions lie in it */
	uint32_t heap;    /* name of the region's heap: string id, 0 none */
	uint32_t track;   /* of the region's thread */
};

/* A node of a CUDA graph came to be, or became another; ordered by node, then time. */
struct ra_gpu_node {
	int64_t time_ns;
	uint64_t node;     /* ids of CUPTI; the upper half is that of the graph */
	uint64_t original; /* what it is a clone of, or does from here on; 0: it was made */
	uint32_t outer;    /* graph that its graph is inside of, told by no other id; 0 none */
	uint32_t track;    /* of its thread */
	uint32_t number;   /* of its row in the log */
	bool is_update;    /* it was there before, and does from here on what `original` does */
};

/* A memory pool was made or changed; ordered by time. */
struct ra_gpu_pool_event {
	int64_t time_ns;
	uint64_t pool;
	uint64_t reserved; /* bytes that it holds then */
	uint32_t device;
	uint8_t kind; /* 1 created, 2 destroyed, 3 trimmed */
};

struct ra_gpu_queue {
	uint32_t device;       /* CUPTI's id */
	uint32_t context;      /* likewise */
	uint32_t stream;       /* likewise */
	uint32_t process;      /* index into model->processes; 0 where nothing tells */
	uint32_t name;         /* that the program gave the stream: string id, 0 none */
	uint32_t context_name; /* likewise */
	size_t first_op;
	size_t op_count;
};

struct ra_gpu_device {
	uint32_t id;
	uint32_t name;  /* the maker's: string id */
	uint32_t label; /* the program's: string id, 0 none */
	uint32_t word;  /* what stands before its number, "NPU": string id, 0 is "GPU" */
	uint64_t memory_bytes;
	uint64_t bandwidth_kb_s;
	uint32_t clock_khz;
	uint8_t uuid[16]; /* all 0: not known */
	struct ra_occupancy_device limits;
};

struct ra_gpu_shape {
	uint32_t grid[3];
	uint32_t block[3];
	uint32_t cluster[3];
	uint32_t registers;
	uint32_t static_shared_bytes;
	uint32_t dynamic_shared_bytes;
	uint32_t local_bytes; /* per thread */
	int32_t priority;
	uint8_t is_optin;
	uint8_t launch_type; /* as CUPTI counts: 0 regular */
};

/*
 * What one block of a kernel did in a section of its code (ranges/device.h). Ordered by queue and
 * block, then by the kernel's start, those without kernel last; those of a launch and block follow
 * each other as they begin, and nest.
 */
struct ra_gpu_section {
	int64_t start_ns; /* without an op: since the first one of its launch */
	int64_t dur_ns;
	uint64_t cycles; /* of its SM */
	uint32_t name;   /* string id; 0 none */
	uint32_t id;     /* the program's */
	uint32_t op;     /* the kernel: index, RA_NONE not known */
	uint32_t launch; /* equal numbers: the same launch */
	uint32_t block;
	uint32_t sm;
	uint32_t depth;
};

struct ra_gpu {
	struct ra_gpu_op *ops; /* owned, as all arrays here */
	size_t op_count;
	struct ra_gpu_api *apis;
	size_t api_count;
	struct ra_gpu_sync *syncs;
	size_t sync_count;
	struct ra_gpu_overhead *overheads;
	size_t overhead_count;
	struct ra_gpu_memory *memories;
	size_t memory_count;
	struct ra_gpu_node *nodes;
	size_t node_count;
	struct ra_gpu_pool_event *pool_events;
	size_t pool_event_count;
	struct ra_gpu_queue *queues; /* ordered by device, context, stream, process */
	size_t queue_count;
	struct ra_gpu_device *devices; /* ordered by id */
	size_t device_count;
	struct ra_gpu_shape *shapes;
	size_t shape_count;
	struct ra_gpu_section *sections;
	size_t section_count;
	uint64_t sections_dropped; /* begins and ends that found no place in the program's buffer */
	uint64_t sections_open;    /* begins without an end, ends without a begin */
	uint64_t sections_unplaced; /* sections whose kernel is not known */
	/* For the footer. */
	uint64_t events;     /* rows of the log */
	uint64_t bad_times;  /* operations without usable times: left out */
	uint64_t no_call;    /* operations whose API call is not in the log … */
	uint64_t early;      /* … and of them those from before the recording (gpu-early.h) */
	uint64_t ambiguous;  /* start/end: more than one range was open */
	int64_t origin_ns;   /* of graphs whose nodes' ranges are known, but were not asked for */
	int64_t unmade_ns;   /* of graphs of whose nodes the log does not tell how they were made */
	int64_t whole_ns;    /* of graphs that the log has as wholes */
	int64_t launched_ns; /* of graphs of several operations, by their calls */
	int64_t graph_launch_ns; /* of graphs that are as wholes in the range of their launch … */
	uint64_t graph_launches; /* … by so many launches */
	int64_t process_ns;      /* of no range, but the rule `process`, not asked for, knows one */
	uint64_t duplicate_calls;      /* of the same API, with the correlation of another */
	uint64_t unknown_events;       /* ops this version does not know */
	int64_t rule_ns[RA_GPU_RULES]; /* time of operations by rule */
	uint64_t rule_ops[RA_GPU_RULES];
	bool lacks_calls;       /* the recording has no calls: that work has none is nothing odd */
	bool has_backward_rows; /* what the rule `sequence` moved is shown apart: ask
	                           ra_gpu_is_backward() */
};

/* True if an operation is to be shown not in the row of its range, but in one "backward of" it. */
static inline bool ra_gpu_is_backward(const struct ra_gpu *gpu, const struct ra_gpu_op *op)
{
	return gpu->has_backward_rows && op->rule == RA_GPU_RULE_SEQUENCE;
}

/* Frees all it owns; the struct may be zero. */
void ra_gpu_fini(struct ra_gpu *gpu);

/* Orders gpu->memories. */
void ra_gpu_sort_memories(struct ra_gpu *gpu);

/*
 * Brings all arrays into their order and gives the queues, whose indices change, their operations.
 */
void ra_gpu_sort(struct ra_gpu *gpu);

/* Brings the devices into the order of their ids. */
void ra_gpu_sort_devices(struct ra_gpu *gpu);

/* The device by CUPTI's id, or NULL. */
const struct ra_gpu_device *ra_gpu_find_device(const struct ra_gpu *gpu, uint32_t id);

/* A word for a kind of operation: "kernel", "memcpy", "memset", "graph". */
const char *ra_gpu_kind_name(enum ra_gpu_kind kind);

/* A word for a rule: "stack". */
const char *ra_gpu_rule_name(enum ra_gpu_rule rule);

/* What Kineto calls a copy: "Memcpy HtoD". */
const char *ra_gpu_copy_name(uint8_t copy_kind);

/* What the driver or CUPTI was busy with: "Lazy Function Loading". */
const char *ra_gpu_overhead_name(uint32_t kind);

/* How a kernel was launched: "regular", "cooperative". */
const char *ra_gpu_launch_name(uint8_t launch_type);

/* What a wait was for: "stream". */
const char *ra_gpu_sync_name(uint8_t kind);

/* Kind of memory: "Pageable". */
const char *ra_gpu_memory_name(uint8_t memory);

#endif
