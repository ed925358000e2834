/* SPDX-License-Identifier: MIT */
/* Tests reading and writing protobuf: exact values of valid fields, no harm from other bytes, and
 * that what is written is read again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/protobuf/protobuf-texts.h"
#include "analyzer/protobuf/protobuf-write.h"
#include "analyzer/protobuf/protobuf.h"
#include "analyzer/read-xplane/xplane-read.h"
#include "tests/tap.h"
#include "tests/unit/analyzer/analyzer-log.h"

#define FIELDS(...) ((const uint8_t[]){ __VA_ARGS__ })

static struct ra_protobuf open(const uint8_t *bytes, size_t count)
{
	return ra_protobuf_open(bytes, count, 1000);
}

static void test_sound(void)
{
	/* 1: 150; 2: "ab"; 3: 1.5 of 64 bits; 4: 1.5 of 32 bits; 536870911: -1 */
	static const uint8_t bytes[] = { 0x08, 0x96, 0x01, 0x12, 2,    'a',  'b',  0x19, 0,
		                         0,    0,    0,    0,    0,    0xF8, 0x3F, 0x25, 0,
		                         0,    0xC0, 0x3F, 0xF8, 0xFF, 0xFF, 0xFF, 0x0F, 0xFF,
		                         0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1 };
	struct ra_protobuf message = open(bytes, sizeof(bytes));
	struct ra_protobuf_field field;

	tap_ok(ra_protobuf_next(&message, &field) && field.number == 1 && field.integer == 150,
	       "a number of 2 bytes");
	tap_is_uint(ra_protobuf_text(&field).length, 0, "is no text");
	tap_is_uint(ra_protobuf_enter(&field).end - ra_protobuf_enter(&field).at, 0,
	            "and no message");
	tap_ok(ra_protobuf_next(&message, &field) && field.number == 2 && field.length == 2 &&
	               memcmp(field.bytes, "ab", 2) == 0,
	       "a text");
	tap_is_uint(field.offset, 1005, "stands where it stands in the file");
	tap_ok(ra_protobuf_next(&message, &field) && field.number == 3 && field.real == 1.5,
	       "a real of 64 bits");
	tap_ok(ra_protobuf_next(&message, &field) && field.number == 4 && field.real == 1.5,
	       "a real of 32 bits");
	tap_ok(ra_protobuf_next(&message, &field) && field.number == 536870911 &&
	               field.integer == UINT64_MAX,
	       "the largest number of a field, and of a value");
	tap_ok(!ra_protobuf_next(&message, &field) && message.damage == NULL, "then it ends");
}

/* Reads all. Return: the offset of the damage, 0 if there is none. */
static uint64_t find_damage(const uint8_t *bytes, size_t count)
{
	struct ra_protobuf message = open(bytes, count);
	struct ra_protobuf_field field;

	while (ra_protobuf_next(&message, &field)) {
	}
	return message.damage == NULL ? 0 : message.offset;
}

static void test_damage(void)
{
	struct ra_protobuf message = open(FIELDS(0x12, 5, 'a', 'b'), 4);
	struct ra_protobuf_field field;

	tap_ok(ra_protobuf_next(&message, &field) && field.is_cut && field.length == 2,
	       "a text that is cut is given as far as it goes");
	tap_ok(message.damage != NULL && !ra_protobuf_next(&message, &field), "and is the last");
	tap_is_uint(find_damage(FIELDS(0x08), 1), 1001, "the end in place of a number");
	tap_is_uint(find_damage(FIELDS(0x08, 0x80), 2), 1001, "a number without its end");
	tap_is_uint(find_damage(FIELDS(0x08, 1, 0x19, 0, 0), 5), 1003, "half a fixed number");
	tap_is_uint(find_damage(FIELDS(0x00, 1), 2), 1000, "field 0");
	tap_is_uint(find_damage(FIELDS(0x08, 1, 0x0B), 3), 1002, "a group");
	tap_is_uint(find_damage(FIELDS(0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
	                               0x80),
	                        11),
	            1000, "a number of 11 bytes");
	tap_is_uint(find_damage(FIELDS(0x08, 1), 0), 0, "nothing is a message");
}

#define ROLLED_BYTES 120 /* lengths of one byte reach that far */

/* A message of messages, mostly; 5 deep is what an XSpace has. Return: how long it is. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static size_t roll_message(uint64_t *state, int depth, uint8_t *bytes, size_t room)
{
	size_t count = 0;

	while (count + 2 < room && analyzer_log_roll(state, 8) != 0) {
		const uint64_t number = 1 + analyzer_log_roll(state, 6);
		size_t length = 1;

		if (depth == 0 || analyzer_log_roll(state, 3) == 0) {
			bytes[count] = (uint8_t) (number << 3);
			bytes[count + 1] = (uint8_t) analyzer_log_roll(state, 6);
		} else {
			length =
				roll_message(state, depth - 1, bytes + count + 2, room - count - 2);
			bytes[count] = (uint8_t) (number << 3 | RA_PROTOBUF_BYTES);
			bytes[count + 1] = (uint8_t) length;
			length++;
		}
		count += 1 + length;
	}
	return count;
}

/* Any bytes make rows, or none. */
static void test_garbage(void)
{
	uint64_t state = 1;
	size_t rows = 0;

	for (int round = 0; round < 50000; round++) {
		uint8_t bytes[ROLLED_BYTES];
		const size_t count = roll_message(&state, 5, bytes, sizeof(bytes));
		struct rlog_error stop = { 0 };
		uint8_t *copy = malloc(count + 1); /* so that reading beyond it is seen */
		struct ra_kineto *kineto;

		if (copy == NULL) {
			tap_bail("no memory");
		}
		memcpy(copy, bytes, count);
		if (count > 0 && round % 2 == 0) {
			copy[analyzer_log_roll(&state, count)] =
				(uint8_t) analyzer_log_roll(&state, 256);
		}
		(void) ra_xplane_read_probe(copy, count);
		kineto = ra_xplane_read(copy, count, &stop);
		rows += kineto->count;
		if (stop.code != 0 && stop.offset > count) {
			tap_bail("damage at %llu of %zu", (unsigned long long) stop.offset, count);
		}
		ra_kineto_destroy(kineto);
		free(copy);
	}
	tap_ok(rows > 1000, "any bytes are read: %zu rows", rows);
}

/* A message in a message, with as many bytes as its length needs in one and in several bytes. */
static void test_written(size_t text_bytes)
{
	struct ra_protobuf_bytes bytes = { 0 };
	struct ra_protobuf_field field;
	struct ra_protobuf message;
	struct ra_protobuf inner;
	char *text = malloc(text_bytes + 1);
	size_t opened;

	if (text == NULL) {
		tap_bail("no memory");
	}
	memset(text, 'x', text_bytes);
	ra_protobuf_write_varint(&bytes, 1, 150);
	opened = ra_protobuf_write_open(&bytes, 2);
	ra_protobuf_write_text(&bytes, 1, text, text_bytes);
	ra_protobuf_write_double(&bytes, 16, 1.5);
	ra_protobuf_write_close(&bytes, opened);
	ra_protobuf_write_fixed64(&bytes, 536870911, UINT64_MAX);

	message = open(bytes.bytes, bytes.used);
	tap_ok(ra_protobuf_next(&message, &field) && field.number == 1 && field.integer == 150,
	       "%zu bytes: an integer is read as it was written", text_bytes);
	tap_ok(ra_protobuf_next(&message, &field) && field.number == 2, "then the message in it");
	inner = ra_protobuf_enter(&field);
	tap_ok(ra_protobuf_next(&inner, &field) && field.number == 1 &&
	               field.length == text_bytes && memcmp(field.bytes, text, text_bytes) == 0,
	       "with its text");
	tap_ok(ra_protobuf_next(&inner, &field) && field.number == 16 && field.real == 1.5 &&
	               !ra_protobuf_next(&inner, &field) && inner.damage == NULL,
	       "and its real number, which is its last field");
	tap_ok(ra_protobuf_next(&message, &field) && field.number == 536870911 &&
	               field.integer == UINT64_MAX && !ra_protobuf_next(&message, &field) &&
	               message.damage == NULL,
	       "then the field behind it");
	free(text);
	ra_protobuf_bytes_fini(&bytes);
}

static void test_texts(void)
{
	struct ra_protobuf_texts texts = { 0 };
	char text[16];
	size_t wrong = 0;
	size_t length;

	for (uint32_t round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < 5000; i++) {
			const int count = snprintf(text, sizeof(text), "%u", i);

			wrong += ra_protobuf_texts_put(&texts, text, (size_t) count) != i + 1;
		}
	}
	tap_is_uint(wrong, 0, "texts are numbered in order, equal ones have one number");
	tap_is_uint(texts.count, 5000, "and each is there once");
	tap_ok(memcmp(ra_protobuf_texts_get(&texts, 4321, &length), "4320", 4) == 0 && length == 4,
	       "a number finds its text");
	tap_is_uint(ra_protobuf_texts_put(&texts, "", 0), 5001, "the empty text is a text");
	ra_protobuf_texts_fini(&texts);
}

int main(void)
{
	test_sound();
	test_damage();
	test_garbage();
	test_written(3);
	test_written(200);
	test_texts();
	return tap_done();
}
