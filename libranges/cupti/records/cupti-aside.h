/* SPDX-License-Identifier: MIT */
/*
 * Lets a thread of ours, the worker, call CUPTI on behalf of a thread of the program. So the
 * program's thread waits only for a limited time, even if CUPTI never returns.
 */
#ifndef RCAP_CUPTI_ASIDE_H
#define RCAP_CUPTI_ASIDE_H

#include <stdbool.h>
#include <stdint.h>

typedef void rcap_cupti_aside_fn(uint32_t number, uint64_t value);

/* Call it before all else here. @wake: wakes the worker. @wait_ms: how long to wait at most. */
void rcap_cupti_aside_init(void (*wake)(void), uint64_t wait_ms);

/*
 * Lets the worker call a function, and waits until it returns.
 *
 * Return: false if it has not returned in time. Then CUPTI counts as stuck: no request is made
 * until CUPTI has returned, and no later wait is as long.
 * Context: any thread but the worker; not under a lock that the worker may want.
 */
bool rcap_cupti_aside_ask(rcap_cupti_aside_fn *fn, uint32_t number, uint64_t value);

/* Executes the request, if there is one. Context: the worker. */
void rcap_cupti_aside_serve(void);

/* Ends the service: later requests are not executed. Context: the worker, at its end. */
void rcap_cupti_aside_close(void);

/* True if a wait has timed out and CUPTI has not come back. Context: any. */
bool rcap_cupti_aside_is_stuck(void);

/* Notes that CUPTI has returned from the request that timed out, although more work is left.
 * Context: the worker, while it serves. */
void rcap_cupti_aside_revive(void);

/* Waits until CUPTI is no longer stuck. Return: false if it still is at `until_ns`
 * (CLOCK_MONOTONIC). Context: any. */
bool rcap_cupti_aside_await(uint64_t until_ns);

#endif
