/* SPDX-License-Identifier: MIT */
/*
 * Which kinds of records, and of which calls, CUPTI is asked for; what of it is on. Context of all:
 * one thread at a time (who starts CUPTI, then the worker), outside of CUPTI's callbacks.
 */
#ifndef RCAP_CUPTI_ENABLE_H
#define RCAP_CUPTI_ENABLE_H

#include <stdbool.h>
#include <stdint.h>

/* Functions have lower numbers. */
#define RCAP_CUPTI_MAX_CBID 2048u

/* What describes is switched on at once, also if the rest waits for cudaProfilerStart(). */
#define RCAP_CUPTI_DESCRIPTIONS                                                 \
	(UINT64_C(1) << RCAP_CUPTI_DEVICE | UINT64_C(1) << RCAP_CUPTI_CONTEXT | \
	 UINT64_C(1) << RCAP_CUPTI_STREAM)

/* @result: CUPTI's code. Return: true if it is none of a failure; else a status line says that
 * `what` failed. */
bool rcap_cupti_enable_check(int result, const char *what);

/* The next function of an API that has a name: begin with *cbid = 0. Return: its name; NULL: there
 * is none. */
const char *rcap_cupti_enable_next(uint32_t domain, uint32_t *cbid);

/* @is_late: what CUPTI describes may be older, and it is asked for that, too. Return: true if the
 * kind is on; else a status line says why not, unless the library does not know it. */
bool rcap_cupti_enable_kind(uint32_t kind, bool is_late);

/* Of the kinds in `which` (a bit each) those that `kinds` (enum rcap_cupti_kinds) asks for. */
void rcap_cupti_enable_kinds(unsigned kinds, bool is_late, uint64_t which);

/* Calls of both APIs. They come last, so that no launch is known whose work is not. */
void rcap_cupti_enable_calls(unsigned kinds);

/* Kinds, a bit each. */
void rcap_cupti_enable_off(uint64_t which);

/* Calls of the driver. Those of the runtime are a kind. */
void rcap_cupti_enable_driver_off(void);

bool rcap_cupti_enable_is_on(uint32_t kind);

#endif
