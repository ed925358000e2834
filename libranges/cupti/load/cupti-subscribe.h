/* SPDX-License-Identifier: MIT */
/* Subscribes to CUPTI: with other profilers where it can be shared, else alone. */
#ifndef RCAP_CUPTI_SUBSCRIBE_H
#define RCAP_CUPTI_SUBSCRIBE_H

#include <stdbool.h>

#include "libranges/abi/cupti-abi.h"

struct rcap_cupti_subscription {
	void *subscriber;
	bool is_monotonic; /* true if CUPTI is shared, and another subscriber has set the clock to
	                    * CLOCK_MONOTONIC */
};

/*
 * Subscribes to the first library that accepts us. If we subscribe alone, no other profiler can use
 * CUPTI, now or later. If we share it (RANGES_CUDA_SHARED), other profilers can use it if they
 * share it, too.
 *
 * @wanted: RANGES_CUPTI_PATH, "" if not set.
 * @event: CUPTI's callback; called from now on.
 * Return: false if no library accepts us; a status line says why, about the library that fits best.
 * Context: any thread, outside of locks; the capture has started.
 */
bool rcap_cupti_subscribe_claim(struct rcap_cupti_subscription *out, const char *wanted,
                                rcap_cupti_callback_fn *event);

/* Writes to the log which profilers share CUPTI, or why it is not shared. Context: after
 * rcap_cupti_subscribe_claim(). */
void rcap_cupti_subscribe_tell(void);

#endif
