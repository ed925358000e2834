/* SPDX-License-Identifier: MIT */
/* Decides which calls of CUDA's APIs are recorded, and under which names. */
#ifndef RCAP_CUPTI_CALLS_H
#define RCAP_CUPTI_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "libranges/abi/cupti-abi.h"

/* Sets what to record. @kinds: enum rcap_cupti_kinds. Context: once, before all other functions
 * here. */
void rcap_cupti_calls_init(unsigned kinds);

/* What rcap_cupti_calls_name() returns for calls that are not recorded. */
#define RCAP_CUPTI_CALLS_LEFT_OUT UINT32_MAX

/*
 * Returns the string id of an API function's name. @domain: RCAP_CUPTI_DOMAIN_DRIVER or _RUNTIME.
 *
 * Context: one thread at a time (the converter); no malloc.
 */
uint32_t rcap_cupti_calls_name(uint32_t domain, uint32_t cbid);

/* True if calls of this function are recorded. Context: any. */
bool rcap_cupti_calls_is_wanted(uint32_t domain, const char *name);

/* Why a function is watched: CUPTI calls us back at its begin and its end. */
enum rcap_cupti_calls_watch {
	RCAP_CUPTI_CALLS_NOT_WATCHED,
	RCAP_CUPTI_CALLS_ENDS_CONTEXT,   /* destroys a context; CUPTI then loses the context's
	                                  * records */
	RCAP_CUPTI_CALLS_PROFILER_START, /* a function of the runtime or the driver, like all
	                                  * here */
	RCAP_CUPTI_CALLS_PROFILER_STOP,
	RCAP_CUPTI_CALLS_MAPS,
	RCAP_CUPTI_CALLS_UNMAPS,
	RCAP_CUPTI_CALLS_INSTANTIATES, /* begin of a call that instantiates a graph */
	RCAP_CUPTI_CALLS_INSTANTIATED, /* end of such a call */
};

/* Returns why a function is watched. Context: any. */
enum rcap_cupti_calls_watch rcap_cupti_calls_watch(uint32_t domain, const char *name);

/*
 * A runtime call that calls the driver makes two records with the same correlation id. The
 * runtime's record is the call that the program made. The driver's record, its twin, is dropped
 * unless the user wants to see driver calls. The two may come in any order, and in different
 * buffers, so driver calls are put on hold for a while. Context of all functions: the converter.
 */
struct rcap_cupti_call {
	struct rcap_cupti_api api;
	uint32_t name;
};

/* True if the call has launched a CUDA graph. */
bool rcap_cupti_calls_is_graph_launch(const struct rcap_cupti_call *call);

/* Handles a driver call. Puts the call on hold, drops it, or writes it. Return: true if `out` gets
 * a call that must be written now. */
bool rcap_cupti_calls_hold(const struct rcap_cupti_call *call, struct rcap_cupti_call *out);

/* Handles a runtime call. Return: as rcap_cupti_calls_hold(). */
bool rcap_cupti_calls_meet(uint32_t correlation, struct rcap_cupti_call *out);

/*
 * Releases one call that has been on hold since before this round; with `all` releases any call.
 * Call it until it returns false.
 *
 * @at: position in the round; 0 begins a round. Return: true if `out` gets a call that must be
 * written; false if the round is over.
 */
bool rcap_cupti_calls_settle(bool all, uint32_t *at, struct rcap_cupti_call *out);

#endif
