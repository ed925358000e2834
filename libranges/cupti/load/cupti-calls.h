/* SPDX-License-Identifier: MIT */
/* Decides which calls of CUDA's APIs are recorded, and under which names. */
#ifndef RCAP_CUPTI_CALLS_H
#define RCAP_CUPTI_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "libranges/abi/cupti-abi.h"

/* Sets what to record. @kinds: enum rcap_cupti_kinds. Context: once, before all else here. */
void rcap_cupti_calls_init(unsigned kinds);

/* rcap_cupti_calls_name() returns it for calls that are not recorded. */
#define RCAP_CUPTI_CALLS_LEFT_OUT UINT32_MAX

/*
 * String id of an API function. @domain: RCAP_CUPTI_DOMAIN_DRIVER or _RUNTIME.
 *
 * Context: one thread at a time (the converter); no malloc.
 */
uint32_t rcap_cupti_calls_name(uint32_t domain, uint32_t cbid);

/* True if calls of this function are recorded. Context: any. */
bool rcap_cupti_calls_is_wanted(uint32_t domain, const char *name);

/* Functions for which CUPTI calls us back. */
enum rcap_cupti_calls_watch {
	RCAP_CUPTI_CALLS_NOT_WATCHED,
	RCAP_CUPTI_CALLS_ENDS_CONTEXT,   /* CUPTI then loses the records of that context */
	RCAP_CUPTI_CALLS_PROFILER_START, /* of the runtime or the driver, like all here */
	RCAP_CUPTI_CALLS_PROFILER_STOP,
	RCAP_CUPTI_CALLS_MAPS,
	RCAP_CUPTI_CALLS_UNMAPS,
	RCAP_CUPTI_CALLS_INSTANTIATES, /* instantiates a graph */
	RCAP_CUPTI_CALLS_INSTANTIATED, /* end of that call */
};

/* Why a function is watched. Context: any. */
enum rcap_cupti_calls_watch rcap_cupti_calls_watch(uint32_t domain, const char *name);

/*
 * A runtime call that calls the driver makes two records with the same correlation id. The
 * runtime's record is the call that the program wrote. The driver's record, its twin, is dropped
 * unless the user wants to see driver calls. Either record may come first, and in any buffer, so
 * driver calls are put on hold for a while. Context of all functions: the converter.
 */
struct rcap_cupti_call {
	struct rcap_cupti_api api;
	uint32_t name;
};

/* True if the call launched a CUDA graph. */
bool rcap_cupti_calls_is_graph_launch(const struct rcap_cupti_call *call);

/* Handles a driver call. Return: true if `out` is a call to be written now. */
bool rcap_cupti_calls_hold(const struct rcap_cupti_call *call, struct rcap_cupti_call *out);

/* Handles a runtime call. Return: as above. */
bool rcap_cupti_calls_meet(uint32_t correlation, struct rcap_cupti_call *out);

/*
 * Releases a call that is on hold since the round before, or with `all` any call. Call it until it
 * returns false.
 *
 * @at: position in the round; 0 starts one. Return: as above; false: the round is over.
 */
bool rcap_cupti_calls_settle(bool all, uint32_t *at, struct rcap_cupti_call *out);

#endif
