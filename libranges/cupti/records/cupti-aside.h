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

/* Prepares the service. Call it before all other functions here. @wake: wakes the worker. @wait_ms:
 * how long a wait takes at most. */
void rcap_cupti_aside_init(void (*wake)(void), uint64_t wait_ms);

/*
 * Lets the worker call a function, and waits until it returns.
 *
 * Return: false if it has not returned in time. CUPTI is then stuck: until it returns, no request
 * is made. Later waits are shorter.
 * Context: any thread but the worker; not under a lock that the worker may take.
 */
bool rcap_cupti_aside_ask(rcap_cupti_aside_fn *fn, uint32_t number, uint64_t value);

/* Serves the request, if there is one. Context: the worker. */
void rcap_cupti_aside_serve(void);

/* Ends the service: later requests are not served. Context: the worker, at its end. */
void rcap_cupti_aside_close(void);

/* True if a wait has timed out and CUPTI has not returned since. Context: any. */
bool rcap_cupti_aside_is_stuck(void);

/* Notes that CUPTI has returned within the request that timed out, although the request is not
 * done. Context: the worker, while it serves the request. */
void rcap_cupti_aside_revive(void);

/* Waits until CUPTI is no longer stuck. Return: false if it still is at `until_ns`
 * (CLOCK_MONOTONIC). Context: any. */
bool rcap_cupti_aside_await(uint64_t until_ns);

#endif
