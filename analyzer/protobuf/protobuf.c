/* SPDX-License-Identifier: MIT */
/* Reads the fields of a protobuf message, one after the other. Any bytes are safe to read. */
#include "analyzer/protobuf/protobuf.h"

#include <string.h>

#define MAX_VARINT_BYTES 10

static void move(struct ra_protobuf *message, size_t count)
{
	message->at += count;
	message->offset += count;
}

/* Reads a varint. Return: false if there is none; then damage is set. */
static bool take_varint(struct ra_protobuf *message, uint64_t *value)
{
	const size_t left = (size_t) (message->end - message->at);
	size_t count = 0;

	*value = 0;
	while (count < left && count < MAX_VARINT_BYTES) {
		const uint8_t byte = message->at[count];

		*value |= (uint64_t) (byte & 0x7F)
		          << (7 * count); /* only one bit of the tenth byte counts */
		count++;
		if (byte < 0x80) {
			move(message, count);
			return true;
		}
	}
	message->damage =
		count == MAX_VARINT_BYTES ? "a number of over 10 bytes" : "the end within a number";
	return false;
}

static bool take_fixed(struct ra_protobuf *message, size_t size, struct ra_protobuf_field *field)
{
	if ((size_t) (message->end - message->at) < size) {
		message->damage = "the end within a number";
		return false;
	}
	for (size_t i = size; i-- > 0;) {
		field->integer = field->integer << 8 | message->at[i];
	}
	if (size == sizeof(double)) {
		memcpy(&field->real, &field->integer, sizeof(field->real));
	} else {
		const uint32_t bits = (uint32_t) field->integer;
		float real;

		memcpy(&real, &bits, sizeof(real));
		field->real = (double) real;
	}
	move(message, size);
	return true;
}

static bool take_bytes(struct ra_protobuf *message, struct ra_protobuf_field *field)
{
	uint64_t length;

	if (!take_varint(message, &length)) {
		return false;
	}
	field->offset = message->offset;
	field->bytes = message->at;
	field->length = (size_t) (message->end - message->at);
	if (length <= field->length) {
		field->length = (size_t) length;
	} else {
		field->is_cut = true;
		message->damage = "a field that ends behind what it is in";
	}
	move(message, field->length);
	return true;
}

bool ra_protobuf_next(struct ra_protobuf *message, struct ra_protobuf_field *field)
{
	const uint64_t offset = message->offset;
	uint64_t key;

	*field = (struct ra_protobuf_field){ 0 };
	if (message->damage != NULL || message->at == message->end || !take_varint(message, &key)) {
		return false;
	}
	field->number = (uint32_t) (key >> 3);
	field->offset = message->offset;
	if (key >> 3 != 0 && key >> 3 <= UINT32_MAX >> 3) {
		switch (key & 7) {
		case RA_PROTOBUF_VARINT:
			field->wire = RA_PROTOBUF_VARINT;
			return take_varint(message, &field->integer);
		case RA_PROTOBUF_FIXED64:
			field->wire = RA_PROTOBUF_FIXED64;
			return take_fixed(message, 8, field);
		case RA_PROTOBUF_BYTES:
			field->wire = RA_PROTOBUF_BYTES;
			return take_bytes(message, field);
		case RA_PROTOBUF_FIXED32:
			field->wire = RA_PROTOBUF_FIXED32;
			return take_fixed(message, 4, field);
		default:
			break;
		}
	}
	message->offset = offset;
	message->damage = "no field begins so";
	return false;
}

struct ra_protobuf ra_protobuf_enter(const struct ra_protobuf_field *field)
{
	static const uint8_t nothing[1];

	return field->wire == RA_PROTOBUF_BYTES
	               ? ra_protobuf_open(field->bytes, field->length, field->offset)
	               : ra_protobuf_open(nothing, 0, field->offset);
}

struct rlog_string ra_protobuf_text(const struct ra_protobuf_field *field)
{
	const uint32_t length = field->length < UINT32_MAX ? (uint32_t) field->length : UINT32_MAX;

	if (field->wire != RA_PROTOBUF_BYTES) {
		return (struct rlog_string){ "", 0, 0 };
	}
	return (struct rlog_string){ (const char *) field->bytes, length, length };
}
