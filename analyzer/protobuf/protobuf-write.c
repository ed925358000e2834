/* SPDX-License-Identifier: MIT */
/* Writes the fields of protobuf messages. */
#include "analyzer/protobuf/protobuf-write.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/protobuf/protobuf.h"

/* Room for the length of a message, which is known only at the message's end: 28 bits. Protobuf
 * allows a varint to be longer than necessary. */
#define LENGTH_BYTES 4u

void ra_protobuf_bytes_fini(struct ra_protobuf_bytes *bytes)
{
	free(bytes->bytes);
	*bytes = (struct ra_protobuf_bytes){ 0 };
}

void ra_protobuf_bytes_put(struct ra_protobuf_bytes *bytes, const void *from, size_t count)
{
	if (count > 0) {
		memcpy(ra_protobuf_bytes_reserve(bytes, count), from, count);
		bytes->used += count;
	}
}

static void put_varint(struct ra_protobuf_bytes *bytes, uint64_t value)
{
	uint8_t *place = ra_protobuf_bytes_reserve(bytes, RA_PROTOBUF_NUMBER_BYTES);

	bytes->used = (size_t) (ra_protobuf_write_number(place, value) - bytes->bytes);
}

static void put_key(struct ra_protobuf_bytes *bytes, uint32_t field, enum ra_protobuf_wire wire)
{
	put_varint(bytes, (uint64_t) field << 3 | (uint64_t) wire);
}

void ra_protobuf_write_varint(struct ra_protobuf_bytes *bytes, uint32_t field, uint64_t value)
{
	uint8_t *place = ra_protobuf_bytes_reserve(bytes, 2 * RA_PROTOBUF_NUMBER_BYTES);

	place = ra_protobuf_write_number(place, (uint64_t) field << 3 | RA_PROTOBUF_VARINT);
	bytes->used = (size_t) (ra_protobuf_write_number(place, value) - bytes->bytes);
}

static uint8_t *write_eight(uint8_t *place, uint64_t value)
{
	for (unsigned int i = 0; i < 8; i++) {
		*place++ = (uint8_t) (value >> (8 * i));
	}
	return place;
}

uint8_t *ra_protobuf_write_bits(uint8_t *place, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return write_eight(place, bits);
}

void ra_protobuf_write_fixed64(struct ra_protobuf_bytes *bytes, uint32_t field, uint64_t value)
{
	uint8_t *place = ra_protobuf_bytes_reserve(bytes, RA_PROTOBUF_NUMBER_BYTES + 8);

	place = ra_protobuf_write_number(place, (uint64_t) field << 3 | RA_PROTOBUF_FIXED64);
	bytes->used = (size_t) (write_eight(place, value) - bytes->bytes);
}

void ra_protobuf_write_double(struct ra_protobuf_bytes *bytes, uint32_t field, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	ra_protobuf_write_fixed64(bytes, field, bits);
}

void ra_protobuf_write_text(struct ra_protobuf_bytes *bytes, uint32_t field, const void *text,
                            size_t length)
{
	put_key(bytes, field, RA_PROTOBUF_BYTES);
	put_varint(bytes, length);
	ra_protobuf_bytes_put(bytes, text, length);
}

size_t ra_protobuf_write_open(struct ra_protobuf_bytes *bytes, uint32_t field)
{
	static const uint8_t room[LENGTH_BYTES];

	put_key(bytes, field, RA_PROTOBUF_BYTES);
	ra_protobuf_bytes_put(bytes, room, sizeof(room));
	return bytes->used;
}

void ra_protobuf_write_close(struct ra_protobuf_bytes *bytes, size_t opened)
{
	const size_t length = bytes->used - opened;
	uint8_t *place = bytes->bytes + opened;

	/* most messages are shorter than this; a length of one byte instead of four saves three */
	if (length < 0x80) {
		place[-(ptrdiff_t) LENGTH_BYTES] = (uint8_t) length;
		memmove(place - LENGTH_BYTES + 1, place, length);
		bytes->used -= LENGTH_BYTES - 1;
		return;
	}
	if (length >> (7 * LENGTH_BYTES) != 0) {
		ra_alloc_end();
	}
	for (unsigned int i = 0; i < LENGTH_BYTES; i++) {
		const unsigned int more = i + 1 < LENGTH_BYTES ? 0x80 : 0;

		place[(ptrdiff_t) i - (ptrdiff_t) LENGTH_BYTES] =
			(uint8_t) ((length >> (7 * i) & 0x7F) | more);
	}
}
