/* SPDX-License-Identifier: MIT */
/* The fields of a protobuf message, one after the other; any bytes are safe to read. */
#ifndef RA_PROTOBUF_H
#define RA_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/tables.h"

/* How a field is written, and so which member of struct ra_protobuf_field has it. */
enum ra_protobuf_wire {
	RA_PROTOBUF_VARINT = 0,  /* integer */
	RA_PROTOBUF_FIXED64 = 1, /* integer; real */
	RA_PROTOBUF_BYTES = 2,   /* bytes and length: a text, a message, packed numbers */
	RA_PROTOBUF_FIXED32 = 5, /* integer; real */
};

/*
 * A message within bytes that the caller keeps. A typical loop:
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
	uint64_t offset;    /* of `at` in the file */
	const char *damage; /* why the reading ended before the message did; NULL: it did not */
};

struct ra_protobuf_field {
	uint32_t number;
	enum ra_protobuf_wire wire;
	uint64_t integer;
	double real;
	const uint8_t *bytes;
	size_t length;
	bool is_cut;     /* of BYTES: more were promised than there are; the field is the last */
	uint64_t offset; /* of its value in the file */
};

/* @offset: of the bytes in the file, for messages about damage. */
static inline struct ra_protobuf ra_protobuf_open(const void *bytes, size_t length, uint64_t offset)
{
	return (struct ra_protobuf){ bytes, (const uint8_t *) bytes + length, offset, NULL };
}

/*
 * The next field. Groups, which nobody writes any more, are damage.
 *
 * Return: false behind the last, and where what follows is no field: message->damage then says why,
 * and message->offset where. A field of BYTES that ends behind the message is given as far as it is
 * there, and damage is set at once.
 */
bool ra_protobuf_next(struct ra_protobuf *message, struct ra_protobuf_field *field);

/* The message in a field of BYTES; an empty one if the field is of another kind. */
struct ra_protobuf ra_protobuf_enter(const struct ra_protobuf_field *field);

/* The text in a field of BYTES, at most 2^32 - 1 of them; borrowed. Empty if it is of another kind.
 */
struct rlog_string ra_protobuf_text(const struct ra_protobuf_field *field);

#endif
