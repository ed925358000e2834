/* SPDX-License-Identifier: MIT */
/*
 * Whether CUDA graphs are recorded operation by operation, or as wholes. CUPTI knows one way at a
 * time for all graphs of the process, so this goes by all of them: operation by operation while
 * they are launched rarely, as wholes from the moment on at which there were too many; and
 * operation by operation again if nothing is told of wholes.
 */
#ifndef RCAP_CUPTI_GRAPHS_H
#define RCAP_CUPTI_GRAPHS_H

#include <stdbool.h>
#include <stdint.h>

#include "libranges/cupti/load/cupti-calls.h"

/* So many seconds of the rate may come at once. */
#define RCAP_CUPTI_GRAPHS_WINDOW_S 10u

/*
 * @kinds: enum rcap_cupti_kinds. @per_s: operations a second, over the window; 0: as wholes from
 * the beginning. @is_monotonic: times are CLOCK_MONOTONIC, else CLOCK_REALTIME. @can_whole: CUPTI
 * has wholes, and no graph is older than the capture. Context: before records come.
 */
void rcap_cupti_graphs_init(unsigned kinds, uint64_t per_s, bool is_monotonic, bool can_whole);

/* True if graphs are to be recorded as wholes. Context: any. */
bool rcap_cupti_graphs_are_whole(void);

/* True if they are, or may be one day: a graph that is instantiated now must be fit for it.
 * Context: any. */
bool rcap_cupti_graphs_need_whole(void);

/* Graphs may be older than the capture, which CUPTI can't record as wholes: none is, then. Context:
 * any; before rcap_cupti_graphs_init() it has no effect. */
void rcap_cupti_graphs_refuse_older(void);

/* An operation of a graph has come, of the launch with that id. Context: conversion of a buffer, as
 * of the next three. */
void rcap_cupti_graphs_count(uint32_t correlation);

/* A graph as a whole has come. */
void rcap_cupti_graphs_count_whole(void);

/* A call has come; it may be a launch. */
void rcap_cupti_graphs_count_call(const struct rcap_cupti_call *call);

/* Looks at how many have come, once a buffer. Return: rcap_cupti_graphs_is_due(). */
bool rcap_cupti_graphs_look(void);

/* True if one of the two below is due: they should be recorded the other way. Context: any. */
bool rcap_cupti_graphs_is_due(void);

/* From now on they are recorded as wholes. A status line says so. */
void rcap_cupti_graphs_choose_whole(void);

/* CUPTI has refused wholes. Context: the worker. */
void rcap_cupti_graphs_refuse_whole(void);

/* They are recorded operation by operation for good: what changing that takes, CUPTI does not do in
 * time. A status line says so. Context: any. */
void rcap_cupti_graphs_leave_nodes(void);

/* The same, also if they are to be recorded as wholes by now: one was instantiated that must not
 * be. */
void rcap_cupti_graphs_leave_whole(void);

/* They are recorded operation by operation again, for good. A status line says so. */
void rcap_cupti_graphs_give_up_whole(void);

/* Says in a line if launches are missing. Context: at the end. */
void rcap_cupti_graphs_tell(void);

#endif
