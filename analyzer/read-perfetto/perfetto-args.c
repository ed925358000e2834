/* SPDX-License-Identifier: MIT */
/* Makes args of rows from the debug annotations of Perfetto's events. */
#include "analyzer/read-perfetto/perfetto-args.h"

#include <inttypes.h>
#include <math.h>

#include "analyzer/base/text/util-text.h"

/* Field numbers, from perfetto/trace/track_event/debug_annotation.proto. */
enum {
	ANNOTATION_NAME_IID = 1,
	ANNOTATION_BOOL = 2,
	ANNOTATION_UINT = 3,
	ANNOTATION_INT = 4,
	ANNOTATION_DOUBLE = 5,
	ANNOTATION_STRING = 6,
	ANNOTATION_POINTER = 7,
	ANNOTATION_JSON = 9,
	ANNOTATION_NAME = 10,
	ANNOTATION_ENTRY = 11,
	ANNOTATION_ELEMENT = 12,
	ANNOTATION_STRING_IID = 17,
};

/* Values that nest deeper are left out, because readers of JSON handle nesting by recursion. */
#define MAX_DEPTH 32

struct reading {
	const struct ra_perfetto_state *state;
	uint32_t sequence;
};

static struct rlog_string find_text(const struct reading *reading, enum ra_perfetto_names kind,
                                    uint64_t number)
{
	return ra_kineto_string(
		reading->state->store->kineto,
		ra_perfetto_state_name(reading->state, reading->sequence, kind, number));
}

/* An annotation: its name and its value. */
struct annotation {
	struct rlog_string name;
	uint32_t type; /* field number of the value; 0: none */
	uint64_t bits;
	double real;
	struct rlog_string text; /* value of a string */
};

static struct annotation read_annotation(const struct reading *reading, struct ra_protobuf message)
{
	struct annotation annotation = { .name = { "", 0, 0 }, .text = { "", 0, 0 } };
	struct ra_protobuf_field field;

	while (ra_protobuf_next(&message, &field)) {
		switch (field.number) {
		case ANNOTATION_NAME_IID:
			annotation.name = find_text(reading, RA_PERFETTO_KEYS, field.integer);
			break;
		case ANNOTATION_NAME:
			annotation.name = ra_protobuf_text(&field);
			break;
		case ANNOTATION_STRING:
		case ANNOTATION_JSON:
			annotation.type = ANNOTATION_STRING;
			annotation.text = ra_protobuf_text(&field);
			break;
		case ANNOTATION_STRING_IID:
			annotation.type = ANNOTATION_STRING;
			annotation.text = find_text(reading, RA_PERFETTO_VALUES, field.integer);
			break;
		case ANNOTATION_BOOL:
		case ANNOTATION_UINT:
		case ANNOTATION_INT:
		case ANNOTATION_DOUBLE:
		case ANNOTATION_POINTER:
		case ANNOTATION_ENTRY:
		case ANNOTATION_ELEMENT:
			annotation.type = field.number;
			annotation.bits = field.integer;
			annotation.real = field.real;
			break;
		default:
			break;
		}
	}
	return annotation;
}

static void put_string(struct ra_util_text *json, struct rlog_string text)
{
	ra_util_text_put_char(json, '"');
	ra_util_text_put_name(json, text, RA_TEXT_JSON);
	ra_util_text_put_char(json, '"');
}

static void put_json(const struct reading *reading, struct ra_util_text *json,
                     struct ra_protobuf message, const struct annotation *annotation, int depth);

/* NOLINTNEXTLINE(misc-no-recursion): MAX_DEPTH bounds it */
static void put_container(const struct reading *reading, struct ra_util_text *json,
                          struct ra_protobuf message, uint32_t type, int depth)
{
	const bool is_list = type == ANNOTATION_ELEMENT;
	struct ra_protobuf_field field;
	bool has_first = false;

	ra_util_text_put_char(json, is_list ? '[' : '{');
	while (depth < MAX_DEPTH && ra_protobuf_next(&message, &field)) {
		if (field.number == type && field.wire == RA_PROTOBUF_BYTES) {
			const struct annotation inner =
				read_annotation(reading, ra_protobuf_enter(&field));

			if (has_first) {
				ra_util_text_put_char(json, ',');
			}
			has_first = true;
			if (!is_list) {
				put_string(json, inner.name);
				ra_util_text_put_char(json, ':');
			}
			put_json(reading, json, ra_protobuf_enter(&field), &inner, depth + 1);
		}
	}
	ra_util_text_put_char(json, is_list ? ']' : '}');
}

/* NOLINTNEXTLINE(misc-no-recursion): MAX_DEPTH bounds it */
static void put_json(const struct reading *reading, struct ra_util_text *json,
                     struct ra_protobuf message, const struct annotation *annotation, int depth)
{
	switch (annotation->type) {
	case ANNOTATION_BOOL:
		ra_util_text_format(json, annotation->bits != 0 ? "true" : "false");
		break;
	case ANNOTATION_INT:
		ra_util_text_format(json, "%" PRId64, (int64_t) annotation->bits);
		break;
	case ANNOTATION_UINT:
	case ANNOTATION_POINTER:
		ra_util_text_format(json, "%" PRIu64, annotation->bits);
		break;
	case ANNOTATION_DOUBLE:
		ra_util_text_format(json, isfinite(annotation->real) ? "%.17g" : "\"%g\"",
		                    annotation->real);
		break;
	case ANNOTATION_STRING:
		put_string(json, annotation->text);
		break;
	case ANNOTATION_ENTRY:
	case ANNOTATION_ELEMENT:
		put_container(reading, json, message, annotation->type, depth);
		break;
	default:
		ra_util_text_format(json, "null");
		break;
	}
}

static void put_text(struct ra_kineto_fill *fill, uint32_t key, const struct ra_util_text *json)
{
	const struct ra_kineto_item item = {
		.key = key << 1 | 1,
		.tag = RA_KINETO_TAG_JSON,
		.payload = ra_kineto_strings_add(&fill->store->strings, json->bytes, json->length),
	};

	fill->row.flags |= RA_KINETO_HAS_ARGS;
	ra_kineto_store_item(fill->store, &item);
}

void ra_perfetto_args_put(const struct ra_perfetto_state *state, uint32_t sequence,
                          struct ra_kineto_fill *fill, struct ra_protobuf message)
{
	const struct reading reading = { state, sequence };
	const struct annotation annotation = read_annotation(&reading, message);
	const uint32_t key = ra_kineto_strings_add(&fill->store->strings, annotation.name.bytes,
	                                           annotation.name.length);
	struct ra_util_text json = { 0 };

	switch (annotation.type) {
	case 0:
		break;
	case ANNOTATION_STRING:
		ra_kineto_fill_text(fill, key, annotation.text);
		break;
	case ANNOTATION_DOUBLE:
		ra_kineto_fill_real(fill, key, annotation.real);
		break;
	case ANNOTATION_ENTRY:
	case ANNOTATION_ELEMENT:
		put_json(&reading, &json, message, &annotation, 0);
		put_text(fill, key, &json);
		break;
	case ANNOTATION_BOOL:
	case ANNOTATION_INT:
		ra_kineto_fill_int(fill, key, (int64_t) annotation.bits);
		break;
	default: /* numbers of 64 bits without a sign */
		if (annotation.bits <= INT64_MAX) {
			ra_kineto_fill_int(fill, key, (int64_t) annotation.bits);
		} else {
			ra_kineto_fill_real(fill, key, (double) annotation.bits);
		}
		break;
	}
	ra_util_text_free(&json);
}
