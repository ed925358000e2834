/* SPDX-License-Identifier: MIT */
/*
 * Calls of CUPTI in the way in which it was claimed: alone, or as one subscriber of several
 * (NVIDIA's _v2). The two do not mix in a process: who calls in the other way is told
 * NOT_COMPATIBLE.
 *
 * Return of all: CUPTI's code.
 */
#ifndef RCAP_CUPTI_WAY_H
#define RCAP_CUPTI_WAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libranges/abi/cupti-abi.h"

/* @subscriber: of several; NULL: we are alone. Context: once, before the others. */
void rcap_cupti_way_choose(void *subscriber);

/* Context: any. */
bool rcap_cupti_way_is_shared(void);

int rcap_cupti_way_register(rcap_cupti_requested_fn *requested, rcap_cupti_completed_fn *completed);

/* @also_old: what is there already is told of too, if the library can do that. */
int rcap_cupti_way_enable(uint32_t kind, bool also_old);
int rcap_cupti_way_disable(uint32_t kind);

/* Records that CUPTI had no room for, since the last time. */
int rcap_cupti_way_get_dropped(size_t *count);

/* Buffers are zero when CUPTI gets them. */
int rcap_cupti_way_set_zeroed(void);
/* Threads have the kernel's numbers. */
int rcap_cupti_way_set_tids(void);
/* Times of all records by `now`. Not beside others: who is there shares one clock. */
int rcap_cupti_way_set_clock(rcap_cupti_time_fn *now);
/* When launches were queued. */
int rcap_cupti_way_set_latency(void);
/* When events happened on the GPU. */
int rcap_cupti_way_set_event_times(void);

/* True if a function can be switched by itself. @domain: the driver's or the runtime's. */
bool rcap_cupti_way_can_switch(uint32_t domain);
int rcap_cupti_way_switch(uint32_t domain, uint32_t cbid, bool on);

#endif
