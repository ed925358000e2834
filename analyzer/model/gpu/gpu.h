/* SPDX-License-Identifier: MIT */
/* The GPU part of the model: the work that ran on devices, and the API calls that launched it. */
#ifndef RA_GPU_H
#define RA_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/model/gpu/occupancy.h"

/* Times are as in model.h. In all indices RA_NONE (model.h) means "none". */

enum ra_gpu_kind {
	RA_GPU_KERNEL,
	RA_GPU_COPY,
	RA_GPU_SET,
	RA_GPU_GRAPH, /* a CUDA graph as one operation; then its nodes are not in the model */
	RA_GPU_KINDS
};

/* The rule that gave an operation its range. The rules are tried in this order, except that
 * SEQUENCE, if it finds a range, replaces the range found by STACK (doc/metrics.md, section 6). */
enum ra_gpu_rule {
	RA_GPU_RULE_NONE,
	RA_GPU_RULE_STACK,     /* innermost push/pop range open on the launching thread */
	RA_GPU_RULE_START_END, /* innermost start/end range open in the process */
	RA_GPU_RULE_HANDOFF,
	RA_GPU_RULE_SEQUENCE,
	RA_GPU_RULE_HELPER, /* the launching thread evidently works for the thread with the range */
	RA_GPU_RULE_PROCESS,
	RA_GPU_RULE_ORIGIN, /* for a graph's node: range where it was made, not launched */
	RA_GPU_RULES
};

/* An operation on a device. Ordered by queue, then start; at equal starts the longer one first. */
struct ra_gpu_op {
	int64_t start_ns;
	int64_t dur_ns;
	uint64_t bytes; /* copied or set bytes of copies and memsets */
	uint64_t node;  /* id of the graph's node, 0: none */
	uint32_t name;  /* string id; 0 for copies, memsets and graphs */
	uint32_t queue; /* index into queues */
	uint32_t corr;  /* CUPTI's correlation id; 0 none */
	uint32_t api;   /* index into apis: the call that launched it; RA_NONE: none */
	/* range that it belongs to; before linking: the range that the file names, mostly none */
	uint32_t slice;
	uint32_t shape;     /* index into shapes; only for kernels */
	uint32_t graph;     /* id of the CUDA graph, 0: none */
	uint32_t peer;      /* device to which a peer copy went */
	uint32_t queued_ns; /* time in the queue before the start; 0: unknown; at most 2^32-1 */
	uint8_t kind : 4;   /* enum ra_gpu_kind */
	uint8_t rule : 4;   /* enum ra_gpu_rule */
	bool is_collective; /* a kernel of NCCL or RCCL, by its name; set by linking */
	uint8_t copy_kind;  /* by CUPTI's numbers: 1 HtoD, 2 DtoH, 8 DtoD, 10 PtoP … */
	uint8_t src_memory;
	uint8_t dst_memory;
};

/* A call of CUDA's runtime or driver API. Ordered by track, then start; at equal starts the longer
 * one first. */
struct ra_gpu_api {
	int64_t start_ns;
	int64_t dur_ns;
	uint32_t name;  /* string id */
	uint32_t track; /* track of its thread */
	uint32_t corr;
	uint32_t slice; /* innermost push/pop range open on its thread when the call began */
	int32_t result;
	uint8_t is_driver;
	uint8_t has_twin; /* a call of the other API has the same correlation */
};

/* A call that waited for the device; ordered by start. */
struct ra_gpu_sync {
	int64_t start_ns;
	int64_t dur_ns;
	uint32_t corr;
	uint32_t api;
	uint32_t context;
	uint32_t stream;
	uint32_t event;            /* CUDA's event id, 0 not known */
	uint64_t sync_id;          /* id of the recording that is waited for, 0: unknown */
	uint32_t recorded_corr;    /* correlation of the call that recorded it, 0: unknown … */
	uint32_t recorded_api;     /* … index of that call in apis, RA_NONE: unknown … */
	uint32_t recorded_context; /* … and the recording's context and stream */
	uint32_t recorded_stream;
	uint8_t kind; /* 1 event, 2 stream waits for event, 3 stream, 4 context */
};

/* Time that the driver or CUPTI spent on its own work; ordered by start. */
struct ra_gpu_overhead {
	int64_t start_ns;
	int64_t dur_ns;
	uint32_t kind;  /* kind, by CUPTI's numbers */
	uint32_t track; /* track of its thread, RA_NONE unknown */
	uint32_t corr;
};

/* An allocation or a free; ordered by time. */
struct ra_gpu_memory {
	int64_t time_ns;
	uint64_t bytes;
	uint64_t address;
	uint32_t device;
	uint32_t corr;
	uint32_t api;
	uint64_t pool;     /* address of the memory pool used, 0: none … */
	uint64_t reserved; /* … and the bytes that the pool held afterwards */
	uint8_t memory;    /* kind of memory, by CUPTI's numbers */
	uint8_t is_free;
	uint8_t is_mapped; /* mapped by cuMemMap */
	/* For a region that the program reported by NVTX, not an allocation of CUDA: */
	bool is_region;   /* true: `address` is its number; `device` is RA_NONE if unknown */
	bool has_regions; /* an allocation of CUDA's that contains such regions */
	uint32_t heap;    /* string id of the heap's name, 0: none */
	uint32_t track;   /* track of the region's thread */
};

/* A node of a CUDA graph was made or updated; ordered by node, then time. */
struct ra_gpu_node {
	int64_t time_ns;
	uint64_t node; /* CUPTI's id; its upper half is the id of the graph */
	/* the node of which it is a clone, or like which it works from now on; 0: made anew */
	uint64_t original;
	/* the graph that contains this node's graph, if no other id tells; 0: none */
	uint32_t outer;
	uint32_t track;  /* track of its thread */
	uint32_t number; /* number of its row in the log */
	bool is_update;  /* the node existed already and works like `original` from now on */
};

/* A memory pool was created or changed; ordered by time. */
struct ra_gpu_pool_event {
	int64_t time_ns;
	uint64_t pool;
	uint64_t reserved; /* bytes that the pool holds afterwards */
	uint32_t device;
	uint8_t kind; /* 1 created, 2 destroyed, 3 trimmed */
};

struct ra_gpu_queue {
	uint32_t device;  /* CUPTI's id */
	uint32_t context; /* CUPTI's id */
	uint32_t stream;  /* CUPTI's id */
	uint32_t process; /* index into model->processes; 0 if unknown */
	uint32_t name;    /* string id of the name that the program gave to the stream, 0: none */
	uint32_t context_name; /* string id of the name of the context */
	size_t first_op;
	size_t op_count;
};

struct ra_gpu_device {
	uint32_t id;
	uint32_t name;  /* string id of the maker's name for the device */
	uint32_t label; /* string id of the program's name for the device, 0: none */
	/* string id of the word to print before the device's number, such as "NPU"; 0: "GPU" */
	uint32_t word;
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
	uint32_t local_bytes; /* local memory of a thread */
	int32_t priority;
	uint8_t is_optin;
	uint8_t launch_type; /* by CUPTI's numbers: 0 regular */
};

/*
 * The time of one block of a kernel in a section of its code (ranges/device.h). Ordered by queue
 * and block, then by the kernel's start; sections without a kernel come last. Sections of one
 * launch and block nest, and are in the order of their starts.
 */
struct ra_gpu_section {
	int64_t start_ns; /* if `op` is RA_NONE: time since the first section of its launch */
	int64_t dur_ns;
	uint64_t cycles; /* cycles of its SM, the multiprocessor */
	uint32_t name;   /* string id of the name; 0: none */
	uint32_t id;     /* number that the program gave to the section */
	uint32_t op;     /* index of the kernel in ops; RA_NONE: unknown */
	uint32_t launch; /* sections of the same launch have the same number */
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
	/* number of begins and ends that did not fit into the program's buffer */
	uint64_t sections_dropped;
	uint64_t sections_open; /* number of begins without an end and of ends without a begin */
	uint64_t sections_unplaced; /* number of sections whose kernel is not known */
	/* Counts for the footer. */
	uint64_t events;    /* number of rows in the log */
	uint64_t bad_times; /* operations that were left out because their times are not usable */
	uint64_t no_call;   /* operations whose API call is not in the log … */
	uint64_t early; /* … and those that were launched before the recording (gpu-early.h) */
	uint64_t ambiguous; /* operations under rule START_END when more than one range was open */
	/* GPU time of graphs for whose nodes the rule ORIGIN has ranges, but was not asked for */
	int64_t origin_ns;
	int64_t unmade_ns;   /* GPU time of graphs with nodes whose making is not in the log */
	int64_t whole_ns;    /* GPU time of graphs that the log has as one operation */
	int64_t launched_ns; /* GPU time of operations of graphs with several known operations */
	/* GPU time of graphs' operations that are in the range of their launch … */
	int64_t graph_launch_ns;
	uint64_t graph_launches; /* … and the number of those launches */
	/* GPU time without a range to which the rule PROCESS, not asked for, would give one */
	int64_t process_ns;
	/* calls with a correlation that another call of the same API has */
	uint64_t duplicate_calls;
	uint64_t unknown_events;       /* events that this version does not know */
	int64_t rule_ns[RA_GPU_RULES]; /* GPU time of operations by rule */
	uint64_t rule_ops[RA_GPU_RULES];
	bool lacks_calls; /* the recording has no calls, so operations without a call are normal */
	/* operations moved by the rule SEQUENCE are shown separately: ra_gpu_is_backward() */
	bool has_backward_rows;
};

/* True if an operation is shown in a row "backward of" its range instead of the range's own row. */
static inline bool ra_gpu_is_backward(const struct ra_gpu *gpu, const struct ra_gpu_op *op)
{
	return gpu->has_backward_rows && op->rule == RA_GPU_RULE_SEQUENCE;
}

/* Frees everything it owns; the struct may be all zero. */
void ra_gpu_fini(struct ra_gpu *gpu);

/* Sorts gpu->memories. */
void ra_gpu_sort_memories(struct ra_gpu *gpu);

/* Sorts all arrays. This changes the queues' indices, and the operations get the new indices. */
void ra_gpu_sort(struct ra_gpu *gpu);

/* Sorts the devices by id. */
void ra_gpu_sort_devices(struct ra_gpu *gpu);

/* Finds a device by CUPTI's id; NULL: none. */
const struct ra_gpu_device *ra_gpu_find_device(const struct ra_gpu *gpu, uint32_t id);

/* The name of a kind of operation, such as "kernel", "memcpy", "memset", "graph". */
const char *ra_gpu_kind_name(enum ra_gpu_kind kind);

/* The name of a rule, such as "stack". */
const char *ra_gpu_rule_name(enum ra_gpu_rule rule);

/* Kineto's name for a copy, such as "Memcpy HtoD". */
const char *ra_gpu_copy_name(uint8_t copy_kind);

/* The name of a kind of overhead, such as "Lazy Function Loading". */
const char *ra_gpu_overhead_name(uint32_t kind);

/* The name of a launch type, such as "regular", "cooperative". */
const char *ra_gpu_launch_name(uint8_t launch_type);

/* The name of the object for which a wait was, such as "stream". */
const char *ra_gpu_sync_name(uint8_t kind);

/* The name of a kind of memory, such as "Pageable". */
const char *ra_gpu_memory_name(uint8_t memory);

#endif
