/* SPDX-License-Identifier: MIT */
/* From CUPTI's hands to the log: buffers go out, come back full, and are written to the GPU's
 * stream. */
#ifndef RCAP_CUPTI_FLOW_H
#define RCAP_CUPTI_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The process is the one that all here is of. Context: before anything else of this. */
void rcap_cupti_flow_begin(void);

/* False in a fork child: CUDA does not work there, CUPTI's threads and ours are gone, and locks may
 * be held by nobody. Context: any. */
bool rcap_cupti_flow_is_here(void);

/*
 * Makes the stream of the GPU's events.
 *
 * @is_monotonic: times are CLOCK_MONOTONIC, else CLOCK_REALTIME. @has_tids: CUPTI says OS thread
 * ids. Return: false: no memory.
 */
bool rcap_cupti_flow_open(bool is_monotonic, bool has_tids);

/* CUPTI's callbacks. They do not call it: the thread may be one of the program's. */
void rcap_cupti_flow_requested(uint8_t **buffer, size_t *bytes, size_t *max_records);
void rcap_cupti_flow_completed(void *context, uint32_t stream, uint8_t *bytes, size_t size,
                               size_t valid_bytes);

/* The program has called cuMemMap or cuMemUnmap. @call: struct rcap_cupti_call_data. Context:
 * CUPTI's callback behind the call. */
void rcap_cupti_flow_mapped(const void *call, bool is_unmap);

/* CUPTI tells of a resource. Context: its callback. */
void rcap_cupti_flow_told(uint32_t cbid, const void *resource);

/* Counts what CUPTI could not keep. Context: the worker. */
void rcap_cupti_flow_ask_dropped(void);

/*
 * Writes what has come back.
 *
 * @wait_until_ns: CLOCK_MONOTONIC; as long events wait for room in the spool before they are lost.
 * Context: no thread that launches work.
 */
void rcap_cupti_flow_convert(uint64_t wait_until_ns);

/* As that, up to where rcap_cupti_graphs_is_due(). Context: the worker. */
void rcap_cupti_flow_convert_some(void);

/* Writes what is held back, of the round before or all. Context: as above. */
void rcap_cupti_flow_settle(bool all, uint64_t wait_until_ns);

/* Goes by the next switch of the capture; by all, because nothing more will come. Context: as
 * above. */
void rcap_cupti_flow_advance(void);
void rcap_cupti_flow_close(void);

/* From now on what has no end had not ended when the program did. Context: as above. */
void rcap_cupti_flow_cut(void);

/* The worker does not come any more: what still comes back is written by who brings it. */
void rcap_cupti_flow_end(void);

/* True from then on: CUPTI must not be called any more. Context: any. */
bool rcap_cupti_flow_is_over(void);

/* Writes all there is, unless somebody hangs while he does. Context: the exit handler. */
void rcap_cupti_flow_try_rest(void);

#endif
