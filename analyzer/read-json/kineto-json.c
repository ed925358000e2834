/* SPDX-License-Identifier: MIT */
/* JSON text as a stream of calls, by yajl, with repairs of what traces are known to have wrong. */
#include "analyzer/read-json/kineto-json.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <yajl/yajl_parse.h>

#include "analyzer/base/alloc.h"
#include "analyzer/rows/kineto-surrogates.h"
#include "analyzer/base/util.h"

/*
 * yajl stops for good at the first error. To go on behind a word such as NaN, another parser is
 * brought to the same depth by a made-up text, whose calls are not passed on, and is given what
 * follows. So files without such words pay nothing for the repair.
 */

#define BLOCK_BYTES   65536u
#define HISTORY_BYTES 64u /* of the block before, so that a word cut in two is found whole */
#define MAX_DEPTH     (1u << 20)
#define REPAIR_DEPTH  64u /* deeper down a repair costs too much */
#define MAX_TEXT      (UINT64_C(64) << 20)

struct reading {
	struct ra_kineto_json *json;
	struct ra_kineto_input *input;
	yajl_handle yajl; /* owned */
	uint8_t *stack;   /* owned: of the containers open, 1 for an object */
	size_t depth;
	size_t stack_capacity;
	bool is_muted; /* the text is made up */
	bool has_root; /* something was there */
	bool is_too_deep;
	bool has_called; /* since the block began */
	char *buffer;    /* owned: of the block, and history before it */
	size_t size;
	size_t block_bytes;
	size_t from; /* of the text not yet parsed, in buffer */
	size_t end;
	uint64_t end_offset; /* of `end` in the text */
	uint64_t repaired;   /* offset behind the last repair: the next one must be farther on */
	bool at_end;
	char rest[RA_KINETO_SURROGATES_REST]; /* read, but not yet in buffer */
	size_t rest_count;
};

static int open_container(struct reading *reading, bool is_object)
{
	reading->has_called = true;
	if (reading->is_muted) {
		return 1;
	}
	if (reading->depth >= MAX_DEPTH) {
		reading->is_too_deep = true;
		return 0;
	}
	RA_UTIL_APPEND(reading->stack, reading->depth, reading->stack_capacity, is_object);
	reading->has_root = true;
	reading->json->handler->open(reading->json->context, is_object);
	return 1;
}

static int take_open_map(void *context)
{
	return open_container(context, true);
}

static int take_open_array(void *context)
{
	return open_container(context, false);
}

static int take_close(void *context)
{
	struct reading *reading = context;

	reading->has_called = true;
	if (reading->is_muted) {
		return 1;
	}
	reading->depth--;
	reading->json->handler->close(reading->json->context, reading->stack[reading->depth] != 0);
	return 1;
}

static int take_key(void *context, const unsigned char *text, size_t length)
{
	struct reading *reading = context;

	reading->has_called = true;
	if (!reading->is_muted) {
		reading->json->handler->key(reading->json->context, (const char *) text, length);
	}
	return 1;
}

static int take_value(struct reading *reading, enum ra_kineto_json_type type, const char *text,
                      size_t length)
{
	reading->has_called = true;
	if (!reading->is_muted) {
		reading->json->handler->value(reading->json->context, type, text, length);
	}
	return 1;
}

static int take_null(void *context)
{
	return take_value(context, RA_KINETO_JSON_NULL, "", 0);
}

static int take_bool(void *context, int value)
{
	return take_value(context, value ? RA_KINETO_JSON_TRUE : RA_KINETO_JSON_FALSE, "", 0);
}

static int take_number(void *context, const char *text, size_t length)
{
	return take_value(context, RA_KINETO_JSON_NUMBER, text, length);
}

static int take_string(void *context, const unsigned char *text, size_t length)
{
	return take_value(context, RA_KINETO_JSON_STRING, (const char *) text, length);
}

static void make_parser(struct reading *reading)
{
	static const yajl_callbacks callbacks = {
		.yajl_null = take_null,
		.yajl_boolean = take_bool,
		.yajl_number = take_number,
		.yajl_string = take_string,
		.yajl_start_map = take_open_map,
		.yajl_map_key = take_key,
		.yajl_end_map = take_close,
		.yajl_start_array = take_open_array,
		.yajl_end_array = take_close,
	};

	if (reading->yajl != NULL) {
		yajl_free(reading->yajl);
	}
	reading->yajl = yajl_alloc(&callbacks, NULL, reading);
	/* Names that are not UTF-8 are shown as they are; the writers escape them. */
	if (reading->yajl == NULL || !yajl_config(reading->yajl, yajl_dont_validate_strings, 1)) {
		ra_alloc_end();
	}
}

static void feed(struct reading *reading, const char *text)
{
	yajl_parse(reading->yajl, (const unsigned char *) text, strlen(text));
}

/* A parser of the same depth, behind a value in the innermost container. */
static void replace_parser(struct reading *reading)
{
	make_parser(reading);
	reading->is_muted = true;
	for (size_t i = 0; i < reading->depth; i++) {
		feed(reading, reading->stack[i] ? "{\"\":" : "[");
	}
	feed(reading, "0 ");
	reading->is_muted = false;
}

static bool is_word_part(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '/' || c == '-' || c == '+';
}

/* Words that Python, C++ and Kineto have written where JSON wants a number. */
static bool is_known_word(const char *text, size_t length)
{
	static const char *const words[] = { "nan", "inf", "infinity", "n/a", "none" };
	const bool has_sign = length > 0 && (*text == '-' || *text == '+');

	text += has_sign;
	length -= has_sign;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i]) == length && strncasecmp(words[i], text, length) == 0) {
			return true;
		}
	}
	return false;
}

/* Reads text, without the end of it that only what follows tells the meaning of. */
static int read_text(struct reading *reading, char *buffer, size_t size, size_t *count)
{
	*count = 0;
	while (*count == 0 && size > reading->rest_count) {
		size_t got = 0;
		size_t whole;
		int rc;

		memcpy(buffer, reading->rest, reading->rest_count);
		rc = ra_kineto_input_read(reading->input, buffer + reading->rest_count,
		                          size - reading->rest_count, &got, &reading->json->stop);
		if (rc != 0) {
			return rc;
		}
		whole = reading->rest_count + got;
		*count = ra_kineto_surrogates_repair(buffer, whole, got == 0,
		                                     &reading->json->surrogates);
		reading->rest_count = whole - *count;
		memcpy(reading->rest, buffer + *count, reading->rest_count);
		if (got == 0) {
			break;
		}
	}
	return 0;
}

/* Moves text from `keep` on, and history before it, to the front and reads on behind it. */
static int refill(struct reading *reading, size_t keep)
{
	const size_t first = keep > HISTORY_BYTES ? keep - HISTORY_BYTES : 0;
	const size_t most = HISTORY_BYTES + reading->block_bytes;
	size_t count = 0;
	size_t got = 0;
	int rc;

	memmove(reading->buffer, reading->buffer + first, reading->end - first);
	reading->from -= first;
	reading->end -= first;
	do {
		rc = read_text(reading, reading->buffer + reading->end, most - reading->end, &got);
		reading->end += got;
		count += got;
	} while (rc == 0 && got > 0 && reading->block_bytes > BLOCK_BYTES &&
	         most - reading->end > RA_KINETO_SURROGATES_REST);
	reading->end_offset += count;
	reading->at_end = count == 0;
	return count > 0 ? 0 : rc; /* an error comes again with the next block */
}

/*
 * yajl keeps the begin of a text that goes on behind the block, and looks through all of it again
 * with the next. Blocks as long as what it keeps make that a fixed number of times.
 */
static void size_block(struct reading *reading, uint64_t kept)
{
	const uint64_t left = MAX_TEXT - kept + BLOCK_BYTES;

	reading->block_bytes = (size_t) (kept < left ? kept : left);
	if (reading->block_bytes < BLOCK_BYTES) {
		reading->block_bytes = BLOCK_BYTES;
	}
	ra_util_grow(&reading->buffer, &reading->size, HISTORY_BYTES + reading->block_bytes, 1);
}

/* Notes a repair that ends at a place of the buffer. Return: false if one has ended there before.
 */
static bool note_progress(struct reading *reading, size_t at)
{
	const uint64_t offset = reading->end_offset - (reading->end - at);

	if (offset <= reading->repaired) {
		return false;
	}
	reading->repaired = offset;
	return true;
}

/* @at: where in the buffer the parser stopped, one behind the first character it could not take.
 * Return: true if there was something to repair. */
static bool repair_word(struct reading *reading, size_t at)
{
	size_t first = at;
	size_t end;

	while (first > 0 && is_word_part(reading->buffer[first - 1])) {
		first--;
	}
	reading->from = first;
	if (reading->end - first < 16 && !reading->at_end) {
		(void) refill(reading, first); /* an error comes again with the next block */
		first = reading->from;
	}
	for (end = first; end < reading->end && is_word_part(reading->buffer[end]); end++) {
	}
	if (!is_known_word(reading->buffer + first, end - first) || !note_progress(reading, end)) {
		return false;
	}
	replace_parser(reading);
	take_value(reading, RA_KINETO_JSON_NUMBER, reading->buffer + first, end - first);
	reading->from = end;
	reading->json->words++;
	return true;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* A comma before a closing bracket, or none between two objects of an array. */
static bool repair_comma(struct reading *reading, size_t at)
{
	const char found = at > 0 ? reading->buffer[at - 1] : '\0';
	const bool is_object = reading->depth > 0 && reading->stack[reading->depth - 1] != 0;
	size_t before = at - (at > 0);

	while (before > 0 && is_space(reading->buffer[before - 1])) {
		before--;
	}
	const char last = before > 0 ? reading->buffer[before - 1] : '\0';
	const bool is_surplus = found == (is_object ? '}' : ']') && last == ',';
	const bool is_missing = found == '{' && !is_object && last == '}';

	if ((!is_surplus && !is_missing) || !note_progress(reading, at)) {
		return false;
	}
	replace_parser(reading);
	if (is_missing) {
		feed(reading, ",");
	}
	reading->from = at - 1;
	reading->json->commas++;
	return true;
}

static void note_stop(struct reading *reading, int code, uint64_t offset, const char *what)
{
	rlog_error_set(&reading->json->stop, code, offset, "%s%s", what,
	               ra_kineto_input_is_gzip(reading->input) ? " (offset of the unpacked text)"
	                                                       : "");
}

/* Writes yajl's reason, which ends with a newline, as the stop. */
static void note_error(struct reading *reading, uint64_t offset)
{
	unsigned char *text = yajl_get_error(reading->yajl, 0, NULL, 0);
	char line[160];

	strncpy(line, text != NULL ? (const char *) text : "no JSON", sizeof(line) - 1);
	line[sizeof(line) - 1] = '\0';
	line[strcspn(line, "\n")] = '\0';
	if (text != NULL) {
		yajl_free_error(reading->yajl, text);
	}
	note_stop(reading, RLOG_E_SCHEMA, offset, line);
}

/* Return: true to go on behind a repair, false if the reading ends here. */
static bool take_error(struct reading *reading, size_t at)
{
	const uint64_t offset = reading->end_offset - (reading->end - at);

	if (reading->is_too_deep) {
		note_stop(reading, RLOG_E_SCHEMA, offset,
		          "arrays and objects are nested over a million deep");
		return false;
	}
	if (reading->depth > 0 && reading->depth <= REPAIR_DEPTH &&
	    (repair_comma(reading, at) || repair_word(reading, at))) {
		return true;
	}
	note_error(reading, offset > 0 ? offset - 1 : 0);
	return false;
}

/* Parses what is in the buffer. Return: as take_error. */
static bool parse_block(struct reading *reading)
{
	while (reading->from < reading->end) {
		const size_t from = reading->from;
		const size_t count = reading->end - from;

		if (yajl_parse(reading->yajl, (const unsigned char *) reading->buffer + from,
		               count) == yajl_status_ok) {
			reading->from = reading->end;
			return true;
		}
		if (!take_error(reading, from + yajl_get_bytes_consumed(reading->yajl))) {
			return false;
		}
	}
	return true;
}

/* The text ends. A bare array needs no bracket at its end: Chrome's format says so. */
static void finish(struct reading *reading)
{
	const bool is_open_array = reading->depth == 1 && reading->stack[0] == 0;

	if (yajl_complete_parse(reading->yajl) == yajl_status_ok) {
		return;
	}
	if (!reading->has_root) {
		note_stop(reading, RLOG_E_SCHEMA, reading->end_offset, "no JSON text");
	} else if (!is_open_array) {
		note_stop(reading, RLOG_E_TRUNCATED, reading->end_offset,
		          "the text ends in the middle");
	}
}

/* Bytes of a byte order mark at the beginning. */
static size_t count_mark(const struct reading *reading)
{
	return reading->end >= 3 && memcmp(reading->buffer, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

static void read_all(struct reading *reading)
{
	uint64_t last_call = 0; /* offset */
	bool goes_on = true;

	for (bool is_first = true; goes_on; is_first = false) {
		reading->json->stop.code = 0;
		size_block(reading, reading->end_offset - last_call);
		if (refill(reading, reading->end) != 0) {
			return; /* the stop is set */
		}
		reading->from += is_first ? count_mark(reading) : 0;
		if (reading->from == reading->end) {
			finish(reading);
			return;
		}
		reading->has_called = false;
		goes_on = parse_block(reading);
		if (reading->has_called) {
			last_call = reading->end_offset;
		} else if (reading->end_offset - last_call > MAX_TEXT) {
			note_stop(reading, RLOG_E_SCHEMA, last_call,
			          "a text is longer than 64 MiB: the rest is not read");
			return;
		}
		if (reading->json->progress != NULL) {
			reading->json->progress(reading->json->context);
		}
	}
}

void ra_kineto_json_read(struct ra_kineto_json *json, struct ra_kineto_input *input)
{
	struct reading *reading = ra_alloc_zeros(1, sizeof(*reading));

	reading->json = json;
	reading->input = input;
	make_parser(reading);
	read_all(reading);
	json->bytes = reading->end_offset;
	yajl_free(reading->yajl);
	free(reading->stack);
	free(reading->buffer);
	free(reading);
}
