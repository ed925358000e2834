/* SPDX-License-Identifier: MIT */
/* Carries records from CUPTI to the log: gives buffers to CUPTI, takes them back full, and writes
 * their records to the GPU's stream. */
#ifndef RCAP_CUPTI_FLOW_H
#define RCAP_CUPTI_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Notes that everything here belongs to this process. Context: before anything else here. */
void rcap_cupti_flow_begin(void);

/* False in a fork child: CUDA does not work there, CUPTI's threads and ours are gone, and locks
 * may be held for ever. Context: any. */
bool rcap_cupti_flow_is_here(void);

/*
 * Creates the stream of the GPU's events.
 *
 * @is_monotonic: times are CLOCK_MONOTONIC, else CLOCK_REALTIME. @has_tids: CUPTI gives OS thread
 * ids. Return: false: no memory.
 */
bool rcap_cupti_flow_open(bool is_monotonic, bool has_tids);

/* CUPTI's callbacks. They do not call CUPTI: the thread may be the program's. */
void rcap_cupti_flow_requested(uint8_t **buffer, size_t *bytes, size_t *max_records);
void rcap_cupti_flow_completed(void *context, uint32_t stream, uint8_t *bytes, size_t size,
                               size_t valid_bytes);

/* The program has called cuMemMap or cuMemUnmap. @call: struct rcap_cupti_call_data. Context:
 * CUPTI's callback after the call. */
void rcap_cupti_flow_mapped(const void *call, bool is_unmap);

/* CUPTI reports a resource. Context: its callback. */
void rcap_cupti_flow_told(uint32_t cbid, const void *resource);

/* Counts the records that CUPTI dropped. Context: the worker. */
void rcap_cupti_flow_ask_dropped(void);

/*
 * Converts and writes the returned buffers.
 *
 * @wait_until_ns: CLOCK_MONOTONIC; until then events wait for room in the spool, then they are
 * lost.
 * Context: no thread that launches work.
 */
void rcap_cupti_flow_convert(uint64_t wait_until_ns);

/* Does the same, but stops when rcap_cupti_graphs_is_due(). Context: the worker. */
void rcap_cupti_flow_convert_some(void);

/* Writes the events that have been on hold since the previous round, or all. Context: as above. */
void rcap_cupti_flow_settle(bool all, uint64_t wait_until_ns);

/* Handle switches of the capture: the first function the next one, the second one all, because
 * nothing more will come. Context: as above. */
void rcap_cupti_flow_advance(void);
void rcap_cupti_flow_close(void);

/* From now on, operations without an end count as still running at the program's end. Context: as
 * above. */
void rcap_cupti_flow_cut(void);

/* Notes that the worker has ended: from then on the thread that returns a buffer writes it. */
void rcap_cupti_flow_end(void);

/* True after rcap_cupti_flow_end(): CUPTI must not be called any more. Context: any. */
bool rcap_cupti_flow_is_over(void);

/* Writes everything, unless another thread is writing and hangs. Context: the exit handler. */
void rcap_cupti_flow_try_rest(void);

#endif
