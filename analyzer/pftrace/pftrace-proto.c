/* SPDX-License-Identifier: MIT */
/* Protobuf written by hand: bytes of messages, and numbered texts, so that each text is written
 * once. */
#include "analyzer/pftrace/pftrace-proto.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"

/* How a field's bytes are encoded (protobuf's wire types). */
enum {
	WIRE_VARINT = 0,
	WIRE_FIXED64 = 1,
	WIRE_BYTES = 2
};

/* Room for the length of a message, which is known only at its end: 28 bits. Protobuf allows a
 * varint to be longer than necessary. */
#define LENGTH_BYTES 4u

uint8_t *ra_pftrace_bytes_reserve(struct ra_pftrace_bytes *bytes, size_t count)
{
	ra_util_grow(&bytes->bytes, &bytes->capacity, bytes->used + count, 1);
	return bytes->bytes + bytes->used;
}

void ra_pftrace_bytes_fini(struct ra_pftrace_bytes *bytes)
{
	free(bytes->bytes);
	*bytes = (struct ra_pftrace_bytes){ 0 };
}

void ra_pftrace_bytes_put(struct ra_pftrace_bytes *bytes, const void *from, size_t count)
{
	if (count > 0) {
		memcpy(ra_pftrace_bytes_reserve(bytes, count), from, count);
		bytes->used += count;
	}
}

static void put_varint(struct ra_pftrace_bytes *bytes, uint64_t value)
{
	uint8_t *place = ra_pftrace_bytes_reserve(bytes, RA_PFTRACE_VARINT_BYTES);

	bytes->used = (size_t) (ra_pftrace_proto_put(place, value) - bytes->bytes);
}

static void put_key(struct ra_pftrace_bytes *bytes, uint32_t field, uint32_t wire)
{
	put_varint(bytes, (uint64_t) field << 3 | wire);
}

void ra_pftrace_proto_varint(struct ra_pftrace_bytes *bytes, uint32_t field, uint64_t value)
{
	uint8_t *place = ra_pftrace_bytes_reserve(bytes, 2 * RA_PFTRACE_VARINT_BYTES);

	place = ra_pftrace_proto_put(place, (uint64_t) field << 3 | WIRE_VARINT);
	bytes->used = (size_t) (ra_pftrace_proto_put(place, value) - bytes->bytes);
}

void ra_pftrace_proto_fixed64(struct ra_pftrace_bytes *bytes, uint32_t field, uint64_t value)
{
	uint8_t little[8];

	for (unsigned int i = 0; i < sizeof(little); i++) {
		little[i] = (uint8_t) (value >> (8 * i));
	}
	put_key(bytes, field, WIRE_FIXED64);
	ra_pftrace_bytes_put(bytes, little, sizeof(little));
}

void ra_pftrace_proto_double(struct ra_pftrace_bytes *bytes, uint32_t field, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	ra_pftrace_proto_fixed64(bytes, field, bits);
}

void ra_pftrace_proto_text(struct ra_pftrace_bytes *bytes, uint32_t field, const void *text,
                           size_t length)
{
	put_key(bytes, field, WIRE_BYTES);
	put_varint(bytes, length);
	ra_pftrace_bytes_put(bytes, text, length);
}

size_t ra_pftrace_proto_open(struct ra_pftrace_bytes *bytes, uint32_t field)
{
	static const uint8_t room[LENGTH_BYTES];

	put_key(bytes, field, WIRE_BYTES);
	ra_pftrace_bytes_put(bytes, room, sizeof(room));
	return bytes->used;
}

void ra_pftrace_proto_close(struct ra_pftrace_bytes *bytes, size_t opened)
{
	const size_t length = bytes->used - opened;
	uint8_t *place = bytes->bytes + opened;

	if (length < 0x80) { /* most messages are this short, which saves three bytes each */
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

/* ---- texts ---- */

void ra_pftrace_texts_fini(struct ra_pftrace_texts *texts)
{
	ra_pftrace_bytes_fini(&texts->bytes);
	free(texts->ends);
	free(texts->slots);
	*texts = (struct ra_pftrace_texts){ 0 };
}

/* FNV-1a, seeded with an address, so that nobody can make names that collide. */
static uint64_t hash(const struct ra_pftrace_texts *texts, const void *text, size_t length)
{
	const unsigned char *at = text;
	uint64_t sum = UINT64_C(0xcbf29ce484222325) ^ length ^ (uint64_t) (uintptr_t) texts;

	for (size_t i = 0; i < length; i++) {
		sum = (sum ^ at[i]) * UINT64_C(0x100000001b3);
	}
	return sum ^ sum >> 29;
}

const char *ra_pftrace_texts_get(const struct ra_pftrace_texts *texts, uint32_t number,
                                 size_t *length)
{
	*length = texts->ends[number] - texts->ends[number - 1];
	return *length == 0 ? "" : (const char *) texts->bytes.bytes + texts->ends[number - 1];
}

/* Return: the slot of a text, or the free one where it would go. */
static size_t find_slot(const struct ra_pftrace_texts *texts, const void *text, size_t length)
{
	size_t slot = (size_t) hash(texts, text, length) & (texts->slot_count - 1);

	while (texts->slots[slot] != 0) {
		size_t own_length;
		const char *own = ra_pftrace_texts_get(texts, texts->slots[slot], &own_length);

		if (own_length == length && (length == 0 || memcmp(own, text, length) == 0)) {
			break;
		}
		slot = (slot + 1) & (texts->slot_count - 1);
	}
	return slot;
}

/* Doubles the slots, so that at most half are used. */
static void grow_slots(struct ra_pftrace_texts *texts)
{
	const size_t count = texts->slot_count == 0 ? 1024 : texts->slot_count * 2;
	uint32_t *slots = ra_alloc_zeros(count, sizeof(*slots));

	free(texts->slots);
	texts->slots = slots;
	texts->slot_count = count;
	for (uint32_t number = 1; number <= texts->count; number++) {
		size_t length;
		const char *text = ra_pftrace_texts_get(texts, number, &length);

		slots[find_slot(texts, text, length)] = number;
	}
}

uint32_t ra_pftrace_texts_put(struct ra_pftrace_texts *texts, const void *text, size_t length)
{
	size_t slot;

	if (((size_t) texts->count + 1) * 2 > texts->slot_count) {
		grow_slots(texts);
	}
	slot = find_slot(texts, text, length);
	if (texts->slots[slot] == 0) {
		ra_util_grow(&texts->ends, &texts->capacity, (size_t) texts->count + 2,
		             sizeof(*texts->ends));
		texts->ends[0] = 0;
		ra_pftrace_bytes_put(&texts->bytes, text, length);
		texts->ends[++texts->count] = texts->bytes.used;
		texts->slots[slot] = texts->count;
	}
	return texts->slots[slot];
}
