/* SPDX-License-Identifier: MIT */
/* Which calls of CUDA's APIs are recorded, under which names. */
#ifndef RCAP_CUPTI_CALLS_H
#define RCAP_CUPTI_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "libranges/abi/cupti-abi.h"

/* Says what is wanted. @kinds: enum rcap_cupti_kinds. Context: once, before all else here. */
void rcap_cupti_calls_init(unsigned kinds);

/* What rcap_cupti_calls_name() says of calls that are not recorded. */
#define RCAP_CUPTI_CALLS_LEFT_OUT UINT32_MAX

/*
 * String id of an API function. @domain: RCAP_CUPTI_DOMAIN_DRIVER or _RUNTIME.
 *
 * Context: one thread at a time (the converter); no malloc.
 */
uint32_t rcap_cupti_calls_name(uint32_t domain, uint32_t cbid);

/* True if calls of this function are worth a record. Context: any. */
bool rcap_cupti_calls_is_wanted(uint32_t domain, const char *name);

/* Functions at which CUPTI calls us. */
enum rcap_cupti_calls_watch {
	RCAP_CUPTI_CALLS_NOT_WATCHED,
	RCAP_CUPTI_CALLS_ENDS_CONTEXT,   /* and with it what CUPTI has of it */
	RCAP_CUPTI_CALLS_PROFILER_START, /* of the runtime or the driver, as all here */
	RCAP_CUPTI_CALLS_PROFILER_STOP,
	RCAP_CUPTI_CALLS_MAPS,
	RCAP_CUPTI_CALLS_UNMAPS,
	RCAP_CUPTI_CALLS_INSTANTIATES, /* a graph */
	RCAP_CUPTI_CALLS_INSTANTIATED, /* the end of that call */
};

/* What a function is watched for. Context: any. */
enum rcap_cupti_calls_watch rcap_cupti_calls_watch(uint32_t domain, const char *name);

/*
 * A call of the runtime that calls the driver makes two records with one correlation id. The
 * runtime's is what the program wrote; the driver's, its twin, is dropped unless the program's user
 * wants to see the driver. Which of both comes first, and in which buffer, is not known: calls of
 * the driver are held back a while. Context of all of it: the converter.
 */
struct rcap_cupti_call {
	struct rcap_cupti_api api;
	uint32_t name;
};

/* True for one that launched a CUDA graph. */
bool rcap_cupti_calls_is_graph_launch(const struct rcap_cupti_call *call);

/* A call of the driver has come. Return: true if `out` got a call that is to be written now. */
bool rcap_cupti_calls_hold(const struct rcap_cupti_call *call, struct rcap_cupti_call *out);

/* A call of the runtime has come. Return: as above. */
bool rcap_cupti_calls_meet(uint32_t correlation, struct rcap_cupti_call *out);

/*
 * Ends the wait of what is held since the round before, or of all.
 *
 * @at: where the round stands; 0 begins one. Return: as above; false: the round is over.
 */
bool rcap_cupti_calls_settle(bool all, uint32_t *at, struct rcap_cupti_call *out);

#endif
