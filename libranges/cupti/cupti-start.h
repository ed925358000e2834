/* SPDX-License-Identifier: MIT */
/* Switches CUPTI on and off as the program and the capture want. */
#ifndef RCAP_CUPTI_START_H
#define RCAP_CUPTI_START_H

#include <stdbool.h>
#include <stddef.h>

#include "libranges/abi/cupti-abi.h"
#include "libranges/cupti/load/cupti-calls.h"
#include "libranges/cupti/load/cupti-subscribe.h"

/* What came of it. */
struct rcap_cupti_start {
	struct rcap_cupti_subscription subscription;
	bool has_tids;     /* API records have OS thread ids */
	bool is_monotonic; /* times are CLOCK_MONOTONIC, else CLOCK_REALTIME */
};

/* Who gives and gets buffers; see cupti-abi.h. */
struct rcap_cupti_start_callbacks {
	rcap_cupti_requested_fn *requested;
	rcap_cupti_completed_fn *completed;
};

/* What RANGES_CUDA asks for: enum rcap_cupti_kinds. */
unsigned rcap_cupti_start_kinds(void);

/* Chooses thread ids and clock. @kinds: enum rcap_cupti_kinds. Context: once, as above. */
void rcap_cupti_start_prepare(struct rcap_cupti_start *start, unsigned kinds);

/* Says in the log which library it is, whose clock the times are of, and who shares it. */
void rcap_cupti_start_tell_library(const struct rcap_cupti_start *start);

/* True if CUPTI can be switched to graphs as wholes and back. Shared, it can't: who comes first
 * says once for all how they are recorded, and is asked for operations by all who need those. */
bool rcap_cupti_start_can_whole(void);

/*
 * Starts the flow of records. The caller is ready for them.
 *
 * @kinds: enum rcap_cupti_kinds.
 * @is_late: CUDA was initialised before. While the capture is off nothing is switched on.
 */
void rcap_cupti_start_enable(const struct rcap_cupti_start *start, unsigned kinds, bool is_late,
                             const struct rcap_cupti_start_callbacks *callbacks);

/* Switches all off while the capture is off, and on again. @kinds: as above. Context: the worker.
 */
void rcap_cupti_start_pause(void);
void rcap_cupti_start_resume(unsigned kinds);

/* Has CUPTI hand over what is under way, as long as a context's end would wait for it. Context: the
 * worker. */
void rcap_cupti_start_take_out(void);

/* What can't be switched on before the driver is ready. @kinds: as above. Context: the driver's
 * callback that says so, or later. */
void rcap_cupti_start_ready(unsigned kinds);

/*
 * The program calls a function. Return: true if that is watched, and something must be done at this
 * moment.
 *
 * @data: what CUPTI tells of the call. Context: CUPTI's callback; does not call it.
 */
bool rcap_cupti_start_is_action(uint32_t domain, uint32_t cbid, const void *data,
                                enum rcap_cupti_calls_watch *watch);

/* Does it: what CUPTI has is taken out before that goes, or the flow of records begins or ends. */
void rcap_cupti_start_act(unsigned kinds, enum rcap_cupti_calls_watch watch);

/* The worker did not do it in time, or will not. Context: any. */
void rcap_cupti_start_missed(enum rcap_cupti_calls_watch watch);

/* Has CUDA graphs recorded as wholes from here on, or as operations again, where
 * rcap_cupti_graphs_is_due() says so. Context: the worker. */
void rcap_cupti_start_tend_graphs(void);

/* Tells in a line if records flowed for a part of the time only. Context: at the end. */
void rcap_cupti_start_tell(unsigned kinds);

/* Ends the flow of records. */
void rcap_cupti_start_disable(void);

#endif
