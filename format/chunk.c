/* SPDX-License-Identifier: MIT */
/* Encodes and verifies chunk headers and the trailer, field by field. */
#include "format/chunk.h"

#include <string.h>

#include "format/codec.h"

/* Offsets of a header's fields (doc/format.md section 3). */
enum {
	AT_TAG = 4,
	AT_VERSION = 8,
	AT_TYPE = 9,
	AT_FLAGS = 10,
	AT_STREAM = 12,
	AT_SEQUENCE = 16,
	AT_STORED = 24,
	AT_RAW = 28,
	AT_COUNT = 32,
	AT_LOST = 36,
	AT_FIRST = 40,
	AT_LAST = 48,
	AT_PAYLOAD_CRC = 56,
	AT_HEADER_CRC = 60,
};
_Static_assert(AT_HEADER_CRC + 4 == RLOG_HEADER_BYTES, "the header's size is fixed");

static const uint8_t marker[RLOG_MARKER_BYTES] = RLOG_MARKER;

/* Offsets of the trailer's fields (doc/format.md section 9). */
enum {
	AT_INDEX_OFF = 0,
	AT_FILE_BYTES = 8,
	AT_CHUNKS = 16,
	AT_TRAILER_TAG = 24,
	AT_TRAILER_CRC = 28,
	AT_MAGIC = 32,
	MAGIC_BYTES = 8,
};
_Static_assert(AT_MAGIC + MAGIC_BYTES == RLOG_TRAILER_BYTES, "the trailer's size is fixed");

static void put16(uint8_t *out, uint16_t value)
{
	out[0] = (uint8_t) value;
	out[1] = (uint8_t) (value >> 8);
}

static void put32(uint8_t *out, uint32_t value)
{
	put16(out, (uint16_t) value);
	put16(out + 2, (uint16_t) (value >> 16));
}

static void put64(uint8_t *out, uint64_t value)
{
	put32(out, (uint32_t) value);
	put32(out + 4, (uint32_t) (value >> 32));
}

static uint16_t get16(const uint8_t *in)
{
	return (uint16_t) (in[0] | in[1] << 8);
}

static uint32_t get32(const uint8_t *in)
{
	return get16(in) | (uint32_t) get16(in + 2) << 16;
}

static uint64_t get64(const uint8_t *in)
{
	return get32(in) | (uint64_t) get32(in + 4) << 32;
}

void rlog_chunk_write_header(uint8_t out[RLOG_HEADER_BYTES], const struct rlog_chunk_header *header)
{
	memcpy(out, marker, sizeof(marker));
	put32(out + AT_TAG, header->tag);
	out[AT_VERSION] = RLOG_FORMAT_VERSION;
	out[AT_TYPE] = header->type;
	put16(out + AT_FLAGS, header->flags);
	put32(out + AT_STREAM, header->stream);
	put64(out + AT_SEQUENCE, header->sequence);
	put32(out + AT_STORED, header->stored_bytes);
	put32(out + AT_RAW, header->raw_bytes);
	put32(out + AT_COUNT, header->count);
	put32(out + AT_LOST, header->lost);
	put64(out + AT_FIRST, header->first_ticks);
	put64(out + AT_LAST, header->last_ticks);
	put32(out + AT_PAYLOAD_CRC, header->payload_crc);
	put32(out + AT_HEADER_CRC, rlog_codec_crc(out, AT_HEADER_CRC));
}

bool rlog_chunk_read_header(struct rlog_chunk_header *header,
                            const uint8_t bytes[RLOG_HEADER_BYTES])
{
	if (memcmp(bytes, marker, sizeof(marker)) != 0 ||
	    get32(bytes + AT_HEADER_CRC) != rlog_codec_crc(bytes, AT_HEADER_CRC)) {
		return false;
	}
	header->tag = get32(bytes + AT_TAG);
	header->version = bytes[AT_VERSION];
	header->type = bytes[AT_TYPE];
	header->flags = get16(bytes + AT_FLAGS);
	header->stream = get32(bytes + AT_STREAM);
	header->sequence = get64(bytes + AT_SEQUENCE);
	header->stored_bytes = get32(bytes + AT_STORED);
	header->raw_bytes = get32(bytes + AT_RAW);
	header->count = get32(bytes + AT_COUNT);
	header->lost = get32(bytes + AT_LOST);
	header->first_ticks = get64(bytes + AT_FIRST);
	header->last_ticks = get64(bytes + AT_LAST);
	header->payload_crc = get32(bytes + AT_PAYLOAD_CRC);
	return true;
}

const char *rlog_chunk_find_fault(const struct rlog_chunk_header *header)
{
	if (header->version == 0) {
		return "version 0";
	}
	if (header->raw_bytes > RLOG_MAX_RAW_BYTES) {
		return "more than 1 MiB of payload";
	}
	if (header->stored_bytes > header->raw_bytes + header->raw_bytes / 8 + 1024) {
		return "stored size over its limit";
	}
	if ((header->flags & RLOG_FLAG_STORED) && header->stored_bytes != header->raw_bytes) {
		return "stored size and raw size differ in a chunk that is not compressed";
	}
	if (header->count > header->raw_bytes) {
		return "more rows than bytes";
	}
	if (header->sequence > UINT64_MAX - header->count) {
		return "sequence number over its limit";
	}
	return NULL;
}

void rlog_chunk_write_trailer(uint8_t out[RLOG_TRAILER_BYTES],
                              const struct rlog_chunk_trailer *trailer)
{
	put64(out + AT_INDEX_OFF, trailer->index_off);
	put64(out + AT_FILE_BYTES, trailer->file_bytes);
	put64(out + AT_CHUNKS, trailer->chunks);
	put32(out + AT_TRAILER_TAG, trailer->tag);
	put32(out + AT_TRAILER_CRC, rlog_codec_crc(out, AT_TRAILER_CRC));
	memcpy(out + AT_MAGIC, RLOG_TRAILER_MAGIC, MAGIC_BYTES);
}

bool rlog_chunk_read_trailer(struct rlog_chunk_trailer *trailer,
                             const uint8_t bytes[RLOG_TRAILER_BYTES])
{
	if (memcmp(bytes + AT_MAGIC, RLOG_TRAILER_MAGIC, MAGIC_BYTES) != 0 ||
	    get32(bytes + AT_TRAILER_CRC) != rlog_codec_crc(bytes, AT_TRAILER_CRC)) {
		return false;
	}
	trailer->index_off = get64(bytes + AT_INDEX_OFF);
	trailer->file_bytes = get64(bytes + AT_FILE_BYTES);
	trailer->chunks = get64(bytes + AT_CHUNKS);
	trailer->tag = get32(bytes + AT_TRAILER_TAG);
	return true;
}
