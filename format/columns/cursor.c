/* SPDX-License-Identifier: MIT */
/* The bounded msgpack pull parser. */
#include "format/columns/cursor.h"

#include <string.h>

#include "format/error.h"
#include "format/wire.h"

/* What the first byte of a value says about its head (msgpack specification, "Overview"). */
struct head {
	enum rlog_cursor_kind kind;
	/* bytes of the head after its first byte: the length field, or the number itself */
	uint8_t bytes;
	uint8_t extra;  /* further bytes: the type of an ext, or the whole fixext */
	uint32_t count; /* for short forms: number of elements, pairs or bytes */
};

static struct head head_of(uint8_t first)
{
	static const struct head table[32] = {
		[0x00] = { .kind = RLOG_CURSOR_OTHER }, /* C0 nil */
		[0x01] = { .kind = RLOG_CURSOR_NONE },
		[0x02] = { .kind = RLOG_CURSOR_BOOL },
		[0x03] = { .kind = RLOG_CURSOR_BOOL },
		[0x04] = { .kind = RLOG_CURSOR_TEXT, .bytes = 1 }, /* bin 8, 16, 32 */
		[0x05] = { .kind = RLOG_CURSOR_TEXT, .bytes = 2 },
		[0x06] = { .kind = RLOG_CURSOR_TEXT, .bytes = 4 },
		[0x07] = { .kind = RLOG_CURSOR_OTHER, .bytes = 1, .extra = 1 }, /* ext 8, 16, 32 */
		[0x08] = { .kind = RLOG_CURSOR_OTHER, .bytes = 2, .extra = 1 },
		[0x09] = { .kind = RLOG_CURSOR_OTHER, .bytes = 4, .extra = 1 },
		[0x0A] = { .kind = RLOG_CURSOR_REAL, .bytes = 4 },
		[0x0B] = { .kind = RLOG_CURSOR_REAL, .bytes = 8 },
		[0x0C] = { .kind = RLOG_CURSOR_INT, .bytes = 1 }, /* uint 8 … 64 */
		[0x0D] = { .kind = RLOG_CURSOR_INT, .bytes = 2 },
		[0x0E] = { .kind = RLOG_CURSOR_INT, .bytes = 4 },
		[0x0F] = { .kind = RLOG_CURSOR_INT, .bytes = 8 },
		[0x10] = { .kind = RLOG_CURSOR_INT, .bytes = 1 }, /* int 8 … 64 */
		[0x11] = { .kind = RLOG_CURSOR_INT, .bytes = 2 },
		[0x12] = { .kind = RLOG_CURSOR_INT, .bytes = 4 },
		[0x13] = { .kind = RLOG_CURSOR_INT, .bytes = 8 },
		[0x14] = { .kind = RLOG_CURSOR_OTHER, .extra = 2 }, /* fixext 1, 2, 4, 8, 16 */
		[0x15] = { .kind = RLOG_CURSOR_OTHER, .extra = 3 },
		[0x16] = { .kind = RLOG_CURSOR_OTHER, .extra = 5 },
		[0x17] = { .kind = RLOG_CURSOR_OTHER, .extra = 9 },
		[0x18] = { .kind = RLOG_CURSOR_OTHER, .extra = 17 },
		[0x19] = { .kind = RLOG_CURSOR_TEXT, .bytes = 1 }, /* str 8, 16, 32 */
		[0x1A] = { .kind = RLOG_CURSOR_TEXT, .bytes = 2 },
		[0x1B] = { .kind = RLOG_CURSOR_TEXT, .bytes = 4 },
		[0x1C] = { .kind = RLOG_CURSOR_ARRAY, .bytes = 2 },
		[0x1D] = { .kind = RLOG_CURSOR_ARRAY, .bytes = 4 },
		[0x1E] = { .kind = RLOG_CURSOR_MAP, .bytes = 2 },
		[0x1F] = { .kind = RLOG_CURSOR_MAP, .bytes = 4 },
	};

	if (first < 0x80 || first >= 0xE0) {
		return (struct head){ .kind = RLOG_CURSOR_INT };
	}
	if (first < 0x90) {
		return (struct head){ .kind = RLOG_CURSOR_MAP, .count = first & 0x0F };
	}
	if (first < 0xA0) {
		return (struct head){ .kind = RLOG_CURSOR_ARRAY, .count = first & 0x0F };
	}
	if (first < 0xC0) {
		return (struct head){ .kind = RLOG_CURSOR_TEXT, .count = first & 0x1F };
	}
	return table[first & 0x1F];
}

static uint64_t read_big_endian(const uint8_t *bytes, size_t count)
{
	uint64_t value = 0;

	for (size_t i = 0; i < count; i++) {
		value = value << 8 | bytes[i];
	}
	return value;
}

static size_t bytes_left(const struct rlog_cursor *cursor)
{
	return (size_t) (cursor->end - cursor->pos);
}

/*
 * Takes the head of the next value with its length field. Sets head->count to the number of
 * elements, pairs or bytes that follow, and checks that so many can follow. For numbers and
 * booleans *number is the raw value.
 */
static int take_head(struct rlog_cursor *cursor, struct head *head, uint8_t *first,
                     uint64_t *number)
{
	uint64_t field = 0;
	uint64_t least = 0; /* bytes that follow at least */

	if (cursor->pos == cursor->end) {
		return -RLOG_E_MSGPACK;
	}
	*first = *cursor->pos++;
	*head = head_of(*first);
	if (head->kind == RLOG_CURSOR_NONE || head->bytes > bytes_left(cursor)) {
		return -RLOG_E_MSGPACK;
	}
	field = read_big_endian(cursor->pos, head->bytes);
	cursor->pos += head->bytes;
	*number = field;
	switch (head->kind) {
	case RLOG_CURSOR_TEXT:
	case RLOG_CURSOR_ARRAY:
	case RLOG_CURSOR_OTHER:
		head->count = head->bytes ? (uint32_t) field : head->count;
		least = (uint64_t) head->count + head->extra;
		break;
	case RLOG_CURSOR_MAP:
		head->count = head->bytes ? (uint32_t) field : head->count;
		least = 2 * (uint64_t) head->count;
		break;
	default:
		break;
	}
	return least <= bytes_left(cursor) ? 0 : -RLOG_E_MSGPACK;
}

enum rlog_cursor_kind rlog_cursor_peek(const struct rlog_cursor *cursor)
{
	return cursor->pos == cursor->end ? RLOG_CURSOR_NONE : head_of(*cursor->pos).kind;
}

/* Does the same as take_head(), but accepts only one kind. */
static int take_kind(struct rlog_cursor *cursor, enum rlog_cursor_kind kind, struct head *head,
                     uint64_t *number)
{
	uint8_t first = 0;

	if (rlog_cursor_peek(cursor) != kind) {
		return -RLOG_E_MSGPACK;
	}
	return take_head(cursor, head, &first, number);
}

int rlog_cursor_read_int(struct rlog_cursor *cursor, struct rlog_cursor_int *value)
{
	struct head head;
	uint64_t number = 0;
	uint8_t first = 0;

	if (rlog_cursor_peek(cursor) != RLOG_CURSOR_INT ||
	    take_head(cursor, &head, &first, &number)) {
		return -RLOG_E_MSGPACK;
	}
	if (head.bytes == 0) {
		value->bits = (uint64_t) (int64_t) (int8_t) first;
		value->negative = first >= 0xE0;
		return 0;
	}
	value->bits = number;
	value->negative = false;
	if (first >= 0xD0 && number >> (8 * head.bytes - 1)) {
		const unsigned int unused_bits = 64 - 8u * head.bytes;

		value->bits = (uint64_t) ((int64_t) (number << unused_bits) >> unused_bits);
		value->negative = true;
	}
	return 0;
}

int rlog_cursor_read_real(struct rlog_cursor *cursor, uint64_t *bits)
{
	struct head head;
	uint64_t number = 0;
	uint32_t narrow = 0;
	float single = 0;
	double wide = 0;

	if (take_kind(cursor, RLOG_CURSOR_REAL, &head, &number)) {
		return -RLOG_E_MSGPACK;
	}
	if (head.bytes == 8) {
		*bits = number;
		return 0;
	}
	narrow = (uint32_t) number;
	memcpy(&single, &narrow, sizeof(single));
	wide = single;
	memcpy(bits, &wide, sizeof(wide));
	return 0;
}

int rlog_cursor_read_bool(struct rlog_cursor *cursor, bool *value)
{
	struct head head;
	uint64_t number = 0;
	const uint8_t *const at = cursor->pos;

	if (take_kind(cursor, RLOG_CURSOR_BOOL, &head, &number)) {
		return -RLOG_E_MSGPACK;
	}
	*value = *at == 0xC3;
	return 0;
}

int rlog_cursor_read_text(struct rlog_cursor *cursor, const char **bytes, uint32_t *length)
{
	struct head head;
	uint64_t number = 0;

	if (take_kind(cursor, RLOG_CURSOR_TEXT, &head, &number)) {
		return -RLOG_E_MSGPACK;
	}
	*bytes = (const char *) cursor->pos;
	*length = head.count;
	cursor->pos += head.count;
	return 0;
}

int rlog_cursor_read_array(struct rlog_cursor *cursor, uint32_t *elements)
{
	struct head head;
	uint64_t number = 0;

	if (take_kind(cursor, RLOG_CURSOR_ARRAY, &head, &number)) {
		return -RLOG_E_MSGPACK;
	}
	*elements = head.count;
	return 0;
}

int rlog_cursor_read_map(struct rlog_cursor *cursor, uint32_t *keys)
{
	struct head head;
	uint64_t number = 0;

	if (take_kind(cursor, RLOG_CURSOR_MAP, &head, &number)) {
		return -RLOG_E_MSGPACK;
	}
	*keys = head.count;
	return 0;
}

int rlog_cursor_skip(struct rlog_cursor *cursor)
{
	uint64_t pending[RLOG_MAX_NESTING] = { 1 }; /* values still to skip at each depth */
	size_t depth = 0;

	for (;;) {
		struct head head;
		uint64_t number = 0;
		uint8_t first = 0;

		while (pending[depth] == 0) {
			if (depth == 0) {
				return 0;
			}
			depth--;
		}
		pending[depth]--;
		if (take_head(cursor, &head, &first, &number)) {
			return -RLOG_E_MSGPACK;
		}
		if (head.kind == RLOG_CURSOR_ARRAY || head.kind == RLOG_CURSOR_MAP) {
			if (depth + 1 == RLOG_MAX_NESTING) {
				return -RLOG_E_MSGPACK;
			}
			depth++;
			pending[depth] = head.kind == RLOG_CURSOR_MAP ? 2 * (uint64_t) head.count
			                                              : head.count;
		} else if (head.kind == RLOG_CURSOR_TEXT || head.kind == RLOG_CURSOR_OTHER) {
			cursor->pos += head.count + head.extra;
		}
	}
}
