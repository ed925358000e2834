/* SPDX-License-Identifier: MIT */
/*
 * Reads a payload by its schema, only as far as needed to find its addresses. An inconsistency ends
 * the walk of that part; the payload itself is in the log already.
 */
#include "libranges/record/payloads/payload-walk.h"

#include <string.h>

#include "libranges/base/peek.h"

/* Most bytes of a msgpack `address` with the head of a `bin`. */
#define PAIR_BYTES 14u
/* Most dimensions of an array: its length is the product of so many numbers. */
#define MAX_DIMENSIONS 16u
#define ALL_MEMBERS    UINT64_MAX

/* Nested schemas recurse, at most RCAP_PAYLOAD_MAX_DEPTH levels deep; each takes some hundred bytes
 * of stack. NOLINTBEGIN(misc-no-recursion) */
static uint64_t walk_schema(struct rcap_walk *walk, const struct rcap_schema *schema,
                            struct rcap_span span, uint64_t member, unsigned int depth);

/* One entry, and the bytes from which it is read. */
struct view {
	const struct rlog_schema *layout;
	const struct rlog_schema_entry *entry;
	struct rcap_span span;  /* bytes of the schema that the entry belongs to */
	const uint32_t *places; /* offsets of the entries before this one; NULL: their `at` is
	                         * used */
	uint64_t at;
	unsigned int depth;
};

static struct rcap_span cut(struct rcap_span span, uint64_t from)
{
	if (from > span.count) {
		from = span.count;
	}
	return (struct rcap_span){ span.bytes + from, span.count - (size_t) from };
}

/* Reads a little-endian number of 1 … 8 bytes. */
static bool read_number(struct rcap_span span, uint64_t bytes, uint64_t *value)
{
	*value = 0;
	if (bytes == 0 || bytes > sizeof(*value) || bytes > span.count) {
		return false;
	}
	for (size_t i = 0; i < bytes; i++) {
		*value |= (uint64_t) span.bytes[i] << (8 * i);
	}
	return true;
}

/* Multiplies `count` numbers of `bytes` bytes each. If `is_ended`, a 0 ends the list. */
static bool multiply(struct rcap_span span, uint64_t bytes, uint64_t count, bool is_ended,
                     uint64_t *product)
{
	*product = 1;
	if (count > MAX_DIMENSIONS) {
		return false;
	}
	for (uint64_t i = 0; i < count; i++) {
		uint64_t number = 0;

		if (!read_number(cut(span, i * bytes), bytes, &number)) {
			return false;
		}
		if (number == 0 && is_ended) {
			return true;
		}
		if (__builtin_mul_overflow(*product, number, product)) {
			return false;
		}
	}
	return true;
}

/* Reads a length from an earlier entry of the schema. */
static bool length_of_entry(const struct view *view, uint64_t *length)
{
	const struct rlog_schema_entry *const entry = &view->layout->entries[view->entry->detail];
	uint64_t at = entry->at;
	uint64_t count = 1;

	if (at == RLOG_SCHEMA_VARIES && view->places && entry < view->entry) {
		at = view->places[view->entry->detail];
	}
	if (entry->place != RLOG_PLACE_HERE || at > view->span.count || entry->is_text) {
		return false;
	}
	if (entry->array == RLOG_ARRAY_FIXED) {
		count = entry->detail;
	} else if (entry->array != RLOG_ARRAY_NONE) {
		count = MAX_DIMENSIONS;
	}
	return multiply(cut(view->span, at), entry->element, count,
	                entry->array == RLOG_ARRAY_ZERO_TERMINATED, length);
}

/* Reads a length from another payload of the event. */
static bool length_of_payload(const struct rcap_walk *walk, uint64_t index, uint64_t *length)
{
	const struct rcap_nvtx_payload_data *data;
	const struct rcap_schema *schema;
	struct rlog_schema_shape shape;
	uint8_t bytes[MAX_DIMENSIONS * sizeof(uint64_t)];
	struct rcap_span span = { bytes, 0 };
	bool is_known;

	if (index >= walk->payload_count) {
		return false;
	}
	data = &walk->payloads[index];
	schema = rcap_schemas_find(walk->domain, data->schema_id, &shape, &is_known);
	if (schema && schema->layout.count > 0) {
		shape.size = schema->layout.entries[0].element;
	}
	if (!is_known || shape.size == 0 || shape.size > sizeof(uint64_t)) {
		return false;
	}
	span.count = data->size == SIZE_MAX ? shape.size : data->size;
	span.count = span.count < sizeof(bytes) ? span.count : sizeof(bytes);
	span.count = rcap_peek_bytes(bytes, data->payload, span.count);
	return span.count > 0 && multiply(span, shape.size, span.count / shape.size, false, length);
}

/* Gets the number of elements of an entry. Fails for zero-terminated arrays. */
static bool count_elements(const struct rcap_walk *walk, const struct view *view, uint64_t *count)
{
	switch (view->entry->array) {
	case RLOG_ARRAY_NONE:
		*count = 1;
		return true;
	case RLOG_ARRAY_FIXED:
		*count = view->entry->detail;
		return true;
	case RLOG_ARRAY_LENGTH_ENTRY:
		return length_of_entry(view, count);
	case RLOG_ARRAY_LENGTH_PAYLOAD:
		return length_of_payload(walk, view->entry->detail, count);
	default:
		return false;
	}
}

/* Returns the bytes of a zero-terminated array, including the zero; VARIES if there is no zero. */
static uint64_t measure(struct rcap_span span, uint64_t unit)
{
	for (uint64_t at = 0; unit > 0 && at + unit <= span.count; at += unit) {
		uint64_t i = 0;

		while (i < unit && span.bytes[at + i] == 0) {
			i++;
		}
		if (i == unit) {
			return at + unit;
		}
	}
	return RLOG_SCHEMA_VARIES;
}

/* Returns the schema of an entry whose kind is a schema; NULL for other entries. */
static const struct rcap_schema *inner_schema(const struct rcap_walk *walk,
                                              const struct rlog_schema_entry *entry)
{
	struct rlog_schema_shape shape;
	bool is_known;

	return entry->kind == RLOG_KIND_SCHEMA
	               ? rcap_schemas_find(walk->domain, entry->type, &shape, &is_known)
	               : NULL;
}

/* Finds out which member a union has. Another entry has its number. */
static uint64_t find_member(const struct view *view, const struct rcap_schema *inner)
{
	uint64_t member = 0;

	if (inner->layout.type != RLOG_SCHEMA_UNION || view->entry->detail >= view->layout->count) {
		return ALL_MEMBERS;
	}
	return length_of_entry(view, &member) ? member : ALL_MEMBERS;
}

/*
 * Walks `count` adjacent elements of an inner schema. Return: the bytes that they take; VARIES if
 * the span ends earlier, or the size is unknown.
 */
static uint64_t walk_elements(struct rcap_walk *walk, const struct view *view,
                              const struct rcap_schema *inner, struct rcap_span span,
                              uint64_t count)
{
	const uint64_t member = find_member(view, inner);
	uint64_t at = 0;

	for (uint64_t i = 0; i < count; i++) {
		uint64_t bytes;

		if (at > span.count || walk->steps == 0) {
			return RLOG_SCHEMA_VARIES;
		}
		walk->steps--;
		bytes = walk_schema(walk, inner, cut(span, at), member, view->depth + 1);
		if (bytes == RLOG_SCHEMA_VARIES) {
			return bytes;
		}
		at += bytes;
	}
	return at;
}

/* True if this address was followed before. This ends loops of addresses. */
static bool is_seen(struct rcap_walk *walk, uint64_t address, uint64_t bytes)
{
	for (uint32_t i = 0; i < walk->seen_count; i++) {
		if (walk->seen[i].address == address && walk->seen[i].bytes >= bytes) {
			return true;
		}
	}
	if (walk->seen_count == RCAP_PAYLOAD_MAX_PIECES) {
		walk->is_cut = true;
		return true;
	}
	walk->seen[walk->seen_count++] = (struct rcap_seen){ address, bytes };
	return false;
}

void rcap_payload_walk_skip(struct rcap_walk *walk, uint64_t address, uint64_t bytes)
{
	(void) is_seen(walk, address, bytes);
}

/* True if the address is in a payload of the event. The log has that payload in any case. */
static bool is_in_payload(const struct rcap_walk *walk, uint64_t address, uint64_t bytes)
{
	for (size_t i = 0; i < walk->payload_count; i++) {
		const uint64_t start = (uintptr_t) walk->payloads[i].payload;

		if (address >= start && walk->payloads[i].size != SIZE_MAX &&
		    address - start < walk->payloads[i].size &&
		    bytes <= walk->payloads[i].size - (address - start)) {
			return true;
		}
	}
	return false;
}

/*
 * Adds an address and its bytes to the pack. @unit: if it is not 0, copies up to a zero of `unit`
 * bytes, and `bytes` is the limit. Return: the copy; empty if the memory can't be read.
 */
static struct rcap_span add_piece(struct rcap_walk *walk, uint64_t address, uint64_t bytes,
                                  uint64_t unit)
{
	struct rlog_pack *const pack = walk->pack;
	/* An address that the program gave us. NOLINTNEXTLINE(performance-no-int-to-ptr) */
	const void *const from = (const void *) (uintptr_t) address;
	const size_t used = pack->used;
	const size_t free_bytes = pack->capacity - used;
	struct rcap_span piece = { NULL, 0 };
	size_t room = free_bytes < PAIR_BYTES ? 0 : free_bytes - PAIR_BYTES;
	size_t wanted;
	size_t opened;
	bool is_ended = true;

	room = room < walk->left ? room : walk->left;
	wanted = bytes < room ? (size_t) bytes : room;
	if (wanted == 0) {
		walk->is_cut = true;
		return piece;
	}
	rlog_pack_uint(pack, address);
	opened = rlog_pack_open_bin(pack, wanted);
	piece.bytes = pack->bytes + pack->used;
	if (unit > 0) {
		is_ended =
			rcap_peek_text(pack->bytes + pack->used, wanted, from, unit, &piece.count);
	} else {
		piece.count = rcap_peek_bytes(pack->bytes + pack->used, from, wanted);
	}
	if (piece.count == 0) {
		pack->used = used;
		walk->has_bad_pointer = true;
		return piece;
	}
	rlog_pack_close_bin(pack, opened, (uint32_t) piece.count);
	walk->has_bad_pointer |= piece.count < wanted && (unit == 0 || !is_ended);
	walk->is_cut |= piece.count == wanted && (unit == 0 ? wanted < bytes : !is_ended);
	walk->left -= piece.count;
	walk->elements += 2;
	return piece;
}

/* Copies what an entry's address points to, and follows the addresses in the copy. */
static void follow(struct rcap_walk *walk, const struct view *view)
{
	const struct rlog_schema_entry *const entry = view->entry;
	const struct rcap_schema *const inner = inner_schema(walk, entry);
	const bool is_ended = entry->array == RLOG_ARRAY_ZERO_TERMINATED;
	struct rcap_span piece;
	uint64_t address = 0;
	uint64_t bytes = RCAP_PAYLOAD_TEXT_BYTES;
	uint64_t count = 0;

	if (!read_number(cut(view->span, view->at), entry->bytes, &address) || address == 0 ||
	    entry->element == RLOG_SCHEMA_VARIES || entry->element == 0 ||
	    view->depth >= RCAP_PAYLOAD_MAX_DEPTH) {
		return;
	}
	if (!is_ended && (!count_elements(walk, view, &count) || count == 0 ||
	                  __builtin_mul_overflow(count, entry->element, &bytes))) {
		return;
	}
	if (is_seen(walk, address, bytes)) {
		return;
	}
	if (!is_ended && !(inner && inner->has_pointers) && is_in_payload(walk, address, bytes)) {
		return;
	}
	piece = add_piece(walk, address, bytes, is_ended ? entry->element : 0);
	if (inner && inner->has_pointers) {
		walk_elements(walk, view, inner, piece, piece.count / entry->element);
	}
}

/* Walks values elsewhere in the payload, at the offset that the entry has. */
static void walk_offset(struct rcap_walk *walk, const struct view *view)
{
	const struct rlog_schema_entry *const entry = view->entry;
	const struct rcap_schema *const inner = inner_schema(walk, entry);
	uint64_t offset = 0;
	uint64_t count = 0;

	if (!inner || !inner->has_pointers || view->depth >= RCAP_PAYLOAD_MAX_DEPTH ||
	    !read_number(cut(view->span, view->at), entry->bytes, &offset) ||
	    !count_elements(walk, view, &count)) {
		return;
	}
	if (entry->place == RLOG_PLACE_FROM_HERE) {
		offset += view->at + entry->bytes;
	}
	walk_elements(walk, view, inner, cut(view->span, offset), count);
}

/* Walks an entry. Return: the bytes that the entry itself takes, or VARIES. */
static uint64_t walk_entry(struct rcap_walk *walk, const struct view *view)
{
	const struct rlog_schema_entry *const entry = view->entry;
	const struct rcap_span here = cut(view->span, view->at);
	const struct rcap_schema *inner;
	uint64_t bytes = entry->bytes;
	uint64_t count = 0;

	if (entry->place == RLOG_PLACE_POINTER) {
		follow(walk, view);
		return bytes;
	}
	if (entry->place != RLOG_PLACE_HERE) {
		walk_offset(walk, view);
		return bytes;
	}
	inner = inner_schema(walk, entry);
	if (entry->array == RLOG_ARRAY_ZERO_TERMINATED) {
		return entry->element == RLOG_SCHEMA_VARIES ? RLOG_SCHEMA_VARIES
		                                            : measure(here, entry->element);
	}
	if (inner && (inner->has_pointers || entry->element == RLOG_SCHEMA_VARIES)) {
		if (!count_elements(walk, view, &count)) {
			return RLOG_SCHEMA_VARIES;
		}
		count = walk_elements(walk, view, inner, here, count);
		return bytes == RLOG_SCHEMA_VARIES ? count : bytes;
	}
	if (bytes != RLOG_SCHEMA_VARIES) {
		return bytes;
	}
	if (entry->element == RLOG_SCHEMA_VARIES || !count_elements(walk, view, &count) ||
	    __builtin_mul_overflow(count, entry->element, &bytes)) {
		return RLOG_SCHEMA_VARIES;
	}
	return bytes;
}

/* Finds the offset of an entry. If it depends on the entries before, those end at `next`. */
static uint64_t find_place(const struct rlog_schema_entry *entry, uint64_t next)
{
	if (entry->at != RLOG_SCHEMA_VARIES || next == RLOG_SCHEMA_VARIES) {
		return entry->at;
	}
	return rlog_schema_align(next, entry->align);
}

/* Returns the offset behind all entries so far. */
static uint64_t end_of(const struct view *view, uint64_t bytes, uint64_t before)
{
	if (bytes == RLOG_SCHEMA_VARIES) {
		return bytes;
	}
	return before != RLOG_SCHEMA_VARIES && before > view->at + bytes ? before
	                                                                 : view->at + bytes;
}

/*
 * Walks a schema. @member: for a union, the number of the member that it has. Return: the bytes
 * that the schema takes, or VARIES. The recursion ends at RCAP_PAYLOAD_MAX_DEPTH levels.
 */
static uint64_t walk_schema(struct rcap_walk *walk, const struct rcap_schema *schema,
                            struct rcap_span span, uint64_t member, unsigned int depth)
{
	const struct rlog_schema *const layout = &schema->layout;
	const bool is_fixed = layout->size != RLOG_SCHEMA_VARIES;
	uint32_t *const places = walk->places;
	const uint32_t places_left = walk->places_left;
	struct view view = { .layout = layout, .span = span, .depth = depth };
	uint64_t next = 0;

	if (depth > RCAP_PAYLOAD_MAX_DEPTH || (is_fixed && !schema->has_pointers)) {
		return layout->size;
	}
	if (!is_fixed) {
		if (layout->count > places_left) {
			return RLOG_SCHEMA_VARIES;
		}
		view.places = places;
		walk->places += layout->count;
		walk->places_left -= layout->count;
	}
	for (uint32_t i = 0; i < layout->count; i++) {
		view.entry = &layout->entries[i];
		view.at = find_place(view.entry, next);
		if (!is_fixed) {
			places[i] = view.at > span.count ? UINT32_MAX : (uint32_t) view.at;
		}
		if (view.at > span.count) {
			next = RLOG_SCHEMA_VARIES;
		} else if (member == ALL_MEMBERS || member == i) {
			next = end_of(&view, walk_entry(walk, &view), next);
		}
	}
	walk->places = places;
	walk->places_left = places_left;
	return is_fixed ? layout->size : next;
}

/* NOLINTEND(misc-no-recursion) */

void rcap_payload_walk(struct rcap_walk *walk, const struct rcap_schema *schema,
                       struct rcap_span span)
{
	walk_schema(walk, schema, span, ALL_MEMBERS, 0);
}
