/* SPDX-License-Identifier: MIT */
/* Tests that the msgpack cursor stays inside its bytes, whatever lengths they declare. */
#include <stdlib.h>
#include <string.h>

#include "format/columns/cursor.h"
#include "format/error.h"
#include "format/columns/pack.h"
#include "format/wire.h"
#include "tests/tap.h"
#include "tests/unit/format/format-sample.h"

static struct rlog_cursor cursor_of(const void *bytes, size_t count)
{
	return (struct rlog_cursor){ .pos = bytes, .end = (const uint8_t *) bytes + count };
}

static bool skips(const void *bytes, size_t count)
{
	struct rlog_cursor cursor = cursor_of(bytes, count);

	return rlog_cursor_skip(&cursor) == 0 && cursor.pos == cursor.end;
}

/* Integers as msgpack-c writes them. */
static void test_integers(void)
{
	uint8_t bytes[16 + RLOG_PACK_SLACK];
	size_t wrong = 0;

	for (unsigned int bit = 0; bit < 64; bit++) {
		for (int step = -1; step <= 1; step++) {
			const uint64_t value = (UINT64_C(1) << bit) + (uint64_t) (int64_t) step;
			struct rlog_cursor_int got;
			struct rlog_cursor cursor;
			struct rlog_pack pack;

			rlog_pack_init(&pack, bytes, 16);
			rlog_pack_uint(&pack, value);
			cursor = cursor_of(bytes, pack.used);
			wrong += rlog_cursor_read_int(&cursor, &got) || got.bits != value ||
			         got.negative || cursor.pos != cursor.end;
			rlog_pack_init(&pack, bytes, 16);
			rlog_pack_int(&pack, -(int64_t) (value >> 1) - 1);
			cursor = cursor_of(bytes, pack.used);
			wrong += rlog_cursor_read_int(&cursor, &got) || !got.negative ||
			         got.bits != (uint64_t) (-(int64_t) (value >> 1) - 1);
		}
	}
	tap_is_uint(wrong, 0, "integers of all lengths and both signs are read");
}

/* One value of each kind. */
static const struct {
	const char *bytes;
	size_t count;
} values[] = {
	{ "\xC0", 1 },
	{ "\xC3", 1 },
	{ "\xC4\x02"
	  "ab",
	  4 },
	{ "\xC5\x00\x01"
	  "a",
	  4 },
	{ "\xC6\x00\x00\x00\x01"
	  "a",
	  6 },
	{ "\xC7\x01\x05"
	  "a",
	  4 },
	{ "\xC8\x00\x01\x05"
	  "a",
	  5 },
	{ "\xC9\x00\x00\x00\x01\x05"
	  "a",
	  7 },
	{ "\xCA\x00\x00\x00\x00", 5 },
	{ "\xCB\x00\x00\x00\x00\x00\x00\x00\x00", 9 },
	{ "\xCC\x80", 2 },
	{ "\xCD\x80\x00", 3 },
	{ "\xCE\x80\x00\x00\x00", 5 },
	{ "\xCF\x80\x00\x00\x00\x00\x00\x00\x00", 9 },
	{ "\xD0\x80", 2 },
	{ "\xD1\x80\x00", 3 },
	{ "\xD2\x80\x00\x00\x00", 5 },
	{ "\xD3\x80\x00\x00\x00\x00\x00\x00\x00", 9 },
	{ "\xD4\x01"
	  "a",
	  3 },
	{ "\xD5\x01"
	  "ab",
	  4 },
	{ "\xD6\x01"
	  "abcd",
	  6 },
	{ "\xD7\x01"
	  "abcdefgh",
	  10 },
	{ "\xD8\x01"
	  "abcdefghabcdefgh",
	  18 },
	{ "\xD9\x01"
	  "a",
	  3 },
	{ "\xDA\x00\x01"
	  "a",
	  4 },
	{ "\xDB\x00\x00\x00\x01"
	  "a",
	  6 },
	{ "\xDC\x00\x02\x01\x02", 5 },
	{ "\xDD\x00\x00\x00\x02\x01\xC0", 7 },
	{ "\xDE\x00\x01\xA1"
	  "a\x01",
	  6 },
	{ "\xDF\x00\x00\x00\x01\xA1"
	  "a\x90",
	  8 },
	{ "\x92\x93\x01\x02\x03\x81\xA1k\xA1v", 10 },
	{ "\x7F", 1 },
	{ "\xE0", 1 },
};

/* Whole they are skipped, cut anywhere they are refused. */
static void test_cuts(void)
{
	size_t refused = 0;
	size_t taken = 0;

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		refused += !skips(values[i].bytes, values[i].count);
		for (size_t cut = 0; cut < values[i].count; cut++) {
			/* In memory of its own, so that a sanitizer sees a byte too far. */
			char *const copy = malloc(cut + 1);

			if (!copy) {
				tap_bail("no memory");
			}
			memcpy(copy + 1, values[i].bytes, cut);
			taken += skips(copy + 1, cut);
			free(copy);
		}
	}
	tap_is_uint(refused, 0, "a value of each kind is skipped");
	tap_is_uint(taken, 0, "and refused when its last bytes are missing");
}

static void test_lies(void)
{
	uint8_t nested[64];

	tap_ok(!skips("\xDD\xFF\xFF\xFF\xFF", 5), "an array of 2^32-1 in 5 bytes is refused");
	tap_ok(!skips("\xDF\xFF\xFF\xFF\xFF", 5), "a map of 2^32-1 in 5 bytes is refused");
	tap_ok(!skips("\xDB\xFF\xFF\xFF\xFF"
	              "a",
	              6),
	       "a text of 2^32-1 in 6 bytes is refused");
	tap_ok(!skips("\xC9\xFF\xFF\xFF\xFF\x01", 6), "an ext of 2^32-1 in 6 bytes is refused");
	tap_ok(!skips("\xDF\x80\x00\x00\x00\x01\x01", 7), "a map of 2^31 pairs is refused");
	tap_ok(!skips("\xC1", 1), "the byte C1 is refused");
	memset(nested, 0x91, sizeof(nested));
	nested[RLOG_MAX_NESTING - 1] = 0xC0;
	tap_ok(skips(nested, RLOG_MAX_NESTING), "15 arrays in each other, in the map, are skipped");
	nested[RLOG_MAX_NESTING - 1] = 0x91;
	nested[RLOG_MAX_NESTING] = 0xC0;
	tap_ok(!skips(nested, RLOG_MAX_NESTING + 1), "16 of them are refused");
}

static void test_kinds(void)
{
	struct rlog_cursor cursor = cursor_of("\x81\xA1k\xC2\xCA\x3F\xC0\x00\x00", 9);
	uint64_t bits = 0;
	uint32_t count = 0;
	const char *text = NULL;
	bool truth = true;

	tap_ok(rlog_cursor_read_array(&cursor, &count) == -RLOG_E_MSGPACK, "a map is no array");
	tap_ok(!rlog_cursor_read_map(&cursor, &count) && count == 1, "it is a map of one pair");
	tap_ok(!rlog_cursor_read_text(&cursor, &text, &count) && count == 1 && *text == 'k',
	       "its key is a text");
	tap_ok(!rlog_cursor_read_bool(&cursor, &truth) && !truth, "its value is false");
	tap_ok(!rlog_cursor_read_real(&cursor, &bits) && bits == UINT64_C(0x3FF8000000000000),
	       "a float comes as the bits of a double");
	tap_ok(rlog_cursor_peek(&cursor) == RLOG_CURSOR_NONE, "then the bytes are at their end");
	tap_ok(rlog_cursor_read_text(&cursor, &text, &count) == -RLOG_E_MSGPACK,
	       "behind which nothing is read");
}

/* Random bytes: whatever happens, it ends inside. */
static void test_random(void)
{
	const size_t rounds = 200000 / sample_stride();
	uint64_t state = 17;
	size_t outside = 0;

	for (size_t i = 0; i < rounds; i++) {
		const size_t count = sample_random(&state) % 40;
		uint8_t *const bytes = malloc(count + 1);
		struct rlog_cursor cursor;

		if (!bytes) {
			tap_bail("no memory");
		}
		for (size_t k = 0; k < count; k++) {
			const uint64_t random = sample_random(&state);

			bytes[k] = (uint8_t) (random >> 8 & 1 ? 0x80 + random % 0x80 : random % 4);
		}
		cursor = cursor_of(bytes, count);
		while (rlog_cursor_skip(&cursor) == 0) {
			outside += cursor.pos > cursor.end;
		}
		outside += cursor.pos > cursor.end;
		free(bytes);
	}
	tap_is_uint(outside, 0, "random bytes are never left");
}

int main(void)
{
	test_integers();
	test_cuts();
	test_lies();
	test_kinds();
	test_random();
	return tap_done();
}
