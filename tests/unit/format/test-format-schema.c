/* SPDX-License-Identifier: MIT */
/* Tests that schemas are laid out like the structs that they describe are by the compiler, and that
 * damaged schemas do no harm. */
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#include <uchar.h>
#include <wchar.h>

#include "format/error.h"
#include "format/columns/pack.h"
#include "format/columns/schema.h"
#include "tests/tap.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MAX_ENTRIES  64
#define INNER_SCHEMA ((uint64_t) RLOG_TYPE_FIRST_SCHEMA + 1)
#define SMALL_ENUM   ((uint64_t) RLOG_TYPE_FIRST_SCHEMA + 2)
#define LOOP_SCHEMA  ((uint64_t) RLOG_TYPE_FIRST_SCHEMA + 3)
#define DYNAMIC_TYPE ((uint64_t) RLOG_TYPE_FIRST_SCHEMA + 4)
#define FIXED        ((uint64_t) RLOG_ARRAY_FIXED << RLOG_ENTRY_ARRAY_SHIFT)
#define ZERO         ((uint64_t) RLOG_ARRAY_ZERO_TERMINATED << RLOG_ENTRY_ARRAY_SHIFT)
#define LENGTH       ((uint64_t) RLOG_ARRAY_LENGTH_ENTRY << RLOG_ENTRY_ARRAY_SHIFT)
#define LENGTH_PART  ((uint64_t) RLOG_ARRAY_LENGTH_PAYLOAD << RLOG_ENTRY_ARRAY_SHIFT)

struct inner {
	char tag;
	double weight;
};

/* One entry, and where the compiler puts it. */
struct wanted {
	uint64_t flags;
	uint64_t type;
	uint64_t detail;
	uint64_t offset;
	uint64_t at;
};

static uint8_t detail_bytes[8192];
static struct rlog_schema_entry entries[MAX_ENTRIES];

static size_t pack_schema(uint64_t type, uint64_t static_size, uint64_t pack_align,
                          const struct wanted *list, size_t count)
{
	struct rlog_pack pack;

	rlog_pack_init(&pack, detail_bytes, sizeof(detail_bytes) - RLOG_PACK_SLACK);
	rlog_pack_array(&pack, 5);
	rlog_pack_uint(&pack, type);
	rlog_pack_uint(&pack, 0);
	rlog_pack_uint(&pack, static_size);
	rlog_pack_uint(&pack, pack_align);
	rlog_pack_array(&pack, count);
	for (size_t i = 0; i < count; i++) {
		rlog_pack_array(&pack, 7);
		rlog_pack_uint(&pack, list[i].flags);
		rlog_pack_uint(&pack, list[i].type);
		rlog_pack_text(&pack, "field", 5);
		rlog_pack_nil(&pack);
		rlog_pack_uint(&pack, list[i].detail);
		rlog_pack_uint(&pack, list[i].offset);
		rlog_pack_nil(&pack);
	}
	return pack.used;
}

/* The schemas that the tests' schemas may name. */
static int find_shape(void *context, uint64_t type, unsigned int depth,
                      struct rlog_schema_shape *shape)
{
	const struct rlog_schema_types *const types = context;

	switch (type) {
	case INNER_SCHEMA:
		*shape = (struct rlog_schema_shape){ .size = sizeof(struct inner),
			                             .align = alignof(struct inner) };
		return 0;
	case SMALL_ENUM:
		*shape = rlog_schema_enum_shape(2);
		return 0;
	case DYNAMIC_TYPE:
		*shape = (struct rlog_schema_shape){ .size = RLOG_SCHEMA_VARIES, .align = 4 };
		return 0;
	case LOOP_SCHEMA: {
		struct rlog_schema_entry entry = { .type = LOOP_SCHEMA };
		struct rlog_schema loop = { .type = RLOG_SCHEMA_STATIC,
			                    .count = 1,
			                    .entries = &entry };

		return rlog_schema_lay_out(&loop, types, find_shape, context, depth);
	}
	default:
		return -1;
	}
}

static int lay_out(size_t bytes, struct rlog_schema *schema)
{
	struct rlog_schema_types types;
	const int status = rlog_schema_parse(detail_bytes, bytes, entries, MAX_ENTRIES, schema);

	rlog_schema_default_types(&types);
	return status ? status : rlog_schema_lay_out(schema, &types, find_shape, &types, 0);
}

/* One point: every entry stands where it is wanted, and the size is that. */
static void compare(const char *what, uint64_t pack_align, const struct wanted *list, size_t count,
                    uint64_t size)
{
	struct rlog_schema schema;
	size_t wrong = 0;
	const int status =
		lay_out(pack_schema(RLOG_SCHEMA_STATIC, 0, pack_align, list, count), &schema);

	for (uint32_t i = 0; i < schema.count && !status; i++) {
		if (entries[i].at != list[i].at) {
			tap_diag("entry %u at %llu, not %llu", i,
			         (unsigned long long) entries[i].at,
			         (unsigned long long) list[i].at);
			wrong++;
		}
	}
	if (schema.size != size) {
		tap_diag("size %llu, not %llu", (unsigned long long) schema.size,
		         (unsigned long long) size);
	}
	tap_ok(!status && wrong == 0 && schema.size == size && schema.count == count,
	       "entries stand where the compiler puts them: %s", what);
}

#define AT(type, member)          .at = offsetof(struct type, member)
#define COMPARE(type, pack, list) compare(#type, pack, list, COUNT(list), sizeof(struct type))

struct plain {
	char a;
	short b;
	signed char c;
	int d;
	char e;
	long f;
	char g;
	long long h;
	unsigned char i;
	long double j;
	float k;
	double l;
	char m;
	size_t n;
	char o;
	void *p;
	char q;
	wchar_t r;
	char16_t s;
	char32_t t;
};

static void compare_plain(void)
{
	static const struct wanted list[] = {
		{ .type = RLOG_TYPE_CHAR, AT(plain, a) },
		{ .type = RLOG_TYPE_SHORT, AT(plain, b) },
		{ .type = RLOG_TYPE_INT8, AT(plain, c) },
		{ .type = RLOG_TYPE_INT, AT(plain, d) },
		{ .type = RLOG_TYPE_CHAR, AT(plain, e) },
		{ .type = RLOG_TYPE_LONG, AT(plain, f) },
		{ .type = RLOG_TYPE_CHAR, AT(plain, g) },
		{ .type = RLOG_TYPE_LONG_LONG, AT(plain, h) },
		{ .type = RLOG_TYPE_UCHAR, AT(plain, i) },
		{ .type = RLOG_TYPE_LONG_DOUBLE, AT(plain, j) },
		{ .type = RLOG_TYPE_FLOAT, AT(plain, k) },
		{ .type = RLOG_TYPE_DOUBLE, AT(plain, l) },
		{ .type = RLOG_TYPE_CHAR, AT(plain, m) },
		{ .type = RLOG_TYPE_SIZE, AT(plain, n) },
		{ .type = RLOG_TYPE_CHAR8, AT(plain, o) },
		{ .type = RLOG_TYPE_ADDRESS, AT(plain, p) },
		{ .type = RLOG_TYPE_BYTE, AT(plain, q) },
		{ .type = RLOG_TYPE_WCHAR, AT(plain, r) },
		{ .type = RLOG_TYPE_CHAR16, AT(plain, s) },
		{ .type = RLOG_TYPE_CHAR32, AT(plain, t) },
	};

	COMPARE(plain, 0, list);
}

struct exact {
	uint8_t a;
	uint16_t b;
	uint8_t c;
	uint32_t d;
	uint8_t e;
	uint64_t f;
	uint8_t g;
	__extension__ __int128 h;
	uint8_t i;
	uint16_t half;
	uint8_t j;
	uint32_t color;
	uint8_t k;
	const char *registered;
	uint8_t l;
	uint64_t scope;
	uint8_t m;
	uint32_t tf32;
	uint16_t bf16;
	int64_t last;
};

static void compare_exact(void)
{
	static const struct wanted list[] = {
		{ .type = RLOG_TYPE_UINT8, AT(exact, a) },
		{ .type = RLOG_TYPE_UINT16, AT(exact, b) },
		{ .type = RLOG_TYPE_UINT8, AT(exact, c) },
		{ .type = RLOG_TYPE_UINT32, AT(exact, d) },
		{ .type = RLOG_TYPE_UINT8, AT(exact, e) },
		{ .type = RLOG_TYPE_UINT64, AT(exact, f) },
		{ .type = RLOG_TYPE_UINT8, AT(exact, g) },
		{ .type = RLOG_TYPE_INT128, AT(exact, h) },
		{ .type = RLOG_TYPE_UINT8, AT(exact, i) },
		{ .type = RLOG_TYPE_FLOAT16, AT(exact, half) },
		{ .type = RLOG_TYPE_UINT8, AT(exact, j) },
		{ .type = RLOG_TYPE_COLOR, AT(exact, color) },
		{ .type = RLOG_TYPE_UINT8, AT(exact, k) },
		{ .type = RLOG_TYPE_REGISTERED_STRING, AT(exact, registered) },
		{ .type = RLOG_TYPE_UINT8, AT(exact, l) },
		{ .type = RLOG_TYPE_SCOPE_ID, AT(exact, scope) },
		{ .type = RLOG_TYPE_UINT8, AT(exact, m) },
		{ .type = RLOG_TYPE_TF32, AT(exact, tf32) },
		{ .type = RLOG_TYPE_BF16, AT(exact, bf16) },
		{ .type = RLOG_TYPE_INT64, AT(exact, last) },
	};

	COMPARE(exact, 0, list);
}

#define PACKED_MEMBERS  \
	char a;         \
	double b;       \
	char c;         \
	int d;          \
	char e;         \
	struct inner f; \
	char g;

#pragma pack(push, 1)
struct packed1 {
	PACKED_MEMBERS
};
#pragma pack(pop)
#pragma pack(push, 2)
struct packed2 {
	PACKED_MEMBERS
};
#pragma pack(pop)
#pragma pack(push, 4)
struct packed4 {
	PACKED_MEMBERS
};
#pragma pack(pop)
struct unpacked {
	PACKED_MEMBERS
};

#define PACKED_LIST(type_name)                                  \
	{ .type = RLOG_TYPE_CHAR, AT(type_name, a) },           \
		{ .type = RLOG_TYPE_DOUBLE, AT(type_name, b) }, \
		{ .type = RLOG_TYPE_CHAR, AT(type_name, c) },   \
		{ .type = RLOG_TYPE_INT, AT(type_name, d) },    \
		{ .type = RLOG_TYPE_CHAR, AT(type_name, e) },   \
		{ .type = INNER_SCHEMA, AT(type_name, f) },     \
		{ .type = RLOG_TYPE_CHAR, AT(type_name, g) },

static void compare_packed(void)
{
	static const struct wanted one[] = { PACKED_LIST(packed1) };
	static const struct wanted two[] = { PACKED_LIST(packed2) };
	static const struct wanted four[] = { PACKED_LIST(packed4) };
	static const struct wanted natural[] = { PACKED_LIST(unpacked) };

	COMPARE(packed1, 1, one);
	COMPARE(packed2, 2, two);
	COMPARE(packed4, 4, four);
	COMPARE(unpacked, 0, natural);
	COMPARE(unpacked, 8, natural);
}

struct arrays {
	char tag[5];
	float coordinates[3];
	char letter;
	struct inner pair[2];
	char16_t wide[3];
	const char *text;
	char32_t wider[2];
	int16_t small[3];
	double *pointer;
	const char16_t *far;
	uint16_t kind[3];
	char end;
};

static void compare_arrays(void)
{
	static const struct wanted list[] = {
		{ .type = RLOG_TYPE_TEXT, .detail = 5, AT(arrays, tag) },
		{ .flags = FIXED, .type = RLOG_TYPE_FLOAT, .detail = 3, AT(arrays, coordinates) },
		{ .type = RLOG_TYPE_CHAR, AT(arrays, letter) },
		{ .flags = FIXED, .type = INNER_SCHEMA, .detail = 2, AT(arrays, pair) },
		{ .flags = FIXED, .type = RLOG_TYPE_UTF16, .detail = 3, AT(arrays, wide) },
		{ .type = RLOG_TYPE_TEXT, AT(arrays, text) },
		{ .type = RLOG_TYPE_UTF32, .detail = 2, AT(arrays, wider) },
		{ .flags = FIXED, .type = RLOG_TYPE_INT16, .detail = 3, AT(arrays, small) },
		{ .flags = RLOG_ENTRY_POINTER | LENGTH,
		  .type = RLOG_TYPE_DOUBLE,
		  AT(arrays, pointer) },
		{ .flags = RLOG_ENTRY_POINTER,
		  .type = RLOG_TYPE_UTF16,
		  .detail = 9,
		  AT(arrays, far) },
		{ .flags = FIXED, .type = SMALL_ENUM, .detail = 3, AT(arrays, kind) },
		{ .type = RLOG_TYPE_CHAR, AT(arrays, end) },
	};

	COMPARE(arrays, 0, list);
	tap_ok(entries[0].array == RLOG_ARRAY_FIXED && entries[0].is_text &&
	               entries[0].element == 1 && entries[0].bytes == 5,
	       "a text of a fixed length is an array of its units");
	tap_ok(entries[5].place == RLOG_PLACE_POINTER &&
	               entries[5].array == RLOG_ARRAY_ZERO_TERMINATED && entries[5].bytes == 8,
	       "a text of which nothing is said is a pointer to one that ends with 0");
	tap_ok(entries[8].place == RLOG_PLACE_POINTER && entries[8].element == 8 &&
	               entries[8].array == RLOG_ARRAY_LENGTH_ENTRY,
	       "a pointer knows what it points to");
	tap_ok(entries[10].kind == RLOG_KIND_ENUM && entries[3].kind == RLOG_KIND_SCHEMA,
	       "enums and schemas are told apart");
}

struct skipped {
	int a;
	int unseen[4];
	int b;
	char c;
};

struct selected {
	unsigned char selector;
	union {
		char letter;
		double number;
		struct inner pair;
	} member;
};

static void compare_others(void)
{
	static const struct wanted list[] = {
		{ .type = RLOG_TYPE_INT, AT(skipped, a) },
		{ .type = RLOG_TYPE_INT, .offset = offsetof(struct skipped, b), AT(skipped, b) },
		{ .type = RLOG_TYPE_CHAR, AT(skipped, c) },
	};
	static const struct wanted members[] = {
		{ .type = RLOG_TYPE_SELECTOR },
		{ .type = RLOG_TYPE_CHAR },
		{ .type = RLOG_TYPE_DOUBLE },
		{ .type = INNER_SCHEMA },
	};
	static const struct wanted variable[] = {
		{ .type = RLOG_TYPE_UINT32 },
		{ .flags = LENGTH, .type = RLOG_TYPE_FLOAT },
		{ .type = RLOG_TYPE_UINT8 },
		{ .flags = ZERO, .type = RLOG_TYPE_TEXT, .offset = 64 },
		{ .flags = ZERO, .type = RLOG_TYPE_UTF16, .detail = 4 },
		{ .type = DYNAMIC_TYPE },
		{ .flags = LENGTH_PART, .type = RLOG_TYPE_FLOAT },
		{ .type = RLOG_TYPE_FIRST_SCHEMA + 99 },
	};
	struct rlog_schema schema;

	COMPARE(skipped, 0, list);
	(void) lay_out(pack_schema(RLOG_SCHEMA_UNION, 0, 0, members + 1, 3), &schema);
	tap_ok(entries[0].at == 0 && entries[1].at == 0 && entries[2].at == 0 &&
	               schema.size == sizeof(struct inner) && schema.align == 8,
	       "the members of a union stand at its first byte");
	(void) lay_out(pack_schema(RLOG_SCHEMA_UNION_INTERNAL, 0, 0, members, 4), &schema);
	tap_ok(entries[0].at == 0 && entries[1].at == offsetof(struct selected, member) &&
	               entries[3].at == offsetof(struct selected, member) &&
	               schema.size == sizeof(struct selected),
	       "those of one with its selector inside stand behind that");
	(void) lay_out(pack_schema(RLOG_SCHEMA_DYNAMIC, 0, 0, variable, 8), &schema);
	tap_ok(entries[1].at == 4 && entries[1].bytes == RLOG_SCHEMA_VARIES &&
	               entries[2].at == RLOG_SCHEMA_VARIES && entries[2].align == 1 &&
	               entries[3].at == 64 && entries[4].element == 8 &&
	               entries[7].kind == RLOG_KIND_UNKNOWN && schema.size == RLOG_SCHEMA_VARIES,
	       "what stands behind a value of any length is found later, unless its offset is "
	       "said");
	(void) lay_out(pack_schema(RLOG_SCHEMA_STATIC, 128, 0, list, 3), &schema);
	tap_is_uint(schema.size, 128, "a program may say that its struct is larger");
	(void) lay_out(pack_schema(RLOG_SCHEMA_STATIC, 8, 0, list, 3), &schema);
	tap_is_uint(schema.size, sizeof(struct skipped), "it may not say that it is smaller");
	(void) lay_out(pack_schema(RLOG_SCHEMA_STATIC, 0, 0, list, 0), &schema);
	tap_is_uint(schema.size, 0, "a schema without entries is empty");
}

/* What nobody can decode is refused. */
static void refuse(void)
{
	static const struct wanted loop[] = { { .type = LOOP_SCHEMA } };
	static const struct wanted length[] = {
		{ .flags = LENGTH, .type = RLOG_TYPE_INT, .detail = 1 }
	};
	static const struct wanted large[] = {
		{ .flags = FIXED, .type = RLOG_TYPE_INT, .detail = UINT64_MAX / 2 }
	};
	static const struct wanted far[] = { { .type = RLOG_TYPE_INT, .offset = UINT64_MAX } };
	static const struct wanted kind[] = { { .flags = 7 << 4, .type = RLOG_TYPE_INT } };
	static const struct wanted good[] = { { .type = RLOG_TYPE_INT } };
	struct rlog_schema schema;
	uint32_t count = 0;
	size_t bytes = 0;

	tap_ok(lay_out(pack_schema(RLOG_SCHEMA_STATIC, 0, 0, loop, 1), &schema) == 0 &&
	               schema.size == RLOG_SCHEMA_VARIES,
	       "a schema that holds itself has no size");
	tap_is_int(lay_out(pack_schema(RLOG_SCHEMA_DYNAMIC, 0, 0, length, 1), &schema),
	           -RLOG_E_SCHEMA, "a length must be an entry");
	tap_is_int(lay_out(pack_schema(RLOG_SCHEMA_STATIC, 0, 0, large, 1), &schema),
	           -RLOG_E_SCHEMA, "no array is larger than memory");
	tap_is_int(lay_out(pack_schema(RLOG_SCHEMA_STATIC, 0, 0, far, 1), &schema), -RLOG_E_SCHEMA,
	           "no offset is larger than memory");
	tap_is_int(lay_out(pack_schema(RLOG_SCHEMA_STATIC, UINT64_MAX, 0, good, 1), &schema),
	           -RLOG_E_SCHEMA, "no struct is larger than memory");
	tap_is_int(lay_out(pack_schema(RLOG_SCHEMA_STATIC, 0, 0, kind, 1), &schema), -RLOG_E_SCHEMA,
	           "an unknown kind of array is refused");
	tap_is_int(lay_out(pack_schema(9, 0, 0, good, 1), &schema), -RLOG_E_SCHEMA,
	           "an unknown kind of schema is refused");
	bytes = pack_schema(RLOG_SCHEMA_STATIC, 0, 0, good, 1);
	tap_ok(rlog_schema_count_entries(detail_bytes, bytes, &count) == 0 && count == 1,
	       "entries can be counted before there is room for them");
	tap_is_int(rlog_schema_parse(detail_bytes, bytes, entries, 0, &schema), -RLOG_E_FULL,
	           "more entries than there is room for are refused");
}

/* Every byte cut off, every byte set to each value: nothing else than a refusal or a layout. */
static void damage(void)
{
	static const struct wanted list[] = {
		{ .flags = FIXED, .type = RLOG_TYPE_INT, .detail = 3 },
		{ .flags = LENGTH, .type = RLOG_TYPE_TEXT },
		{ .type = INNER_SCHEMA, .offset = 300 },
		{ .type = RLOG_TYPE_DOUBLE },
	};
	const size_t bytes = pack_schema(RLOG_SCHEMA_DYNAMIC, 0, 3, list, COUNT(list));
	uint8_t *const keep = malloc(bytes);
	struct rlog_schema_value values[8];
	struct rlog_schema_types types;
	struct rlog_schema_enum number;
	struct rlog_schema schema;
	size_t whole = 0;

	if (!keep) {
		tap_bail("no memory");
	}
	memcpy(keep, detail_bytes, bytes);
	for (size_t cut = 0; cut < bytes; cut++) {
		whole += lay_out(cut, &schema) == 0;
	}
	tap_is_uint(whole, 0, "a detail that was cut short is refused");
	for (size_t at = 0; at < bytes; at++) {
		for (unsigned int value = 0; value < 256; value++) {
			detail_bytes[at] = (uint8_t) value;
			(void) lay_out(bytes, &schema);
			(void) rlog_schema_parse_enum(detail_bytes, bytes, values, COUNT(values),
			                              &number);
			(void) rlog_schema_parse_types(detail_bytes, bytes, &types);
		}
		detail_bytes[at] = keep[at];
	}
	tap_ok(lay_out(bytes, &schema) == 0, "no damage to a detail is worse than a refusal");
	free(keep);
}

static void parse_others(void)
{
	struct rlog_schema_value values[2];
	struct rlog_schema_types types;
	struct rlog_schema_enum number;
	struct rlog_pack pack;

	rlog_pack_init(&pack, detail_bytes, sizeof(detail_bytes) - RLOG_PACK_SLACK);
	rlog_pack_array(&pack, 2);
	rlog_pack_uint(&pack, 4);
	rlog_pack_array(&pack, 2);
	rlog_pack_array(&pack, 3);
	rlog_pack_text(&pack, "NONE", 4);
	rlog_pack_uint(&pack, 0);
	rlog_pack_uint(&pack, 0);
	rlog_pack_array(&pack, 3);
	rlog_pack_nil(&pack);
	rlog_pack_int(&pack, -1);
	rlog_pack_bool(&pack, true);
	tap_ok(rlog_schema_parse_enum(detail_bytes, pack.used, values, 2, &number) == 0 &&
	               number.size == 4 && number.count == 2 && values[0].name.length == 4 &&
	               !values[0].is_flag && values[1].name.bytes == NULL &&
	               values[1].value == UINT64_MAX && values[1].is_flag,
	       "an enum is read");

	rlog_pack_init(&pack, detail_bytes, sizeof(detail_bytes) - RLOG_PACK_SLACK);
	rlog_pack_array(&pack, 8);
	rlog_pack_uint(&pack, 28);
	rlog_pack_uint(&pack, 4);
	for (unsigned int type = 1; type <= 3; type++) {
		rlog_pack_uint(&pack, type == 2 ? 0 : 2 * type);
		rlog_pack_uint(&pack, type == 2 ? 0 : type);
	}
	tap_ok(rlog_schema_parse_types(detail_bytes, pack.used, &types) == 0 &&
	               types.size[1] == 2 && types.align[1] == 1 && types.size[2] == 1 &&
	               types.size[3] == 6 && types.align[3] == 3 && types.size[RLOG_TYPE_LONG] == 8,
	       "the type table counts; what it does not have is as on x86-64");
}

int main(void)
{
	compare_plain();
	compare_exact();
	compare_packed();
	compare_arrays();
	compare_others();
	refuse();
	damage();
	parse_others();
	return tap_done();
}
