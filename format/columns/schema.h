/* SPDX-License-Identifier: MIT */
/* Describes what a payload's bytes mean: schemas, enums and the type table, parsed and laid out. */
#ifndef RLOG_SCHEMA_H
#define RLOG_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/columns/cursor.h"

/*
 * This parses the details of definitions of kind 9, 10 and 14 (doc/format.md section 5), and
 * computes layouts by section 6, "Layout of a payload". Nothing here allocates: arrays are the
 * caller's, and texts point into the detail. Details are untrusted, so their numbers are checked
 * before use.
 */

/* NVTX's numbers (from nvToolsExtPayload.h; doc/format.md has them, too). */
enum rlog_schema_type {
	RLOG_SCHEMA_STATIC = 1,
	RLOG_SCHEMA_DYNAMIC = 2,
	RLOG_SCHEMA_UNION = 3,
	RLOG_SCHEMA_UNION_INTERNAL = 4, /* the selector is one of its entries */
};

enum rlog_schema_flag {
	RLOG_SCHEMA_DEEP_COPY = 1 << 1,
	RLOG_SCHEMA_REFERENCED = 1 << 2,
	RLOG_SCHEMA_ROLE = 15 << 3, /* mask of a number: enum rlog_schema_role */
};

#define RLOG_SCHEMA_ROLE_SHIFT 3

enum rlog_schema_role {
	RLOG_SCHEMA_COUNTERS = 1,
	RLOG_SCHEMA_PUSH_POP = 2,
	RLOG_SCHEMA_START_END = 3,
	RLOG_SCHEMA_MARK = 4,
};

enum rlog_schema_entry_flag {
	RLOG_ENTRY_POINTER = 1 << 1,
	RLOG_ENTRY_FROM_BASE = 1 << 2,
	RLOG_ENTRY_FROM_HERE = 1 << 3,
	RLOG_ENTRY_ARRAY = 7 << 4, /* mask of a number: enum rlog_schema_array */
	RLOG_ENTRY_DEEP_COPY = 1 << 8,
	RLOG_ENTRY_HIDE = 1 << 9,
	RLOG_ENTRY_MESSAGE = 1 << 10,
	RLOG_ENTRY_TIMESTAMP = 1 << 11,
	RLOG_ENTRY_PURPOSE = 7 << 12, /* mask of a number: enum rlog_schema_purpose */
};

#define RLOG_ENTRY_ARRAY_SHIFT   4
#define RLOG_ENTRY_PURPOSE_SHIFT 12

enum rlog_schema_array {
	RLOG_ARRAY_NONE = 0,
	RLOG_ARRAY_FIXED = 1,
	RLOG_ARRAY_ZERO_TERMINATED = 2,
	RLOG_ARRAY_LENGTH_ENTRY = 3,   /* entry number `detail` of the schema is the length */
	RLOG_ARRAY_LENGTH_PAYLOAD = 4, /* payload number `detail` of the event is the length */
};

enum rlog_schema_purpose {
	RLOG_PURPOSE_RANGE_BEGIN = 1,
	RLOG_PURPOSE_RANGE_END = 2,
	RLOG_PURPOSE_MARK = 3,
	RLOG_PURPOSE_COUNTER = 4,
};

enum rlog_schema_entry_type {
	RLOG_TYPE_CHAR = 1,
	RLOG_TYPE_UCHAR = 2,
	RLOG_TYPE_SHORT = 3,
	RLOG_TYPE_USHORT = 4,
	RLOG_TYPE_INT = 5,
	RLOG_TYPE_UINT = 6,
	RLOG_TYPE_LONG = 7,
	RLOG_TYPE_ULONG = 8,
	RLOG_TYPE_LONG_LONG = 9,
	RLOG_TYPE_ULONG_LONG = 10,
	RLOG_TYPE_INT8 = 11,
	RLOG_TYPE_UINT8 = 12,
	RLOG_TYPE_INT16 = 13,
	RLOG_TYPE_UINT16 = 14,
	RLOG_TYPE_INT32 = 15,
	RLOG_TYPE_UINT32 = 16,
	RLOG_TYPE_INT64 = 17,
	RLOG_TYPE_UINT64 = 18,
	RLOG_TYPE_FLOAT = 19,
	RLOG_TYPE_DOUBLE = 20,
	RLOG_TYPE_LONG_DOUBLE = 21,
	RLOG_TYPE_SIZE = 22,
	RLOG_TYPE_ADDRESS = 23,
	RLOG_TYPE_WCHAR = 24,
	RLOG_TYPE_CHAR8 = 25,
	RLOG_TYPE_CHAR16 = 26,
	RLOG_TYPE_CHAR32 = 27,
	RLOG_TYPE_BYTE = 32,
	RLOG_TYPE_INT128 = 33,
	RLOG_TYPE_UINT128 = 34,
	RLOG_TYPE_FLOAT16 = 42,
	RLOG_TYPE_FLOAT32 = 43,
	RLOG_TYPE_FLOAT64 = 44,
	RLOG_TYPE_FLOAT128 = 45,
	RLOG_TYPE_BF16 = 50,
	RLOG_TYPE_TF32 = 52,
	RLOG_TYPE_RANGE_ID = 67, /* only in newer versions of NVTX */
	RLOG_TYPE_CATEGORY = 68,
	RLOG_TYPE_COLOR = 69, /* ARGB */
	RLOG_TYPE_SCOPE_ID = 70,
	RLOG_TYPE_PID32 = 71,
	RLOG_TYPE_PID64 = 72,
	RLOG_TYPE_TID32 = 73,
	RLOG_TYPE_TID64 = 74,
	RLOG_TYPE_TEXT = 75, /* in the program's locale */
	RLOG_TYPE_UTF8 = 76,
	RLOG_TYPE_UTF16 = 77,
	RLOG_TYPE_UTF32 = 78,
	RLOG_TYPE_REGISTERED_STRING = 80,
	RLOG_TYPE_SELECTOR = 100,
	RLOG_TYPE_REFERENCED = 1022, /* only for payloads: shown only where another payload refers
	                              * to it */
	RLOG_TYPE_RAW = 1023,        /* only for payloads: plain bytes */
	RLOG_TYPE_FIRST_SCHEMA = 1 << 24,
};

/* Sizes and alignments of types 1 … 27 in the program's compiler. Element 0 is unused. */
#define RLOG_SCHEMA_TABLE_TYPES 28

struct rlog_schema_types {
	uint16_t size[RLOG_SCHEMA_TABLE_TYPES];
	uint16_t align[RLOG_SCHEMA_TABLE_TYPES];
};

/* Borrowed bytes; NULL for a nil in the detail. */
struct rlog_schema_text {
	const char *bytes;
	uint32_t length;
};

/* Limit of sizes and offsets in a schema. Larger ones are refused. */
#define RLOG_SCHEMA_MAX_BYTES ((uint64_t) 1 << 40)

/* This size or offset depends on values, or on an unknown type. */
#define RLOG_SCHEMA_VARIES UINT64_MAX

/* Where the values of an entry are stored. */
enum rlog_schema_place {
	RLOG_PLACE_HERE,
	RLOG_PLACE_POINTER,   /* the entry is an address */
	RLOG_PLACE_FROM_BASE, /* the entry is an offset from the first byte of the schema */
	RLOG_PLACE_FROM_HERE, /* the entry is an offset from the byte after the entry */
};

enum rlog_schema_kind {
	RLOG_KIND_PLAIN, /* a predefined type */
	RLOG_KIND_ENUM,
	RLOG_KIND_SCHEMA,
	RLOG_KIND_UNKNOWN, /* the type is not defined */
};

struct rlog_schema_entry {
	/* As the program gave them. */
	uint64_t flags;
	uint64_t type;
	uint64_t detail;
	uint64_t offset;
	struct rlog_schema_text name;
	struct rlog_schema_text description;
	struct rlog_cursor semantics; /* the array; pos is NULL for none */
	/* Computed by rlog_schema_lay_out(). */
	uint64_t at; /* offset from the schema's first byte, or VARIES */
	/* bytes of the entry, or VARIES. If `place` is not HERE, these are the bytes of the pointer
	 * or offset. */
	uint64_t bytes;
	uint64_t element; /* bytes of one element; VARIES if elements differ in size */
	uint32_t align;   /* alignment of the entry */
	uint8_t place;    /* enum rlog_schema_place */
	uint8_t kind;     /* enum rlog_schema_kind */
	/*
	 * enum rlog_schema_array. A text is an array of its code units here: FIXED with `detail`
	 * units, or ZERO_TERMINATED if the program gave no length. If `element` is larger than a
	 * unit, the entry is an array of texts, each with `element` bytes.
	 */
	uint8_t array;
	bool is_text;
};

struct rlog_schema {
	uint64_t type; /* enum rlog_schema_type */
	uint64_t flags;
	uint64_t static_size;
	uint64_t pack_align;
	uint32_t count;
	struct rlog_schema_entry *entries; /* borrowed */
	/* Computed by rlog_schema_lay_out(). */
	uint64_t size; /* bytes, or VARIES */
	uint32_t align;
};

struct rlog_schema_value {
	struct rlog_schema_text name;
	uint64_t value;
	bool is_flag; /* true if the value can be combined with others by or */
};

struct rlog_schema_enum {
	uint64_t size; /* bytes; 0 if the program gave none */
	uint32_t count;
	struct rlog_schema_value *values; /* borrowed */
};

/*
 * Reads the head of a detail and counts its entries or values, so that the caller can allocate
 * them. Each takes at least 4 bytes in the detail, so the count is bounded.
 *
 * Return: 0, -RLOG_E_MSGPACK, -RLOG_E_SCHEMA (another structure than expected).
 */
int rlog_schema_count_entries(const void *detail, size_t bytes, uint32_t *count);
int rlog_schema_count_values(const void *detail, size_t bytes, uint32_t *count);

/*
 * Parses a detail of kind 9 or 10 into the caller's array. The array and the detail must live as
 * long as the result. Computes no layout: rlog_schema_lay_out() does.
 *
 * Return: 0, -RLOG_E_MSGPACK, -RLOG_E_SCHEMA, -RLOG_E_FULL (more than `capacity`).
 */
int rlog_schema_parse(const void *detail, size_t bytes, struct rlog_schema_entry *entries,
                      uint32_t capacity, struct rlog_schema *schema);
int rlog_schema_parse_enum(const void *detail, size_t bytes, struct rlog_schema_value *values,
                           uint32_t capacity, struct rlog_schema_enum *result);

/* Sets the sizes of x86-64 (LP64). */
void rlog_schema_default_types(struct rlog_schema_types *types);

/*
 * Parses a detail of kind 14. A type that the detail lacks gets the size of
 * rlog_schema_default_types().
 *
 * Return: 0, -RLOG_E_MSGPACK, -RLOG_E_SCHEMA; `types` is usable in any case.
 */
int rlog_schema_parse_types(const void *detail, size_t bytes, struct rlog_schema_types *types);

/* Size and alignment of a type that the program has defined. */
struct rlog_schema_shape {
	uint64_t size; /* VARIES if it depends on values */
	uint32_t align;
	bool is_enum;
};

/*
 * Finds the shape of a type ≥ 2^24. It may lay out another schema for that, with depth + 1. It
 * should cache the result. Otherwise schemas that refer to each other many times take exponential
 * time.
 *
 * Return: 0; anything else: the type is unknown.
 */
typedef int (*rlog_schema_find_fn)(void *context, uint64_t type, unsigned int depth,
                                   struct rlog_schema_shape *shape);

#define RLOG_SCHEMA_MAX_DEPTH 16

/*
 * Computes where each entry is and how large the schema is. Checks that lengths of arrays and
 * selectors of unions name existing entries.
 *
 * @find: finds the shapes of other schemas; NULL: there are none.
 * @depth: 0 for the outermost schema. RLOG_SCHEMA_MAX_DEPTH is refused, which ends cycles.
 * Return: 0, -RLOG_E_SCHEMA (a size beyond RLOG_SCHEMA_MAX_BYTES, a length without an entry, too
 * deep).
 */
int rlog_schema_lay_out(struct rlog_schema *schema, const struct rlog_schema_types *types,
                        rlog_schema_find_fn find, void *context, unsigned int depth);

/* Returns the shape of a predefined type, also for a payload whose schema id is such a type. */
int rlog_schema_shape_of(uint64_t type, const struct rlog_schema_types *types,
                         struct rlog_schema_shape *shape);

/* Returns the shape of an enum of `size` bytes. */
struct rlog_schema_shape rlog_schema_enum_shape(uint64_t size);

/* These return whether a type is a text (75 … 78), and the bytes of its code unit (0 for
 * others). */
bool rlog_schema_is_text(uint64_t type);
uint32_t rlog_schema_unit_bytes(uint64_t type);

/* Rounds `at` up to a multiple of align ≥ 1. */
static inline uint64_t rlog_schema_align(uint64_t at, uint32_t align)
{
	return (at + align - 1) / align * align;
}

#endif
