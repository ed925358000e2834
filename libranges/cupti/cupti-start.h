/* SPDX-License-Identifier: MIT */
/* Switches CUPTI on and off as the program and the capture require. */
#ifndef RCAP_CUPTI_START_H
#define RCAP_CUPTI_START_H

#include <stdbool.h>
#include <stddef.h>

#include "libranges/abi/cupti-abi.h"
#include "libranges/cupti/load/cupti-calls.h"
#include "libranges/cupti/load/cupti-subscribe.h"

/* The result of a start. */
struct rcap_cupti_start {
	struct rcap_cupti_subscription subscription;
	bool has_tids;     /* true if records of calls have OS thread ids */
	bool is_monotonic; /* true: times are CLOCK_MONOTONIC; false: CLOCK_REALTIME */
};

/* The functions by which CUPTI gets buffers from us and returns them; see cupti-abi.h. */
struct rcap_cupti_start_callbacks {
	rcap_cupti_requested_fn *requested;
	rcap_cupti_completed_fn *completed;
};

/* Returns the kinds that RANGES_CUDA asks for: enum rcap_cupti_kinds. */
unsigned rcap_cupti_start_kinds(void);

/* Chooses thread ids and clock. @kinds: enum rcap_cupti_kinds. Context: once, when CUPTI is
 * started. */
void rcap_cupti_start_prepare(struct rcap_cupti_start *start, unsigned kinds);

/* Writes to the log which CUPTI was loaded, which clock it uses, and which profilers share it. */
void rcap_cupti_start_tell_library(const struct rcap_cupti_start *start);

/*
 * True if CUPTI can be switched to graphs as wholes and back. If CUPTI is shared, it can't: then
 * the first subscriber decides how graphs are recorded, and CUPTI records operations if any
 * subscriber asks for them.
 */
bool rcap_cupti_start_can_whole(void);

/*
 * Starts the flow of records. From then on the caller must be ready for them.
 *
 * @kinds: enum rcap_cupti_kinds.
 * @is_late: CUDA was initialised before. While the capture is off, nothing is switched on.
 */
void rcap_cupti_start_enable(const struct rcap_cupti_start *start, unsigned kinds, bool is_late,
                             const struct rcap_cupti_start_callbacks *callbacks);

/* Switch everything off when the capture goes off, and on again. @kinds: enum rcap_cupti_kinds.
 * Context: the worker. */
void rcap_cupti_start_pause(void);
void rcap_cupti_start_resume(unsigned kinds);

/* Makes CUPTI hand over its records. Waits for work in progress, as long as at the end of a
 * context. Context: the worker. */
void rcap_cupti_start_take_out(void);

/* Switches on the records that need the driver. @kinds: enum rcap_cupti_kinds. Context: the
 * callback that the driver is ready, or later. */
void rcap_cupti_start_ready(unsigned kinds);

/*
 * Handles a call of the program. Return: true if the function is watched, and
 * rcap_cupti_start_act() must be called now.
 *
 * @data: CUPTI's data about the call. Context: CUPTI's callback; does not call CUPTI.
 */
bool rcap_cupti_start_is_action(uint32_t domain, uint32_t cbid, const void *data,
                                enum rcap_cupti_calls_watch *watch);

/* Does what a watched call requires: takes records out of CUPTI before their context is destroyed,
 * or starts or stops the flow of records. @kinds: enum rcap_cupti_kinds. */
void rcap_cupti_start_act(unsigned kinds, enum rcap_cupti_calls_watch watch);

/* Notes that the worker did not do that in time. Context: any. */
void rcap_cupti_start_missed(enum rcap_cupti_calls_watch watch);

/* Changes the recording of CUDA graphs to wholes, or back to operations, if
 * rcap_cupti_graphs_is_due(). Context: the worker. */
void rcap_cupti_start_tend_graphs(void);

/* Writes a status line if records flowed for only a part of the time. Context: at the end. */
void rcap_cupti_start_tell(unsigned kinds);

/* Ends the flow of records. */
void rcap_cupti_start_disable(void);

#endif
