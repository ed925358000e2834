/* SPDX-License-Identifier: MIT */
/*
 * Structures and numbers of NVTX's payload and counters extensions. nvtx-abi-ext.h has the
 * functions.
 */
#ifndef RCAP_NVTX_ABI_PAYLOAD_H
#define RCAP_NVTX_ABI_PAYLOAD_H

#include <stddef.h>
#include <stdint.h>

#include "libranges/abi/nvtx-abi-layout.h"

/* A value of nvtxEventAttributes.payloadType. With it, `payload` is the address of an array of
 * rcap_nvtx_payload_data, and `reserved` is the number of its elements. It is signed, because
 * payloadType is. */
#define RCAP_NVTX_PAYLOAD_TYPE_EXT ((int32_t) 0xDFBD0009)

/* ---- Payloads ---- */

struct rcap_nvtx_payload_data {
	uint64_t schema_id; /* id of a schema, or an entry type */
	size_t size;        /* bytes; 0: no payload; SIZE_MAX: a string that ends with NUL */
	const void *payload;
};
RCAP_NVTX_IS_SIZED(rcap_nvtx_payload_data, 24);
RCAP_NVTX_IS_AT(rcap_nvtx_payload_data, size, 8);
RCAP_NVTX_IS_AT(rcap_nvtx_payload_data, payload, 16);

/* All structs of semantics begin with this struct. */
struct rcap_nvtx_semantics {
	uint32_t struct_size;
	uint16_t semantic_id; /* enum rcap_nvtx_semantic_id */
	uint16_t version;
	const struct rcap_nvtx_semantics *next;
};
RCAP_NVTX_IS_SIZED(rcap_nvtx_semantics, 16);
RCAP_NVTX_IS_AT(rcap_nvtx_semantics, semantic_id, 4);
RCAP_NVTX_IS_AT(rcap_nvtx_semantics, version, 6);
RCAP_NVTX_IS_AT(rcap_nvtx_semantics, next, 8);

enum rcap_nvtx_semantic_id {
	RCAP_NVTX_SEMANTIC_SCOPE = 1,
	RCAP_NVTX_SEMANTIC_TIME = 2,
	RCAP_NVTX_SEMANTIC_COUNTERS = 5,
};

struct rcap_nvtx_semantics_scope {
	struct rcap_nvtx_semantics header;
	uint64_t scope_id;
};
RCAP_NVTX_IS_SIZED(rcap_nvtx_semantics_scope, 24);
RCAP_NVTX_IS_AT(rcap_nvtx_semantics_scope, scope_id, 16);

enum {
	RCAP_NVTX_SEMANTICS_TIME_VERSION = 1
};

struct rcap_nvtx_semantics_time {
	struct rcap_nvtx_semantics header;
	uint64_t time_domain_id;
};
RCAP_NVTX_IS_SIZED(rcap_nvtx_semantics_time, 24);
RCAP_NVTX_IS_AT(rcap_nvtx_semantics_time, time_domain_id, 16);

/* ---- Schemas ---- */

struct rcap_nvtx_schema_entry {
	uint64_t flags; /* enum rcap_nvtx_entry_flag */
	uint64_t type;  /* enum rcap_nvtx_entry_type, or the id of a schema or enumeration */
	const char *name;
	const char *description;
	uint64_t array_or_union_detail; /* a length, or the index of the entry that has the
	                                 * length */
	uint64_t offset;                /* 0 in an entry after the first: computed from the
	                                 * alignment */
	const struct rcap_nvtx_semantics *semantics;
	const void *reserved;
};
RCAP_NVTX_IS_SIZED(rcap_nvtx_schema_entry, 64);
RCAP_NVTX_IS_AT(rcap_nvtx_schema_entry, type, 8);
RCAP_NVTX_IS_AT(rcap_nvtx_schema_entry, name, 16);
RCAP_NVTX_IS_AT(rcap_nvtx_schema_entry, description, 24);
RCAP_NVTX_IS_AT(rcap_nvtx_schema_entry, array_or_union_detail, 32);
RCAP_NVTX_IS_AT(rcap_nvtx_schema_entry, offset, 40);
RCAP_NVTX_IS_AT(rcap_nvtx_schema_entry, semantics, 48);
RCAP_NVTX_IS_AT(rcap_nvtx_schema_entry, reserved, 56);

enum rcap_nvtx_entry_flag {
	RCAP_NVTX_ENTRY_POINTER = 1 << 1,
	RCAP_NVTX_ENTRY_OFFSET_FROM_BASE = 1 << 2,
	RCAP_NVTX_ENTRY_OFFSET_FROM_HERE = 1 << 3,
	/* Bits 4 to 6 are a number: one of these. */
	RCAP_NVTX_ENTRY_ARRAY_FIXED_SIZE = 1 << 4,
	RCAP_NVTX_ENTRY_ARRAY_ZERO_TERMINATED = 2 << 4,
	RCAP_NVTX_ENTRY_ARRAY_LENGTH_INDEX = 3 << 4,
	RCAP_NVTX_ENTRY_ARRAY_LENGTH_PAYLOAD_INDEX = 4 << 4,
	RCAP_NVTX_ENTRY_ARRAY_MASK = 7 << 4, /* not NVTX's mask, which lacks the fourth kind */
	RCAP_NVTX_ENTRY_DEEP_COPY = 1 << 8,
	RCAP_NVTX_ENTRY_HIDE = 1 << 9,
	RCAP_NVTX_ENTRY_EVENT_MESSAGE = 1 << 10,
	RCAP_NVTX_ENTRY_TIMESTAMP = 2 << 10,
	/* Bits 12 to 14 are a number: one of these. */
	RCAP_NVTX_ENTRY_RANGE_BEGIN = 1 << 12,
	RCAP_NVTX_ENTRY_RANGE_END = 2 << 12,
	RCAP_NVTX_ENTRY_MARK = 3 << 12,
	RCAP_NVTX_ENTRY_COUNTER = 4 << 12,
};

enum rcap_nvtx_entry_type {
	RCAP_NVTX_TYPE_INVALID = 0,
	RCAP_NVTX_TYPE_CHAR = 1, /* types 1 to 27 are C types; struct rcap_nvtx_type_info has their
	                          * sizes */
	RCAP_NVTX_TYPE_UCHAR = 2,
	RCAP_NVTX_TYPE_SHORT = 3,
	RCAP_NVTX_TYPE_USHORT = 4,
	RCAP_NVTX_TYPE_INT = 5,
	RCAP_NVTX_TYPE_UINT = 6,
	RCAP_NVTX_TYPE_LONG = 7,
	RCAP_NVTX_TYPE_ULONG = 8,
	RCAP_NVTX_TYPE_LONGLONG = 9,
	RCAP_NVTX_TYPE_ULONGLONG = 10,
	RCAP_NVTX_TYPE_INT8 = 11,
	RCAP_NVTX_TYPE_UINT8 = 12,
	RCAP_NVTX_TYPE_INT16 = 13,
	RCAP_NVTX_TYPE_UINT16 = 14,
	RCAP_NVTX_TYPE_INT32 = 15,
	RCAP_NVTX_TYPE_UINT32 = 16,
	RCAP_NVTX_TYPE_INT64 = 17,
	RCAP_NVTX_TYPE_UINT64 = 18,
	RCAP_NVTX_TYPE_FLOAT = 19,
	RCAP_NVTX_TYPE_DOUBLE = 20,
	RCAP_NVTX_TYPE_LONGDOUBLE = 21,
	RCAP_NVTX_TYPE_SIZE = 22,
	RCAP_NVTX_TYPE_ADDRESS = 23,
	RCAP_NVTX_TYPE_WCHAR = 24,
	RCAP_NVTX_TYPE_CHAR8 = 25,
	RCAP_NVTX_TYPE_CHAR16 = 26,
	RCAP_NVTX_TYPE_CHAR32 = 27,
	RCAP_NVTX_TYPE_BYTE = 32,
	RCAP_NVTX_TYPE_INT128 = 33,
	RCAP_NVTX_TYPE_UINT128 = 34,
	RCAP_NVTX_TYPE_FLOAT16 = 42,
	RCAP_NVTX_TYPE_FLOAT32 = 43,
	RCAP_NVTX_TYPE_FLOAT64 = 44,
	RCAP_NVTX_TYPE_FLOAT128 = 45,
	RCAP_NVTX_TYPE_BF16 = 50,
	RCAP_NVTX_TYPE_TF32 = 52,
	RCAP_NVTX_TYPE_RANGE_ID = 67, /* CUDA 13.0 does not have it yet */
	RCAP_NVTX_TYPE_CATEGORY = 68,
	RCAP_NVTX_TYPE_COLOR_ARGB = 69,
	RCAP_NVTX_TYPE_SCOPE_ID = 70,
	RCAP_NVTX_TYPE_PID_UINT32 = 71,
	RCAP_NVTX_TYPE_PID_UINT64 = 72,
	RCAP_NVTX_TYPE_TID_UINT32 = 73,
	RCAP_NVTX_TYPE_TID_UINT64 = 74,
	RCAP_NVTX_TYPE_CSTRING = 75,
	RCAP_NVTX_TYPE_CSTRING_UTF8 = 76,
	RCAP_NVTX_TYPE_CSTRING_UTF16 = 77,
	RCAP_NVTX_TYPE_CSTRING_UTF32 = 78,
	RCAP_NVTX_TYPE_REGISTERED_STRING = 80,
	RCAP_NVTX_TYPE_UNION_SELECTOR = 100,
	RCAP_NVTX_TYPE_SCHEMA_REFERENCED = 1022,
	RCAP_NVTX_TYPE_SCHEMA_RAW = 1023,
};

/* Ids are unique in a domain. Schemas and enumerations share one space of ids. Scopes, time domains
 * and counters each have a space of their own. Ids chosen by the program start at STATIC_START, ids
 * chosen by the tool at DYNAMIC_START. */
#define RCAP_NVTX_ID_STATIC_START  (UINT64_C(1) << 24)
#define RCAP_NVTX_ID_DYNAMIC_START (UINT64_C(1) << 32)

/* A field is valid only if its bit is set in field_mask. */
struct rcap_nvtx_schema_attributes {
	uint64_t field_mask; /* enum rcap_nvtx_schema_field */
	const char *name;
	uint64_t type;  /* enum rcap_nvtx_schema_type */
	uint64_t flags; /* enum rcap_nvtx_schema_flag */
	const struct rcap_nvtx_schema_entry *entries;
	size_t num_entries;
	size_t payload_static_size;
	size_t pack_align;
	uint64_t schema_id;
	void *extension;
};
RCAP_NVTX_IS_SIZED(rcap_nvtx_schema_attributes, 80);
RCAP_NVTX_IS_AT(rcap_nvtx_schema_attributes, name, 8);
RCAP_NVTX_IS_AT(rcap_nvtx_schema_attributes, type, 16);
RCAP_NVTX_IS_AT(rcap_nvtx_schema_attributes, flags, 24);
RCAP_NVTX_IS_AT(rcap_nvtx_schema_attributes, entries, 32);
RCAP_NVTX_IS_AT(rcap_nvtx_schema_attributes, num_entries, 40);
RCAP_NVTX_IS_AT(rcap_nvtx_schema_attributes, payload_static_size, 48);
RCAP_NVTX_IS_AT(rcap_nvtx_schema_attributes, pack_align, 56);
RCAP_NVTX_IS_AT(rcap_nvtx_schema_attributes, schema_id, 64);
RCAP_NVTX_IS_AT(rcap_nvtx_schema_attributes, extension, 72);

enum rcap_nvtx_schema_field {
	RCAP_NVTX_SCHEMA_FIELD_NAME = 1 << 1,
	RCAP_NVTX_SCHEMA_FIELD_TYPE = 1 << 2,
	RCAP_NVTX_SCHEMA_FIELD_FLAGS = 1 << 3,
	RCAP_NVTX_SCHEMA_FIELD_ENTRIES = 1 << 4,
	RCAP_NVTX_SCHEMA_FIELD_NUM_ENTRIES = 1 << 5,
	RCAP_NVTX_SCHEMA_FIELD_STATIC_SIZE = 1 << 6,
	RCAP_NVTX_SCHEMA_FIELD_ALIGNMENT = 1 << 7,
	RCAP_NVTX_SCHEMA_FIELD_SCHEMA_ID = 1 << 8,
	RCAP_NVTX_SCHEMA_FIELD_EXTENSION = 1 << 9,
};

enum rcap_nvtx_schema_type {
	RCAP_NVTX_SCHEMA_INVALID = 0,
	RCAP_NVTX_SCHEMA_STATIC = 1,
	RCAP_NVTX_SCHEMA_DYNAMIC = 2,
	RCAP_NVTX_SCHEMA_UNION = 3,
	RCAP_NVTX_SCHEMA_UNION_INTERNAL = 4, /* the selector is part of the union's payload */
};

enum rcap_nvtx_schema_flag {
	RCAP_NVTX_SCHEMA_DEEP_COPY = 1 << 1,
	RCAP_NVTX_SCHEMA_REFERENCED = 1 << 2,
	/* Bits 3 and higher are a number: one of these. */
	RCAP_NVTX_SCHEMA_COUNTER_GROUP = 1 << 3,
	RCAP_NVTX_SCHEMA_RANGE_PUSHPOP = 2 << 3,
	RCAP_NVTX_SCHEMA_RANGE_STARTEND = 3 << 3,
	RCAP_NVTX_SCHEMA_MARK = 4 << 3,
};

struct rcap_nvtx_enum_entry {
	const char *name;
	uint64_t value;
	int8_t is_flag;
};
RCAP_NVTX_IS_SIZED(rcap_nvtx_enum_entry, 24);
RCAP_NVTX_IS_AT(rcap_nvtx_enum_entry, value, 8);
RCAP_NVTX_IS_AT(rcap_nvtx_enum_entry, is_flag, 16);

struct rcap_nvtx_enum_attributes {
	uint64_t field_mask; /* enum rcap_nvtx_enum_field */
	const char *name;
	const struct rcap_nvtx_enum_entry *entries;
	size_t num_entries;
	size_t size_of_enum;
	uint64_t schema_id;
	void *extension;
};
RCAP_NVTX_IS_SIZED(rcap_nvtx_enum_attributes, 56);
RCAP_NVTX_IS_AT(rcap_nvtx_enum_attributes, name, 8);
RCAP_NVTX_IS_AT(rcap_nvtx_enum_attributes, entries, 16);
RCAP_NVTX_IS_AT(rcap_nvtx_enum_attributes, num_entries, 24);
RCAP_NVTX_IS_AT(rcap_nvtx_enum_attributes, size_of_enum, 32);
RCAP_NVTX_IS_AT(rcap_nvtx_enum_attributes, schema_id, 40);
RCAP_NVTX_IS_AT(rcap_nvtx_enum_attributes, extension, 48);

enum rcap_nvtx_enum_field {
	RCAP_NVTX_ENUM_FIELD_NAME = 1 << 1,
	RCAP_NVTX_ENUM_FIELD_ENTRIES = 1 << 2,
	RCAP_NVTX_ENUM_FIELD_NUM_ENTRIES = 1 << 3,
	RCAP_NVTX_ENUM_FIELD_SIZE = 1 << 4,
	RCAP_NVTX_ENUM_FIELD_SCHEMA_ID = 1 << 5,
	RCAP_NVTX_ENUM_FIELD_EXTENSION = 1 << 6,
};

/* ---- Scopes, time, deferred events ---- */

struct rcap_nvtx_scope_attributes {
	size_t struct_size;
	const char *path;
	uint64_t parent_scope;
	uint64_t scope_id;
};
RCAP_NVTX_IS_SIZED(rcap_nvtx_scope_attributes, 32);
RCAP_NVTX_IS_AT(rcap_nvtx_scope_attributes, path, 8);
RCAP_NVTX_IS_AT(rcap_nvtx_scope_attributes, parent_scope, 16);
RCAP_NVTX_IS_AT(rcap_nvtx_scope_attributes, scope_id, 24);

enum rcap_nvtx_scope {
	RCAP_NVTX_SCOPE_NONE = 0,
	RCAP_NVTX_SCOPE_ROOT = 1,
	RCAP_NVTX_SCOPE_HW_MACHINE = 2,
	RCAP_NVTX_SCOPE_HW_SOCKET = 3,
	RCAP_NVTX_SCOPE_HW_CPU_PHYSICAL = 4,
	RCAP_NVTX_SCOPE_HW_CPU_LOGICAL = 5,
	RCAP_NVTX_SCOPE_HW_INNERMOST = 15,
	RCAP_NVTX_SCOPE_HYPERVISOR = 16,
	RCAP_NVTX_SCOPE_VM = 17,
	RCAP_NVTX_SCOPE_KERNEL = 18,
	RCAP_NVTX_SCOPE_CONTAINER = 19,
	RCAP_NVTX_SCOPE_OS = 20,
	RCAP_NVTX_SCOPE_SW_PROCESS = 21,
	RCAP_NVTX_SCOPE_SW_THREAD = 22,
	RCAP_NVTX_SCOPE_SW_INNERMOST = 31,
};

struct rcap_nvtx_time_domain_attributes {
	uint64_t scope_id;
	uint64_t timestamp_type_id; /* enum rcap_nvtx_timestamp_type */
	uint64_t time_domain_id;
	uint64_t timer_flags;
	int64_t timer_resolution; /* ticks per second; 0 if unknown */
	uint64_t timer_start;
};
RCAP_NVTX_IS_SIZED(rcap_nvtx_time_domain_attributes, 48);
RCAP_NVTX_IS_AT(rcap_nvtx_time_domain_attributes, timestamp_type_id, 8);
RCAP_NVTX_IS_AT(rcap_nvtx_time_domain_attributes, time_domain_id, 16);
RCAP_NVTX_IS_AT(rcap_nvtx_time_domain_attributes, timer_flags, 24);
RCAP_NVTX_IS_AT(rcap_nvtx_time_domain_attributes, timer_resolution, 32);
RCAP_NVTX_IS_AT(rcap_nvtx_time_domain_attributes, timer_start, 40);

struct rcap_nvtx_sync_point {
	int64_t src;
	int64_t dst;
};
RCAP_NVTX_IS_SIZED(rcap_nvtx_sync_point, 16);
RCAP_NVTX_IS_AT(rcap_nvtx_sync_point, dst, 8);

struct rcap_nvtx_event_batch {
	uint64_t event_schema_id;
	size_t size; /* bytes of all events together */
	const void *events;
	uint64_t scope;
	uint64_t flags; /* enum rcap_nvtx_batch_flag */
	const void *flex_data;
	size_t flex_data_size;
	size_t flex_data_offset;
};
RCAP_NVTX_IS_SIZED(rcap_nvtx_event_batch, 64);
RCAP_NVTX_IS_AT(rcap_nvtx_event_batch, size, 8);
RCAP_NVTX_IS_AT(rcap_nvtx_event_batch, events, 16);
RCAP_NVTX_IS_AT(rcap_nvtx_event_batch, scope, 24);
RCAP_NVTX_IS_AT(rcap_nvtx_event_batch, flags, 32);
RCAP_NVTX_IS_AT(rcap_nvtx_event_batch, flex_data, 40);
RCAP_NVTX_IS_AT(rcap_nvtx_event_batch, flex_data_size, 48);
RCAP_NVTX_IS_AT(rcap_nvtx_event_batch, flex_data_offset, 56);

enum rcap_nvtx_timestamp_type {
	RCAP_NVTX_TIMESTAMP_NONE = 0,
	RCAP_NVTX_TIMESTAMP_TOOL_PROVIDED = 1,
	RCAP_NVTX_TIMESTAMP_CPU_TSC = 10,
	RCAP_NVTX_TIMESTAMP_CPU_TSC_NONVIRTUALIZED = 11,
	/* The following are clocks of clock_gettime(). */
	RCAP_NVTX_TIMESTAMP_REALTIME = 12,
	RCAP_NVTX_TIMESTAMP_REALTIME_COARSE = 13,
	RCAP_NVTX_TIMESTAMP_MONOTONIC = 14,
	RCAP_NVTX_TIMESTAMP_MONOTONIC_RAW = 15,
	RCAP_NVTX_TIMESTAMP_MONOTONIC_COARSE = 16,
	RCAP_NVTX_TIMESTAMP_BOOTTIME = 17,
	RCAP_NVTX_TIMESTAMP_PROCESS_CPUTIME = 18,
	RCAP_NVTX_TIMESTAMP_THREAD_CPUTIME = 19,
	RCAP_NVTX_TIMESTAMP_WIN_QPC = 30,
	RCAP_NVTX_TIMESTAMP_WIN_GSTAFT = 31,
	RCAP_NVTX_TIMESTAMP_WIN_GSTAFTP = 32,
	RCAP_NVTX_TIMESTAMP_C_TIME = 40,
	RCAP_NVTX_TIMESTAMP_C_CLOCK = 41,
	RCAP_NVTX_TIMESTAMP_C_TIMESPEC_GET = 42,
	RCAP_NVTX_TIMESTAMP_CPP_STEADY_CLOCK = 50,
	RCAP_NVTX_TIMESTAMP_CPP_HIGH_RESOLUTION_CLOCK = 51,
	RCAP_NVTX_TIMESTAMP_CPP_SYSTEM_CLOCK = 52,
	RCAP_NVTX_TIMESTAMP_CPP_UTC_CLOCK = 53,
	RCAP_NVTX_TIMESTAMP_CPP_TAI_CLOCK = 54,
	RCAP_NVTX_TIMESTAMP_CPP_GPS_CLOCK = 55,
	RCAP_NVTX_TIMESTAMP_CPP_FILE_CLOCK = 56,
	RCAP_NVTX_TIMESTAMP_GPU_GLOBALTIMER = 80,
};

enum rcap_nvtx_timer_flag {
	RCAP_NVTX_TIMER_MONOTONIC = 1 << 1,
	RCAP_NVTX_TIMER_STEADY = 1 << 2,
};

enum rcap_nvtx_timer_start {
	RCAP_NVTX_TIMER_START_UNKNOWN = 0,
	RCAP_NVTX_TIMER_START_SYSTEM_BOOT = 1,
	RCAP_NVTX_TIMER_START_VM_BOOT = 2,
	RCAP_NVTX_TIMER_START_UNIX_EPOCH = 3,
	RCAP_NVTX_TIMER_START_WIN_FILETIME = 4,
};

/* Whether the program's clock function may be called after the program began to end. */
enum rcap_nvtx_timer_source_flag {
	RCAP_NVTX_TIMER_SOURCE_SAFE = 0,
	RCAP_NVTX_TIMER_SOURCE_UNSAFE = 1,
};

enum rcap_nvtx_batch_flag {
	RCAP_NVTX_BATCH_SORTED = 0,
	RCAP_NVTX_BATCH_SORTED_PARTIALLY = 1 << 1,
	RCAP_NVTX_BATCH_SORTED_PER_SCOPE = 2 << 1,
	RCAP_NVTX_BATCH_UNSORTED = 3 << 1,
};

#endif
