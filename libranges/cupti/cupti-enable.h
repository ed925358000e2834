/* SPDX-License-Identifier: MIT */
/*
 * Asks CUPTI for kinds of records and for records of calls, and knows which are on. Context of all:
 * one thread at a time (the one that starts CUPTI, then the worker), outside of CUPTI's callbacks.
 */
#ifndef RCAP_CUPTI_ENABLE_H
#define RCAP_CUPTI_ENABLE_H

#include <stdbool.h>
#include <stdint.h>

/* All functions have lower numbers. */
#define RCAP_CUPTI_MAX_CBID 2048u

/* Descriptions are switched on at once, even if the rest waits for cudaProfilerStart(). */
#define RCAP_CUPTI_DESCRIPTIONS                                                 \
	(UINT64_C(1) << RCAP_CUPTI_DEVICE | UINT64_C(1) << RCAP_CUPTI_CONTEXT | \
	 UINT64_C(1) << RCAP_CUPTI_STREAM)

/* @result: CUPTI's code. Return: true if it means success; else a status line says that `what`
 * failed. */
bool rcap_cupti_enable_check(int result, const char *what);

/* The next function of an API that has a name: start with *cbid = 0. Return: its name; NULL:
 * there is none. */
const char *rcap_cupti_enable_next(uint32_t domain, uint32_t *cbid);

/* Switches a kind on. @is_late: also asks CUPTI to describe what exists already. Return: true if
 * the kind is on; else a status line says why not, unless the library does not know the kind. */
bool rcap_cupti_enable_kind(uint32_t kind, bool is_late);

/* Switches on the kinds in `which` (a bit each) that `kinds` (enum rcap_cupti_kinds) asks for. */
void rcap_cupti_enable_kinds(unsigned kinds, bool is_late, uint64_t which);

/* Switches on calls of both APIs. Call it last: otherwise a launch could be recorded without its
 * work. */
void rcap_cupti_enable_calls(unsigned kinds);

/* Switches kinds off, a bit each. */
void rcap_cupti_enable_off(uint64_t which);

/* Switches driver calls off. Runtime calls are a kind. */
void rcap_cupti_enable_driver_off(void);

bool rcap_cupti_enable_is_on(uint32_t kind);

#endif
