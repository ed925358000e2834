/* SPDX-License-Identifier: MIT */
/* The events that torch.profiler's table is made of, as torch makes them from Kineto's. */
#ifndef RA_TORCH_EVENTS_H
#define RA_TORCH_EVENTS_H

#include "analyzer/kineto.h"
#include "analyzer/util-map.h"

/*
 * All of it is torch's way: doubles of µs, its order, kernels found by External id. Our own figures
 * come from the model (key-averages.c).
 */

#define RA_TORCH_NO_EVENT UINT32_MAX

/* What torch calls FunctionEvent. */
struct ra_torch_event {
	double start_us;
	double end_us;
	double device_us;  /* device total: of kernels, and of children */
	int64_t cpu_bytes; /* of [memory] records between start and end, on any thread */
	int64_t gpu_bytes;
	uint32_t row;     /* of the trace */
	uint32_t name;    /* string id; ra_torch_events.step_name for ProfilerStep#N */
	uint32_t thread;  /* a number for each tid */
	uint32_t kernels; /* whose kernels count as this event's: index of an event */
	uint32_t parent;  /* index, smaller than its own */
	uint32_t first_child;
	uint32_t last_child;
	uint32_t next; /* sibling */
	uint32_t child_count;
	bool is_device;
	bool is_annotation;
	bool is_deleted; /* the only child of an event of its name, which has taken its place */
};

struct ra_torch_events {
	const struct ra_kineto *kineto; /* borrowed */
	struct ra_torch_event *rows;    /* owned; by start, the longest first */
	size_t count;
	uint32_t step_name; /* stands for "ProfilerStep*" */
	bool has_memory;    /* the trace has [memory] records */
};

/* Return: 0, -RLOG_E_NO_MEMORY; fini in any case. */
int ra_torch_events_init(struct ra_torch_events *events, const struct ra_kineto *kineto);
void ra_torch_events_fini(struct ra_torch_events *events);

/* Sums over the direct children, in their order: CPU total, device total, bytes of both. */
struct ra_torch_children {
	double cpu_us;
	double device_us;
	int64_t cpu_bytes;
	int64_t gpu_bytes;
};

struct ra_torch_children ra_torch_events_sum_children(const struct ra_torch_events *events,
                                                      const struct ra_torch_event *event);

/* True for what torch takes for the name of a profiler step: ProfilerStep#12. */
bool ra_torch_events_is_step(struct rlog_string name);

#endif
