/* SPDX-License-Identifier: MIT */
/*
 * Decides whether CUDA graphs are recorded by operation or as wholes. At any time CUPTI records all
 * graphs of the process in the same way. They are recorded by operation while launches are rare, as
 * wholes once there are too many launches, and by operation again if CUPTI reports no wholes.
 */
#ifndef RCAP_CUPTI_GRAPHS_H
#define RCAP_CUPTI_GRAPHS_H

#include <stdbool.h>
#include <stdint.h>

#include "libranges/cupti/load/cupti-calls.h"

/* A burst may have as many operations as the rate allows in this many seconds. */
#define RCAP_CUPTI_GRAPHS_WINDOW_S 10u

/*
 * Prepares the decision. @kinds: enum rcap_cupti_kinds. @per_s: allowed operations per second, on
 * average over the window; 0: graphs are always recorded as wholes. @is_monotonic: times are
 * CLOCK_MONOTONIC; false: CLOCK_REALTIME. @can_whole: CUPTI can record wholes, and no graph is
 * older than the capture. Context: before records come.
 */
void rcap_cupti_graphs_init(unsigned kinds, uint64_t per_s, bool is_monotonic, bool can_whole);

/* True if graphs must be recorded as wholes now. Context: any. */
bool rcap_cupti_graphs_are_whole(void);

/* True if graphs are recorded as wholes, or may be later. Then a graph that is instantiated now
 * must be prepared for it. Context: any. */
bool rcap_cupti_graphs_need_whole(void);

/* Notes that some graphs may be older than the capture. CUPTI can't record these as wholes, so no
 * graph is recorded as a whole. Context: any; no effect before rcap_cupti_graphs_init(). */
void rcap_cupti_graphs_refuse_older(void);

/* Counts an operation of a graph. @correlation: id of the graph's launch. Context of this and the
 * next three functions: conversion of a buffer. */
void rcap_cupti_graphs_count(uint32_t correlation);

/* Counts a graph that was recorded as a whole. */
void rcap_cupti_graphs_count_whole(void);

/* Counts a call if it is a launch. */
void rcap_cupti_graphs_count_call(const struct rcap_cupti_call *call);

/* Checks how many operations were recorded. Call it once per buffer. Return:
 * rcap_cupti_graphs_is_due(). */
bool rcap_cupti_graphs_look(void);

/* True if the recording of graphs should change. Then call rcap_cupti_graphs_choose_whole() or
 * rcap_cupti_graphs_give_up_whole(). Context: any. */
bool rcap_cupti_graphs_is_due(void);

/* Makes graphs be recorded as wholes from now on. A status line reports this. */
void rcap_cupti_graphs_choose_whole(void);

/* Notes that CUPTI has refused to record wholes. Context: the worker. */
void rcap_cupti_graphs_refuse_whole(void);

/* Makes graphs be recorded by operation for good, because CUPTI takes too long to change. A status
 * line reports this. Context: any. */
void rcap_cupti_graphs_leave_nodes(void);

/* Does the same, even if graphs are recorded as wholes now. The reason is a graph that was
 * instantiated so that it can't be recorded as a whole. */
void rcap_cupti_graphs_leave_whole(void);

/* Makes graphs be recorded by operation again, for good. A status line reports this. */
void rcap_cupti_graphs_give_up_whole(void);

/* Writes a status line if records of launches are missing. Context: at the end. */
void rcap_cupti_graphs_tell(void);

#endif
