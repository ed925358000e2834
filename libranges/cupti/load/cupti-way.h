/* SPDX-License-Identifier: MIT */
/*
 * Calls CUPTI in the way it was subscribed: alone, or as one subscriber of several (NVIDIA's _v2).
 * A process can't mix the two ways: calls of the other kind return NOT_COMPATIBLE.
 *
 * All functions return CUPTI's code.
 */
#ifndef RCAP_CUPTI_WAY_H
#define RCAP_CUPTI_WAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libranges/abi/cupti-abi.h"

/* Chooses the way. @subscriber: we are one of several subscribers; NULL: we are the only one.
 * Context: once, before the other functions. */
void rcap_cupti_way_choose(void *subscriber);

/* Context: any. */
bool rcap_cupti_way_is_shared(void);

int rcap_cupti_way_register(rcap_cupti_requested_fn *requested, rcap_cupti_completed_fn *completed);

/* Switches a kind on. @also_old: makes CUPTI also describe what exists already, if the library can
 * do that. */
int rcap_cupti_way_enable(uint32_t kind, bool also_old);
int rcap_cupti_way_disable(uint32_t kind);

/* Gets the number of records that CUPTI has dropped since the last call. */
int rcap_cupti_way_get_dropped(size_t *count);

/* Tells CUPTI that its buffers are zero. */
int rcap_cupti_way_set_zeroed(void);
/* Makes CUPTI use the kernel's thread ids. */
int rcap_cupti_way_set_tids(void);
/* Makes CUPTI take the times of all records from `now`. Refused if CUPTI is shared, because all
 * subscribers share one clock. */
int rcap_cupti_way_set_clock(rcap_cupti_time_fn *now);
/* Makes CUPTI record when launches were queued. */
int rcap_cupti_way_set_latency(void);
/* Makes CUPTI record when events happened on the GPU. */
int rcap_cupti_way_set_event_times(void);

/* True if single functions can be switched. @domain: the driver's or the runtime's. */
bool rcap_cupti_way_can_switch(uint32_t domain);
int rcap_cupti_way_switch(uint32_t domain, uint32_t cbid, bool on);

#endif
