/* SPDX-License-Identifier: MIT */
/*
 * Tests the tokenizer with generated texts, whole and damaged. For whole text, its calls do not
 * depend on the pieces in which the text arrives. From damaged text, it hands over all records
 * except the damaged ones. RANGES_TEST_MUTATIONS sets the number of damaged texts (20,000).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/text/util-text.h"
#include "analyzer/json/json-read.h"
#include "tests/tap.h"

#define RECORDS 12u

static uint64_t seed = 26;

static unsigned next_random(unsigned below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned) (seed >> 33) % below;
}

/* What a handler hears: the numbers of whole records, and a sum of all calls. */
struct heard {
	struct ra_json json;
	const char *text;
	size_t length;
	size_t piece; /* bytes handed over at once */
	bool is_whole[RECORDS];
	bool has_index;
	bool is_index; /* the next value is */
	unsigned index;
	unsigned depth;
	uint64_t sum;
	unsigned records;
	unsigned opens;
	unsigned notes; /* of commas */
	unsigned arrays;
	unsigned odd_arrays;
};

static void add(struct heard *heard, char what, const char *text, size_t length)
{
	heard->sum = (heard->sum ^ (unsigned char) what) * UINT64_C(1099511628211);
	for (size_t i = 0; i < length; i++) {
		heard->sum = (heard->sum ^ (unsigned char) text[i]) * UINT64_C(1099511628211);
	}
}

static void take_open(void *context, bool is_object)
{
	struct heard *heard = context;

	add(heard, is_object ? '{' : '[', "", 0);
	heard->opens++;
	heard->depth++;
	heard->json.opens_records = !is_object && heard->depth == 2;
	if (is_object && heard->depth == 3) {
		heard->has_index = false;
	}
}

static void take_close(void *context, bool is_object)
{
	struct heard *heard = context;

	add(heard, is_object ? '}' : ']', "", 0);
	if (is_object && heard->depth == 3) {
		heard->records++;
		if (heard->has_index && heard->index < RECORDS) {
			heard->is_whole[heard->index] = true;
		}
	}
	heard->depth--;
}

static void take_key(void *context, const char *text, size_t length, unsigned number)
{
	struct heard *heard = context;

	(void) number;
	add(heard, ':', text, length);
	heard->is_index = heard->depth == 3 && length == 2 && memcmp(text, "ts", 2) == 0;
}

/* The digits that a text begins with; nothing ends it. */
static unsigned read_index(const char *text, size_t length)
{
	unsigned number = 0;

	for (size_t i = 0; i < length && text[i] >= '0' && text[i] <= '9'; i++) {
		number = number * 10 + (unsigned) (text[i] - '0');
	}
	return number;
}

static void take_value(void *context, enum ra_json_type type, const char *text, size_t length)
{
	struct heard *heard = context;

	add(heard, (char) ('0' + (int) type), text, length);
	if (heard->is_index && type == RA_JSON_NUMBER) {
		heard->has_index = true;
		heard->index = read_index(text, length);
	}
	heard->is_index = false;
}

static void take_drop(void *context)
{
	((struct heard *) context)->depth = 2;
}

static void take_note(void *context, enum ra_json_oddity oddity, uint64_t offset)
{
	(void) offset;
	((struct heard *) context)->notes += oddity == RA_JSON_ODD_COMMA;
}

static int read_piece(void *source, char *buffer, size_t size, size_t *count,
                      struct rlog_error *err)
{
	struct heard *heard = source;
	size_t some = heard->piece < size ? heard->piece : size;

	(void) err;
	some = some < heard->length ? some : heard->length;
	memcpy(buffer, heard->text, some);
	heard->text += some;
	heard->length -= some;
	*count = some;
	return 0;
}

static const struct ra_json_handler in_parts = { .open = take_open,
	                                         .close = take_close,
	                                         .key = take_key,
	                                         .value = take_value,
	                                         .drop = take_drop };

/* An array as a whole: its parts, which are to be those of the array as it stood in the text. */
static void take_array(void *context, const char *text, size_t length)
{
	struct heard *heard = context;
	struct heard part = { .text = text, .length = length, .piece = SIZE_MAX };

	part.json = (struct ra_json){
		.handler = &in_parts,
		.context = heard,
		.read = read_piece,
		.source = &part,
	};
	ra_json_read_all(&part.json);
	heard->arrays++;
	for (unsigned i = 0; i < RA_JSON_ODDITIES; i++) {
		heard->odd_arrays += part.json.odd[i] != 0;
	}
	heard->odd_arrays += part.json.stop.code != 0 || memchr(text, '\n', length) != NULL;
}

static void hear_by(struct heard *heard, const struct ra_json_handler *handler, const char *text,
                    size_t length, size_t piece)
{
	static const char *const strong[] = { "ph", "ts", NULL };
	static const char *const weak[] = { "name", NULL };

	*heard = (struct heard){ .text = text, .length = length, .piece = piece };
	heard->json = (struct ra_json){
		.handler = handler,
		.context = heard,
		.read = read_piece,
		.source = heard,
		.note = take_note,
		.strong_keys = strong,
		.weak_keys = weak,
	};
	ra_json_read_all(&heard->json);
}

static void hear(struct heard *heard, const char *text, size_t length, size_t piece)
{
	hear_by(heard, &in_parts, text, length, piece);
}

struct made {
	struct ra_util_text text;
	size_t begins[RECORDS + 1];
};

/* Twelve records, in one of several orders of keys and styles of white space. */
static void make(struct made *made)
{
	static const char *const args[] = {
		"{}",
		"{\"External id\":7,\"name\":\"a\\\"b\\\\\"}",
		"{\"dims\":[[1,2],[]],\"x\":[{\"y\":1},{\"z\":null}],\"ok\":true}",
		"{\"f\":-1.5e3,\"t\":\"\xC3\xA4\\u20ac\"}",
	};
	const char *space = next_random(2) == 0 ? "" : "\n    ";
	struct ra_util_text *text = &made->text;

	ra_util_text_clear(text);
	ra_util_text_format(text, "{\"schemaVersion\": 1,%s\"traceEvents\":[%s", space, space);
	for (unsigned i = 0; i < RECORDS; i++) {
		made->begins[i] = text->length;
		ra_util_text_format(
			text, "{\"ph\":\"X\",%s\"name\": \"op %u\",%s\"ts\": %u,%s\"args\":%s}%s",
			space, next_random(3), space, i, space, args[next_random(4)],
			i + 1 < RECORDS ? ",\n" : "");
	}
	made->begins[RECORDS] = text->length;
	ra_util_text_format(text, "%s],%s\"unit\":\"ms\"}", space, space);
}

/* Changes one byte, takes some out, or puts one in, within one record. Return: which. */
static unsigned damage(struct made *made)
{
	static const char marks[] = "\"{}[]:,\\x0\n";
	struct ra_util_text *text = &made->text;
	const unsigned record = next_random(RECORDS);
	/* The bytes between two records belong to neither. */
	const size_t first = made->begins[record];
	const size_t last = made->begins[record + 1] - (record + 1 < RECORDS ? 2 : 0);
	const size_t at = first + next_random((unsigned) (last - first));
	size_t count = 1 + next_random(40);
	char *place = text->bytes + at;

	switch (next_random(3)) {
	case 0:
		*place = marks[next_random(sizeof(marks) - 1)];
		break;
	case 1:
		count = count < last - at ? count : last - at;
		memmove(place, place + count, text->length - at - count);
		text->length -= count;
		break;
	default:
		ra_util_text_put_char(text, ' ');
		place = text->bytes + at;
		memmove(place + 1, place, text->length - at - 1);
		*place = marks[next_random(sizeof(marks) - 1)];
		break;
	}
	return record;
}

static void check_pieces(void)
{
	struct made made = { 0 };
	struct heard whole;
	struct heard heard;
	unsigned differ = 0;

	for (unsigned round = 0; round < 40; round++) {
		make(&made);
		if (round % 2 != 0) {
			damage(&made);
		}
		hear(&whole, made.text.bytes, made.text.length, SIZE_MAX);
		for (size_t piece = 1; piece < 40; piece++) {
			hear(&heard, made.text.bytes, made.text.length, piece);
			differ += heard.sum != whole.sum || heard.records != whole.records ||
			          memcmp(heard.json.odd, whole.json.odd, sizeof(whole.json.odd)) !=
			                  0 ||
			          heard.json.lost_bytes != whole.json.lost_bytes;
		}
	}
	tap_is_uint(differ, 0, "texts in pieces are those that are whole");
	ra_util_text_free(&made.text);
}

/* Makes arrays of random tokens, mostly without regard to what may follow what. */
static void make_array(struct ra_util_text *text)
{
	static const char *const parts[] = {
		"[",
		"]",
		",",
		"[]",
		"1",
		"-20",
		"3.25",
		"007",
		"1e5",
		"5.",
		"-",
		"\"float\"",
		"\"\"",
		"\"a b\"",
		"\"\\n\"",
		"\"\x7F\"",
		"\"\xC3\xA4\"",
		"true",
		"false",
		"null",
		"NaN",
		"{}",
		"\n",
		"\"\x01\"",
		"123456789012345678901234567890",
		"truer",
		"\"",
		" ",
	};
	unsigned count = next_random(14);

	ra_util_text_format(text, "[");
	for (unsigned i = 0; i < count; i++) {
		/* Most are values with a comma before them. */
		ra_util_text_format(
			text, "%s%s%s", i > 0 && next_random(16) != 0 ? "," : "",
			next_random(3) == 0 ? " " : "",
			parts[next_random(3) == 0 ? next_random(28) : 3 + next_random(4)]);
	}
	ra_util_text_format(text, "]");
}

static void check_arrays(void)
{
	static const struct ra_json_handler by_arrays = { .open = take_open,
		                                          .close = take_close,
		                                          .key = take_key,
		                                          .value = take_value,
		                                          .array = take_array,
		                                          .drop = take_drop };
	struct ra_util_text text = { 0 };
	struct heard parts;
	struct heard arrays;
	unsigned differ = 0;
	unsigned whole = 0;
	unsigned odd = 0;

	for (unsigned round = 0; round < 20000; round++) {
		ra_util_text_clear(&text);
		ra_util_text_format(&text, "{\"traceEvents\":[{\"ph\":\"X\",\"ts\":1,\"a\":");
		make_array(&text);
		ra_util_text_format(&text, ",\"b\": ");
		make_array(&text);
		ra_util_text_format(&text, "},{\"ph\":\"X\",\"ts\":2}]}");
		hear(&parts, text.bytes, text.length, SIZE_MAX);
		hear_by(&arrays, &by_arrays, text.bytes, text.length, 1 + next_random(200));
		whole += arrays.arrays;
		odd += arrays.odd_arrays;
		if (arrays.sum != parts.sum || arrays.records != parts.records ||
		    memcmp(arrays.json.odd, parts.json.odd, sizeof(parts.json.odd)) != 0) {
			differ++;
			tap_diag("%.*s", (int) text.length, text.bytes);
		}
	}
	tap_is_uint(differ, 0, "arrays as a whole are what their parts are");
	tap_is_uint(odd, 0, "nothing is odd in arrays that are handed over as a whole");
	tap_ok(whole > 1000, "there are such arrays: %u", whole);
	ra_util_text_free(&text);
}

/* Return: how many records are lost besides the one that was damaged. */
static unsigned count_lost(const struct made *made, const struct heard *heard, unsigned record,
                           bool is_told)
{
	unsigned lost = 0;

	for (unsigned i = 0; i < RECORDS; i++) {
		if (i == record || heard->is_whole[i]) {
			continue;
		}
		lost++;
		if (is_told) {
			tap_diag("of %u damaged, %u is lost: %.*s", record, i,
			         (int) made->text.length, made->text.bytes);
		}
	}
	return lost;
}

static void check_mutations(void)
{
	const char *setting = getenv("RANGES_TEST_MUTATIONS");
	const unsigned long rounds = setting != NULL ? strtoul(setting, NULL, 10) : 20000;
	struct made made = { 0 };
	struct heard heard;
	unsigned long lost = 0;
	unsigned long sound = 0;

	for (unsigned long round = 0; round < rounds; round++) {
		unsigned record;

		make(&made);
		hear(&heard, made.text.bytes, made.text.length, SIZE_MAX);
		sound += heard.records == RECORDS && heard.json.stop.code == 0 &&
		         heard.json.lost_bytes == 0;
		record = damage(&made);
		hear(&heard, made.text.bytes, made.text.length, SIZE_MAX);
		lost += count_lost(&made, &heard, record, lost < 200);
	}
	tap_is_uint(sound, rounds, "sound texts are read whole");
	tap_is_uint(lost, 0, "damage to a record costs no other");
	ra_util_text_free(&made.text);
}

/* Each record leaves a bracket open, and so takes all behind it. */
static void check_work(void)
{
	const unsigned count = 4000;
	struct ra_util_text text = { 0 };
	struct heard heard;

	ra_util_text_format(&text, "{\"traceEvents\":[");
	for (unsigned i = 0; i < count; i++) {
		ra_util_text_format(&text, "{\"ph\":\"X\",\"name\":\"a\" \"x\":1,\"args\":[");
	}
	ra_util_text_format(&text, "{\"ph\":\"X\" \"ts\":3}");
	hear(&heard, text.bytes, text.length, SIZE_MAX);
	tap_is_uint(heard.is_whole[3], 1, "behind records that do not end, one is read");
	tap_is_uint(heard.json.lost_records, count, "they are counted, each once");
	tap_ok(heard.opens < 40 * count, "no text is read too often: %u brackets", heard.opens);
	tap_is_uint(heard.json.odd[RA_JSON_ODD_COMMA], 1, "what is odd in them is not counted");
	tap_is_uint(heard.notes, count + 1, "what is odd is told once");
	ra_util_text_free(&text);
}

int main(void)
{
	check_work();
	check_pieces();
	check_mutations();
	check_arrays();
	return tap_done();
}
