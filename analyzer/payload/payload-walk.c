/* SPDX-License-Identifier: MIT */
/* Walks over a payload's bytes by the entries of its schema: finds offsets, arrays, pointers and
 * unions. */
#include <inttypes.h>
#include <stdio.h>

#include "analyzer/payload/payload-impl.h"
#include "analyzer/base/util.h"

#define MAX_DIMENSIONS 8

/* A schema that is being walked. */
struct level {
	const struct rlog_schema *schema;
	struct ra_payload_region region;
	size_t offsets; /* index of entry 0 in payload->offsets */
};

/* The number of elements of an entry. */
struct extent {
	uint64_t sizes[MAX_DIMENSIONS];
	size_t dimensions;
	uint64_t count;   /* the product of all dimensions */
	bool is_array;    /* false: one value */
	bool is_searched; /* ends with an element of 0, which is one of the elements */
};

static struct ra_payload_region cut_front(struct ra_payload_region region, uint64_t bytes)
{
	if (bytes >= region.length) {
		return (struct ra_payload_region){ region.bytes + region.length, 0 };
	}
	return (struct ra_payload_region){ region.bytes + bytes, region.length - bytes };
}

static void note_missing(struct ra_payload *payload, uint64_t bytes)
{
	payload->missing = ra_util_add(payload->missing, bytes);
}

/* True if the region has `bytes` bytes. If not, counts the missing bytes. */
static bool has_bytes(struct ra_payload *payload, struct ra_payload_region region, uint64_t bytes)
{
	if (bytes <= region.length) {
		return true;
	}
	note_missing(payload, bytes - region.length);
	return false;
}

static const struct ra_schemas_type *find_type(struct ra_payload *payload, uint64_t id)
{
	return id < RLOG_TYPE_FIRST_SCHEMA ? NULL
	                                   : ra_schemas_find(payload->schemas, payload->domain, id);
}

/* Where an entry of the level begins; VARIES: unknown. */
static uint64_t place_of(const struct ra_payload *payload, const struct level *level,
                         uint64_t index)
{
	const struct rlog_schema_entry *entry = &level->schema->entries[index];

	return entry->at != RLOG_SCHEMA_VARIES ? entry->at
	                                       : payload->offsets[level->offsets + index];
}

/* Reads an entry that is an integer, or an array of them. Return: how many values were read. */
static size_t read_integers(struct ra_payload *payload, const struct level *level, uint64_t index,
                            uint64_t *values, size_t capacity)
{
	const struct rlog_schema_entry *entry = &level->schema->entries[index];
	const uint64_t at = place_of(payload, level, index);
	struct ra_payload_region region;
	bool is_signed = false;
	size_t wanted = 1;
	size_t count = 0;

	if (entry->place != RLOG_PLACE_HERE || at == RLOG_SCHEMA_VARIES || entry->element == 0 ||
	    entry->element > 8) {
		return 0;
	}
	if (entry->kind != RLOG_KIND_ENUM &&
	    !ra_payload_value_is_integer(entry->type, &is_signed)) {
		return 0;
	}
	if (entry->array == RLOG_ARRAY_FIXED) {
		wanted = entry->detail < capacity ? (size_t) entry->detail : capacity;
	} else if (entry->array == RLOG_ARRAY_ZERO_TERMINATED) {
		wanted = capacity;
	} else if (entry->array != RLOG_ARRAY_NONE) {
		return 0;
	}
	region = cut_front(level->region, at);
	while (count < wanted && entry->element <= region.length) {
		values[count] = ra_payload_value_read(region.bytes, entry->element, is_signed);
		if (entry->array == RLOG_ARRAY_ZERO_TERMINATED && values[count] == 0) {
			break;
		}
		count++;
		region = cut_front(region, entry->element);
	}
	return count;
}

static uint64_t multiply(const struct extent *extent)
{
	uint64_t product = 1;

	for (size_t i = 0; i < extent->dimensions; i++) {
		if (__builtin_mul_overflow(product, extent->sizes[i], &product)) {
			return UINT64_MAX;
		}
	}
	return product;
}

/* The number of elements before the first element that is all 0; if there is none, the number of
 * all elements. */
static uint64_t count_to_zero(struct ra_payload_region region, uint64_t element)
{
	uint64_t count = 0;

	while (element > 0 && element <= region.length) {
		uint64_t i = 0;

		while (i < element && region.bytes[i] == 0) {
			i++;
		}
		if (i == element) {
			return count;
		}
		count++;
		region = cut_front(region, element);
	}
	return count;
}

static struct extent find_extent(struct ra_payload *payload, const struct level *level,
                                 const struct rlog_schema_entry *entry, uint64_t element,
                                 struct ra_payload_region region)
{
	struct extent extent = { .dimensions = 1, .is_array = true };

	switch ((enum rlog_schema_array) entry->array) {
	case RLOG_ARRAY_NONE:
		extent.is_array = false;
		extent.sizes[0] = 1;
		break;
	case RLOG_ARRAY_FIXED:
		extent.sizes[0] = entry->detail;
		break;
	case RLOG_ARRAY_ZERO_TERMINATED:
		extent.is_searched = true;
		extent.sizes[0] =
			element == RLOG_SCHEMA_VARIES ? 0 : count_to_zero(region, element);
		break;
	case RLOG_ARRAY_LENGTH_ENTRY:
		extent.dimensions =
			read_integers(payload, level, entry->detail, extent.sizes, MAX_DIMENSIONS);
		break;
	case RLOG_ARRAY_LENGTH_PAYLOAD:
		extent.dimensions = ra_payload_read_lengths(payload, entry->detail, extent.sizes,
		                                            MAX_DIMENSIONS);
		break;
	}
	extent.count = multiply(&extent);
	return extent;
}

/* If arrays of this type are texts or byte strings, the size of a code unit; 0: they are lists. */
static uint32_t unit_of(const struct rlog_schema_entry *entry, uint64_t element)
{
	if (entry->is_text) {
		return rlog_schema_unit_bytes(entry->type);
	}
	switch (entry->type) {
	case RLOG_TYPE_CHAR:
	case RLOG_TYPE_WCHAR:
	case RLOG_TYPE_CHAR8:
	case RLOG_TYPE_CHAR16:
	case RLOG_TYPE_CHAR32:
		return (uint32_t) element;
	default:
		return 0;
	}
}

static void open_group(struct ra_payload *payload, const struct ra_payload_element *element,
                       bool is_array)
{
	const struct ra_payload_group group = { element->name, is_array, element->is_hidden };

	payload->visitor->open(payload->visitor->context, &group);
}

static void close_group(struct ra_payload *payload)
{
	payload->visitor->close(payload->visitor->context);
}

/* NOLINTBEGIN(misc-no-recursion): payload->depth ends it at RLOG_SCHEMA_MAX_DEPTH */
static uint64_t show_schema(struct ra_payload *payload, const struct ra_payload_element *element,
                            const struct ra_schemas_type *type, struct ra_payload_region region)
{
	uint64_t taken = RLOG_SCHEMA_VARIES;

	if (payload->depth >= RLOG_SCHEMA_MAX_DEPTH) {
		ra_payload_complain(payload, "nests deeper than %d schemas", RLOG_SCHEMA_MAX_DEPTH);
		return taken;
	}
	if (!ra_payload_spend(payload, 0)) {
		return taken;
	}
	open_group(payload, element, false);
	taken = ra_payload_walk_schema(payload, &type->u.schema, region);
	close_group(payload);
	return taken;
}

/* Shows one element of an entry. Return: its size in bytes, or VARIES. */
static uint64_t show_element(struct ra_payload *payload, const struct ra_payload_element *element,
                             uint64_t size, struct ra_payload_region region)
{
	const struct ra_schemas_type *type = find_type(payload, element->type);

	if (type != NULL && !type->is_enum) {
		return show_schema(payload, element, type, region);
	}
	if (size == RLOG_SCHEMA_VARIES || !has_bytes(payload, region, size)) {
		return RLOG_SCHEMA_VARIES;
	}
	if (element->entry->is_text) {
		const struct ra_payload_region text = { region.bytes, size };

		ra_payload_value_show_text(payload, element, text,
		                           rlog_schema_unit_bytes(element->type));
	} else {
		ra_payload_value_show(payload, element, region.bytes, size);
	}
	return size;
}

/* Shows an array, or one dimension of it. Return: its size in bytes, or VARIES. */
static uint64_t show_array(struct ra_payload *payload, const struct ra_payload_element *element,
                           uint64_t size, const struct extent *extent, size_t dimension,
                           struct ra_payload_region region)
{
	struct ra_payload_element inner = *element;
	uint64_t taken = 0;

	inner.name = (struct rlog_string){ NULL, 0, 0 };
	if (!ra_payload_spend(payload, 0)) {
		return RLOG_SCHEMA_VARIES;
	}
	open_group(payload, element, true);
	for (uint64_t i = 0; i < extent->sizes[dimension] && !payload->is_exhausted; i++) {
		const struct ra_payload_region rest = cut_front(region, taken);
		uint64_t bytes;

		if (rest.length == 0 && size > 0) {
			if (dimension == 0 && size != RLOG_SCHEMA_VARIES) {
				uint64_t more = extent->sizes[dimension] - i;

				more = more > UINT64_MAX / size ? UINT64_MAX : more * size;
				note_missing(payload, more);
			}
			taken = RLOG_SCHEMA_VARIES;
			break;
		}
		bytes = dimension + 1 < extent->dimensions
		                ? show_array(payload, &inner, size, extent, dimension + 1, rest)
		                : show_element(payload, &inner, size, rest);
		if (bytes == RLOG_SCHEMA_VARIES) {
			taken = RLOG_SCHEMA_VARIES;
			break;
		}
		taken += bytes;
	}
	close_group(payload);
	return taken;
}

/* Shows a text or a byte string. Return: its size in bytes, or VARIES. */
static uint64_t show_run(struct ra_payload *payload, const struct ra_payload_element *element,
                         uint64_t size, uint32_t unit, const struct extent *extent,
                         struct ra_payload_region region)
{
	uint64_t wanted;

	if (__builtin_mul_overflow(extent->count, size, &wanted)) {
		wanted = UINT64_MAX;
	}
	if (wanted <= region.length) {
		region.length = wanted;
	} else if (unit == 0 || count_to_zero(region, unit) * unit + unit > region.length) {
		note_missing(payload, wanted - region.length);
		wanted = RLOG_SCHEMA_VARIES;
	} /* else the text ends before its memory, and only the text was copied */
	if (unit > 0) {
		ra_payload_value_show_text(payload, element, region, unit);
	} else {
		ra_payload_value_show_bytes(payload, element, region);
	}
	return wanted;
}

/* Shows the values of an entry at their place. Return: their size in bytes, or VARIES. */
static uint64_t show_values(struct ra_payload *payload, const struct level *level,
                            const struct ra_payload_element *element,
                            struct ra_payload_region region)
{
	const struct rlog_schema_entry *entry = element->entry;
	const struct ra_schemas_type *type = find_type(payload, entry->type);
	uint64_t size = entry->element;
	struct extent extent;
	uint64_t taken;
	uint32_t unit;

	/* A type behind a pointer may have no layout yet, because this schema's layout did not need
	 * it. */
	if (type != NULL && !type->is_enum && type->state == RA_SCHEMA_READY) {
		size = type->u.schema.size;
	}
	extent = find_extent(payload, level, entry, size, region);
	unit = unit_of(entry, size);
	if (extent.dimensions == 0) {
		ra_payload_complain(payload, "the length of an array is not known");
		return RLOG_SCHEMA_VARIES;
	}
	if (extent.is_array && size == unit && unit > 0) {
		taken = show_run(payload, element, size, unit, &extent, region);
	} else if (extent.is_array && entry->type == RLOG_TYPE_BYTE) {
		taken = show_run(payload, element, size, 0, &extent, region);
	} else if (extent.is_array) {
		taken = show_array(payload, element, size, &extent, 0, region);
	} else {
		taken = show_element(payload, element, size, region);
	}
	if (extent.is_searched && taken != RLOG_SCHEMA_VARIES) {
		taken = ra_util_add(taken, size);
	}
	return taken;
}

static const struct rlog_schema_entry *find_selected(struct ra_payload *payload,
                                                     const struct level *level,
                                                     const struct rlog_schema_entry *entry,
                                                     const struct rlog_schema *members)
{
	uint64_t selected = 0;

	if (entry->detail >= level->schema->count ||
	    read_integers(payload, level, entry->detail, &selected, 1) == 0 ||
	    selected >= members->count) {
		return NULL;
	}
	return &members->entries[selected];
}

static void name_element(struct ra_payload_element *element, const struct rlog_schema_entry *entry,
                         char *buffer, size_t size, uint64_t index)
{
	*element = (struct ra_payload_element){
		.entry = entry,
		.type = entry->type,
		.is_hidden = (entry->flags & RLOG_ENTRY_HIDE) != 0,
	};
	if (entry->name.bytes != NULL && entry->name.length > 0) {
		element->name = (struct rlog_string){ entry->name.bytes, entry->name.length,
			                              entry->name.length };
	} else {
		const int length = snprintf(buffer, size, "#%" PRIu64, index);

		element->name =
			(struct rlog_string){ buffer, (uint32_t) length, (uint32_t) length };
	}
}

/* Shows the entry at `at`. Return: the bytes that it takes at that place, or VARIES. */
static uint64_t show_entry(struct ra_payload *payload, const struct level *level, uint64_t index,
                           uint64_t at)
{
	const struct rlog_schema_entry *entry = &level->schema->entries[index];
	struct ra_payload_region region = cut_front(level->region, at);
	struct ra_payload_element element;
	char buffer[24];
	uint64_t number;

	name_element(&element, entry, buffer, sizeof(buffer), index);
	if (entry->place == RLOG_PLACE_HERE) {
		if (entry->kind == RLOG_KIND_UNKNOWN && find_type(payload, entry->type) == NULL) {
			ra_payload_complain(payload, "type %" PRIu64 " is not defined",
			                    entry->type);
			ra_payload_value_show_bytes(payload, &element, region);
			return RLOG_SCHEMA_VARIES;
		}
		return show_values(payload, level, &element, region);
	}
	if (!has_bytes(payload, region, entry->bytes)) {
		return entry->bytes;
	}
	number = ra_payload_value_read(region.bytes, entry->bytes, false);
	if (entry->place == RLOG_PLACE_POINTER) {
		region = ra_payload_find_memory(payload, number);
		if (region.bytes == NULL) {
			ra_payload_value_show_address(payload, &element, number);
			return entry->bytes;
		}
	} else {
		if (entry->place == RLOG_PLACE_FROM_HERE) {
			number = ra_util_add(number, at + entry->bytes);
		}
		region = cut_front(level->region, number);
	}
	payload->depth++;
	if (payload->depth > RLOG_SCHEMA_MAX_DEPTH) {
		ra_payload_value_show_address(payload, &element, number);
	} else {
		(void) show_values(payload, level, &element, region);
	}
	payload->depth--;
	return entry->bytes;
}

/* Begins a schema. At first, no entry has a place. */
static void push_level(struct ra_payload *payload, const struct rlog_schema *schema,
                       struct ra_payload_region region, struct level *level)
{
	*level = (struct level){ schema, region, payload->offset_count };
	ra_util_grow(&payload->offsets, &payload->offset_capacity,
	             payload->offset_count + schema->count + 1, sizeof(*payload->offsets));
	for (uint32_t i = 0; i < schema->count; i++) {
		payload->offsets[level->offsets + i] = RLOG_SCHEMA_VARIES;
	}
	payload->offset_count += schema->count;
	payload->depth++;
}

static void pop_level(struct ra_payload *payload, const struct level *level)
{
	payload->depth--;
	payload->offset_count = level->offsets;
}

/* Shows that member of a union which another entry selects. */
static uint64_t show_union(struct ra_payload *payload, const struct level *level, uint64_t index,
                           uint64_t at, const struct rlog_schema *members)
{
	const struct rlog_schema_entry *entry = &level->schema->entries[index];
	const struct rlog_schema_entry *selected = find_selected(payload, level, entry, members);
	struct ra_payload_region region = cut_front(level->region, at);
	struct ra_payload_element element;
	struct level inner;
	char buffer[24];

	name_element(&element, entry, buffer, sizeof(buffer), index);
	if (selected != NULL && selected->at != RLOG_SCHEMA_VARIES &&
	    payload->depth < RLOG_SCHEMA_MAX_DEPTH) {
		push_level(payload, members, region, &inner);
		open_group(payload, &element, false);
		(void) show_entry(payload, &inner, (uint64_t) (selected - members->entries),
		                  selected->at);
		close_group(payload);
		pop_level(payload, &inner);
		return members->size;
	}
	if (members->size < region.length) {
		region.length = members->size;
	}
	ra_payload_complain(payload, "nothing selects the member of a union");
	ra_payload_value_show_bytes(payload, &element, region);
	return members->size;
}

/* Shows a union whose selector is an entry of the union itself, given by index. */
static uint64_t walk_selected(struct ra_payload *payload, const struct level *level)
{
	const struct rlog_schema *schema = level->schema;

	for (uint32_t i = 0; i < schema->count; i++) {
		uint64_t selected = 0;

		if (schema->entries[i].type != RLOG_TYPE_SELECTOR) {
			continue;
		}
		if (read_integers(payload, level, i, &selected, 1) == 1 &&
		    selected < schema->count && selected != i &&
		    schema->entries[selected].at != RLOG_SCHEMA_VARIES) {
			(void) show_entry(payload, level, selected, schema->entries[selected].at);
			return schema->size;
		}
		break;
	}
	ra_payload_complain(payload, "nothing selects the member of a union");
	return schema->size;
}

static uint64_t walk_entries(struct ra_payload *payload, const struct level *level)
{
	const struct rlog_schema *schema = level->schema;
	uint64_t next = 0;

	for (uint32_t i = 0; i < schema->count && !payload->is_exhausted; i++) {
		const struct rlog_schema_entry *entry = &schema->entries[i];
		const struct ra_schemas_type *type = find_type(payload, entry->type);
		uint64_t at = entry->at;
		uint64_t taken;

		if (at == RLOG_SCHEMA_VARIES) {
			if (next == RLOG_SCHEMA_VARIES) {
				continue; /* its place is unknown, which was reported before */
			}
			at = rlog_schema_align(next, entry->align);
		}
		payload->offsets[level->offsets + i] = at;
		if (type != NULL && !type->is_enum && type->u.schema.type == RLOG_SCHEMA_UNION &&
		    entry->place == RLOG_PLACE_HERE && type->state == RA_SCHEMA_READY) {
			taken = show_union(payload, level, i, at, &type->u.schema);
		} else {
			taken = show_entry(payload, level, i, at);
		}
		if (taken == RLOG_SCHEMA_VARIES || next == RLOG_SCHEMA_VARIES) {
			next = RLOG_SCHEMA_VARIES;
		} else if (at + taken > next) {
			next = at + taken;
		}
	}
	return schema->size != RLOG_SCHEMA_VARIES ? schema->size : next;
}

uint64_t ra_payload_walk_schema(struct ra_payload *payload, const struct rlog_schema *schema,
                                struct ra_payload_region region)
{
	struct level level;
	uint64_t taken = schema->size;

	push_level(payload, schema, region, &level);
	if (schema->type == RLOG_SCHEMA_UNION) {
		ra_payload_complain(payload, "nothing selects the member of a union");
	} else if (schema->type == RLOG_SCHEMA_UNION_INTERNAL) {
		taken = walk_selected(payload, &level);
	} else {
		taken = walk_entries(payload, &level);
	}
	pop_level(payload, &level);
	return taken;
}
/* NOLINTEND(misc-no-recursion) */
