/* SPDX-License-Identifier: MIT */
/* Takes a timeline in JSON, as it is written, for a trace in protobuf. */
#include "analyzer/pftrace/pftrace-json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_parse.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/pftrace/pftrace-event.h"

/* Numbers of fields: perfetto/trace/track_event/debug_annotation.proto, track_event.proto. */
enum {
	EVENT_ANNOTATION = 4,
	ANNOTATION_NAME_IID = 1,
	ANNOTATION_BOOL = 2,
	ANNOTATION_UINT = 3,
	ANNOTATION_INT = 4,
	ANNOTATION_DOUBLE = 5,
	ANNOTATION_ENTRY = 11,
	ANNOTATION_ELEMENT = 12,
	ANNOTATION_STRING_IID = 17,
};

/* Depths of the text: what stands in the file, in its list of events, in an event, in a value of
 * these. */
enum {
	IN_FILE = 1,
	IN_EVENTS = 2,
	IN_EVENT = 3,
	IN_VALUE = 4
};

/* A container of arguments. */
struct level {
	size_t before; /* where its annotation begins … */
	size_t opened; /* … and what closes it */
	size_t empty;  /* where its content begins */
	bool is_array;
};

struct ra_pftrace_json {
	struct ra_pftrace *trace; /* borrowed */
	yajl_handle yajl;         /* owned */
	size_t depth;
	bool is_bad;                    /* it is no JSON */
	bool has_events;                /* the list of events is open */
	bool has_base;                  /* the next value is the base */
	struct ra_pftrace_fields event; /* what is known of the event so far */
	enum ra_pftrace_field field;    /* the next value's, in an event */
	struct level *levels;           /* owned; of arguments */
	size_t level_count, level_capacity;
	uint32_t key; /* of the next argument: number in keys */
};

/* ---- arguments ---- */

static bool is_in_args(const struct ra_pftrace_json *json)
{
	return json->depth >= IN_VALUE && json->field == RA_PFTRACE_ARGS;
}

/* Begins an annotation in what is open; @before is where. */
static size_t open_annotation(struct ra_pftrace_json *json, size_t *before)
{
	struct ra_pftrace_bytes *args = &json->trace->args;
	const struct level *in = &json->levels[json->level_count - 1];
	uint32_t field = ANNOTATION_ENTRY;
	size_t opened;

	if (json->level_count == 1) {
		field = EVENT_ANNOTATION;
	} else if (in->is_array) {
		field = ANNOTATION_ELEMENT;
	}
	*before = args->used;
	opened = ra_pftrace_proto_open(args, field);
	if (!in->is_array) {
		ra_pftrace_proto_varint(args, ANNOTATION_NAME_IID, json->key);
	}
	return opened;
}

static void open_level(struct ra_pftrace_json *json, bool is_array)
{
	struct level level = { .is_array = is_array };

	if (json->level_count > 0) {
		level.opened = open_annotation(json, &level.before);
	}
	level.empty = json->trace->args.used;
	RA_UTIL_APPEND(json->levels, json->level_count, json->level_capacity, level);
}

static void put_string_arg(struct ra_pftrace_json *json, const char *text, size_t length)
{
	const uint32_t iid = ra_pftrace_texts_put(&json->trace->values, text, length);
	size_t before;
	const size_t opened = open_annotation(json, &before);

	ra_pftrace_proto_varint(&json->trace->args, ANNOTATION_STRING_IID, iid);
	ra_pftrace_proto_close(&json->trace->args, opened);
}

/* Perfetto knows no empty containers; in an array one keeps its place as a text. */
static void close_level(struct ra_pftrace_json *json)
{
	struct ra_pftrace_bytes *args = &json->trace->args;
	const struct level *level;

	if (json->level_count == 0) {
		return;
	}
	level = &json->levels[--json->level_count];
	if (json->level_count == 0) {
		return;
	}
	if (args->used == level->empty) {
		args->used = level->before;
		if (json->levels[json->level_count - 1].is_array) {
			put_string_arg(json, level->is_array ? "[]" : "{}", 2);
		}
	} else {
		ra_pftrace_proto_close(args, level->opened);
	}
}

static void put_number_arg(struct ra_pftrace_json *json, const char *text, size_t length)
{
	struct ra_pftrace_bytes *args = &json->trace->args;
	char copy[64]; /* what is longer is no number that anybody counts with */
	char *end;
	size_t before;
	size_t opened;
	double real;

	if (length >= sizeof(copy)) {
		put_string_arg(json, text, length);
		return;
	}
	memcpy(copy, text, length);
	copy[length] = '\0';
	real = strtod(copy, NULL);
	if (!isfinite(real)) {
		put_string_arg(json, text, length);
		return;
	}
	opened = open_annotation(json, &before);
	errno = 0;
	if (copy[0] == '-') {
		const long long value = strtoll(copy, &end, 10);

		if (errno == 0 && *end == '\0') {
			ra_pftrace_proto_varint(args, ANNOTATION_INT, (uint64_t) value);
			ra_pftrace_proto_close(args, opened);
			return;
		}
	} else {
		const unsigned long long value = strtoull(copy, &end, 10);

		if (errno == 0 && *end == '\0') {
			ra_pftrace_proto_varint(
				args, value > INT64_MAX ? ANNOTATION_UINT : ANNOTATION_INT, value);
			ra_pftrace_proto_close(args, opened);
			return;
		}
	}
	ra_pftrace_proto_double(args, ANNOTATION_DOUBLE, real);
	ra_pftrace_proto_close(args, opened);
}

/* ---- what yajl calls ---- */

/* What it is told. */
#define GO_ON 1

static int take_null(void *context)
{
	struct ra_pftrace_json *json = context;

	if (is_in_args(json) && json->level_count > 0 &&
	    json->levels[json->level_count - 1].is_array) {
		put_string_arg(json, "null", 4);
	}
	return GO_ON;
}

static int take_bool(void *context, int value)
{
	struct ra_pftrace_json *json = context;
	size_t before;

	if (is_in_args(json) && json->level_count > 0) {
		const size_t opened = open_annotation(json, &before);

		/* As JSON has it in Perfetto: a number. */
		ra_pftrace_proto_varint(&json->trace->args, ANNOTATION_INT, value != 0);
		ra_pftrace_proto_close(&json->trace->args, opened);
	}
	return GO_ON;
}

static int take_number(void *context, const char *text, size_t length)
{
	struct ra_pftrace_json *json = context;

	if (json->has_base) {
		json->has_base = false;
		json->trace->base_ns = strtoll(text, NULL, 10); /* a comma is behind it */
	} else if (json->depth == IN_EVENT && json->has_events) {
		ra_pftrace_event_take_number(json->trace, &json->event, json->field, text, length);
	} else if (is_in_args(json) && json->level_count > 0) {
		if (json->level_count == 1 && json->event.phase != 'X') {
			ra_pftrace_event_take_value(&json->event, json->key, text, length);
		}
		put_number_arg(json, text, length);
	}
	return GO_ON;
}

static int take_string(void *context, const unsigned char *text, size_t length)
{
	struct ra_pftrace_json *json = context;

	if (json->has_events && (json->depth == IN_EVENT || json->field == RA_PFTRACE_ID)) {
		ra_pftrace_event_take_text(json->trace, &json->event, json->field,
		                           (const char *) text, length);
	} else if (is_in_args(json) && json->level_count > 0) {
		if (json->level_count == 1 && json->event.phase == 'M') {
			json->event.said = ra_pftrace_texts_put(&json->trace->texts, text, length);
		}
		put_string_arg(json, (const char *) text, length);
	}
	return GO_ON;
}

static int open_container(struct ra_pftrace_json *json, bool is_array)
{
	json->depth++;
	json->has_base = false;
	if (json->depth == IN_EVENT && json->has_events) {
		json->event = (struct ra_pftrace_fields){ .args = json->trace->args.used,
			                                  .dur_ns = RA_PFTRACE_NEVER };
		json->field = RA_PFTRACE_NO_FIELD;
		json->level_count = 0;
	} else if (json->has_events && is_in_args(json)) {
		open_level(json, is_array);
	}
	return GO_ON;
}

static int close_container(struct ra_pftrace_json *json)
{
	if (json->has_events && is_in_args(json)) {
		close_level(json);
	}
	if (json->depth == IN_EVENT && json->has_events) {
		ra_pftrace_event_add(json->trace, &json->event);
	}
	if (json->depth == IN_EVENTS) {
		json->has_events = false;
	}
	json->depth--;
	return GO_ON;
}

static int take_open_map(void *context)
{
	return open_container(context, false);
}

static int take_open_array(void *context)
{
	return open_container(context, true);
}

static int take_close(void *context)
{
	return close_container(context);
}

static bool is_word(const unsigned char *text, size_t length, const char *word)
{
	return strlen(word) == length && memcmp(text, word, length) == 0;
}

static int take_key(void *context, const unsigned char *text, size_t length)
{
	struct ra_pftrace_json *json = context;

	if (json->depth == IN_FILE) {
		json->has_events = is_word(text, length, "traceEvents");
		json->has_base = is_word(text, length, "baseTimeNanoseconds");
	} else if (json->depth == IN_EVENT && json->has_events) {
		json->field = ra_pftrace_event_find_field((const char *) text, length);
	} else if (json->has_events && is_in_args(json)) {
		json->key = ra_pftrace_texts_put(&json->trace->keys, text, length);
	}
	return GO_ON;
}

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

/* ---- the whole ---- */

struct ra_pftrace_json *ra_pftrace_json_create(struct ra_pftrace *trace)
{
	struct ra_pftrace_json *json = ra_alloc_zeros(1, sizeof(*json));

	json->trace = trace;
	json->yajl = yajl_alloc(&callbacks, NULL, json);
	if (json->yajl == NULL) {
		ra_alloc_end();
	}
	yajl_config(json->yajl, yajl_dont_validate_strings, 1); /* we wrote them */
	return json;
}

void ra_pftrace_json_destroy(struct ra_pftrace_json *json)
{
	yajl_free(json->yajl);
	free(json->levels);
	free(json);
}

void ra_pftrace_json_put(void *json, const char *bytes, size_t count)
{
	struct ra_pftrace_json *const own = json;

	own->is_bad = own->is_bad ||
	              yajl_parse(own->yajl, (const unsigned char *) bytes, count) != yajl_status_ok;
}

bool ra_pftrace_json_finish(struct ra_pftrace_json *json)
{
	return !json->is_bad && yajl_complete_parse(json->yajl) == yajl_status_ok &&
	       json->depth == 0;
}
