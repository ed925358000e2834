/* SPDX-License-Identifier: MIT */
/* Reads the fields of a protobuf message, one after the other. Any bytes are safe to read. */
#ifndef RA_PROTOBUF_H
#define RA_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/tables.h"

/* The encoding of a field. It decides which members of struct ra_protobuf_field are set. */
enum ra_protobuf_wire {
	RA_PROTOBUF_VARINT = 0,  /* the integer is set */
	RA_PROTOBUF_FIXED64 = 1, /* the integer and the real are set */
	RA_PROTOBUF_BYTES = 2, /* bytes and length are set: a text, a message, or packed numbers */
	RA_PROTOBUF_FIXED32 = 5, /* the integer and the real are set */
};

/*
 * A message in bytes that the caller keeps. A typical loop:
 *
 *	struct ra_protobuf message = ra_protobuf_open(bytes, length, 0);
 *	struct ra_protobuf_field field;
 *
 *	while (ra_protobuf_next(&message, &field)) {
 *		switch (field.number) { … }
 *	}
 *	if (message.damage != NULL) { … }
 */
struct ra_protobuf {
	const uint8_t *at;
	const uint8_t *end;
	uint64_t offset; /* offset of `at` in the file */
	/* why reading ended before the end of the message; NULL: no damage was found */
	const char *damage;
};

struct ra_protobuf_field {
	uint32_t number;
	enum ra_protobuf_wire wire;
	uint64_t integer;
	double real;
	const uint8_t *bytes;
	size_t length;
	bool is_cut;     /* for BYTES: the message ends before the field does, so this is the last
	                    field */
	uint64_t offset; /* offset of the field's value in the file */
};

/* Begins to read a message. @bytes: may be NULL if the length is 0. @offset: where the message is
 * in the file; reports of damage use it. */
static inline struct ra_protobuf ra_protobuf_open(const void *bytes, size_t length, uint64_t offset)
{
	const uint8_t *const next = bytes;

	return (struct ra_protobuf){ next, length > 0 ? next + length : next, offset, NULL };
}

/*
 * Reads the next field. Groups count as damage, because no writer uses them any more.
 *
 * Return: false after the last field, and if the bytes that follow are no field. In the second case
 * message->damage says why, and message->offset says where. If a field of BYTES is longer than the
 * message, the caller gets the bytes that exist, and damage is set at once.
 */
bool ra_protobuf_next(struct ra_protobuf *message, struct ra_protobuf_field *field);

/* Opens the message in a field of BYTES. The message is empty if the field is of another kind. */
struct ra_protobuf ra_protobuf_enter(const struct ra_protobuf_field *field);

/* Returns the text in a field of BYTES, borrowed, and at most 2^32 - 1 bytes of it. It is empty if
 * the field is of another kind. */
struct rlog_string ra_protobuf_text(const struct ra_protobuf_field *field);

#endif
