/* SPDX-License-Identifier: MIT */
/* The fixed bytes of a log: chunk header and trailer, built and verified (doc/format.md sections 3,
 * 9). */
#ifndef RLOG_CHUNK_H
#define RLOG_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/wire.h"

struct rlog_chunk_header {
	uint64_t sequence;
	uint64_t first_ticks;
	uint64_t last_ticks;
	uint32_t tag;
	uint32_t stream;
	uint32_t stored_bytes;
	uint32_t raw_bytes;
	uint32_t count;
	uint32_t lost;
	uint32_t payload_crc;
	uint16_t flags;
	uint8_t version;
	uint8_t type;
};

struct rlog_chunk_trailer {
	uint64_t index_off;
	uint64_t file_bytes;
	uint64_t chunks;
	uint32_t tag;
};

/* Encodes a header with its CRC. The version is always RLOG_FORMAT_VERSION. */
void rlog_chunk_write_header(uint8_t out[RLOG_HEADER_BYTES],
                             const struct rlog_chunk_header *header);

/*
 * Decodes a header of any version.
 *
 * Return: false if the marker or the CRC is wrong. Nothing else is checked.
 */
bool rlog_chunk_read_header(struct rlog_chunk_header *header,
                            const uint8_t bytes[RLOG_HEADER_BYTES]);

/* Returns in words the first limit that a header of our version breaks; NULL if it breaks none. */
const char *rlog_chunk_find_fault(const struct rlog_chunk_header *header);

void rlog_chunk_write_trailer(uint8_t out[RLOG_TRAILER_BYTES],
                              const struct rlog_chunk_trailer *trailer);

/* Decodes a trailer. Return: false if the magic or the CRC is wrong. */
bool rlog_chunk_read_trailer(struct rlog_chunk_trailer *trailer,
                             const uint8_t bytes[RLOG_TRAILER_BYTES]);

#endif
