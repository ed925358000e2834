/* SPDX-License-Identifier: MIT */
/* Turns CUPTI's records into events of the log. */
#ifndef RCAP_CUPTI_RECORDS_H
#define RCAP_CUPTI_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "libranges/cupti/records/cupti-buffers.h"
#include "libranges/record/record.h"
#include "libranges/record/thread.h"

/* Prepares the conversion. Call it before all other functions here. @is_monotonic: times are
 * CLOCK_MONOTONIC; false: CLOCK_REALTIME. */
void rcap_cupti_records_open(bool is_monotonic);

/*
 * Replaces pointers to texts in a buffer's records by string ids, because the texts may not exist
 * any more when the buffer is converted.
 *
 * Context: CUPTI's completion callback, any thread; no malloc.
 */
void rcap_cupti_records_keep_texts(uint8_t *bytes, size_t valid_bytes);

/* Returns the number of records in a buffer. Follows no pointers. Context: as
 * rcap_cupti_records_keep_texts(). */
uint64_t rcap_cupti_records_count(uint8_t *bytes, size_t valid_bytes);

/*
 * Writes the records of a buffer to the GPU's stream.
 *
 * @has_tids: CUPTI gives OS thread ids.
 * @wait_until_ns: CLOCK_MONOTONIC. Until then events wait for room in the spool. Later they are
 * lost if there is none.
 * Context: one thread at a time, no thread that launches work.
 */
void rcap_cupti_records_convert(struct rcap_thread *gpu, struct rcap_cupti_buffer *buffer,
                                bool has_tids, uint64_t wait_until_ns);

/* Writes an event that comes from a callback, not from a record. Context: as
 * rcap_cupti_records_convert(). */
void rcap_cupti_records_put(struct rcap_thread *gpu, const struct rcap_timed *event,
                            uint64_t wait_until_ns);

/*
 * Writes the driver calls that have been on hold since the previous call of this function. Their
 * runtime calls would have come by now. With `all` it writes all driver calls on hold.
 *
 * Context: as rcap_cupti_records_convert().
 */
void rcap_cupti_records_settle(struct rcap_thread *gpu, bool has_tids, bool all,
                               uint64_t wait_until_ns);

/* Makes operations without an end be counted as still running at the program's end. Context: as
 * rcap_cupti_records_convert(). */
void rcap_cupti_records_cut(void);

#endif
