/* SPDX-License-Identifier: MIT */
/* Parses the details of schemas, enums and the type table. */
#include "format/columns/schema.h"

#include <string.h>

#include "format/error.h"

/* Opens a detail, which must be an array. Reads its number of elements. */
static int open_detail(struct rlog_cursor *cursor, const void *detail, size_t bytes,
                       uint32_t *elements)
{
	cursor->pos = detail;
	cursor->end = cursor->pos + bytes;
	if (rlog_cursor_peek(cursor) != RLOG_CURSOR_ARRAY) {
		return -RLOG_E_SCHEMA;
	}
	return rlog_cursor_read_array(cursor, elements);
}

/* Reads a number. Also accepts a boolean as 0 or 1. */
static int read_number(struct rlog_cursor *cursor, uint64_t *value)
{
	struct rlog_cursor_int number;
	bool truth = false;
	int status = 0;

	if (rlog_cursor_peek(cursor) == RLOG_CURSOR_BOOL) {
		status = rlog_cursor_read_bool(cursor, &truth);
		*value = truth;
		return status;
	}
	if (rlog_cursor_peek(cursor) != RLOG_CURSOR_INT) {
		return -RLOG_E_SCHEMA;
	}
	status = rlog_cursor_read_int(cursor, &number);
	if (!status) {
		*value = number.bits;
	}
	return status;
}

/* Reads a text or nil. */
static int read_text(struct rlog_cursor *cursor, struct rlog_schema_text *text)
{
	text->bytes = NULL;
	text->length = 0;
	if (rlog_cursor_peek(cursor) == RLOG_CURSOR_TEXT) {
		return rlog_cursor_read_text(cursor, &text->bytes, &text->length);
	}
	if (rlog_cursor_peek(cursor) != RLOG_CURSOR_OTHER) {
		return -RLOG_E_SCHEMA;
	}
	return rlog_cursor_skip(cursor);
}

/* Skips elements that a later version may have added. */
static int skip_rest(struct rlog_cursor *cursor, uint32_t elements)
{
	int status = 0;

	while (elements > 0 && !status) {
		elements--;
		status = rlog_cursor_skip(cursor);
	}
	return status;
}

/* Reads the part of a schema's detail before its entries, and the number of entries. */
static int read_schema_head(struct rlog_cursor *cursor, const void *detail, size_t bytes,
                            struct rlog_schema *schema)
{
	uint32_t elements = 0;
	int status = open_detail(cursor, detail, bytes, &elements);

	if (!status && elements < 5) {
		status = -RLOG_E_SCHEMA;
	}
	if (!status) {
		status = read_number(cursor, &schema->type);
	}
	if (!status) {
		status = read_number(cursor, &schema->flags);
	}
	if (!status) {
		status = read_number(cursor, &schema->static_size);
	}
	if (!status) {
		status = read_number(cursor, &schema->pack_align);
	}
	if (!status && rlog_cursor_peek(cursor) != RLOG_CURSOR_ARRAY) {
		status = -RLOG_E_SCHEMA;
	}
	return status ? status : rlog_cursor_read_array(cursor, &schema->count);
}

static int read_enum_head(struct rlog_cursor *cursor, const void *detail, size_t bytes,
                          struct rlog_schema_enum *result)
{
	uint32_t elements = 0;
	int status = open_detail(cursor, detail, bytes, &elements);

	if (!status && elements < 2) {
		status = -RLOG_E_SCHEMA;
	}
	if (!status) {
		status = read_number(cursor, &result->size);
	}
	if (!status && rlog_cursor_peek(cursor) != RLOG_CURSOR_ARRAY) {
		status = -RLOG_E_SCHEMA;
	}
	return status ? status : rlog_cursor_read_array(cursor, &result->count);
}

int rlog_schema_count_entries(const void *detail, size_t bytes, uint32_t *count)
{
	struct rlog_schema schema = { 0 };
	struct rlog_cursor cursor;
	const int status = read_schema_head(&cursor, detail, bytes, &schema);

	*count = schema.count;
	return status;
}

int rlog_schema_count_values(const void *detail, size_t bytes, uint32_t *count)
{
	struct rlog_schema_enum head = { 0 };
	struct rlog_cursor cursor;
	const int status = read_enum_head(&cursor, detail, bytes, &head);

	*count = head.count;
	return status;
}

/* Skips semantics, which are an array or nil. Callers that want them read the array themselves. */
static int read_semantics(struct rlog_cursor *cursor, struct rlog_cursor *semantics)
{
	const uint8_t *const from = cursor->pos;
	const enum rlog_cursor_kind kind = rlog_cursor_peek(cursor);
	int status = 0;

	if (kind != RLOG_CURSOR_ARRAY && kind != RLOG_CURSOR_OTHER) {
		return -RLOG_E_SCHEMA;
	}
	status = rlog_cursor_skip(cursor);
	if (!status && kind == RLOG_CURSOR_ARRAY) {
		semantics->pos = from;
		semantics->end = cursor->pos;
	}
	return status;
}

static int read_entry(struct rlog_cursor *cursor, struct rlog_schema_entry *entry)
{
	uint32_t elements = 0;
	int status = 0;

	if (rlog_cursor_peek(cursor) != RLOG_CURSOR_ARRAY) {
		return -RLOG_E_SCHEMA;
	}
	status = rlog_cursor_read_array(cursor, &elements);
	if (!status && elements < 7) {
		status = -RLOG_E_SCHEMA;
	}
	if (!status) {
		status = read_number(cursor, &entry->flags);
	}
	if (!status) {
		status = read_number(cursor, &entry->type);
	}
	if (!status) {
		status = read_text(cursor, &entry->name);
	}
	if (!status) {
		status = read_text(cursor, &entry->description);
	}
	if (!status) {
		status = read_number(cursor, &entry->detail);
	}
	if (!status) {
		status = read_number(cursor, &entry->offset);
	}
	if (!status) {
		status = read_semantics(cursor, &entry->semantics);
	}
	return status ? status : skip_rest(cursor, elements - 7);
}

int rlog_schema_parse(const void *detail, size_t bytes, struct rlog_schema_entry *entries,
                      uint32_t capacity, struct rlog_schema *schema)
{
	struct rlog_cursor cursor;
	int status = 0;

	memset(schema, 0, sizeof(*schema));
	schema->entries = entries;
	schema->align = 1;
	status = read_schema_head(&cursor, detail, bytes, schema);
	if (!status && schema->count > capacity) {
		status = -RLOG_E_FULL;
	}
	for (uint32_t i = 0; i < schema->count && !status; i++) {
		memset(&entries[i], 0, sizeof(entries[i]));
		status = read_entry(&cursor, &entries[i]);
	}
	if (status) {
		schema->count = 0;
	}
	return status;
}

static int read_value(struct rlog_cursor *cursor, struct rlog_schema_value *value)
{
	uint64_t is_flag = 0;
	uint32_t elements = 0;
	int status = 0;

	if (rlog_cursor_peek(cursor) != RLOG_CURSOR_ARRAY) {
		return -RLOG_E_SCHEMA;
	}
	status = rlog_cursor_read_array(cursor, &elements);
	if (!status && elements < 3) {
		status = -RLOG_E_SCHEMA;
	}
	if (!status) {
		status = read_text(cursor, &value->name);
	}
	if (!status) {
		status = read_number(cursor, &value->value);
	}
	if (!status) {
		status = read_number(cursor, &is_flag);
		value->is_flag = is_flag != 0;
	}
	return status ? status : skip_rest(cursor, elements - 3);
}

int rlog_schema_parse_enum(const void *detail, size_t bytes, struct rlog_schema_value *values,
                           uint32_t capacity, struct rlog_schema_enum *result)
{
	struct rlog_cursor cursor;
	int status = 0;

	memset(result, 0, sizeof(*result));
	result->values = values;
	status = read_enum_head(&cursor, detail, bytes, result);
	if (!status && result->count > capacity) {
		status = -RLOG_E_FULL;
	}
	for (uint32_t i = 0; i < result->count && !status; i++) {
		memset(&values[i], 0, sizeof(values[i]));
		status = read_value(&cursor, &values[i]);
	}
	if (status) {
		result->count = 0;
	}
	return status;
}

void rlog_schema_default_types(struct rlog_schema_types *types)
{
	static const uint8_t sizes[RLOG_SCHEMA_TABLE_TYPES] = {
		0, 1, 1,  2, 2, 4, 4, 8, 8, 8, 8, /* types 1 … 10: char … unsigned long long */
		1, 1, 2,  2, 4, 4, 8, 8,          /* types 11 … 18: int8 … uint64 */
		4, 8, 16, 8, 8, 4, 1, 2, 4,       /* types 19 … 27: float … char32_t */
	};

	for (size_t i = 0; i < RLOG_SCHEMA_TABLE_TYPES; i++) {
		types->size[i] = sizes[i];
		types->align[i] = sizes[i];
	}
}

int rlog_schema_parse_types(const void *detail, size_t bytes, struct rlog_schema_types *types)
{
	struct rlog_cursor cursor;
	uint64_t number = 0;
	uint32_t elements = 0;
	int status = 0;

	rlog_schema_default_types(types);
	status = open_detail(&cursor, detail, bytes, &elements);
	if (!status && elements < 2) {
		status = -RLOG_E_SCHEMA;
	}
	/* The first pair describes the array itself: its length, and the size of a pair. */
	for (uint32_t i = 0; i < 2 && !status; i++) {
		status = read_number(&cursor, &number);
	}
	for (uint32_t type = 1; type < RLOG_SCHEMA_TABLE_TYPES && !status; type++) {
		uint64_t size = 0;
		uint64_t align = 0;

		if (2 * type + 2 > elements) {
			break;
		}
		status = read_number(&cursor, &size);
		if (!status) {
			status = read_number(&cursor, &align);
		}
		/* A size of 0 means that the compiler has no such type. */
		if (!status && size > 0 && size <= 64 && align > 0 && align <= 64) {
			types->size[type] = (uint16_t) size;
			types->align[type] = (uint16_t) align;
		}
	}
	return status;
}
