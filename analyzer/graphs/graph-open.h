/* SPDX-License-Identifier: MIT */
/* The ranges that are open where calls are made, by thread and time. */
#ifndef RA_GRAPH_OPEN_H
#define RA_GRAPH_OPEN_H

#include <stdbool.h>

#include "analyzer/rows/kineto.h"

/* Goes through ranges and calls, thread by thread. */
struct ra_graph_open {
	const struct ra_kineto *kineto; /* borrowed */
	uint32_t *events;               /* owned; ranges and calls, by thread, then time */
	size_t event_count;
	size_t event_capacity;
	size_t next;     /* event */
	uint32_t *stack; /* owned; ranges that are open: events, the outermost first … */
	size_t depth;
	size_t stack_capacity;
	uint32_t thread;
	/* The one that was found: */
	uint32_t event;
	bool is_call; /* else a range, which is the last of the stack */
};

/* Adds one. @event: with a time; all before the first ra_graph_open_next(). */
void ra_graph_open_add(struct ra_graph_open *open, uint32_t event);

/* Return: false behind the last. Ranges that cross those that they began in are passed over. */
bool ra_graph_open_next(struct ra_graph_open *open);
void ra_graph_open_fini(struct ra_graph_open *open);

/* True of calls of CUDA's or HIP's runtime and driver. */
bool ra_graph_open_is_call(const struct ra_kineto *kineto, uint32_t event);

/* Where an event ends. */
int64_t ra_graph_open_find_end(const struct ra_kineto *kineto, uint32_t event);

#endif
