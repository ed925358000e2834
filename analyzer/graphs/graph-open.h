/* SPDX-License-Identifier: MIT */
/* Walks through the ranges and calls of each thread, and keeps the stack of open ranges. */
#ifndef RA_GRAPH_OPEN_H
#define RA_GRAPH_OPEN_H

#include <stdbool.h>

#include "analyzer/rows/kineto.h"

/* A walk through ranges and calls, thread by thread, in order of time. */
struct ra_graph_open {
	const struct ra_kineto *kineto; /* borrowed */
	uint32_t *events;               /* owned; ranges and calls, ordered by thread, then time */
	size_t event_count;
	size_t event_capacity;
	size_t next;     /* index into events of the next one */
	uint32_t *stack; /* owned; events of the open ranges, the outermost first … */
	size_t depth;
	size_t stack_capacity;
	uint32_t thread;
	/* The event that the last ra_graph_open_next() found: */
	uint32_t event;
	bool is_call; /* else it is a range, and the innermost one of the stack */
};

/* Adds an event that has a time. Add all of them before the first ra_graph_open_next(). */
void ra_graph_open_add(struct ra_graph_open *open, uint32_t event);

/* Goes to the next event. Return: false after the last one. A range that ends after the range
 * around it is skipped. */
bool ra_graph_open_next(struct ra_graph_open *open);
void ra_graph_open_fini(struct ra_graph_open *open);

/* True for a call of CUDA's or HIP's runtime or driver. */
bool ra_graph_open_is_call(const struct ra_kineto *kineto, uint32_t event);

/* The time when an event ends. */
int64_t ra_graph_open_find_end(const struct ra_kineto *kineto, uint32_t event);

#endif
