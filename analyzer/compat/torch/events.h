/* SPDX-License-Identifier: MIT */
/* Makes the events of torch.profiler's table from Kineto's events, as torch does. */
#ifndef RA_TORCH_EVENTS_H
#define RA_TORCH_EVENTS_H

#include "analyzer/rows/kineto.h"
#include "analyzer/base/util-map.h"

/*
 * Everything here is as in torch: times are doubles in µs, the order is torch's, kernels are found
 * by External id. Our own figures come from the model (key-averages.c).
 */

#define RA_TORCH_NO_EVENT UINT32_MAX

/*
 * torch's FunctionEvent. There may be millions, so fields of the trace's row are not copied but
 * read each time.
 */
struct ra_torch_event {
	double device_us; /* device total: time of its kernels and of its children */
	uint32_t row;     /* row of the trace */
	uint32_t parent;  /* index, which is below the event's own. If it is the event's own index,
	                     the event is deleted: its only child, which has the same name, has
	                     replaced it */
	union {
		uint32_t first_child;
		uint32_t thread; /* used until parents have been found: a number for each tid */
	};
	uint32_t next; /* next sibling */
};

/* Sums of [memory] records between start and end, on any thread. */
struct ra_torch_bytes {
	int64_t cpu;
	int64_t gpu;
};

struct ra_torch_events {
	const struct ra_kineto *kineto; /* borrowed */
	struct ra_torch_event *rows;    /* owned; ordered by start, then duration, longest first */
	size_t count;
	struct ra_torch_bytes *bytes; /* owned; for each event; NULL: the trace has no such
	                                 records */
	uint32_t step_name;           /* string id of "ProfilerStep*" */
};

void ra_torch_events_init(struct ra_torch_events *events, const struct ra_kineto *kineto);
void ra_torch_events_fini(struct ra_torch_events *events);

/* Sums over the direct children of an event, in their order. */
struct ra_torch_children {
	double cpu_us;
	double device_us;
	int64_t cpu_bytes;
	int64_t gpu_bytes;
};

/* Returns an event's string id; events->step_name for ProfilerStep#N. */
uint32_t ra_torch_events_name(const struct ra_torch_events *events,
                              const struct ra_torch_event *event);

struct ra_torch_children ra_torch_events_sum_children(const struct ra_torch_events *events,
                                                      const struct ra_torch_event *event);

/* True of traces of the profiler before Kineto (torch up to 1.13), which have no categories. All
 * their events are operators. */
static inline bool ra_torch_events_lack_categories(const struct ra_kineto *k)
{
	return k->kind_count[RA_KINETO_CPU_OP] == 0 && k->kind_count[RA_KINETO_RUNTIME] == 0 &&
	       k->kind_count[RA_KINETO_USER_ANNOTATION] == 0;
}

/* Returns where a row's event ran: 1 on the CPU, 2 on the device; 0: the row becomes no event. */
static inline int ra_torch_events_side(const struct ra_kineto *k, uint32_t row)
{
	switch (k->kind[row]) {
	case RA_KINETO_CPU_OP:
	case RA_KINETO_USER_ANNOTATION:
	case RA_KINETO_RUNTIME:
	case RA_KINETO_DRIVER:
	case RA_KINETO_OVERHEAD:
		return 1;
	case RA_KINETO_KERNEL:
	case RA_KINETO_MEMCPY:
	case RA_KINETO_MEMSET:
	case RA_KINETO_GPU_USER_ANNOTATION:
	case RA_KINETO_SYNC:
	case RA_KINETO_PROFILER_RANGE:
		return 2;
	case RA_KINETO_OTHER:
		return ra_kineto_get_category(k, row) == 0 && ra_torch_events_lack_categories(k)
		               ? 1
		               : 0;
	default:
		return 0;
	}
}

/* Returns an event's start, in µs of the trace's clock. */
static inline double ra_torch_events_start(const struct ra_kineto *k, uint32_t row)
{
	return ra_kineto_us(ra_kineto_ts(k, row));
}

/* Returns an event's end. Memory records have no duration. */
static inline double ra_torch_events_end(const struct ra_kineto *k, uint32_t row)
{
	const double start_us = ra_torch_events_start(k, row);

	return k->kind[row] == RA_KINETO_MEMORY ? start_us
	                                        : start_us + ra_kineto_us(ra_kineto_dur(k, row));
}

/* Returns an event's duration. As in torch, it is the end minus the start. */
static inline double ra_torch_events_length(const struct ra_kineto *k, uint32_t row)
{
	return ra_torch_events_end(k, row) - ra_torch_events_start(k, row);
}

/* True for names that torch takes as a profiler step: ProfilerStep#12. */
bool ra_torch_events_is_step(struct rlog_string name);

#endif
