/* SPDX-License-Identifier: MIT */
/* Carries records from CUPTI to the log: gives buffers to CUPTI, takes them back full, and writes
 * their records to the GPU's stream. */
#ifndef RCAP_CUPTI_FLOW_H
#define RCAP_CUPTI_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Notes that the GPU's capture belongs to this process. Context: before all other functions
 * here. */
void rcap_cupti_flow_begin(void);

/* True in the process that has started the GPU's capture; false in a fork child. There CUDA does
 * not work, CUPTI's threads and ours do not exist, and locks may be held for ever. Context: any. */
bool rcap_cupti_flow_is_here(void);

/*
 * Creates the stream of the GPU's events.
 *
 * @is_monotonic: times are CLOCK_MONOTONIC; false: CLOCK_REALTIME. @has_tids: CUPTI gives OS thread
 * ids. Return: false: no memory.
 */
bool rcap_cupti_flow_open(bool is_monotonic, bool has_tids);

/* CUPTI's callbacks. They do not call CUPTI, because the thread may be one of the program's. */
void rcap_cupti_flow_requested(uint8_t **buffer, size_t *bytes, size_t *max_records);
void rcap_cupti_flow_completed(void *context, uint32_t stream, uint8_t *bytes, size_t size,
                               size_t valid_bytes);

/* Handles a call of cuMemMap or cuMemUnmap. @call: struct rcap_cupti_call_data. Context: CUPTI's
 * callback after the call. */
void rcap_cupti_flow_mapped(const void *call, bool is_unmap);

/* Handles a resource that CUPTI reports. Context: CUPTI's callback. */
void rcap_cupti_flow_told(uint32_t cbid, const void *resource);

/* Counts the records that CUPTI has dropped. Context: the worker. */
void rcap_cupti_flow_ask_dropped(void);

/*
 * Converts and writes the buffers that CUPTI has returned.
 *
 * @wait_until_ns: CLOCK_MONOTONIC. Until then events wait for room in the spool. Later they are
 * lost if there is none.
 * Context: no thread that launches work.
 */
void rcap_cupti_flow_convert(uint64_t wait_until_ns);

/* Does the same, but stops when rcap_cupti_graphs_is_due(). Context: the worker. */
void rcap_cupti_flow_convert_some(void);

/* Writes the events that have been on hold since the previous call, or all that are on hold.
 * Context: as rcap_cupti_flow_convert(). */
void rcap_cupti_flow_settle(bool all, uint64_t wait_until_ns);

/* These handle switches of the capture: the first function handles the next switch, the second one
 * all switches, because no more records will come. Context: as rcap_cupti_flow_convert(). */
void rcap_cupti_flow_advance(void);
void rcap_cupti_flow_close(void);

/* Makes operations without an end be counted as still running at the program's end. Context: as
 * rcap_cupti_flow_convert(). */
void rcap_cupti_flow_cut(void);

/* Notes that the worker has ended. From then on the thread that returns a buffer also writes it. */
void rcap_cupti_flow_end(void);

/* True after rcap_cupti_flow_end(): CUPTI must not be called any more. Context: any. */
bool rcap_cupti_flow_is_over(void);

/* Writes everything, unless another thread is writing and does not finish. Context: the exit
 * handler. */
void rcap_cupti_flow_try_rest(void);

#endif
