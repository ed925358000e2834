/* SPDX-License-Identifier: MIT */
/* Prints data and details for `analyzer dump`. */
#include "analyzer/inspect/dump-data.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/model/calls.h"
#include "analyzer/inspect/dump-text.h"
#include "analyzer/payload/payload.h"
#include "analyzer/model/schemas.h"
#include "format/columns/cursor.h"
#include "format/wire.h"

struct ra_dump_data {
	struct ra_outbuf *out;
	struct ra_schemas schemas;
	struct ra_payload *payload; /* owned */
	unsigned int depth; /* number of groups (arrays and structs) around the current value */
	bool is_first;      /* the next value is the first one in its group */
	uint64_t arrays;    /* bit d: the group at depth d is an array */
};

struct ra_dump_data *ra_dump_data_create(const struct rlog_reader *reader, struct ra_outbuf *out)
{
	struct ra_dump_data *data = ra_alloc_zeros(1, sizeof(*data));

	data->out = out;
	ra_schemas_init(&data->schemas, reader);
	data->payload = ra_payload_create(&data->schemas);
	return data;
}

void ra_dump_data_destroy(struct ra_dump_data *data)
{
	ra_payload_destroy(data->payload);
	ra_schemas_fini(&data->schemas);
	free(data);
}

const struct ra_defs *ra_dump_data_borrow_defs(const struct ra_dump_data *data)
{
	return &data->schemas.defs;
}

/* Writes bytes as a key: words unchanged, all else in quotes. */
static void put_key(struct ra_outbuf *out, const char *bytes, size_t length)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_#";
	size_t good = 0;

	while (good < length && memchr(plain, bytes[good], sizeof(plain) - 1) != NULL) {
		good++;
	}
	if (length > 0 && good == length) {
		ra_outbuf_put(out, bytes, length);
	} else {
		ra_dump_text_quote(out, bytes, length);
	}
}

static void put_hex(struct ra_outbuf *out, const char *bytes, size_t length)
{
	ra_outbuf_text(out, "hex\"");
	ra_outbuf_put_hex(out, bytes, length);
	ra_outbuf_put(out, "\"", 1);
}

static void put_real(struct ra_outbuf *out, double real, int digits)
{
	if (isnan(real)) {
		ra_outbuf_text(out, "nan");
	} else {
		ra_outbuf_printf(out, "%.*g", digits, real);
	}
}

static void put_value(struct ra_outbuf *out, const struct ra_payload_value *value)
{
	switch (value->kind) {
	case RA_PAYLOAD_UNSIGNED:
		ra_outbuf_put_decimal(out, value->bits);
		break;
	case RA_PAYLOAD_SIGNED:
		ra_outbuf_put_signed(out, (int64_t) value->bits);
		break;
	case RA_PAYLOAD_REAL:
		put_real(out, value->real, value->digits);
		break;
	case RA_PAYLOAD_TEXT:
		ra_dump_text_quote(out, value->text, value->length);
		break;
	case RA_PAYLOAD_DIGITS:
		ra_outbuf_put(out, value->text, value->length);
		break;
	case RA_PAYLOAD_WORD:
		ra_outbuf_put_decimal(out, value->bits);
		ra_outbuf_put(out, ":", 1);
		ra_dump_text_quote(out, value->text, value->length);
		break;
	case RA_PAYLOAD_ADDRESS:
		ra_outbuf_printf(out, "0x%" PRIx64, value->bits);
		break;
	case RA_PAYLOAD_COLOR:
		ra_outbuf_printf(out, "#%08" PRIX64, value->bits);
		break;
	case RA_PAYLOAD_BYTES:
		put_hex(out, value->text, value->length);
		break;
	case RA_PAYLOAD_NULL:
		ra_outbuf_text(out, "null");
		break;
	}
}

/* Writes the text before a value: " payload.key=" outside any group, "key=" inside a group. */
static void begin_value(struct ra_dump_data *data, struct rlog_string name)
{
	if (data->depth == 0) {
		ra_outbuf_text(data->out, " payload");
		if (name.bytes != NULL) {
			ra_outbuf_put(data->out, ".", 1);
			put_key(data->out, name.bytes, name.length);
		}
		ra_outbuf_put(data->out, "=", 1);
		return;
	}
	if (!data->is_first) {
		ra_outbuf_put(data->out, ",", 1);
	}
	data->is_first = false;
	if (name.bytes != NULL) {
		put_key(data->out, name.bytes, name.length);
		ra_outbuf_put(data->out, "=", 1);
	}
}

static void visit_value(void *context, const struct ra_payload_value *value)
{
	struct ra_dump_data *data = context;

	begin_value(data, value->name);
	put_value(data->out, value);
}

static void open_group(struct ra_dump_data *data, bool is_array)
{
	ra_outbuf_text(data->out, is_array ? "[" : "{");
	data->depth++;
	data->is_first = true;
	if (data->depth < 64) {
		data->arrays &= ~(UINT64_C(1) << data->depth);
		data->arrays |= (uint64_t) is_array << data->depth;
	}
}

static void visit_open(void *context, const struct ra_payload_group *group)
{
	struct ra_dump_data *data = context;

	begin_value(data, group->name);
	open_group(data, group->is_array);
}

static void visit_close(void *context)
{
	struct ra_dump_data *data = context;

	ra_outbuf_text(data->out,
	               data->depth < 64 && (data->arrays >> data->depth & 1) != 0 ? "]" : "}");
	data->depth--;
	data->is_first = false;
}

static void visit_problem(void *context, const char *text)
{
	struct ra_dump_data *data = context;
	static const struct rlog_string key = { "problem", 7, 7 };

	begin_value(data, key);
	ra_dump_text_quote(data->out, text, strlen(text));
}

static struct ra_payload_visitor make_visitor(struct ra_dump_data *data)
{
	const struct ra_payload_visitor visitor = {
		.value = visit_value,
		.open = visit_open,
		.close = visit_close,
		.problem = visit_problem,
		.context = data,
	};

	data->depth = 0;
	return visitor;
}

/* Takes the name of the next argument, and moves behind its comma. The name of a list consists of
 * the names in its brackets. */
static struct rlog_string take_name(const char **names)
{
	const char *start = *names + strspn(*names, " ");
	const char *end = start;
	unsigned int depth = 0;

	while (*end != '\0' && (depth > 0 || *end != ',')) {
		depth += *end == '[';
		depth -= *end == ']' && depth > 0;
		end++;
	}
	*names = *end == ',' ? end + 1 : end;
	return (struct rlog_string){ start, (uint32_t) (end - start), (uint32_t) (end - start) };
}

/* "pack alignment" becomes the key pack_alignment. Text in parentheses is a remark, and is left
 * out. */
static void put_name(struct ra_outbuf *out, struct rlog_string name)
{
	for (uint32_t i = 0; i < name.length && name.bytes[i] != '('; i++) {
		const bool is_space = name.bytes[i] == ' ';

		if (is_space && i + 1 < name.length && name.bytes[i + 1] == '(') {
			return;
		}
		ra_outbuf_put(out, is_space ? "_" : name.bytes + i, 1);
	}
}

/* NOLINTBEGIN(misc-no-recursion): a detail nests RLOG_MAX_NESTING deep at most */
static void put_array(struct ra_outbuf *out, struct rlog_cursor *cursor, struct rlog_string names,
                      unsigned int depth);

/* Writes any value of a detail. @names: names of the value's elements, if it is an array. */
static void put_any(struct ra_outbuf *out, struct rlog_cursor *cursor, struct rlog_string names,
                    unsigned int depth)
{
	const uint8_t first = cursor->pos < cursor->end ? *cursor->pos : 0;
	struct rlog_cursor_int number;
	const char *bytes = NULL;
	uint32_t length = 0;
	uint64_t bits = 0;
	double real;
	bool truth = false;

	switch (rlog_cursor_peek(cursor)) {
	case RLOG_CURSOR_INT:
		if (!rlog_cursor_read_int(cursor, &number) && number.negative) {
			ra_outbuf_put_signed(out, (int64_t) number.bits);
		} else {
			ra_outbuf_put_decimal(out, number.bits);
		}
		return;
	case RLOG_CURSOR_REAL:
		(void) rlog_cursor_read_real(cursor, &bits);
		memcpy(&real, &bits, sizeof(real));
		put_real(out, real, 17);
		return;
	case RLOG_CURSOR_BOOL:
		(void) rlog_cursor_read_bool(cursor, &truth);
		ra_outbuf_text(out, truth ? "true" : "false");
		return;
	case RLOG_CURSOR_TEXT:
		(void) rlog_cursor_read_text(cursor, &bytes, &length);
		if (first >= 0xC4 && first <= 0xC6) { /* MessagePack's type bin */
			put_hex(out, bytes, length);
		} else {
			ra_dump_text_quote(out, bytes, length);
		}
		return;
	case RLOG_CURSOR_ARRAY:
		put_array(out, cursor, names, depth);
		return;
	default:
		ra_outbuf_text(out, first == 0xC0 ? "null" : "?");
		(void) rlog_cursor_skip(cursor);
	}
}

/* Strips the outer brackets and the dots of "[[a, b]…]". */
static struct rlog_string strip(struct rlog_string names)
{
	if (names.length < 2 || names.bytes[0] != '[') {
		return (struct rlog_string){ "", 0, 0 };
	}
	names.bytes++;
	names.length--;
	while (names.length > 0 && names.bytes[names.length - 1] != ']') {
		names.length--;
	}
	names.length -= names.length > 0;
	return names;
}

/* Writes the values of a list, or of a tuple with named members. */
static void put_array(struct ra_outbuf *out, struct rlog_cursor *cursor, struct rlog_string names,
                      unsigned int depth)
{
	const struct rlog_string inner = strip(names);
	const bool is_tuple = inner.length > 0 && inner.bytes[0] != '[' && depth > 0;
	char text[128];
	const char *next = text;
	bool is_first = true;
	uint32_t count = 0;

	text[0] = '\0';
	if (is_tuple && inner.length < sizeof(text)) {
		memcpy(text, inner.bytes, inner.length);
		text[inner.length] = '\0';
	}
	if (rlog_cursor_read_array(cursor, &count)) {
		ra_outbuf_text(out, "?");
		return;
	}
	ra_outbuf_text(out, is_tuple ? "{" : "[");
	for (uint32_t i = 0; i < count; i++) {
		const bool is_nil = cursor->pos < cursor->end && *cursor->pos == 0xC0;
		struct rlog_string name = is_tuple ? take_name(&next) : inner;

		if (is_tuple && is_nil) { /* values that the program did not give are left out */
			(void) rlog_cursor_skip(cursor);
			continue;
		}
		ra_outbuf_put(out, ",", !is_first);
		is_first = false;
		if (is_tuple && name.length > 0) {
			put_name(out, name);
			ra_outbuf_put(out, "=", 1);
		}
		if (depth >= RLOG_MAX_NESTING) {
			(void) rlog_cursor_skip(cursor);
		} else {
			put_any(out, cursor, name, depth + 1);
		}
	}
	ra_outbuf_text(out, is_tuple ? "}" : "]");
}

/* NOLINTEND(misc-no-recursion) */

/* Writes the elements of a detail with the names in doc/format.md. */
static void put_named(struct ra_dump_data *data, struct rlog_cursor *cursor, uint32_t count,
                      const char *names)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct rlog_string name = take_name(&names);

		ra_outbuf_put(data->out, " ", 1);
		if (name.length == 0 || name.bytes[0] == '[') {
			ra_outbuf_text(data->out, name.length == 0 ? "more" : "list");
		} else {
			put_name(data->out, name);
		}
		ra_outbuf_put(data->out, "=", 1);
		put_any(data->out, cursor, name, 0);
	}
}

static void put_damaged(struct ra_dump_data *data, const void *bytes, size_t length)
{
	ra_outbuf_text(data->out, " data=");
	put_hex(data->out, bytes, length);
	ra_outbuf_text(data->out, " problem=\"damaged\"");
}

/* Writes a whole detail. If the bytes are no detail, writes that they are not. */
static void put_detail(struct ra_dump_data *data, const void *bytes, size_t length,
                       const char *names)
{
	struct rlog_cursor cursor = { bytes, (const uint8_t *) bytes + length };
	struct rlog_cursor check = cursor;
	uint32_t count = 0;

	if (rlog_cursor_peek(&cursor) != RLOG_CURSOR_ARRAY || rlog_cursor_skip(&check) ||
	    rlog_cursor_read_array(&cursor, &count)) {
		put_damaged(data, bytes, length);
		return;
	}
	put_named(data, &cursor, count, names);
}

/* The names of the elements of a definition's detail. */
static const char *names_of_def(uint32_t kind)
{
	switch (kind) {
	case RLOG_DEF_RESOURCE:
		return "identifier type, identifier";
	case RLOG_DEF_PAYLOAD_SCHEMA:
		return "type, flags, static size, pack alignment, [[flags, type, name, "
		       "description, "
		       "detail, offset, semantics]]";
	case RLOG_DEF_PAYLOAD_ENUM:
		return "size, [[name, value, is flag]]";
	case RLOG_DEF_SCOPE:
		return "parent scope id";
	case RLOG_DEF_TIME_DOMAIN:
		return "scope id, timestamp type, flags, resolution, start";
	case RLOG_DEF_COUNTER:
		return "schema id, description, scope id, semantics";
	case RLOG_DEF_TYPE_TABLE:
		return "";
	default:
		return NULL;
	}
}

bool ra_dump_data_put_def(struct ra_dump_data *data, const struct rlog_def *def)
{
	const char *names = names_of_def(def->kind);
	const struct rlog_string detail = ra_defs_detail(&data->schemas.defs, def);

	if (names == NULL) {
		return false;
	}
	if (def->value == 0) {
		return true;
	}
	if (detail.bytes == NULL) {
		ra_outbuf_printf(data->out, " val=#%" PRIu64, def->value);
	} else if (def->kind == RLOG_DEF_TYPE_TABLE) {
		struct rlog_cursor cursor = { (const uint8_t *) detail.bytes,
			                      (const uint8_t *) detail.bytes + detail.length };
		struct rlog_cursor check = cursor;

		ra_outbuf_text(data->out, " types=");
		if (rlog_cursor_skip(&check)) {
			put_hex(data->out, detail.bytes, detail.length);
		} else {
			put_any(data->out, &cursor, (struct rlog_string){ "", 0, 0 }, 0);
		}
	} else {
		put_detail(data, detail.bytes, detail.length, names);
	}
	return true;
}

static void put_payloads(struct ra_dump_data *data, const struct ra_dump_events_row *row)
{
	const struct ra_payload_visitor visitor = make_visitor(data);

	if (row->op == RLOG_OP_SAMPLE) {
		(void) ra_payload_decode_one(data->payload, row->domain, row->data, row->data_bytes,
		                             &visitor);
	} else {
		(void) ra_payload_decode(data->payload, row->domain, row->data, row->data_bytes,
		                         &visitor);
	}
}

/* Finds the names for arguments written as "schema id, then the detail of kind 9". */
static const char *names_behind(const char *names)
{
	static const char then[] = "then the detail of kind ";
	const char *place = strstr(names, then);

	return place != NULL ? names_of_def((uint32_t) strtoul(place + strlen(then), NULL, 10))
	                     : NULL;
}

static void put_call(struct ra_dump_data *data, const struct ra_dump_events_row *row)
{
	const struct ra_calls_function *function = ra_calls_find(row->id);
	const char *names = function != NULL ? function->arguments : "";
	const char *behind = names_behind(names);
	char joined[256];

	if (row->id == 0x1210) { /* nvtxEventSubmit: the event is described by its payloads */
		put_payloads(data, row);
		return;
	}
	if (behind != NULL) {
		const size_t length = (size_t) (strchr(names, ',') - names);

		snprintf(joined, sizeof(joined), "%.*s, %s", (int) length, names, behind);
		names = joined;
	}
	put_detail(data, row->data, row->data_bytes, names);
}

void ra_dump_data_put_event(struct ra_dump_data *data, const struct ra_dump_events_row *row)
{
	switch (row->op) {
	case RLOG_OP_PUSH:
	case RLOG_OP_POP:
	case RLOG_OP_START:
	case RLOG_OP_END:
	case RLOG_OP_MARK:
	case RLOG_OP_SAMPLE:
		put_payloads(data, row);
		break;
	case RLOG_OP_CALL:
		put_call(data, row);
		break;
	default:
		ra_outbuf_text(data->out, " data=");
		put_hex(data->out, (const char *) row->data, row->data_bytes);
	}
}
