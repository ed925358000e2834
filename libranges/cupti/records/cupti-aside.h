/* SPDX-License-Identifier: MIT */
/*
 * Has a thread of ours call CUPTI for a thread of the program: whatever CUPTI does, also never to
 * return, that one waits a while only.
 */
#ifndef RCAP_CUPTI_ASIDE_H
#define RCAP_CUPTI_ASIDE_H

#include <stdbool.h>
#include <stdint.h>

typedef void rcap_cupti_aside_fn(uint32_t number, uint64_t value);

/* Before all else here. @wake: wakes the worker. @wait_ms: how long is waited, at most. */
void rcap_cupti_aside_init(void (*wake)(void), uint64_t wait_ms);

/*
 * Has the worker call a function, and waits for that.
 *
 * Return: false if it was not done in time. Then CUPTI is taken to be stuck, nothing is asked for
 * any more until it has come back, and nobody waits as long again.
 * Context: any thread but the worker; not under a lock that the worker may want.
 */
bool rcap_cupti_aside_ask(rcap_cupti_aside_fn *fn, uint32_t number, uint64_t value);

/* Does what is asked for. Context: the worker. */
void rcap_cupti_aside_serve(void);

/* Nothing will be done any more. Context: the worker, at its end. */
void rcap_cupti_aside_close(void);

/* True if somebody has waited for nothing. Context: any. */
bool rcap_cupti_aside_is_stuck(void);

/* CUPTI has come back from what somebody waited for in vain, and there is more to do. Context: the
 * worker, while it serves. */
void rcap_cupti_aside_revive(void);

/* Waits until nobody has waited for nothing any more. Return: false if it is not so by then (ns of
 * CLOCK_MONOTONIC). Context: any. */
bool rcap_cupti_aside_await(uint64_t until_ns);

#endif
