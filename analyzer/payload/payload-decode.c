/* SPDX-License-Identifier: MIT */
/* Decodes the payloads of an event: finds them in the event's data, with the memory to which they
 * point. */
#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/search.h"
#include "analyzer/payload/payload.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/payload/payload-impl.h"
#include "analyzer/base/util.h"
#include "format/columns/cursor.h"
#include "format/error.h"

/* Every event may show this number of values, and this number for each of its bytes. */
#define FREE_VALUES     64
#define VALUES_PER_BYTE 2

/* This many bytes of text count as one value, because showing text costs less. */
#define TEXT_BYTES_PER_VALUE 16

struct ra_payload *ra_payload_create(const struct ra_schemas *schemas)
{
	struct ra_payload *payload = ra_alloc_zeros(1, sizeof(*payload));

	payload->schemas = schemas;
	return payload;
}

void ra_payload_destroy(struct ra_payload *payload)
{
	if (payload != NULL) {
		free(payload->parts);
		free(payload->pieces);
		free(payload->offsets);
		ra_util_text_free(&payload->text);
		free(payload);
	}
}

bool ra_payload_spend(struct ra_payload *payload, uint64_t bytes)
{
	const uint64_t cost = 1 + bytes / TEXT_BYTES_PER_VALUE;

	if (payload->is_exhausted || payload->budget < cost) {
		payload->is_exhausted = true;
		return false;
	}
	payload->budget -= cost;
	return true;
}

void ra_payload_complain(struct ra_payload *payload, const char *format, ...)
{
	char text[160];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	payload->problems++;
	if (payload->visitor->problem != NULL) {
		payload->visitor->problem(payload->visitor->context, text);
	}
}

static void add_piece(struct ra_payload *payload, struct ra_payload_piece piece)
{
	if (piece.address != 0) {
		RA_UTIL_APPEND(payload->pieces, payload->piece_count, payload->piece_capacity,
		               piece);
	}
}

static int read_piece(struct rlog_cursor *cursor, struct ra_payload_piece *piece)
{
	struct rlog_cursor_int address;
	const char *bytes = NULL;
	uint32_t length = 0;

	if (rlog_cursor_read_int(cursor, &address) ||
	    rlog_cursor_read_text(cursor, &bytes, &length)) {
		return -RLOG_E_MSGPACK;
	}
	*piece = (struct ra_payload_piece){ address.bits, (const uint8_t *) bytes, length };
	return 0;
}

/* Reads [schema, size, address, bytes, …]. */
static int read_part(struct ra_payload *payload, struct rlog_cursor *cursor)
{
	struct ra_payload_part part;
	struct rlog_cursor_int number;
	uint32_t elements = 0;

	if (rlog_cursor_read_array(cursor, &elements) || elements < 4 || elements % 2 != 0 ||
	    rlog_cursor_read_int(cursor, &number)) {
		return -RLOG_E_SCHEMA;
	}
	part.type = number.bits;
	if (rlog_cursor_read_int(cursor, &number) || read_piece(cursor, &part.piece)) {
		return -RLOG_E_SCHEMA;
	}
	add_piece(payload, part.piece);
	RA_UTIL_APPEND(payload->parts, payload->part_count, payload->part_capacity, part);
	for (uint32_t i = 4; i < elements; i += 2) {
		struct ra_payload_piece piece;

		if (read_piece(cursor, &piece)) {
			return -RLOG_E_SCHEMA;
		}
		add_piece(payload, piece);
	}
	return 0;
}

static int compare_pieces(const void *left, const void *right)
{
	const struct ra_payload_piece *a = left;
	const struct ra_payload_piece *b = right;

	return RA_ORDER_THEN(RA_ORDER_UP(a, b, address), RA_ORDER_UP(a, b, length));
}

/* If pieces overlap, takes one of the last few pieces that begin before the address. */
struct ra_payload_region ra_payload_find_memory(const struct ra_payload *payload, uint64_t address)
{
	struct ra_payload_region found = { NULL, 0 };
	struct ra_search at = ra_search_in(0, payload->piece_count);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, payload->pieces[at.middle].address <= address);
	}
	for (size_t i = at.low; i > 0 && i + 8 > at.low && found.bytes == NULL; i--) {
		const struct ra_payload_piece *piece = &payload->pieces[i - 1];
		const uint64_t offset = address - piece->address;

		if (offset < piece->length || (offset == 0 && piece->length == 0)) {
			found.bytes = piece->bytes + offset;
			found.length = piece->length - offset;
		}
	}
	return found;
}

size_t ra_payload_read_lengths(struct ra_payload *payload, uint64_t index, uint64_t *lengths,
                               size_t capacity)
{
	const struct ra_payload_part *part;
	uint64_t size;
	bool is_signed = false;
	size_t count = 0;
	uint64_t type;

	if (index >= payload->part_count) {
		return 0;
	}
	part = &payload->parts[index];
	type = part->type;
	if (type >= RLOG_TYPE_FIRST_SCHEMA) { /* NVTX calls this "a payload with only one entry" */
		const struct ra_schemas_type *defined =
			ra_schemas_find(payload->schemas, payload->domain, type);

		if (defined == NULL || defined->state != RA_SCHEMA_READY || defined->is_enum ||
		    defined->u.schema.count == 0 ||
		    defined->u.schema.entries[0].place != RLOG_PLACE_HERE) {
			return 0;
		}
		type = defined->u.schema.entries[0].type;
	}
	size = ra_payload_value_size(payload, type);
	if (!ra_payload_value_is_integer(type, &is_signed) || size == 0) {
		return 0;
	}
	while (count < capacity && (count + 1) * size <= part->piece.length) {
		lengths[count] =
			ra_payload_value_read(part->piece.bytes + count * size, size, is_signed);
		count++;
	}
	return count;
}

/* Shows plain bytes, if they can't be decoded. */
static void show_raw(struct ra_payload *payload, const struct ra_payload_part *part,
                     struct rlog_string name)
{
	const struct ra_payload_element element = { .name = name, .type = RLOG_TYPE_RAW };
	const struct ra_payload_region bytes = { part->piece.bytes, part->piece.length };

	ra_payload_value_show_bytes(payload, &element, bytes);
}

/* Shows a payload of a predefined type: one value, or as many values as its bytes hold. */
static void show_plain(struct ra_payload *payload, const struct ra_payload_part *part)
{
	const struct ra_payload_element element = { .type = part->type };
	const struct ra_payload_region bytes = { part->piece.bytes, part->piece.length };
	const uint64_t size = ra_payload_value_size(payload, part->type);

	if (rlog_schema_is_text(part->type)) {
		ra_payload_value_show_text(payload, &element, bytes,
		                           rlog_schema_unit_bytes(part->type));
	} else if (part->type == RLOG_TYPE_BYTE) {
		ra_payload_value_show_bytes(payload, &element, bytes);
	} else if (bytes.length == size) {
		ra_payload_value_show(payload, &element, bytes.bytes, size);
	} else {
		const struct ra_payload_group group = { .is_array = true };

		payload->visitor->open(payload->visitor->context, &group);
		for (uint64_t at = 0; at + size <= bytes.length && !payload->is_exhausted;
		     at += size) {
			ra_payload_value_show(payload, &element, bytes.bytes + at, size);
		}
		payload->visitor->close(payload->visitor->context);
		payload->missing += bytes.length % size != 0 ? size - bytes.length % size : 0;
	}
}

/* Return: true if the bytes should be shown, too, because not all of them were decoded. */
static bool show_defined(struct ra_payload *payload, const struct ra_payload_part *part)
{
	const struct ra_schemas_type *type =
		ra_schemas_find(payload->schemas, payload->domain, part->type);
	const struct ra_payload_region bytes = { part->piece.bytes, part->piece.length };

	if (type == NULL) {
		ra_payload_complain(payload, "schema %" PRIu64 " is not defined", part->type);
		return true;
	}
	if (type->state != RA_SCHEMA_READY) {
		ra_payload_complain(payload, "schema %" PRIu64 " contradicts itself", part->type);
		return true;
	}
	if (type->is_enum) {
		const struct ra_payload_element element = { .type = part->type };
		const uint64_t size = type->u.values.size;

		if (size > bytes.length) {
			payload->missing = size - bytes.length;
		} else {
			ra_payload_value_show(payload, &element, bytes.bytes, size);
		}
		return false;
	}
	if (type->u.schema.type == RLOG_SCHEMA_UNION) {
		ra_payload_complain(payload, "nothing selects the member of a union");
		return true;
	}
	payload->offset_count = 0;
	payload->depth = 0;
	(void) ra_payload_walk_schema(payload, &type->u.schema, bytes);
	return false;
}

static void show_part(struct ra_payload *payload, const struct ra_payload_part *part)
{
	static const struct rlog_string raw = { "raw", 3, 3 };
	static const struct rlog_string none = { NULL, 0, 0 };
	bool is_undecoded = false;

	payload->missing = 0;
	if (part->type == RLOG_TYPE_REFERENCED) {
		return;
	}
	if (part->type == RLOG_TYPE_RAW) {
		show_raw(payload, part, none);
		return;
	}
	if (part->type >= RLOG_TYPE_FIRST_SCHEMA) {
		is_undecoded = show_defined(payload, part);
	} else if (ra_payload_value_size(payload, part->type) == 0) {
		ra_payload_complain(payload, "type %" PRIu64 " is not known", part->type);
		is_undecoded = true;
	} else {
		show_plain(payload, part);
	}
	if (payload->missing > 0) {
		ra_payload_complain(payload, "%" PRIu64 " bytes are missing", payload->missing);
		is_undecoded = true;
	}
	if (is_undecoded) {
		show_raw(payload, part, raw);
	}
}

static void begin(struct ra_payload *payload, uint32_t domain, size_t bytes,
                  const struct ra_payload_visitor *visitor)
{
	payload->visitor = visitor;
	payload->domain = domain;
	payload->part_count = 0;
	payload->piece_count = 0;
	payload->problems = 0;
	payload->is_exhausted = false;
	payload->budget = FREE_VALUES + (uint64_t) bytes * VALUES_PER_BYTE;
}

static int finish(struct ra_payload *payload)
{
	RA_SORT(payload->pieces, payload->piece_count, compare_pieces);
	for (size_t i = 0; i < payload->part_count && !payload->is_exhausted; i++) {
		show_part(payload, &payload->parts[i]);
	}
	if (payload->is_exhausted) {
		ra_payload_complain(payload, "more values than bytes");
	}
	return payload->problems;
}

/* Shows as plain bytes data that are no detail. */
static int refuse(struct ra_payload *payload, const void *data, size_t bytes)
{
	const struct ra_payload_part part = { .type = RLOG_TYPE_RAW, .piece = { 0, data, bytes } };
	static const struct rlog_string raw = { "raw", 3, 3 };

	payload->part_count = 0;
	ra_payload_complain(payload, "damaged");
	show_raw(payload, &part, raw);
	return payload->problems;
}

int ra_payload_decode(struct ra_payload *payload, uint32_t domain, const void *data, size_t bytes,
                      const struct ra_payload_visitor *visitor)
{
	struct rlog_cursor cursor = { data, (const uint8_t *) data + bytes };
	uint32_t count = 0;
	int code = 0;

	begin(payload, domain, bytes, visitor);
	if (rlog_cursor_read_array(&cursor, &count)) {
		return refuse(payload, data, bytes);
	}
	for (uint32_t i = 0; i < count && code == 0; i++) {
		code = read_part(payload, &cursor);
	}
	return code != 0 ? refuse(payload, data, bytes) : finish(payload);
}

int ra_payload_decode_one(struct ra_payload *payload, uint32_t domain, const void *data,
                          size_t bytes, const struct ra_payload_visitor *visitor)
{
	struct rlog_cursor cursor = { data, (const uint8_t *) data + bytes };
	int code;

	begin(payload, domain, bytes, visitor);
	code = read_part(payload, &cursor);
	return code != 0 ? refuse(payload, data, bytes) : finish(payload);
}

int ra_payload_decode_bytes(struct ra_payload *payload, uint32_t domain, uint64_t type,
                            const void *data, size_t bytes,
                            const struct ra_payload_visitor *visitor)
{
	const struct ra_payload_part part = { .type = type, .piece = { 0, data, bytes } };

	begin(payload, domain, bytes, visitor);
	RA_UTIL_APPEND(payload->parts, payload->part_count, payload->part_capacity, part);
	return finish(payload);
}
