/* SPDX-License-Identifier: MIT */
/* Parts of nvtx-all: schemas and enumerations, and each type of value in them. */
#include "nvtx-all.h"

#define STATIC_ID(number) (NVTX_PAYLOAD_SCHEMA_ID_STATIC_START + (uint64_t) (number))

static nvtxPayloadSchemaAttr_t make_schema(const char *name, uint64_t type,
                                           const nvtxPayloadSchemaEntry_t *entries, size_t count,
                                           size_t size)
{
	nvtxPayloadSchemaAttr_t schema;

	memset(&schema, 0, sizeof(schema));
	schema.fieldMask =
		NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
		NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES;
	schema.name = name;
	schema.type = type;
	schema.entries = entries;
	schema.numEntries = count;
	if (size > 0) {
		schema.fieldMask |= NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
		schema.payloadStaticSize = size;
	}
	return schema;
}

uint64_t nvtx_all_register(nvtxDomainHandle_t domain, const char *name, uint64_t type,
                           const nvtxPayloadSchemaEntry_t *entries, size_t count, size_t size)
{
	const nvtxPayloadSchemaAttr_t schema = make_schema(name, type, entries, count, size);

	return nvtxPayloadSchemaRegister(domain, &schema);
}

uint64_t nvtx_all_register_as(nvtxDomainHandle_t domain, uint64_t id, const char *name,
                              const nvtxPayloadSchemaEntry_t *entries, size_t count, size_t size)
{
	nvtxPayloadSchemaAttr_t schema =
		make_schema(name, NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, entries, count, size);

	schema.fieldMask |= NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID;
	schema.schemaId = id;
	return nvtxPayloadSchemaRegister(domain, &schema);
}

void nvtx_all_mark_several(nvtxDomainHandle_t domain, const char *message,
                           const nvtxPayloadData_t *payloads, int count)
{
	nvtxEventAttributes_t event = nvtx_all_make_event(message);

	event.payloadType = NVTX_PAYLOAD_TYPE_EXT;
	event.reserved0 = count;
	event.payload.ullValue = NVTX_POINTER_AS_PAYLOAD_ULLVALUE(payloads);
	nvtxDomainMarkEx(domain, &event);
}

void nvtx_all_mark(nvtxDomainHandle_t domain, const char *message, uint64_t schema,
                   const void *payload, size_t size)
{
	nvtxPayloadData_t data;

	data.schemaId = schema;
	data.size = size;
	data.payload = payload;
	nvtx_all_mark_several(domain, message, &data, 1);
}

/* As real producers do: an id of the program's choice, offsets, used before and after. */
struct request {
	uint64_t id;
	int32_t retries;
	double seconds;
	uint8_t is_last;
};

static void call_payload_static(void)
{
	static const nvtxPayloadSchemaEntry_t entries[] = {
		{ 0, NVTX_PAYLOAD_ENTRY_TYPE_UINT64, "id", "number of the request", 0,
		  offsetof(struct request, id), NULL, NULL },
		NVTX_ALL_ENTRY(INT32, "retries", offsetof(struct request, retries)),
		NVTX_ALL_ENTRY(DOUBLE, "seconds", offsetof(struct request, seconds)),
		NVTX_ALL_ENTRY(UINT8, "is_last", offsetof(struct request, is_last)),
	};
	const nvtxDomainHandle_t domain = nvtx_all_make_domain("payload-static");
	struct request request;
	uint64_t id;

	memset(&request, 0, sizeof(request)); /* with the padding between the members */
	request.id = 4711;
	request.retries = -3;
	request.seconds = 0.25;
	request.is_last = 1;
	nvtx_all_mark(domain, "before its schema", STATIC_ID(1), &request, sizeof(request));
	id = nvtx_all_register_as(domain, STATIC_ID(1), "request", entries, NVTX_ALL_COUNT(entries),
	                          sizeof(request));
	request.id = 4712;
	nvtx_all_mark(domain, "by its own id", STATIC_ID(1), &request, sizeof(request));
	request.id = 4713;
	nvtx_all_mark(domain, "by the id returned", id, &request, sizeof(request));
	id = nvtx_all_register(domain, "request of the tool's id", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC,
	                       entries, NVTX_ALL_COUNT(entries), sizeof(request));
	request.id = 4714;
	nvtx_all_mark(domain, "by the tool's id", id, &request, sizeof(request));
}

/* A payload without a schema of its own. */
static void call_payload_plain(void)
{
	const nvtxDomainHandle_t domain = nvtx_all_make_domain("payload-plain");
	const int64_t number = -424242;
	const double fraction = 2.5;
	const unsigned char bytes[5] = { 0xDE, 0xAD, 0xBE, 0xEF, 0x00 };

	nvtx_all_mark(domain, "int64", NVTX_PAYLOAD_ENTRY_TYPE_INT64, &number, sizeof(number));
	nvtx_all_mark(domain, "double", NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE, &fraction,
	              sizeof(fraction));
	nvtx_all_mark(domain, "string", NVTX_PAYLOAD_ENTRY_TYPE_CSTRING, "plain string", 13);
	nvtx_all_mark(domain, "string to its end", NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8,
	              "plain utf-8", SIZE_MAX);
	nvtx_all_mark(domain, "raw", NVTX_TYPE_PAYLOAD_SCHEMA_RAW, bytes, sizeof(bytes));
	nvtx_all_mark(domain, "nothing", NVTX_PAYLOAD_ENTRY_TYPE_INT64, NULL, 0);
}

/* Types of C in the order of their numbers, laid out by the compiler: no entry has an offset. */
struct c_types {
	char c;
	unsigned char uc;
	short s;
	unsigned short us;
	int i;
	unsigned ui;
	long l;
	unsigned long ul;
	long long ll;
	unsigned long long ull;
	int8_t i8;
	uint8_t u8;
	int16_t i16;
	uint16_t u16;
	int32_t i32;
	uint32_t u32;
	int64_t i64;
	uint64_t u64;
	float f;
	double d;
	long double ld;
	size_t size;
	void *address;
	wchar_t w;
	unsigned char c8;
	uint16_t c16;
	uint32_t c32;
};

static void fill_c_types(struct c_types *all)
{
	memset(all, 0, sizeof(*all));
	all->c = 'a';
	all->uc = 200;
	all->s = -30000;
	all->us = 60000;
	all->i = -2000000000;
	all->ui = 4000000000U;
	all->l = -5000000001L;
	all->ul = 5000000002UL;
	all->ll = -5000000003LL;
	all->ull = 18000000000000000004ULL;
	all->i8 = -8;
	all->u8 = 248;
	all->i16 = -16;
	all->u16 = 65520;
	all->i32 = -32;
	all->u32 = 4294967264U;
	all->i64 = -64;
	all->u64 = UINT64_C(18446744073709551552);
	all->f = 0.5F;
	all->d = -0.0625;
	all->ld = 1024.0L;
	all->size = 123456789;
	all->address = (void *) (uintptr_t) 0xABCDEF00; /* NOLINT(performance-no-int-to-ptr) */
	all->w = L'w';
	all->c8 = '8';
	all->c16 = 0x20AC;
	all->c32 = 0x1F600;
}

static void call_payload_types(void)
{
	static const nvtxPayloadSchemaEntry_t entries[] = {
		NVTX_ALL_ENTRY(CHAR, "char", 0),
		NVTX_ALL_ENTRY(UCHAR, "uchar", 0),
		NVTX_ALL_ENTRY(SHORT, "short", 0),
		NVTX_ALL_ENTRY(USHORT, "ushort", 0),
		NVTX_ALL_ENTRY(INT, "int", 0),
		NVTX_ALL_ENTRY(UINT, "uint", 0),
		NVTX_ALL_ENTRY(LONG, "long", 0),
		NVTX_ALL_ENTRY(ULONG, "ulong", 0),
		NVTX_ALL_ENTRY(LONGLONG, "longlong", 0),
		NVTX_ALL_ENTRY(ULONGLONG, "ulonglong", 0),
		NVTX_ALL_ENTRY(INT8, "int8", 0),
		NVTX_ALL_ENTRY(UINT8, "uint8", 0),
		NVTX_ALL_ENTRY(INT16, "int16", 0),
		NVTX_ALL_ENTRY(UINT16, "uint16", 0),
		NVTX_ALL_ENTRY(INT32, "int32", 0),
		NVTX_ALL_ENTRY(UINT32, "uint32", 0),
		NVTX_ALL_ENTRY(INT64, "int64", 0),
		NVTX_ALL_ENTRY(UINT64, "uint64", 0),
		NVTX_ALL_ENTRY(FLOAT, "float", 0),
		NVTX_ALL_ENTRY(DOUBLE, "double", 0),
		NVTX_ALL_ENTRY(LONGDOUBLE, "longdouble", 0),
		NVTX_ALL_ENTRY(SIZE, "size", 0),
		NVTX_ALL_ENTRY(ADDRESS, "address", 0),
		NVTX_ALL_ENTRY(WCHAR, "wchar", 0),
		NVTX_ALL_ENTRY(UINT8, "char8", 0), /* only new compilers know CHAR8 */
		NVTX_ALL_ENTRY(CHAR16, "char16", 0),
		NVTX_ALL_ENTRY(CHAR32, "char32", 0),
	};
	const nvtxDomainHandle_t domain = nvtx_all_make_domain("payload-types");
	struct c_types all;
	uint64_t id;

	fill_c_types(&all);
	id = nvtx_all_register(domain, "types of C", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, entries,
	                       NVTX_ALL_COUNT(entries), sizeof(all));
	nvtx_all_mark(domain, "types of C", id, &all, sizeof(all));
}

/* Types with a fixed size, and those whose meaning the tool knows. Bytes as on a little-endian
 * machine. */
struct sized_types {
	unsigned char int128[16];
	unsigned char uint128[16];
	double float64;
	uint64_t pid64;
	uint64_t tid64;
	uint64_t scope;
	float float32;
	uint32_t tf32;
	uint32_t category;
	uint32_t color;
	uint32_t pid32;
	uint32_t tid32;
	uint16_t float16;
	uint16_t bf16;
	unsigned char byte;
};

static void call_payload_sized(void)
{
	static const nvtxPayloadSchemaEntry_t entries[] = {
		NVTX_ALL_ENTRY(INT128, "int128", offsetof(struct sized_types, int128)),
		NVTX_ALL_ENTRY(UINT128, "uint128", offsetof(struct sized_types, uint128)),
		NVTX_ALL_ENTRY(FLOAT64, "float64", offsetof(struct sized_types, float64)),
		NVTX_ALL_ENTRY(PID_UINT64, "pid64", offsetof(struct sized_types, pid64)),
		NVTX_ALL_ENTRY(TID_UINT64, "tid64", offsetof(struct sized_types, tid64)),
		NVTX_ALL_ENTRY(SCOPE_ID, "scope", offsetof(struct sized_types, scope)),
		NVTX_ALL_ENTRY(FLOAT32, "float32", offsetof(struct sized_types, float32)),
		NVTX_ALL_ENTRY(TF32, "tf32", offsetof(struct sized_types, tf32)),
		NVTX_ALL_ENTRY(CATEGORY, "category", offsetof(struct sized_types, category)),
		NVTX_ALL_ENTRY(COLOR_ARGB, "color", offsetof(struct sized_types, color)),
		NVTX_ALL_ENTRY(PID_UINT32, "pid32", offsetof(struct sized_types, pid32)),
		NVTX_ALL_ENTRY(TID_UINT32, "tid32", offsetof(struct sized_types, tid32)),
		NVTX_ALL_ENTRY(FLOAT16, "float16", offsetof(struct sized_types, float16)),
		NVTX_ALL_ENTRY(BF16, "bf16", offsetof(struct sized_types, bf16)),
		NVTX_ALL_ENTRY(BYTE, "byte", offsetof(struct sized_types, byte)),
	};
	const nvtxDomainHandle_t domain = nvtx_all_make_domain("payload-sized");
	struct sized_types all;
	uint64_t id;

	memset(&all, 0, sizeof(all));
	memset(all.int128, 0xFF, sizeof(all.int128)); /* -2 */
	all.int128[0] = 0xFE;
	all.uint128[8] = 1; /* 2 to the 64th */
	all.float64 = 6.5;
	all.pid64 = 64001;
	all.tid64 = 64002;
	all.scope = NVTX_SCOPE_CURRENT_SW_PROCESS;
	all.float32 = 3.25F;
	all.tf32 = 0x3FC00000; /* 1.5 */
	all.category = 31;
	all.color = 0xFF445566;
	all.pid32 = 32001;
	all.tid32 = 32002;
	all.float16 = 0x3E00; /* 1.5 */
	all.bf16 = 0xC020;    /* -2.5 */
	all.byte = 0x5A;
	id = nvtx_all_register(domain, "sized types", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, entries,
	                       NVTX_ALL_COUNT(entries), sizeof(all));
	nvtx_all_mark(domain, "sized types", id, &all, sizeof(all));
}

/* @id: 0: of the tool's choice. */
static uint64_t register_enum(nvtxDomainHandle_t domain, const char *name, uint64_t id,
                              const nvtxPayloadEnum_t *values, size_t count, size_t size)
{
	nvtxPayloadEnumAttr_t enumeration;

	memset(&enumeration, 0, sizeof(enumeration));
	enumeration.fieldMask =
		NVTX_PAYLOAD_ENUM_ATTR_FIELD_NAME | NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES |
		NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES | NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE;
	enumeration.name = name;
	enumeration.entries = values;
	enumeration.numEntries = count;
	enumeration.sizeOfEnum = size;
	if (id != 0) {
		enumeration.fieldMask |= NVTX_PAYLOAD_ENUM_ATTR_FIELD_SCHEMA_ID;
		enumeration.schemaId = id;
	}
	return nvtxPayloadEnumRegister(domain, &enumeration);
}

/* A choice in 32 bits, and flags in 8. */
static void call_payload_enum(void)
{
	static const nvtxPayloadEnum_t operators[] = { { "sum", 0, 0 },
		                                       { "product", 1, 0 },
		                                       { "max", 7, 0 } };
	static const nvtxPayloadEnum_t options[] = { { "async", 1, 1 },
		                                     { "pinned", 2, 1 },
		                                     { "peer", 8, 1 } };
	static const struct {
		uint32_t operation;
		uint8_t options;
		uint8_t unused[3];
	} values[] = { { 1, 2, { 0 } }, { 7, 9, { 0 } }, { 5, 4, { 0 } }, { 0, 0, { 0 } } };
	const nvtxDomainHandle_t domain = nvtx_all_make_domain("payload-enum");
	nvtxPayloadSchemaEntry_t entries[2];
	uint64_t id;

	memset(entries, 0, sizeof(entries));
	entries[0].type =
		register_enum(domain, "operator", STATIC_ID(21), operators, 3, sizeof(uint32_t));
	entries[0].name = "operation";
	entries[1].type = register_enum(domain, "options", 0, options, 3, sizeof(uint8_t));
	entries[1].name = "options";
	entries[1].offset = 4;
	id = nvtx_all_register(domain, "collective", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, entries, 2,
	                       sizeof(values[0]));
	nvtx_all_mark(domain, "product, pinned", id, &values[0], sizeof(values[0]));
	nvtx_all_mark(domain, "max, async and peer", id, &values[1], sizeof(values[1]));
	nvtx_all_mark(domain, "unknown values", id, &values[2], sizeof(values[2]));
	nvtx_all_mark(domain, "zeros", id, &values[3], sizeof(values[3]));
}

const struct nvtx_all_group nvtx_all_payload_groups[] = {
	{ "payload-static", call_payload_static }, { "payload-plain", call_payload_plain },
	{ "payload-types", call_payload_types },   { "payload-sized", call_payload_sized },
	{ "payload-enum", call_payload_enum },     { NULL, NULL },
};
