/* SPDX-License-Identifier: MIT */
/* Claims CUPTI: beside other profilers where it can be shared, else alone. */
#ifndef RCAP_CUPTI_SUBSCRIBE_H
#define RCAP_CUPTI_SUBSCRIBE_H

#include <stdbool.h>

#include "libranges/abi/cupti-abi.h"

struct rcap_cupti_subscription {
	void *subscriber;
	bool is_monotonic; /* shared, and its times are CLOCK_MONOTONIC: another one's clock */
};

/*
 * Claims the first library that lets us. Alone, no other profiler may have it, and none can from
 * now on; shared (RANGES_CUDA_SHARED), all may that share it too.
 *
 * @wanted: RANGES_CUPTI_PATH, "" if not set. @event: is called from then on.
 * Return: false: there is none; a status line says why, about the one that fits best.
 * Context: any thread, outside of locks; the capture has started.
 */
bool rcap_cupti_subscribe_claim(struct rcap_cupti_subscription *out, const char *wanted,
                                rcap_cupti_callback_fn *event);

/* Says in the log with whom it is shared, or why it is not. Context: behind the above. */
void rcap_cupti_subscribe_tell(void);

#endif
