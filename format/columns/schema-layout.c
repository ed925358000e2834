/* SPDX-License-Identifier: MIT */
/* Computes where the entries of a schema are: doc/format.md section 6, "Layout of a payload". */
#include "format/error.h"
#include "format/columns/schema.h"

bool rlog_schema_is_text(uint64_t type)
{
	return type >= RLOG_TYPE_TEXT && type <= RLOG_TYPE_UTF32;
}

uint32_t rlog_schema_unit_bytes(uint64_t type)
{
	switch (type) {
	case RLOG_TYPE_TEXT:
	case RLOG_TYPE_UTF8:
		return 1;
	case RLOG_TYPE_UTF16:
		return 2;
	case RLOG_TYPE_UTF32:
		return 4;
	default:
		return 0;
	}
}

/* Returns the bytes of a type that has the same size everywhere; 0 for other types. */
static uint32_t bytes_of_fixed(uint64_t type)
{
	switch (type) {
	case RLOG_TYPE_BYTE:
	case RLOG_TYPE_SELECTOR:
		return 1;
	case RLOG_TYPE_FLOAT16:
	case RLOG_TYPE_BF16:
		return 2;
	case RLOG_TYPE_FLOAT32:
	case RLOG_TYPE_TF32:
	case RLOG_TYPE_CATEGORY:
	case RLOG_TYPE_COLOR:
	case RLOG_TYPE_PID32:
	case RLOG_TYPE_TID32:
		return 4;
	case RLOG_TYPE_FLOAT64:
	case RLOG_TYPE_RANGE_ID:
	case RLOG_TYPE_SCOPE_ID:
	case RLOG_TYPE_PID64:
	case RLOG_TYPE_TID64:
		return 8;
	case RLOG_TYPE_INT128:
	case RLOG_TYPE_UINT128:
	case RLOG_TYPE_FLOAT128:
		return 16;
	default:
		return 0;
	}
}

int rlog_schema_shape_of(uint64_t type, const struct rlog_schema_types *types,
                         struct rlog_schema_shape *shape)
{
	const uint32_t unit = rlog_schema_unit_bytes(type);
	uint32_t bytes = 0;

	shape->is_enum = false;
	if (type == RLOG_TYPE_REGISTERED_STRING) {
		type = RLOG_TYPE_ADDRESS;
	}
	if (type > 0 && type < RLOG_SCHEMA_TABLE_TYPES) {
		shape->size = types->size[type];
		shape->align = types->align[type];
		return 0;
	}
	bytes = unit > 0 ? unit : bytes_of_fixed(type);
	if (bytes == 0) {
		return -RLOG_E_SCHEMA;
	}
	shape->size = bytes;
	shape->align = bytes;
	return 0;
}

struct rlog_schema_shape rlog_schema_enum_shape(uint64_t size)
{
	struct rlog_schema_shape shape = { .size = size, .is_enum = true };

	if (size == 0 || size > 16) {
		shape.size = 4; /* as C's int */
	}
	/* Finds the largest power of two that is not larger than the size. */
	for (shape.align = 1; shape.align <= shape.size / 2;) {
		shape.align *= 2;
	}
	return shape;
}

/* What all entries of a schema share. */
struct work {
	struct rlog_schema *schema;
	const struct rlog_schema_types *types;
	rlog_schema_find_fn find;
	void *context;
	unsigned int depth;
	uint32_t cap; /* upper limit of alignments; UINT32_MAX: none */
};

/* Finds size, alignment and kind of one element of the entry's type. */
static struct rlog_schema_shape find_shape(const struct work *work, struct rlog_schema_entry *entry)
{
	struct rlog_schema_shape shape = { .size = RLOG_SCHEMA_VARIES, .align = 1 };

	if (entry->type < RLOG_TYPE_FIRST_SCHEMA) {
		entry->kind = rlog_schema_shape_of(entry->type, work->types, &shape)
		                      ? RLOG_KIND_UNKNOWN
		                      : RLOG_KIND_PLAIN;
	} else if (!work->find || work->find(work->context, entry->type, work->depth + 1, &shape)) {
		entry->kind = RLOG_KIND_UNKNOWN;
	} else {
		entry->kind = shape.is_enum ? RLOG_KIND_ENUM : RLOG_KIND_SCHEMA;
	}
	if (entry->kind == RLOG_KIND_UNKNOWN) {
		shape.size = RLOG_SCHEMA_VARIES;
	}
	if (shape.align == 0) {
		shape.align = 1;
	}
	return shape;
}

/* Makes a text an array of its code units, or an array of texts of equal size. */
static int shape_text(struct rlog_schema_entry *entry, uint64_t *element)
{
	entry->is_text = true;
	switch (entry->array) {
	case RLOG_ARRAY_NONE:
	case RLOG_ARRAY_FIXED:
		entry->array = RLOG_ARRAY_FIXED;
		if (entry->detail == 0) {
			entry->array = RLOG_ARRAY_ZERO_TERMINATED;
			entry->place =
				entry->place == RLOG_PLACE_HERE ? RLOG_PLACE_POINTER : entry->place;
		}
		return 0;
	case RLOG_ARRAY_ZERO_TERMINATED:
		if (entry->detail > RLOG_SCHEMA_MAX_BYTES / 4) {
			return -RLOG_E_SCHEMA;
		}
		*element *= entry->detail > 0 ? entry->detail : 1;
		return 0;
	default:
		return 0;
	}
}

static enum rlog_schema_place place_of(uint64_t flags)
{
	if (flags & RLOG_ENTRY_POINTER) {
		return RLOG_PLACE_POINTER;
	}
	if (flags & RLOG_ENTRY_FROM_BASE) {
		return RLOG_PLACE_FROM_BASE;
	}
	return flags & RLOG_ENTRY_FROM_HERE ? RLOG_PLACE_FROM_HERE : RLOG_PLACE_HERE;
}

/* Sets all members of an entry's layout but `at`. */
static int shape_entry(const struct work *work, uint32_t index)
{
	struct rlog_schema_entry *const entry = &work->schema->entries[index];
	struct rlog_schema_shape shape;

	entry->array = (uint8_t) ((entry->flags & RLOG_ENTRY_ARRAY) >> RLOG_ENTRY_ARRAY_SHIFT);
	entry->place = (uint8_t) place_of(entry->flags);
	entry->is_text = false;
	shape = find_shape(work, entry);
	entry->element = shape.size;
	if (rlog_schema_is_text(entry->type) && shape_text(entry, &entry->element)) {
		return -RLOG_E_SCHEMA;
	}
	if (entry->array > RLOG_ARRAY_LENGTH_PAYLOAD ||
	    (entry->array == RLOG_ARRAY_LENGTH_ENTRY && entry->detail >= work->schema->count)) {
		return -RLOG_E_SCHEMA;
	}
	entry->align = shape.align;
	if (entry->place != RLOG_PLACE_HERE) {
		const uint32_t type =
			entry->place == RLOG_PLACE_POINTER ? RLOG_TYPE_ADDRESS : RLOG_TYPE_SIZE;

		entry->bytes = work->types->size[type];
		entry->align = work->types->align[type];
	} else if (entry->element == RLOG_SCHEMA_VARIES || entry->array > RLOG_ARRAY_FIXED) {
		entry->bytes = RLOG_SCHEMA_VARIES;
	} else if (entry->array == RLOG_ARRAY_NONE) {
		entry->bytes = entry->element;
	} else if (__builtin_mul_overflow(entry->element, entry->detail, &entry->bytes)) {
		return -RLOG_E_SCHEMA;
	}
	if (entry->align > work->cap) {
		entry->align = work->cap;
	}
	if (entry->bytes != RLOG_SCHEMA_VARIES && entry->bytes > RLOG_SCHEMA_MAX_BYTES) {
		return -RLOG_E_SCHEMA;
	}
	return entry->offset > RLOG_SCHEMA_MAX_BYTES ? -RLOG_E_SCHEMA : 0;
}

static bool has_offset(const struct rlog_schema_entry *entry, uint32_t index)
{
	return index == 0 || entry->offset > 0;
}

/* Returns the offset of the first byte after an entry, or VARIES. */
static uint64_t end_of(const struct rlog_schema_entry *entry)
{
	if (entry->at == RLOG_SCHEMA_VARIES || entry->bytes == RLOG_SCHEMA_VARIES) {
		return RLOG_SCHEMA_VARIES;
	}
	return entry->at + entry->bytes;
}

static uint64_t larger(uint64_t left, uint64_t right)
{
	return left > right ? left : right;
}

/* Places entries one after the other. Return: the offset after the last one, or VARIES. */
static uint64_t place_in_turn(const struct rlog_schema *schema)
{
	uint64_t next = 0;

	for (uint32_t i = 0; i < schema->count; i++) {
		struct rlog_schema_entry *const entry = &schema->entries[i];

		if (has_offset(entry, i)) {
			entry->at = entry->offset;
		} else if (next == RLOG_SCHEMA_VARIES) {
			entry->at = RLOG_SCHEMA_VARIES;
		} else {
			entry->at = rlog_schema_align(next, entry->align);
		}
		next = larger(next, end_of(entry)); /* VARIES is the largest */
	}
	return next;
}

/* Places all entries of a union at the same offset: 0, or after the selector if the union has
 * one. */
static uint64_t place_over(const struct rlog_schema *schema)
{
	uint64_t base = 0;
	uint64_t end = 0;

	for (uint32_t i = 0; i < schema->count; i++) {
		const struct rlog_schema_entry *const entry = &schema->entries[i];

		if (schema->type == RLOG_SCHEMA_UNION_INTERNAL &&
		    entry->type == RLOG_TYPE_SELECTOR) {
			base = rlog_schema_align(entry->offset + entry->bytes, schema->align);
			break;
		}
	}
	for (uint32_t i = 0; i < schema->count; i++) {
		struct rlog_schema_entry *const entry = &schema->entries[i];
		const bool is_selector = schema->type == RLOG_SCHEMA_UNION_INTERNAL &&
		                         entry->type == RLOG_TYPE_SELECTOR;

		entry->at = entry->offset > 0 || is_selector ? entry->offset : base;
		end = larger(end, end_of(entry));
	}
	return end;
}

int rlog_schema_lay_out(struct rlog_schema *schema, const struct rlog_schema_types *types,
                        rlog_schema_find_fn find, void *context, unsigned int depth)
{
	const struct work work = {
		.schema = schema,
		.types = types,
		.find = find,
		.context = context,
		.depth = depth,
		.cap = schema->pack_align > 0 && schema->pack_align < UINT32_MAX
		               ? (uint32_t) schema->pack_align
		               : UINT32_MAX,
	};
	const bool is_union =
		schema->type == RLOG_SCHEMA_UNION || schema->type == RLOG_SCHEMA_UNION_INTERNAL;
	uint64_t end = 0;

	schema->align = 1;
	schema->size = RLOG_SCHEMA_VARIES;
	if (depth >= RLOG_SCHEMA_MAX_DEPTH || schema->type < RLOG_SCHEMA_STATIC ||
	    schema->type > RLOG_SCHEMA_UNION_INTERNAL ||
	    schema->static_size > RLOG_SCHEMA_MAX_BYTES) {
		return -RLOG_E_SCHEMA;
	}
	for (uint32_t i = 0; i < schema->count; i++) {
		if (shape_entry(&work, i)) {
			return -RLOG_E_SCHEMA;
		}
		schema->align = (uint32_t) larger(schema->align, schema->entries[i].align);
	}
	end = is_union ? place_over(schema) : place_in_turn(schema);
	if (end != RLOG_SCHEMA_VARIES) {
		end = schema->static_size >= end ? schema->static_size
		                                 : rlog_schema_align(end, schema->align);
	} else if (schema->type != RLOG_SCHEMA_DYNAMIC && schema->static_size > 0) {
		/* static_size includes the whole array at the end of the struct */
		end = schema->static_size;
	}
	schema->size = end;
	return 0;
}
