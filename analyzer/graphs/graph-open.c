/* SPDX-License-Identifier: MIT */
/* Walks through the ranges and calls of each thread, and keeps the stack of open ranges. */
#include "analyzer/graphs/graph-open.h"

#include <stdlib.h>

#include "analyzer/base/order/order.h"
#include "analyzer/base/order/run-sort.h"
#include "analyzer/base/util.h"

bool ra_graph_open_is_call(const struct ra_kineto *kineto, uint32_t event)
{
	return (kineto->flags[event] & RA_KINETO_HAS_TS) != 0 &&
	       (kineto->kind[event] == RA_KINETO_RUNTIME ||
	        kineto->kind[event] == RA_KINETO_DRIVER);
}

int64_t ra_graph_open_find_end(const struct ra_kineto *kineto, uint32_t event)
{
	const int64_t dur_ns = ra_kineto_dur(kineto, event);

	return ra_kineto_ts(kineto, event) + (dur_ns > 0 ? dur_ns : 0);
}

void ra_graph_open_add(struct ra_graph_open *open, uint32_t event)
{
	RA_UTIL_APPEND(open->events, open->event_count, open->event_capacity, event);
}

/* Closes the ranges that have ended at the time of the next event. */
static void advance(struct ra_graph_open *open, uint32_t event)
{
	const struct ra_kineto *k = open->kineto;

	if (ra_kineto_get_thread(k, event) != open->thread) {
		open->thread = ra_kineto_get_thread(k, event);
		open->depth = 0;
	}
	while (open->depth > 0 &&
	       ra_graph_open_find_end(k, open->stack[open->depth - 1]) <= ra_kineto_ts(k, event)) {
		open->depth--;
	}
}

bool ra_graph_open_next(struct ra_graph_open *open)
{
	const struct ra_kineto *k = open->kineto;

	if (open->next == 0) {
		ra_run_sort_indices(open->events, open->event_count, ra_kineto_compare_nested, k);
		open->thread = RA_KINETO_NONE;
	}
	while (open->next < open->event_count) {
		const uint32_t event = open->events[open->next++];

		advance(open, event);
		open->event = event;
		open->is_call = ra_graph_open_is_call(k, event);
		if (open->is_call) {
			return true;
		}
		if (open->depth > 0 &&
		    ra_graph_open_find_end(k, event) >
		            ra_graph_open_find_end(k, open->stack[open->depth - 1])) {
			continue;
		}
		RA_UTIL_APPEND(open->stack, open->depth, open->stack_capacity, event);
		return true;
	}
	return false;
}

void ra_graph_open_fini(struct ra_graph_open *open)
{
	free(open->events);
	free(open->stack);
}
