/* SPDX-License-Identifier: MIT */
/* Packs and reads runs of msgpack integers, several to a nanosecond where they are small. */
#include "format/column.h"

#include <endian.h>
#include <string.h>

#include "format/error.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* Head byte and value of the longest msgpack integer. */
#define MAX_INT_BYTES 9

static ALWAYS_INLINE uint64_t load_value(const void *values, size_t width, size_t i)
{
	switch (width) {
	case 1:
		return ((const uint8_t *) values)[i];
	case 4:
		return ((const uint32_t *) values)[i];
	default:
		return ((const uint64_t *) values)[i];
	}
}

enum rlog_column_form rlog_column_choose(const struct rlog_column *column, size_t n)
{
	const char *const bytes = column->values;

	/* All equal if the column equals itself shifted by one row. */
	if (memcmp(bytes, bytes + column->width, (n - 1) * column->width) != 0) {
		return RLOG_COLUMN_DENSE;
	}
	return load_value(bytes, column->width, 0) == 0 ? RLOG_COLUMN_ABSENT : RLOG_COLUMN_CONSTANT;
}

/*
 * Stores one integer in its shortest form; whatever the form, MAX_INT_BYTES from `out` on are
 * written.
 *
 * Without a branch on the size: sizes of time differences are hardly predictable, and a miss costs
 * more than the whole store.
 */
static ALWAYS_INLINE uint8_t *store_uint(uint8_t *out, uint64_t value)
{
	/* By the number of significant bits: bytes behind the head byte; by those: the head byte.
	 */
	static const uint8_t bytes_of[65] = {
		0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2, 2, 2, 2, 4, 4, 4, 4, 4,
		4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8,
		8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8,
	};
	static const uint8_t head_of[9] = { [1] = 0xCC, [2] = 0xCD, [4] = 0xCE, [8] = 0xCF };
	const unsigned int bits = 64u - (unsigned int) __builtin_clzll(value | 1);
	const unsigned int count = bytes_of[bits];
	/* To the top: by 0 for 8 bytes, …, 56 for 1. With no bytes behind it is junk; the mask is
	 * there because a shift by 64 is undefined. */
	const uint64_t big_endian = htobe64(value << ((64 - 8 * count) & 63));

	*out = count ? head_of[count] : (uint8_t) value;
	memcpy(out + 1, &big_endian, sizeof(big_endian));
	return out + 1 + count;
}

/* The same for `value` taken as a negative number. */
static uint8_t *store_negative(uint8_t *out, uint64_t value)
{
	const int64_t number = (int64_t) value;
	unsigned int bytes = 8;
	uint64_t big_endian = 0;

	if (number >= -32) {
		*out = (uint8_t) value;
		return out + 1;
	}
	if (number >= INT8_MIN) {
		bytes = 1;
		*out = 0xD0;
	} else if (number >= INT16_MIN) {
		bytes = 2;
		*out = 0xD1;
	} else if (number >= INT32_MIN) {
		bytes = 4;
		*out = 0xD2;
	} else {
		*out = 0xD3;
	}
	big_endian = htobe64(value << (64 - 8 * bytes));
	memcpy(out + 1, &big_endian, sizeof(big_endian));
	return out + 1 + bytes;
}

/* A decrease of 2^63 or more has no negative number; as an increase modulo 2^64 it comes out right.
 */
static ALWAYS_INLINE uint8_t *store_delta(uint8_t *out, uint64_t before, uint64_t now)
{
	if (__builtin_expect(now < before && (now - before) >> 63, 0)) {
		return store_negative(out, now - before);
	}
	return store_uint(out, now - before);
}

/* Element i of a dense column: a value, or the difference to the value before. */
static ALWAYS_INLINE uint8_t *store_element(uint8_t *out, const void *values, size_t width,
                                            bool deltas, size_t i)
{
	const uint64_t value = load_value(values, width, i);

	if (!deltas) {
		return store_uint(out, value);
	}
	return store_delta(out, i ? load_value(values, width, i - 1) : value, value);
}

static ALWAYS_INLINE void pack_elements(struct rlog_pack *pack, const void *values, size_t width,
                                        bool deltas, size_t n)
{
	uint8_t *out = pack->bytes + pack->used;

	if (n <= (pack->capacity - pack->used) / MAX_INT_BYTES) {
		for (size_t i = 0; i < n; i++) {
			out = store_element(out, values, width, deltas, i);
		}
		pack->used = (size_t) (out - pack->bytes);
		return;
	}
	/* Perhaps too much: ask each time. RLOG_PACK_SLACK takes what the last store writes too
	 * far. */
	for (size_t i = 0; i < n; i++) {
		out = store_element(out, values, width, deltas, i);
		if ((size_t) (out - pack->bytes) > pack->capacity) {
			pack->full = true;
			return;
		}
		pack->used = (size_t) (out - pack->bytes);
	}
}

void rlog_column_pack(struct rlog_pack *pack, const struct rlog_column *column, size_t n,
                      enum rlog_column_form form)
{
	if (form == RLOG_COLUMN_ABSENT) {
		return;
	}
	rlog_pack_key(pack, column->key);
	if (form == RLOG_COLUMN_CONSTANT) {
		rlog_pack_uint(pack, load_value(column->values, column->width, 0));
		return;
	}
	rlog_pack_array(pack, n);
	switch (column->width) {
	case 1:
		pack_elements(pack, column->values, 1, false, n);
		break;
	case 4:
		pack_elements(pack, column->values, 4, false, n);
		break;
	default:
		pack_elements(pack, column->values, 8, false, n);
		break;
	}
}

void rlog_column_pack_values(struct rlog_pack *pack, const uint64_t *values, size_t n)
{
	pack_elements(pack, values, sizeof(*values), false, n);
}

void rlog_column_pack_deltas(struct rlog_pack *pack, const char *key, const uint64_t *ticks,
                             size_t n)
{
	rlog_pack_key(pack, key);
	rlog_pack_array(pack, n);
	pack_elements(pack, ticks, sizeof(*ticks), true, n);
}

/* What the elements of a column being read had in common. */
struct sum {
	uint64_t bits;  /* all values or-ed */
	uint64_t total; /* of deltas: the running value */
	bool negative;  /* there was a negative one */
	bool wrapped;   /* a delta ≥ 0 made the running value smaller */
};

static ALWAYS_INLINE void put_value(void *out, size_t width, size_t i, uint64_t value)
{
	switch (width) {
	case 1:
		((uint8_t *) out)[i] = (uint8_t) value;
		break;
	case 4:
		((uint32_t *) out)[i] = (uint32_t) value;
		break;
	default:
		((uint64_t *) out)[i] = value;
		break;
	}
}

static ALWAYS_INLINE void put_element(void *out, size_t width, bool deltas, size_t i,
                                      struct sum *sum, uint64_t value)
{
	if (!deltas) {
		sum->bits |= value;
		put_value(out, width, i, value);
		return;
	}
	sum->wrapped |= __builtin_add_overflow(sum->total, value, &sum->total);
	put_value(out, width, i, sum->total);
}

/* Takes an unsigned integer; MAX_INT_BYTES must be readable. False: it is something else, nothing
 * is taken. */
static ALWAYS_INLINE bool take_uint(const uint8_t **pos, uint64_t *value)
{
	const uint8_t *const at = *pos;
	const uint8_t head = *at;
	uint64_t next = 0;

	if (head < 0x80) {
		*value = head;
		*pos = at + 1;
		return true;
	}
	if (head < 0xCC || head > 0xCF) {
		return false;
	}
	memcpy(&next, at + 1, sizeof(next));
	*value = be64toh(next) >> (64 - (8u << (head & 3)));
	*pos = at + 1 + (1u << (head & 3));
	return true;
}

/* Any integer, with all checks. */
static int take_element(struct rlog_cursor *cursor, bool deltas, struct sum *sum, uint64_t *value)
{
	struct rlog_cursor_int number;
	const enum rlog_cursor_kind kind = rlog_cursor_peek(cursor);

	if (kind != RLOG_CURSOR_INT && kind != RLOG_CURSOR_NONE) {
		return -RLOG_E_SCHEMA;
	}
	if (rlog_cursor_read_int(cursor, &number)) {
		return -RLOG_E_MSGPACK;
	}
	*value = number.bits;
	sum->negative |= number.negative;
	if (deltas && number.negative) {
		/* Added below as a huge positive number; the carry of that says nothing. */
		sum->total += number.bits;
		*value = 0;
	}
	return 0;
}

/* Reads n integers behind an array's head. */
static ALWAYS_INLINE int read_elements(struct rlog_cursor *cursor, size_t n, void *out,
                                       size_t width, bool deltas, struct sum *sum)
{
	const uint64_t high_bits = UINT64_C(0x8080808080808080);
	size_t i = 0;

	while (i < n) {
		uint64_t value = 0;
		uint64_t eight = 0;
		size_t stop = n;

		if ((size_t) (cursor->end - cursor->pos) >= 8 * MAX_INT_BYTES) {
			stop = n - i > 8 ? i + 8 : n;
			memcpy(&eight, cursor->pos, sizeof(eight));
			if (stop == i + 8 && (eight & high_bits) == 0) {
				for (size_t k = 0; k < 8; k++) {
					put_element(out, width, deltas, i + k, sum, cursor->pos[k]);
				}
				cursor->pos += 8;
				i += 8;
				continue;
			}
			while (i < stop && take_uint(&cursor->pos, &value)) {
				put_element(out, width, deltas, i++, sum, value);
			}
			stop = i < stop ? i + 1 : stop; /* stopped early: one of another kind */
		}
		for (; i < stop; i++) {
			const int code = take_element(cursor, deltas, sum, &value);

			if (code) {
				return code;
			}
			put_element(out, width, deltas, i, sum, value);
		}
	}
	return 0;
}

/* The value of a constant column. */
static ALWAYS_INLINE int read_constant(struct rlog_cursor *cursor, size_t n, void *out,
                                       size_t width, bool deltas, struct sum *sum)
{
	struct rlog_cursor_int number;
	const int code = rlog_cursor_read_int(cursor, &number);

	if (code) {
		return code;
	}
	sum->negative = number.negative;
	for (size_t i = 0; i < n; i++) {
		put_element(out, width, deltas, i, sum, number.bits);
	}
	return 0;
}

static ALWAYS_INLINE int read_column(struct rlog_cursor *cursor, size_t n, void *out, size_t width,
                                     bool deltas, struct sum *sum)
{
	uint32_t elements = 0;
	int code = 0;

	switch (rlog_cursor_peek(cursor)) {
	case RLOG_CURSOR_INT:
		return read_constant(cursor, n, out, width, deltas, sum);
	case RLOG_CURSOR_ARRAY:
		break;
	case RLOG_CURSOR_NONE:
		return -RLOG_E_MSGPACK;
	default:
		return -RLOG_E_SCHEMA;
	}
	code = rlog_cursor_read_array(cursor, &elements);
	if (code) {
		return code;
	}
	if (elements != n) {
		return -RLOG_E_SCHEMA;
	}
	return read_elements(cursor, n, out, width, deltas, sum);
}

/* A column of plain values holds no negative ones, and none over its width. */
static int check_range(const struct sum *sum, size_t width)
{
	const bool too_big = width < 8 && sum->bits >> (8 * width);

	return sum->negative || too_big ? -RLOG_E_SCHEMA : 0;
}

int rlog_column_read_u8(struct rlog_cursor *cursor, size_t n, uint8_t *out)
{
	struct sum sum = { 0 };
	const int code = read_column(cursor, n, out, sizeof(*out), false, &sum);

	return code ? code : check_range(&sum, sizeof(*out));
}

int rlog_column_read_u32(struct rlog_cursor *cursor, size_t n, uint32_t *out)
{
	struct sum sum = { 0 };
	const int code = read_column(cursor, n, out, sizeof(*out), false, &sum);

	return code ? code : check_range(&sum, sizeof(*out));
}

int rlog_column_read_u64(struct rlog_cursor *cursor, size_t n, uint64_t *out)
{
	struct sum sum = { 0 };
	const int code = read_column(cursor, n, out, sizeof(*out), false, &sum);

	return code ? code : check_range(&sum, sizeof(*out));
}

int rlog_column_read_deltas(struct rlog_cursor *cursor, size_t n, uint64_t base, uint64_t *out,
                            bool *unsorted)
{
	struct sum sum = { .total = base };
	const int code = read_column(cursor, n, out, sizeof(*out), true, &sum);

	if (sum.negative || sum.wrapped) {
		*unsorted = true;
	}
	return code;
}
