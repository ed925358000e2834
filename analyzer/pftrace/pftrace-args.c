/* SPDX-License-Identifier: MIT */
/* Writes an event's arguments as debug annotations in protobuf. */
#include "analyzer/pftrace/pftrace-args.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/util.h"
#include "analyzer/protobuf/protobuf.h"

/* Field numbers, from perfetto/trace/track_event/debug_annotation.proto, track_event.proto. */
enum {
	EVENT_ANNOTATION = 4,
	ANNOTATION_NAME_IID = 1,
	ANNOTATION_UINT = 3,
	ANNOTATION_INT = 4,
	ANNOTATION_DOUBLE = 5,
	ANNOTATION_ENTRY = 11,
	ANNOTATION_ELEMENT = 12,
	ANNOTATION_STRING_IID = 17,
};

void ra_pftrace_args_fini(struct ra_pftrace_args *args)
{
	ra_protobuf_bytes_fini(&args->bytes);
	free(args->levels);
}

void ra_pftrace_args_begin(struct ra_pftrace_args *args, bool is_array)
{
	args->level_count = 0;
	RA_UTIL_APPEND(args->levels, args->level_count, args->level_capacity,
	               (struct ra_pftrace_level){ .is_array = is_array });
}

/* Returns the field of the open container that an annotation in it has. */
static uint32_t find_field(const struct ra_pftrace_args *args)
{
	if (args->level_count == 1) {
		return EVENT_ANNOTATION;
	}
	return args->levels[args->level_count - 1].is_array ? ANNOTATION_ELEMENT : ANNOTATION_ENTRY;
}

/* Begins an annotation in the open container. @before: gets the place where the annotation
 * begins. */
static size_t open_annotation(struct ra_pftrace_args *args, size_t *before)
{
	const struct ra_pftrace_level *in = &args->levels[args->level_count - 1];
	size_t opened;

	*before = args->bytes.used;
	if (args->is_dry) {
		return *before;
	}
	opened = ra_protobuf_write_open(&args->bytes, find_field(args));
	if (!in->is_array) {
		ra_protobuf_write_varint(&args->bytes, ANNOTATION_NAME_IID, args->key);
	}
	return opened;
}

/* If only texts are wanted, writes one byte in place of a value. Return: false if the value must be
 * written. */
static bool put_dry(struct ra_pftrace_args *args)
{
	if (args->is_dry) {
		ra_protobuf_bytes_put(&args->bytes, "", 1);
	}
	return args->is_dry;
}

/* Room for an annotation that holds one number: keys and lengths of one or two bytes each, the
 * name's number, and the value. */
#define NUMBER_BYTES ((size_t) 32)

/* Begins an annotation that holds one number. It is short, so its length takes one byte, which
 * end_number() writes. @start: gets the place of the length. Return: the place for the value. */
static uint8_t *begin_number(struct ra_pftrace_args *args, uint8_t **start)
{
	uint8_t *place = ra_protobuf_bytes_reserve(&args->bytes, NUMBER_BYTES);

	*place++ = (uint8_t) (find_field(args) << 3 | RA_PROTOBUF_BYTES);
	*start = place++;
	if (!args->levels[args->level_count - 1].is_array) {
		*place++ = ANNOTATION_NAME_IID << 3 | RA_PROTOBUF_VARINT;
		place = ra_protobuf_write_number(place, args->key);
	}
	return place;
}

/* @end: the place after the value. */
static void end_number(struct ra_pftrace_args *args, uint8_t *start, const uint8_t *end)
{
	*start = (uint8_t) (end - start - 1);
	args->bytes.used = (size_t) (end - args->bytes.bytes);
}

static void put_varint(struct ra_pftrace_args *args, uint32_t field, uint64_t value)
{
	uint8_t *start;
	uint8_t *place;

	if (!put_dry(args)) {
		place = begin_number(args, &start);
		place = ra_protobuf_write_number(place, field << 3 | RA_PROTOBUF_VARINT);
		end_number(args, start, ra_protobuf_write_number(place, value));
	}
}

static void put_real(struct ra_pftrace_args *args, double value)
{
	uint8_t *start;
	uint8_t *place;

	if (!put_dry(args)) {
		place = begin_number(args, &start);
		*place++ = ANNOTATION_DOUBLE << 3 | RA_PROTOBUF_FIXED64;
		end_number(args, start, ra_protobuf_write_bits(place, value));
	}
}

void ra_pftrace_args_int(struct ra_pftrace_args *args, int64_t value)
{
	put_varint(args, ANNOTATION_INT, (uint64_t) value);
}

void ra_pftrace_args_uint(struct ra_pftrace_args *args, uint64_t value)
{
	put_varint(args, value > INT64_MAX ? ANNOTATION_UINT : ANNOTATION_INT, value);
}

void ra_pftrace_args_text(struct ra_pftrace_args *args, uint32_t value)
{
	put_varint(args, ANNOTATION_STRING_IID, value);
}

static void put_string(struct ra_pftrace_args *args, const char *text, size_t length)
{
	ra_pftrace_args_text(args, ra_protobuf_texts_put(args->values, text, length));
}

/* Writes a null. Perfetto has no null, so it is left out; in a list, it is written as text, to keep
 * its place. */
void ra_pftrace_args_null(struct ra_pftrace_args *args)
{
	if (args->levels[args->level_count - 1].is_array) {
		put_string(args, "null", 4);
	}
}

/* Writes a number with few digits and no exponent, as most numbers are, on a fast path. Its digits
 * and its power of ten are exact doubles, so the division rounds only once. Return: false if it is
 * another number. */
static bool put_usual(struct ra_pftrace_args *args, const char *text, size_t length)
{
	const size_t first = length > 0 && text[0] == '-';
	size_t point = length;
	int64_t digits = 0;
	double scale = 1;

	if (length == first || length > 15 || text[length - 1] == '.') {
		return false;
	}
	for (size_t i = first; i < length; i++) {
		if (text[i] == '.' && point == length && i > first) {
			point = i;
		} else if (text[i] >= '0' && text[i] <= '9') {
			digits = digits * 10 + (text[i] - '0');
			scale *= i > point ? 10 : 1;
		} else {
			return false;
		}
	}
	if (point < length) {
		put_real(args, first > 0 ? -((double) digits / scale) : (double) digits / scale);
	} else {
		ra_pftrace_args_int(args, first > 0 ? -digits : digits);
	}
	return true;
}

void ra_pftrace_args_number(struct ra_pftrace_args *args, const char *text, size_t length)
{
	char copy[64]; /* readers can't use a longer text as a number */
	char *end = copy;
	double real;

	if (put_usual(args, text, length)) {
		return;
	}
	if (length >= sizeof(copy)) {
		put_string(args, text, length);
		return;
	}
	memcpy(copy, text, length);
	copy[length] = '\0';
	real = strtod(copy, NULL);
	if (!isfinite(real)) {
		put_string(args, text, length);
		return;
	}
	errno = 0;
	if (copy[0] == '-') {
		const long long value = strtoll(copy, &end, 10);

		if (errno == 0 && *end == '\0') {
			ra_pftrace_args_int(args, value);
			return;
		}
	} else {
		const unsigned long long value = strtoull(copy, &end, 10);

		if (errno == 0 && *end == '\0') {
			ra_pftrace_args_uint(args, value);
			return;
		}
	}
	put_real(args, real);
}

void ra_pftrace_args_open(struct ra_pftrace_args *args, bool is_array)
{
	struct ra_pftrace_level level = { .is_array = is_array };

	level.opened = open_annotation(args, &level.before);
	level.empty = args->bytes.used;
	RA_UTIL_APPEND(args->levels, args->level_count, args->level_capacity, level);
}

/* Closes a container. Perfetto has no empty containers. In a list, an empty container is written as
 * text, to keep its place. */
void ra_pftrace_args_close(struct ra_pftrace_args *args)
{
	const struct ra_pftrace_level *level;

	if (args->level_count <= 1) {
		return;
	}
	level = &args->levels[--args->level_count];
	if (args->bytes.used > level->empty) {
		if (!args->is_dry) {
			ra_protobuf_write_close(&args->bytes, level->opened);
		}
		return;
	}
	args->bytes.used = level->before;
	if (args->levels[args->level_count - 1].is_array) {
		put_string(args, level->is_array ? "[]" : "{}", 2);
	}
}

/* ---- values as JSON ---- */

struct reading {
	const char *at;
	const char *end;
	struct ra_protobuf_bytes text; /* owned; the last string that was read */
};

static void put_code(struct ra_protobuf_bytes *text, uint32_t code)
{
	uint8_t bytes[4];
	size_t count = 0;

	if (code < 0x80) {
		bytes[count++] = (uint8_t) code;
	} else if (code < 0x800) {
		bytes[count++] = (uint8_t) (0xC0 | code >> 6);
		bytes[count++] = (uint8_t) (0x80 | (code & 0x3F));
	} else {
		if (code < 0x10000) {
			bytes[count++] = (uint8_t) (0xE0 | code >> 12);
		} else {
			bytes[count++] = (uint8_t) (0xF0 | code >> 18);
			bytes[count++] = (uint8_t) (0x80 | (code >> 12 & 0x3F));
		}
		bytes[count++] = (uint8_t) (0x80 | (code >> 6 & 0x3F));
		bytes[count++] = (uint8_t) (0x80 | (code & 0x3F));
	}
	ra_protobuf_bytes_put(text, bytes, count);
}

/* Reads four hex digits. */
static uint32_t read_code(struct reading *reading)
{
	uint32_t code = 0;

	for (int i = 0; i < 4 && reading->at < reading->end; i++) {
		const char digit = *reading->at++;

		code = code << 4 | (((uint32_t) digit & 15) + (digit >= 'A' ? 9u : 0u));
	}
	return code;
}

static void read_escape(struct reading *reading)
{
	static const char letters[] = "b\bf\fn\nr\rt\t";
	char letter = *reading->at++;

	if (letter == 'u') {
		uint32_t code = read_code(reading);

		if ((code & 0xFC00) == 0xD800 && reading->end - reading->at >= 6 &&
		    reading->at[0] == '\\' && reading->at[1] == 'u') {
			reading->at += 2;
			code = 0x10000 + ((code & 0x3FF) << 10) + (read_code(reading) & 0x3FF);
		}
		put_code(&reading->text, code);
		return;
	}
	for (size_t i = 0; i + 1 < sizeof(letters); i += 2) {
		if (letter == letters[i]) {
			letter = letters[i + 1];
			break;
		}
	}
	ra_protobuf_bytes_put(&reading->text, &letter, 1);
}

/* Reads a string, beginning after its opening quote. */
static void read_string(struct reading *reading)
{
	reading->text.used = 0;
	while (reading->at < reading->end && *reading->at != '"') {
		const char *first = reading->at;

		while (reading->at < reading->end && *reading->at != '"' && *reading->at != '\\') {
			reading->at++;
		}
		ra_protobuf_bytes_put(&reading->text, first, (size_t) (reading->at - first));
		if (reading->end - reading->at >= 2 && *reading->at == '\\') {
			reading->at++;
			read_escape(reading);
		} else if (reading->at < reading->end && *reading->at == '\\') {
			reading->at++;
		}
	}
	reading->at += reading->at < reading->end;
}

static bool ends_word(char c)
{
	return c == ',' || c == ']' || c == '}' || c == ':' || c == ' ' || c == '\0';
}

/* Reads a number or a word. */
static struct rlog_string read_word(struct reading *reading)
{
	const char *first = reading->at;

	while (reading->at < reading->end && !ends_word(*reading->at)) {
		reading->at++;
	}
	return (struct rlog_string){ first, (uint32_t) (reading->at - first), 0 };
}

static void put_word(struct ra_pftrace_args *args, struct rlog_string word)
{
	if (word.length == 0) {
		return;
	}
	switch (word.bytes[0]) {
	case 't':
	case 'f': /* Perfetto reads false and true in JSON as numbers */
		ra_pftrace_args_int(args, word.bytes[0] == 't');
		break;
	case 'n':
		ra_pftrace_args_null(args);
		break;
	default:
		ra_pftrace_args_number(args, word.bytes, word.length);
		break;
	}
}

static void put_text(struct ra_pftrace_args *args, struct reading *reading)
{
	const char *text = reading->text.used > 0 ? (const char *) reading->text.bytes : "";

	if (reading->at < reading->end && *reading->at == ':') {
		args->key = ra_protobuf_texts_put(args->keys, text, reading->text.used);
		reading->at++;
	} else {
		put_string(args, text, reading->text.used);
	}
}

void ra_pftrace_args_json(struct ra_pftrace_args *args, struct rlog_string json)
{
	struct reading reading = { .at = json.bytes, .end = json.bytes + json.length };

	while (reading.at < reading.end) {
		switch (*reading.at) {
		case '{':
		case '[':
			ra_pftrace_args_open(args, *reading.at++ == '[');
			break;
		case '}':
		case ']':
			reading.at++;
			ra_pftrace_args_close(args);
			break;
		case '"':
			reading.at++;
			read_string(&reading);
			put_text(args, &reading);
			break;
		case ',':
		case ':':
		case ' ':
			reading.at++;
			break;
		default:
			put_word(args, read_word(&reading));
			break;
		}
	}
	ra_protobuf_bytes_fini(&reading.text);
}

void ra_pftrace_args_walk_texts(struct rlog_string json,
                                void (*take)(void *context, const char *text, size_t length),
                                void *context)
{
	struct reading reading = { .at = json.bytes, .end = json.bytes + json.length };

	while (reading.at < reading.end) {
		if (*reading.at++ == '"') {
			read_string(&reading);
			if (reading.at == reading.end || *reading.at != ':') {
				take(context,
				     reading.text.used > 0 ? (const char *) reading.text.bytes : "",
				     reading.text.used);
			}
		}
	}
	ra_protobuf_bytes_fini(&reading.text);
}
