/* SPDX-License-Identifier: MIT */
/* Protobuf written by hand: bytes of messages, and numbered texts, so that each text is written
 * once. */
#ifndef RA_PFTRACE_PROTO_H
#define RA_PFTRACE_PROTO_H

#include <stddef.h>
#include <stdint.h>

/* Grows as needed. Zero-initialise. */
struct ra_pftrace_bytes {
	uint8_t *bytes; /* owned */
	size_t used;
	size_t capacity;
};

void ra_pftrace_bytes_fini(struct ra_pftrace_bytes *bytes);
void ra_pftrace_bytes_put(struct ra_pftrace_bytes *bytes, const void *from, size_t count);

/* Append a field of a message. @field: its number. */
void ra_pftrace_proto_varint(struct ra_pftrace_bytes *bytes, uint32_t field, uint64_t value);
void ra_pftrace_proto_fixed64(struct ra_pftrace_bytes *bytes, uint32_t field, uint64_t value);
void ra_pftrace_proto_double(struct ra_pftrace_bytes *bytes, uint32_t field, double value);
void ra_pftrace_proto_text(struct ra_pftrace_bytes *bytes, uint32_t field, const void *text,
                           size_t length);

#define RA_PFTRACE_VARINT_BYTES ((size_t) 10)

/* Writes only the number, where there is room. Return: the place after it. */
static inline uint8_t *ra_pftrace_proto_put(uint8_t *place, uint64_t value)
{
	while (value >= 0x80) {
		*place++ = (uint8_t) (value | 0x80);
		value >>= 7;
	}
	*place++ = (uint8_t) value;
	return place;
}

/* Makes room for `count` more bytes. Return: their place; the caller increases `used`. */
uint8_t *ra_pftrace_bytes_reserve(struct ra_pftrace_bytes *bytes, size_t count);

/* A nested message has what is written between these two calls. Return: pass it to close. */
size_t ra_pftrace_proto_open(struct ra_pftrace_bytes *bytes, uint32_t field);
void ra_pftrace_proto_close(struct ra_pftrace_bytes *bytes, size_t opened);

/* Texts numbered from 1. Zero-initialise. */
struct ra_pftrace_texts {
	struct ra_pftrace_bytes bytes; /* the texts, one after the other */
	size_t *ends; /* owned; text i is bytes[ends[i - 1] … ends[i]), ends[0] 0 */
	size_t capacity;
	uint32_t count;
	uint32_t *slots; /* owned; numbers by hash, 0: free */
	size_t slot_count;
};

void ra_pftrace_texts_fini(struct ra_pftrace_texts *texts);

/* Return: the text's number; equal texts have the same. */
uint32_t ra_pftrace_texts_put(struct ra_pftrace_texts *texts, const void *text, size_t length);

/* Return: the text, without a NUL at its end. */
const char *ra_pftrace_texts_get(const struct ra_pftrace_texts *texts, uint32_t number,
                                 size_t *length);

#endif
