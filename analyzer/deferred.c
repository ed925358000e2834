/* SPDX-License-Identifier: MIT */
/* Deferred events and batches of counters: calls that bring their own times. */
#include "analyzer/deferred.h"

/* nvtxEventSubmit, nvtxEventBatchSubmit, nvtxCounterBatchSubmit */
#define EVENT_SUBMIT  0x1210
#define EVENT_BATCH   0x1211
#define COUNTER_BATCH 0x1405

bool ra_deferred_is_wanted(uint64_t function)
{
	return function == EVENT_SUBMIT || function == EVENT_BATCH || function == COUNTER_BATCH;
}
