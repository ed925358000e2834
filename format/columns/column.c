/* SPDX-License-Identifier: MIT */
/* Packs and reads runs of msgpack integers. */
#include "format/columns/column.h"

#include <endian.h>
#include <string.h>

#include "format/error.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* Most bytes of one msgpack integer with its head, and of eight. */
#define MAX_INT_BYTES    9
#define EIGHT_INTS_BYTES 72

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

	/* All values are equal if the column equals itself shifted by one row. */
	if (memcmp(bytes, bytes + column->width, (n - 1) * column->width) != 0) {
		return RLOG_COLUMN_DENSE;
	}
	return load_value(bytes, column->width, 0) == 0 ? RLOG_COLUMN_ABSENT : RLOG_COLUMN_CONSTANT;
}

/*
 * How to store an unsigned integer, by the place of its highest bit: the bytes after the head, the
 * head, a mask for the value's bits in the head, and a shift. All four are in one word, because
 * each store needs them all.
 */
#define FORM(bytes, head, mask, shift)                                           \
	((uint32_t) (shift) | (uint32_t) (head) << 8 | (uint32_t) (mask) << 16 | \
	 (uint32_t) (1 + (bytes)) << 24)
#define FORM_0 FORM(0, 0x00, 0x7F, 0)
#define FORM_1 FORM(1, 0xCC, 0, 56)
#define FORM_2 FORM(2, 0xCD, 0, 48)
#define FORM_4 FORM(4, 0xCE, 0, 32)
#define FORM_8 FORM(8, 0xCF, 0, 0)

static const uint32_t forms[64] = {
	FORM_0, FORM_0, FORM_0, FORM_0, FORM_0, FORM_0, FORM_0, FORM_1, FORM_2, FORM_2, FORM_2,
	FORM_2, FORM_2, FORM_2, FORM_2, FORM_2, FORM_4, FORM_4, FORM_4, FORM_4, FORM_4, FORM_4,
	FORM_4, FORM_4, FORM_4, FORM_4, FORM_4, FORM_4, FORM_4, FORM_4, FORM_4, FORM_4, FORM_8,
	FORM_8, FORM_8, FORM_8, FORM_8, FORM_8, FORM_8, FORM_8, FORM_8, FORM_8, FORM_8, FORM_8,
	FORM_8, FORM_8, FORM_8, FORM_8, FORM_8, FORM_8, FORM_8, FORM_8, FORM_8, FORM_8, FORM_8,
	FORM_8, FORM_8, FORM_8, FORM_8, FORM_8, FORM_8, FORM_8, FORM_8, FORM_8,
};

/*
 * Stores one integer in its shortest form. Always writes MAX_INT_BYTES from `out` on.
 *
 * Does not branch on the size. Sizes of time differences are hardly predictable, and a mispredicted
 * branch costs more than the whole store. Measured where this was written (gcc 12 -O2, 16384 time
 * differences): 1.8 ns a value for any sizes. msgpack_pack_uint64() takes as much if sizes are
 * regular, and 5.2 ns if they are mixed.
 */
static ALWAYS_INLINE uint8_t *store_uint(uint8_t *out, uint64_t value)
{
	const uint32_t form = forms[63 ^ __builtin_clzll(value | 1)];
	/* Shifts the value's bytes to the top: by 0 bits for 8 bytes, …, 56 bits for 1 byte. If no
	 * bytes follow the head, the result is not used. */
	const uint64_t big_endian = htobe64(value << (form & 63));

	*out = (uint8_t) (form >> 8 | ((uint32_t) value & form >> 16));
	memcpy(out + 1, &big_endian, sizeof(big_endian));
	return out + (form >> 24);
}

/* Stores `value`, which is negative as an int64_t. */
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

/* Stores the difference of two values. A decrease of 2^63 or more does not fit in a negative
 * number, so it is stored as an increase modulo 2^64. */
static ALWAYS_INLINE uint8_t *store_delta(uint8_t *out, uint64_t before, uint64_t now)
{
	if (__builtin_expect(now < before && (now - before) >> 63, 0)) {
		return store_negative(out, now - before);
	}
	return store_uint(out, now - before);
}

static ALWAYS_INLINE uint8_t *store_element(uint8_t *out, const void *values, size_t width,
                                            bool deltas, size_t i)
{
	const uint64_t value = load_value(values, width, i);

	if (!deltas) {
		return store_uint(out, value);
	}
	return store_delta(out, i ? load_value(values, width, i - 1) : value, value);
}

/* Returns a value or-ed with its difference to the value before. */
static ALWAYS_INLINE uint64_t note_element(const void *values, size_t width, bool deltas, size_t i)
{
	const uint64_t value = load_value(values, width, i);

	return deltas && i ? value | (value - load_value(values, width, i - 1)) : value;
}

#if __BYTE_ORDER == __LITTLE_ENDIAN
/* Stores eight values of one byte each, if all are below 0x80. Return: false if one is not. */
static ALWAYS_INLINE bool store_eight_of_1(uint8_t *out, const uint8_t *values)
{
	uint64_t word;

	memcpy(&word, values, sizeof(word));
	if ((word & UINT64_C(0x8080808080808080)) != 0) {
		return false;
	}
	memcpy(out, &word, sizeof(word));
	return true;
}

/* Joins the lowest bytes of the two 32-bit numbers in a word. */
static ALWAYS_INLINE uint64_t join_two(uint64_t two)
{
	return (two | two >> 24) & 0xFFFF;
}

/* Stores eight numbers of 32 bits, if all are below 0x80. Reads them as four words. Return: false
 * if one is not. */
static ALWAYS_INLINE bool store_eight_of_4(uint8_t *out, const uint32_t *values)
{
	uint64_t words[4];
	uint64_t joined;

	memcpy(words, values, sizeof(words));
	if (((words[0] | words[1] | words[2] | words[3]) & UINT64_C(0xFFFFFF80FFFFFF80)) != 0) {
		return false;
	}
	joined = join_two(words[0]) | join_two(words[1]) << 16 | join_two(words[2]) << 32 |
	         join_two(words[3]) << 48;
	memcpy(out, &joined, sizeof(joined));
	return true;
}
#endif

/* Two numbers of 64 bits, which one instruction can subtract. */
typedef uint64_t two __attribute__((vector_size(16)));

static ALWAYS_INLINE void load_two(uint64_t *deltas, const uint64_t *values, two *bits, two *all)
{
	two before;
	two now;
	two delta;

	memcpy(&before, values - 1, sizeof(before));
	memcpy(&now, values, sizeof(now));
	delta = now - before;
	memcpy(deltas, &delta, sizeof(delta));
	*bits |= delta;
	*all |= now;
}

/* Computes the difference of eight values to the value before each. Ors all values into *all.
 * Return: all differences or-ed. */
static ALWAYS_INLINE uint64_t load_deltas(uint64_t *deltas, const uint64_t *values, uint64_t *all)
{
	two bits = { 0 };
	two values_bits = { 0 };

	load_two(deltas, values, &bits, &values_bits);
	load_two(deltas + 2, values + 2, &bits, &values_bits);
	load_two(deltas + 4, values + 4, &bits, &values_bits);
	load_two(deltas + 6, values + 6, &bits, &values_bits);
	*all |= values_bits[0] | values_bits[1];
	return bits[0] | bits[1];
}

/* Stores eight differences. Ors them and the values into *all. */
static ALWAYS_INLINE uint8_t *store_eight_deltas(uint8_t *out, const uint64_t *values,
                                                 uint64_t *all)
{
	uint64_t deltas[8];
	const uint64_t bits = load_deltas(deltas, values, all);

	*all |= bits;
	if (bits < 0x80) {
		for (size_t k = 0; k < 8; k++) {
			out[k] = (uint8_t) deltas[k];
		}
		return out + 8;
	}
	if (__builtin_expect(bits >> 63 != 0, 0)) {
		for (size_t k = 0; k < 8; k++) {
			out = store_delta(out, (values - 1)[k], values[k]);
		}
		return out;
	}
	for (size_t k = 0; k < 8; k += 4) { /* unrolled by hand: compilers do not do it */
		out = store_uint(out, deltas[k]);
		out = store_uint(out, deltas[k + 1]);
		out = store_uint(out, deltas[k + 2]);
		out = store_uint(out, deltas[k + 3]);
	}
	return out;
}

/* Stores eight values. */
static ALWAYS_INLINE uint8_t *store_eight_values(uint8_t *out, const void *values, size_t width,
                                                 size_t i)
{
	uint64_t bits = 0;

#if __BYTE_ORDER == __LITTLE_ENDIAN
	if (width == 1 && store_eight_of_1(out, (const uint8_t *) values + i)) {
		return out + 8;
	}
	if (width == 4 && store_eight_of_4(out, (const uint32_t *) values + i)) {
		return out + 8;
	}
#endif
	for (size_t k = 0; k < 8; k++) {
		bits |= load_value(values, width, i + k);
	}
	for (size_t k = 0; k < 8 && bits < 0x80; k++) {
		out[k] = (uint8_t) load_value(values, width, i + k);
	}
	if (bits < 0x80) {
		return out + 8;
	}
	for (size_t k = 0; k < 8; k++) {
		out = store_uint(out, load_value(values, width, i + k));
	}
	return out;
}

/* Stores n elements. Return: for differences, these and all values or-ed. */
static ALWAYS_INLINE uint64_t pack_elements(struct rlog_pack *pack, const void *values,
                                            size_t width, bool deltas, size_t n)
{
	uint8_t *out = pack->bytes + pack->used;
	uint64_t all = 0;
	size_t i = 0;

	if (n <= (pack->capacity - pack->used) / MAX_INT_BYTES) {
		if (deltas && n > 0) {
			all = note_element(values, width, deltas, i);
			out = store_element(out, values, width, deltas, i++);
		}
		for (; n - i >= 8; i += 8) {
			out = deltas ? store_eight_deltas(out, (const uint64_t *) values + i, &all)
			             : store_eight_values(out, values, width, i);
		}
		for (; i < n; i++) {
			all |= note_element(values, width, deltas, i);
			out = store_element(out, values, width, deltas, i);
		}
		pack->used = (size_t) (out - pack->bytes);
		return all;
	}
	/* The elements may not fit, so each one is checked. The last store may write past the
	 * capacity. RLOG_PACK_SLACK has room for that. */
	for (; i < n; i++) {
		all |= note_element(values, width, deltas, i);
		out = store_element(out, values, width, deltas, i);
		if ((size_t) (out - pack->bytes) > pack->capacity) {
			pack->full = true;
			break;
		}
		pack->used = (size_t) (out - pack->bytes);
	}
	return all;
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
		(void) pack_elements(pack, column->values, 1, false, n);
		break;
	case 4:
		(void) pack_elements(pack, column->values, 4, false, n);
		break;
	default:
		(void) pack_elements(pack, column->values, 8, false, n);
		break;
	}
}

void rlog_column_pack_values(struct rlog_pack *pack, const uint64_t *values, size_t n)
{
	(void) pack_elements(pack, values, sizeof(*values), false, n);
}

uint64_t rlog_column_pack_deltas(struct rlog_pack *pack, const char *key, const uint64_t *ticks,
                                 size_t n)
{
	rlog_pack_key(pack, key);
	rlog_pack_array(pack, n);
	return pack_elements(pack, ticks, sizeof(*ticks), true, n);
}

/* What all elements of a column have in common, collected while reading. */
struct sum {
	uint64_t bits;  /* all values or-ed */
	uint64_t total; /* with deltas: the sum so far, which is the current value */
	bool negative;  /* true if there was a negative value */
	bool wrapped;   /* true if a delta ≥ 0 made the sum smaller */
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

/*
 * Takes the next eight integers if all are unsigned. EIGHT_INTS_BYTES bytes must be readable.
 * Return: where the next integer starts; NULL if one of the eight is of another kind.
 *
 * Does not branch on the sizes, for the reason given at store_uint(). What limits its speed is the
 * step from one head byte to the next.
 */
static ALWAYS_INLINE const uint8_t *take_eight(const uint8_t *at, uint64_t out[8])
{
	unsigned int other = 0;

	for (size_t i = 0; i < 8; i++) {
		const unsigned int head = *at;
		const unsigned int is_long = head >> 7;
		/* Number of bytes after the head: 0 if the head is below 0x80, else 1, 2, 4, 8 for
		 * 0xCC … 0xCF. */
		const unsigned int bytes = is_long << (head & 3);
		/* Bits of the value. A short value is the head itself. */
		const unsigned int bits = 8 * (bytes | (is_long ^ 1));
		uint64_t big_endian = 0;

		memcpy(&big_endian, at + is_long, sizeof(big_endian));
		out[i] = be64toh(big_endian) >> ((64 - bits) & 63);
		other |= is_long & ((head & 0xFC) != 0xCC);
		at += 1 + bytes;
	}
	return other ? NULL : at;
}

/* Takes an integer of any kind, with all checks. */
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
		/* Adds a negative difference as a huge positive number. The carry has no
		 * meaning. */
		sum->total += number.bits;
		*value = 0;
	}
	return 0;
}

/* Reads eight integers the fast way. Return: false if that is not possible; then none is taken. */
static ALWAYS_INLINE bool read_eight(struct rlog_cursor *cursor, void *out, size_t width,
                                     bool deltas, size_t i, struct sum *sum)
{
	const uint64_t high_bits = UINT64_C(0x8080808080808080);
	const uint8_t *const at = cursor->pos;
	uint64_t values[8];

	if (cursor->end - at < EIGHT_INTS_BYTES) {
		return false;
	}
	memcpy(values, at, sizeof(values[0]));
	if ((values[0] & high_bits) == 0) {
		for (size_t k = 0; k < 8 && deltas; k++) {
			put_element(out, width, true, i + k, sum, at[k]);
		}
		/* These values are below 0x80, so they fit any width and need no check. */
		for (size_t k = 0; k < 8 && !deltas; k++) {
			put_value(out, width, i + k, at[k]);
		}
		cursor->pos = at + 8;
		return true;
	}
	cursor->pos = take_eight(at, values);
	if (!cursor->pos) {
		cursor->pos = at;
		return false;
	}
	for (size_t k = 0; k < 8; k++) {
		put_element(out, width, deltas, i + k, sum, values[k]);
	}
	return true;
}

/* Reads n integers after the array's head. */
static ALWAYS_INLINE int read_elements(struct rlog_cursor *cursor, size_t n, void *out,
                                       size_t width, bool deltas, struct sum *sum)
{
	for (size_t i = 0; i < n;) {
		const size_t stop = n - i < 8 ? n : i + 8;
		uint64_t value = 0;

		if (stop == i + 8 && read_eight(cursor, out, width, deltas, i, sum)) {
			i += 8;
			continue;
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

/* Reads the value of a constant column. */
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

/* Checks that a column of plain values has no negative value, and none beyond its width. */
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
