/* SPDX-License-Identifier: MIT */
/*
 * Asks CUPTI for kinds of records and for records of calls, and knows which are on. Context of all
 * functions: one thread at a time (the one that starts CUPTI, then the worker), outside of CUPTI's
 * callbacks.
 */
#ifndef RCAP_CUPTI_ENABLE_H
#define RCAP_CUPTI_ENABLE_H

#include <stdbool.h>
#include <stdint.h>

/* All functions of CUDA's APIs have lower numbers. */
#define RCAP_CUPTI_MAX_CBID 2048u

/* The kinds that describe devices, contexts and streams. They are switched on at once, even if the
 * other kinds wait for cudaProfilerStart(). */
#define RCAP_CUPTI_DESCRIPTIONS                                                 \
	(UINT64_C(1) << RCAP_CUPTI_DEVICE | UINT64_C(1) << RCAP_CUPTI_CONTEXT | \
	 UINT64_C(1) << RCAP_CUPTI_STREAM)

/* Checks a result of CUPTI. @result: CUPTI's code. @what: what was tried. Return: true for success.
 * Otherwise writes a status line that `what` failed. */
bool rcap_cupti_enable_check(int result, const char *what);

/* Returns the name of the next function of an API that has a name; NULL: there are no more. @cbid:
 * the function's number. Start with 0. */
const char *rcap_cupti_enable_next(uint32_t domain, uint32_t *cbid);

/* Switches a kind on. @is_late: true if CUPTI must also describe what exists already. Return: true
 * if the kind is on. Otherwise a status line says why not, unless the library does not know the
 * kind. */
bool rcap_cupti_enable_kind(uint32_t kind, bool is_late);

/* Switches on the kinds that are in `which` (a bit each) and that RANGES_CUDA asks for. @kinds:
 * enum rcap_cupti_kinds. */
void rcap_cupti_enable_kinds(unsigned kinds, bool is_late, uint64_t which);

/* Switches on the calls of both APIs. Call this after the other kinds are on: otherwise a launch
 * could be recorded without its work. */
void rcap_cupti_enable_calls(unsigned kinds);

/* Switches off the kinds in `which`, a bit each. */
void rcap_cupti_enable_off(uint64_t which);

/* Switches off driver calls. (Runtime calls are a kind.) */
void rcap_cupti_enable_driver_off(void);

bool rcap_cupti_enable_is_on(uint32_t kind);

#endif
