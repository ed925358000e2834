/* SPDX-License-Identifier: MIT */
/* Reads strings, definitions, clock points and losses. */
#include "format/columns/decode.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "format/columns/attr.h"
#include "format/columns/column.h"
#include "format/columns/cursor.h"
#include "format/wire.h"

/* A column, and the field of a row struct that it fills. */
struct field {
	const char *key;
	size_t offset;
	size_t width; /* 4 or 8 */
};

#define FIELD(type, member, name)                                            \
	{                                                                    \
		(name), offsetof(type, member), sizeof(((type *) 0)->member) \
	}

/* The structs to fill, one for each row. */
struct target {
	char *bytes; /* the array of structs */
	size_t stride;
	const struct field *fields;
	size_t field_count;
	uint64_t *values; /* the caller's memory; room for one column */
};

static bool is_key(const char *key, const char *bytes, uint32_t length)
{
	return strlen(key) == length && memcmp(key, bytes, length) == 0;
}

/* Sets the cursor to the payload's map, and reads how many keys it has. */
static int open_map(const struct rlog_decode_source *source, struct rlog_cursor *cursor,
                    uint32_t *keys, struct rlog_error *err)
{
	cursor->pos = source->bytes;
	cursor->end = cursor->pos + source->size;
	if (rlog_cursor_read_map(cursor, keys)) {
		return rlog_error_set(err, RLOG_E_MSGPACK, RLOG_NO_OFFSET,
		                      "the payload is not a map");
	}
	return 0;
}

static int read_key(struct rlog_cursor *cursor, const char **key, uint32_t *length,
                    struct rlog_error *err)
{
	if (rlog_cursor_read_text(cursor, key, length)) {
		return rlog_error_set(err, RLOG_E_MSGPACK, RLOG_NO_OFFSET,
		                      "a key that is not text");
	}
	return 0;
}

static int close_map(const struct rlog_cursor *cursor, struct rlog_error *err)
{
	if (cursor->pos != cursor->end) {
		return rlog_error_set(err, RLOG_E_MSGPACK, RLOG_NO_OFFSET,
		                      "bytes after the payload's map");
	}
	return 0;
}

static int set_column_error(struct rlog_error *err, int code, const char *key)
{
	if (code == -RLOG_E_NO_MEMORY) {
		return rlog_error_set(err, -code, RLOG_NO_OFFSET, "column %s: no memory", key);
	}
	return rlog_error_set(err, -code, RLOG_NO_OFFSET,
	                      code == -RLOG_E_SCHEMA ? "column %s: wrong kind, length or range"
	                                             : "column %s: damaged msgpack",
	                      key);
}

static int fill_field(struct rlog_cursor *cursor, const struct target *target,
                      const struct field *field, size_t rows)
{
	const int code = rlog_column_read_u64(cursor, rows, target->values);
	char *at = target->bytes + field->offset;

	for (size_t i = 0; i < rows && !code; i++, at += target->stride) {
		const uint64_t value = target->values[i];
		const uint32_t narrow = (uint32_t) value;

		if (field->width == sizeof(value)) {
			memcpy(at, &value, sizeof(value));
		} else if (value == narrow) {
			memcpy(at, &narrow, sizeof(narrow));
		} else {
			return -RLOG_E_SCHEMA;
		}
	}
	return code;
}

static int read_field(struct rlog_cursor *cursor, const struct target *target, size_t rows,
                      struct rlog_error *err)
{
	const char *key = NULL;
	uint32_t length = 0;
	int code = read_key(cursor, &key, &length, err);

	if (code) {
		return code;
	}
	for (size_t i = 0; i < target->field_count; i++) {
		const struct field *const field = &target->fields[i];

		if (is_key(field->key, key, length)) {
			code = fill_field(cursor, target, field, rows);
			return code ? set_column_error(err, code, field->key) : 0;
		}
	}
	return rlog_cursor_skip(cursor) ? set_column_error(err, -RLOG_E_MSGPACK, "(unknown)") : 0;
}

/* Reads a table whose columns are all integers. */
static int read_fields(const struct rlog_decode_source *source, struct target *target,
                       struct rlog_error *err)
{
	struct rlog_cursor cursor;
	uint32_t keys = 0;
	int code = open_map(source, &cursor, &keys, err);

	if (code) {
		return code;
	}
	target->values = malloc((source->rows + 1) * sizeof(*target->values));
	if (!target->values) {
		return rlog_error_set(err, RLOG_E_NO_MEMORY, RLOG_NO_OFFSET,
		                      "no memory for a column");
	}
	for (uint32_t i = 0; i < keys && !code; i++) {
		code = read_field(&cursor, target, source->rows, err);
	}
	free(target->values);
	return code ? code : close_map(&cursor, err);
}

int rlog_decode_defs(const struct rlog_decode_source *source, struct rlog_def *out,
                     struct rlog_error *err)
{
	static const struct field fields[] = {
		FIELD(struct rlog_def, kind, "kind"),     FIELD(struct rlog_def, id, "id"),
		FIELD(struct rlog_def, parent, "parent"), FIELD(struct rlog_def, string, "str"),
		FIELD(struct rlog_def, value, "val"),
	};
	struct target target = { .bytes = (char *) out, .stride = sizeof(*out), .fields = fields };

	target.field_count = sizeof(fields) / sizeof(fields[0]);
	return read_fields(source, &target, err);
}

int rlog_decode_clock(const struct rlog_decode_source *source, struct rlog_clock_point *out,
                      struct rlog_error *err)
{
	static const struct field fields[] = {
		FIELD(struct rlog_clock_point, ticks, "ticks"),
		FIELD(struct rlog_clock_point, mono_ns, "mono"),
		FIELD(struct rlog_clock_point, real_ns, "real"),
		FIELD(struct rlog_clock_point, boot_ns, "boot"),
		FIELD(struct rlog_clock_point, err_ns, "err"),
	};
	struct target target = { .bytes = (char *) out, .stride = sizeof(*out), .fields = fields };

	target.field_count = sizeof(fields) / sizeof(fields[0]);
	return read_fields(source, &target, err);
}

int rlog_decode_losses(const struct rlog_decode_source *source, struct rlog_loss *out,
                       struct rlog_error *err)
{
	static const struct field fields[] = {
		FIELD(struct rlog_loss, stream, "stream"),
		FIELD(struct rlog_loss, cause, "cause"),
		FIELD(struct rlog_loss, count, "count"),
	};
	struct target target = { .bytes = (char *) out, .stride = sizeof(*out), .fields = fields };

	target.field_count = sizeof(fields) / sizeof(fields[0]);
	return read_fields(source, &target, err);
}

/* `s`: an array of texts. */
static int read_texts(struct rlog_cursor *cursor, size_t rows, struct rlog_string *out)
{
	uint32_t elements = 0;

	if (rlog_cursor_peek(cursor) != RLOG_CURSOR_ARRAY) {
		return -RLOG_E_SCHEMA;
	}
	if (rlog_cursor_read_array(cursor, &elements)) {
		return -RLOG_E_MSGPACK;
	}
	if (elements != rows) {
		return -RLOG_E_SCHEMA;
	}
	for (size_t i = 0; i < rows; i++) {
		const enum rlog_cursor_kind kind = rlog_cursor_peek(cursor);

		if (kind != RLOG_CURSOR_TEXT && kind != RLOG_CURSOR_NONE) {
			return -RLOG_E_SCHEMA;
		}
		if (rlog_cursor_read_text(cursor, &out[i].bytes, &out[i].length)) {
			return -RLOG_E_MSGPACK;
		}
		if (out[i].length > RLOG_MAX_STRING_BYTES) {
			return -RLOG_E_SCHEMA;
		}
	}
	return 0;
}

/* Reads `full`: the full lengths of strings that were cut. */
static int read_full_lengths(struct rlog_cursor *cursor, size_t rows, struct rlog_string *out)
{
	struct rlog_attr_column full = { 0 };
	int code = rlog_attr_read(cursor, &full, rows, false);

	for (size_t i = 0; i < full.count && !code; i++) {
		if (full.value[i] > UINT32_MAX) {
			code = -RLOG_E_SCHEMA;
			break;
		}
		out[full.row[i]].full_length = (uint32_t) full.value[i];
	}
	free(full.row);
	free(full.value);
	return code;
}

int rlog_decode_strings(const struct rlog_decode_source *source, struct rlog_string *out,
                        struct rlog_error *err)
{
	struct rlog_cursor cursor;
	uint32_t keys = 0;
	bool has_texts = false;
	int code = open_map(source, &cursor, &keys, err);

	for (uint32_t i = 0; i < keys && !code; i++) {
		const char *key = NULL;
		uint32_t length = 0;

		code = read_key(&cursor, &key, &length, err);
		if (code) {
			return code;
		}
		if (is_key("s", key, length)) {
			code = read_texts(&cursor, source->rows, out);
			has_texts = true;
		} else if (is_key("full", key, length)) {
			code = read_full_lengths(&cursor, source->rows, out);
		} else {
			code = rlog_cursor_skip(&cursor);
		}
		code = code ? set_column_error(err, code, "s, full or unknown") : 0;
	}
	if (code) {
		return code;
	}
	if (!has_texts) {
		return rlog_error_set(err, RLOG_E_SCHEMA, RLOG_NO_OFFSET, "column s is missing");
	}
	for (size_t i = 0; i < source->rows; i++) {
		if (out[i].full_length < out[i].length) {
			out[i].full_length = out[i].length;
		}
	}
	return close_map(&cursor, err);
}
