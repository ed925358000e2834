/* SPDX-License-Identifier: MIT */
/* Reads the chunks of kept pieces. */
#ifndef RCAP_SNAPSHOT_READ_H
#define RCAP_SNAPSHOT_READ_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "format/chunk.h"
#include "format/codec.h"
#include "format/error.h"
#include "libranges/spool/spool.h"

struct rcap_snapshot_reader {
	const struct rcap_spool *spool; /* borrowed */
	uint8_t *payload;               /* owned; RLOG_MAX_RAW_BYTES bytes, like the next buffer */
	uint8_t *raw;
	struct rlog_codec_inflater *inflater; /* owned */
};

/* Prepares a reader. Return: false if there is no memory. */
bool rcap_snapshot_reader_init(struct rcap_snapshot_reader *reader, const struct rcap_spool *spool);

/* Frees the reader. Safe after a failed init. */
void rcap_snapshot_reader_fini(struct rcap_snapshot_reader *reader);

/* Handles a chunk. @fd, @payload: where the payload is. Return: 0, or -code, which ends the
 * reading. */
typedef int rcap_snapshot_visit_fn(void *context, uint32_t piece,
                                   const struct rlog_chunk_header *header, int fd, off_t payload,
                                   struct rlog_error *err);

/* Calls `visit` for the complete chunks of a piece, in order. Ends at a torn chunk. Return: 0,
 * -RLOG_E_SYSTEM, or the result of `visit`. */
int rcap_snapshot_read_piece(const struct rcap_snapshot_reader *reader, uint32_t piece,
                             rcap_snapshot_visit_fn *visit, void *context, struct rlog_error *err);

/* Reads a payload into reader->payload. Return: false if the payload is torn or damaged. */
bool rcap_snapshot_read_payload(const struct rcap_snapshot_reader *reader,
                                const struct rlog_chunk_header *header, int fd, off_t at);

/* Inflates the payload that was just read. The result is valid until the next payload is read.
 * Return: NULL if the payload is damaged. */
const uint8_t *rcap_snapshot_inflate(const struct rcap_snapshot_reader *reader,
                                     const struct rlog_chunk_header *header);

#endif
