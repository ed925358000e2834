/* SPDX-License-Identifier: MIT */
/* Writes the fields of protobuf messages, of any kind, into a buffer that grows. */
#ifndef RA_PROTOBUF_WRITE_H
#define RA_PROTOBUF_WRITE_H

#include <stddef.h>
#include <stdint.h>

#include "analyzer/base/util.h"

/* A buffer that grows as needed. Zero-initialise. */
struct ra_protobuf_bytes {
	uint8_t *bytes; /* owned */
	size_t used;
	size_t capacity;
};

void ra_protobuf_bytes_fini(struct ra_protobuf_bytes *bytes);
void ra_protobuf_bytes_put(struct ra_protobuf_bytes *bytes, const void *from, size_t count);

/* The bytes from an offset on; NULL if nothing was ever put in. */
static inline const uint8_t *ra_protobuf_bytes_at(const struct ra_protobuf_bytes *bytes,
                                                  size_t offset)
{
	return bytes->bytes == NULL ? NULL : bytes->bytes + offset;
}

/* These append a field to a message. @field: its number. */
void ra_protobuf_write_varint(struct ra_protobuf_bytes *bytes, uint32_t field, uint64_t value);
void ra_protobuf_write_fixed64(struct ra_protobuf_bytes *bytes, uint32_t field, uint64_t value);
void ra_protobuf_write_double(struct ra_protobuf_bytes *bytes, uint32_t field, double value);
void ra_protobuf_write_text(struct ra_protobuf_bytes *bytes, uint32_t field, const void *text,
                            size_t length);

/* A number takes at most this many bytes. */
#define RA_PROTOBUF_NUMBER_BYTES ((size_t) 10)

/* Writes a number that belongs to no field. The caller has made room for it. Return: the place
 * after it. */
static inline uint8_t *ra_protobuf_write_number(uint8_t *place, uint64_t value)
{
	while (value >= 0x80) {
		*place++ = (uint8_t) (value | 0x80);
		value >>= 7;
	}
	*place++ = (uint8_t) value;
	return place;
}

/* Writes the eight bytes of a double in the same way. */
uint8_t *ra_protobuf_write_bits(uint8_t *place, double value);

/* Makes room for `count` more bytes. Return: their place; the caller increases `used`. */
static inline uint8_t *ra_protobuf_bytes_reserve(struct ra_protobuf_bytes *bytes, size_t count)
{
	if (bytes->capacity - bytes->used < count) {
		ra_util_grow(&bytes->bytes, &bytes->capacity, bytes->used + count, 1);
	}
	return bytes->bytes + bytes->used;
}

/* These open and close a nested message, which contains what is written between the two calls. If
 * it has 2^28 bytes or more, close ends the process, as a lack of memory does. Return: the value to
 * pass to close. */
size_t ra_protobuf_write_open(struct ra_protobuf_bytes *bytes, uint32_t field);
void ra_protobuf_write_close(struct ra_protobuf_bytes *bytes, size_t opened);

#endif
