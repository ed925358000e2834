/* SPDX-License-Identifier: MIT */
/* Parts of nvtx-all: payloads whose layout is more than a list of numbers. */
#include "nvtx-all.h"

#define STATIC_ID(number) (NVTX_PAYLOAD_SCHEMA_ID_STATIC_START + (uint64_t) (number))

/* Makes an entry of another schema from one whose type is a placeholder. */
static nvtxPayloadSchemaEntry_t make_entry(uint64_t flags, uint64_t type, const char *name,
                                           uint64_t detail, uint64_t offset)
{
	nvtxPayloadSchemaEntry_t entry;

	memset(&entry, 0, sizeof(entry));
	entry.flags = flags;
	entry.type = type;
	entry.name = name;
	entry.arrayOrUnionDetail = detail;
	entry.offset = offset;
	return entry;
}

/* Structures in structures, also several of them, with and without offsets. */
static void call_payload_nested(void)
{
	static const nvtxPayloadSchemaEntry_t point_entries[] = {
		NVTX_ALL_ENTRY(INT16, "x", 0),
		NVTX_ALL_ENTRY(INT32, "y", 0),
	};
	static const struct {
		uint8_t id;
		struct {
			int16_t x;
			int32_t y;
		} corner, path[2];
		uint16_t tail;
	} shape = { 9, { 1, -1 }, { { 2, -2 }, { 3, -3 } }, 99 };
	const nvtxDomainHandle_t domain = nvtx_all_make_domain("payload-nested");
	nvtxPayloadSchemaEntry_t entries[4];
	uint64_t point;
	uint64_t id;

	point = nvtx_all_register_as(domain, STATIC_ID(31), "point", point_entries, 2,
	                             sizeof(shape.corner));
	entries[0] = make_entry(0, NVTX_PAYLOAD_ENTRY_TYPE_UINT8, "id", 0, 0);
	entries[1] = make_entry(0, point, "corner", 0, 0);
	entries[2] = make_entry(NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE, point, "path", 2, 0);
	entries[3] = make_entry(0, NVTX_PAYLOAD_ENTRY_TYPE_UINT16, "tail", 0, 0);
	id = nvtx_all_register(domain, "shape", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, entries, 4,
	                       sizeof(shape));
	nvtx_all_mark(domain, "shape", id, &shape, sizeof(shape));
}

/* Arrays of a length that the schema knows. */
static void call_arrays_fixed(nvtxDomainHandle_t domain)
{
	static const nvtxPayloadSchemaEntry_t entries[] = {
		NVTX_ALL_FLAGGED(ARRAY_FIXED_SIZE, INT32, "four", 4, 0),
		NVTX_ALL_FLAGGED(ARRAY_FIXED_SIZE, DOUBLE, "two", 2, 0),
		NVTX_ALL_FLAGGED(ARRAY_FIXED_SIZE, BYTE, "bytes", 3, 0),
	};
	static const struct {
		int32_t four[4];
		double two[2];
		uint8_t bytes[8];
	} value = { { 1, -2, 3, -4 }, { 0.5, -0.5 }, { 0xA1, 0xB2, 0xC3, 0, 0, 0, 0, 0 } };
	const uint64_t id =
		nvtx_all_register(domain, "fixed arrays", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, entries,
	                          NVTX_ALL_COUNT(entries), sizeof(value));

	nvtx_all_mark(domain, "fixed arrays", id, &value, sizeof(value));
}

/* Arrays whose length is in the payload, or marked at their end; the next entry comes after them.
 */
static void call_arrays_dynamic(nvtxDomainHandle_t domain)
{
	static const nvtxPayloadSchemaEntry_t counted[] = {
		NVTX_ALL_ENTRY(UINT32, "count", 0),
		NVTX_ALL_FLAGGED(ARRAY_LENGTH_INDEX, UINT32, "values", 0, 0),
		NVTX_ALL_ENTRY(UINT32, "behind", 0),
	};
	static const nvtxPayloadSchemaEntry_t terminated[] = {
		NVTX_ALL_FLAGGED(ARRAY_ZERO_TERMINATED, UINT16, "values", 0, 0),
		NVTX_ALL_ENTRY(UINT16, "behind", 0),
	};
	static const nvtxPayloadSchemaEntry_t matrix[] = {
		NVTX_ALL_FLAGGED(ARRAY_FIXED_SIZE, UINT32, "dimensions", 2, 0),
		NVTX_ALL_FLAGGED(ARRAY_LENGTH_INDEX, INT32, "cells", 0, 0),
	};
	static const uint32_t counted_value[] = { 3, 10, 20, 30, 77 };
	static const uint32_t empty_value[] = { 0, 78 };
	static const uint16_t terminated_value[] = { 5, 6, 7, 8, 0, 88 };
	static const int32_t matrix_value[] = { 2, 3, 11, 12, 13, 21, 22, 23 };
	uint64_t id;

	id = nvtx_all_register(domain, "counted", NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC, counted, 3, 0);
	nvtx_all_mark(domain, "counted", id, counted_value, sizeof(counted_value));
	nvtx_all_mark(domain, "counted, none", id, empty_value, sizeof(empty_value));
	id = nvtx_all_register(domain, "terminated", NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC, terminated,
	                       2, 0);
	nvtx_all_mark(domain, "terminated", id, terminated_value, sizeof(terminated_value));
	id = nvtx_all_register(domain, "matrix", NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC, matrix, 2, 0);
	nvtx_all_mark(domain, "matrix, 2 by 3", id, matrix_value, sizeof(matrix_value));
}

/* The array is one payload, its length another of the same event. */
static void call_arrays_elsewhere(nvtxDomainHandle_t domain)
{
	static const nvtxPayloadSchemaEntry_t array[] = {
		NVTX_ALL_FLAGGED(ARRAY_LENGTH_PAYLOAD_INDEX, INT32, "values", 1, 0),
	};
	static const nvtxPayloadSchemaEntry_t length[] = { NVTX_ALL_ENTRY(UINT64, "length", 0) };
	static const int32_t values[] = { -10, -20, -30, -40 };
	static const uint64_t count = 4;
	nvtxPayloadData_t payloads[2];

	payloads[0].schemaId = nvtx_all_register(domain, "array elsewhere",
	                                         NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC, array, 1, 0);
	payloads[0].size = sizeof(values);
	payloads[0].payload = values;
	payloads[1].schemaId = nvtx_all_register(domain, "length", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC,
	                                         length, 1, sizeof(count));
	payloads[1].size = sizeof(count);
	payloads[1].payload = &count;
	nvtx_all_mark_several(domain, "length in the other payload", payloads, 2);
}

static void call_payload_arrays(void)
{
	const nvtxDomainHandle_t domain = nvtx_all_make_domain("payload-arrays");

	call_arrays_fixed(domain);
	call_arrays_dynamic(domain);
	call_arrays_elsewhere(domain);
}

/* A number or a fraction: another member selects it, or the first one inside the union. */
static void call_payload_union(void)
{
	static const nvtxPayloadSchemaEntry_t members[] = {
		NVTX_ALL_ENTRY(INT64, "number", 0),
		NVTX_ALL_ENTRY(DOUBLE, "fraction", 0),
	};
	static const nvtxPayloadSchemaEntry_t own_members[] = {
		NVTX_ALL_ENTRY(UNION_SELECTOR, "kind", 0),
		NVTX_ALL_ENTRY(INT32, "small", 8),
		NVTX_ALL_ENTRY(DOUBLE, "large", 8),
	};
	struct {
		uint64_t kind;
		union {
			int64_t number;
			double fraction;
		} value;
	} value;
	const nvtxDomainHandle_t domain = nvtx_all_make_domain("payload-union");
	nvtxPayloadSchemaEntry_t entries[2];
	uint64_t id;

	entries[0] = make_entry(0, NVTX_PAYLOAD_ENTRY_TYPE_UINT64, "kind", 0, 0);
	entries[1] = make_entry(0,
	                        nvtx_all_register(domain, "number or fraction",
	                                          NVTX_PAYLOAD_SCHEMA_TYPE_UNION, members, 2,
	                                          sizeof(value.value)),
	                        "value", 0, 8);
	id = nvtx_all_register(domain, "variant", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, entries, 2,
	                       sizeof(value));
	value.kind = 0;
	value.value.number = -99;
	nvtx_all_mark(domain, "number", id, &value, sizeof(value));
	value.kind = 1;
	value.value.fraction = 0.75;
	nvtx_all_mark(domain, "fraction", id, &value, sizeof(value));
	value.kind = 5;
	nvtx_all_mark(domain, "no such member", id, &value, sizeof(value));

	id = nvtx_all_register(domain, "own selector",
	                       NVTX_PAYLOAD_SCHEMA_TYPE_UNION_WITH_INTERNAL_SELECTOR, own_members,
	                       3, sizeof(value));
	value.kind = 2;
	value.value.fraction = 1e100;
	nvtx_all_mark(domain, "own selector, large", id, &value, sizeof(value));
}

/* Strings in the payload whose length is fixed, counted, or ended by a zero; and registered ones.
 */
static void call_payload_strings(void)
{
	static const nvtxPayloadSchemaEntry_t fixed[] = {
		{ 0, NVTX_PAYLOAD_ENTRY_TYPE_CSTRING, "fixed", NULL, 8, 0, NULL, NULL },
		{ 0, NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF16, "utf16", NULL, 4, 8, NULL, NULL },
		{ 0, NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF32, "utf32", NULL, 2, 16, NULL, NULL },
		NVTX_ALL_ENTRY(NVTX_REGISTERED_STRING_HANDLE, "registered", 24),
	};
	static const nvtxPayloadSchemaEntry_t dynamic[] = {
		NVTX_ALL_FLAGGED(ARRAY_ZERO_TERMINATED, CSTRING_UTF8, "ended", 0, 0),
		NVTX_ALL_ENTRY(UINT8, "length", 0),
		NVTX_ALL_FLAGGED(ARRAY_LENGTH_INDEX, CSTRING, "counted", 1, 0),
		NVTX_ALL_ENTRY(UINT8, "behind", 0),
	};
	static const char dynamic_value[] = "gr\xC3\xBC\xC3\x9F\0\005fiveX\x07";
	struct {
		char fixed[8];
		uint16_t utf16[4];
		uint32_t utf32[2];
		nvtxStringHandle_t registered;
	} value = { { 'e', 'i', 'g', 'h', 't', '!', '!', '!' },
		    { 'u', 0x20AC, 0, 0 },
		    { 0x1F600, '2' },
		    NULL };
	const nvtxDomainHandle_t domain = nvtx_all_make_domain("payload-strings");
	uint64_t id;

	value.registered = nvtxDomainRegisterStringA(domain, "registered in a payload");
	id = nvtx_all_register(domain, "strings", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, fixed, 4,
	                       sizeof(value));
	nvtx_all_mark(domain, "strings", id, &value, sizeof(value));
	id = nvtx_all_register(domain, "dynamic strings", NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC, dynamic,
	                       4, 0);
	nvtx_all_mark(domain, "dynamic strings", id, dynamic_value, sizeof(dynamic_value) - 1);
}

/* The same four members: laid out by the compiler, packed to 2 bytes, and with offsets in another
 * order. */
static void call_payload_layout(void)
{
	static const nvtxPayloadSchemaEntry_t natural[] = {
		NVTX_ALL_ENTRY(UINT8, "a", 0),
		NVTX_ALL_ENTRY(UINT64, "b", 0),
		NVTX_ALL_ENTRY(UINT16, "c", 0),
		NVTX_ALL_ENTRY(UINT32, "d", 0),
	};
	static const nvtxPayloadSchemaEntry_t backward[] = {
		NVTX_ALL_ENTRY(UINT32, "d", 20),
		NVTX_ALL_ENTRY(UINT16, "c", 16),
		NVTX_ALL_ENTRY(UINT64, "b", 8),
		{ NVTX_PAYLOAD_ENTRY_FLAG_HIDE, NVTX_PAYLOAD_ENTRY_TYPE_UINT8, "hidden",
		  "not for the reader", 0, 1, NULL, NULL },
	};
	static const struct {
		uint8_t a;
		uint8_t hidden;
		uint8_t unused[6];
		uint64_t b;
		uint16_t c;
		uint16_t unused_too;
		uint32_t d;
	} value = { 1, 42, { 0 }, 2, 3, 0, 4 };
	/* Packed to 2: a at 0, b at 2, c at 10, d at 12. */
	static const uint16_t packed[8] = { 1, 2, 0, 0, 0, 3, 4, 0 };
	const nvtxDomainHandle_t domain = nvtx_all_make_domain("payload-layout");
	nvtxPayloadSchemaAttr_t schema;
	uint64_t id;

	id = nvtx_all_register(domain, "natural", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, natural, 4,
	                       sizeof(value));
	nvtx_all_mark(domain, "natural", id, &value, sizeof(value));
	id = nvtx_all_register(domain, "backward", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, backward, 4,
	                       sizeof(value));
	nvtx_all_mark(domain, "backward", id, &value, sizeof(value));
	memset(&schema, 0, sizeof(schema));
	schema.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
	                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
	                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
	                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE |
	                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ALIGNMENT;
	schema.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
	schema.entries = natural;
	schema.numEntries = 4;
	schema.payloadStaticSize = sizeof(packed);
	schema.packAlign = 2;
	id = nvtxPayloadSchemaRegister(domain, &schema);
	nvtx_all_mark(domain, "packed, no name", id, packed, sizeof(packed));
}

/* Values that a payload refers to by addresses and by distances. */
static void call_payload_pointer(void)
{
	static const nvtxPayloadSchemaEntry_t pointers[] = {
		NVTX_ALL_ENTRY(UINT64, "count", 0),
		{ NVTX_PAYLOAD_ENTRY_FLAG_POINTER | NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY,
		  NVTX_PAYLOAD_ENTRY_TYPE_CSTRING, "text", NULL, 0, 8, NULL, NULL },
		{ NVTX_PAYLOAD_ENTRY_FLAG_POINTER | NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY |
		          NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX,
		  NVTX_PAYLOAD_ENTRY_TYPE_INT32, "numbers", NULL, 0, 16, NULL, NULL },
	};
	static const nvtxPayloadSchemaEntry_t distances[] = {
		{ NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_BASE |
		          NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED,
		  NVTX_PAYLOAD_ENTRY_TYPE_CSTRING, "from base", NULL, 0, 0, NULL, NULL },
		{ NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_HERE |
		          NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED,
		  NVTX_PAYLOAD_ENTRY_TYPE_CSTRING, "from here", NULL, 0, 8, NULL, NULL },
	};
	static const int32_t numbers[] = { 100, 200, 300 };
	struct {
		uint64_t count;
		const char *text;
		const int32_t *numbers;
	} value = { 3, "behind a pointer", numbers };
	/* Distances of 64 bits: the first string is 16 bytes from the base, the second 8 bytes
	 * behind its own entry. */
	static const struct {
		uint64_t from_base;
		uint64_t from_here;
		char first[8];
		char second[8];
	} apart = { 16, 8, "first", "second" };
	const nvtxDomainHandle_t domain = nvtx_all_make_domain("payload-pointer");
	nvtxPayloadSchemaAttr_t schema;
	uint64_t id;

	memset(&schema, 0, sizeof(schema));
	schema.fieldMask =
		NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
		NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
		NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
		NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
	schema.name = "pointers";
	schema.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
	schema.flags = NVTX_PAYLOAD_SCHEMA_FLAG_DEEP_COPY;
	schema.entries = pointers;
	schema.numEntries = 3;
	schema.payloadStaticSize = sizeof(value);
	id = nvtxPayloadSchemaRegister(domain, &schema);
	nvtx_all_mark(domain, "pointers", id, &value, sizeof(value));
	value.text = NULL;
	value.numbers = NULL;
	value.count = 0;
	nvtx_all_mark(domain, "pointers to nothing", id, &value, sizeof(value));
	id = nvtx_all_register(domain, "distances", NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC, distances, 2,
	                       0);
	nvtx_all_mark(domain, "distances", id, &apart, sizeof(apart));
}

const struct nvtx_all_group nvtx_all_layout_groups[] = {
	{ "payload-nested", call_payload_nested },
	{ "payload-arrays", call_payload_arrays },
	{ "payload-union", call_payload_union },
	{ "payload-strings", call_payload_strings },
	{ "payload-layout", call_payload_layout },
	{ "payload-pointer", call_payload_pointer },
	{ NULL, NULL },
};
