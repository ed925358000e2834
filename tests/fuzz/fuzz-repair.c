/* SPDX-License-Identifier: MIT */
/* See fuzz-repair.h. */
#include "tests/fuzz/fuzz-repair.h"

#include <string.h>

#include "format/chunk.h"
#include "format/codec.h"
#include "format/wire.h"

static uint32_t get32(const uint8_t *at)
{
	return at[0] | (uint32_t) at[1] << 8 | (uint32_t) at[2] << 16 | (uint32_t) at[3] << 24;
}

static void put32(uint8_t *at, uint32_t value)
{
	for (int i = 0; i < 4; i++) {
		at[i] = (uint8_t) (value >> (8 * i));
	}
}

void fuzz_repair(uint8_t *data, size_t size)
{
	static const uint8_t marker[RLOG_MARKER_BYTES] = RLOG_MARKER;
	size_t at = 0;

	while (size - at >= RLOG_HEADER_BYTES) {
		uint32_t stored = get32(data + at + 24);

		if (stored > size - at - RLOG_HEADER_BYTES) {
			stored = (uint32_t) (size - at - RLOG_HEADER_BYTES);
			put32(data + at + 24, stored);
		}
		memcpy(data + at, marker, sizeof(marker));
		memcpy(data + at + 4, data + 4, 4);
		data[at + 8] = RLOG_FORMAT_VERSION;
		put32(data + at + 56, rlog_codec_crc(data + at + RLOG_HEADER_BYTES, stored));
		put32(data + at + 60, rlog_codec_crc(data + at, 60));
		at += RLOG_HEADER_BYTES + stored;
	}
}
