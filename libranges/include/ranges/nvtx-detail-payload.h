/* SPDX-License-Identifier: MIT */
/* The numbers of NVTX's payload extension. Include ranges/nvtx-payload.h. */
#ifndef RANGES_NVTX_DETAIL_PAYLOAD_H
#define RANGES_NVTX_DETAIL_PAYLOAD_H

#include <ranges/nvtx.h>

/* NOLINTBEGIN(readability-identifier-naming) */

#define NVTX_EXT_PAYLOAD_COMPATID 0x0104
#define NVTX_EXT_PAYLOAD_MODULEID 2

/* Value of nvtxEventAttributes_t.payloadType: payload.ullValue is then the address of an array of
 * nvtxPayloadData_t, and reserved0 is the number of its elements. */
#define NVTX_PAYLOAD_TYPE_EXT RANGES_NVTX_VALUE(int32_t, 0xDFBD0009)

/* ---- Flags of an entry ---- */

#define NVTX_PAYLOAD_ENTRY_FLAG_UNUSED  0
#define NVTX_PAYLOAD_ENTRY_FLAG_POINTER (1 << 1) /* the payload has the address of the value */
/* The payload has the value's offset in bytes, counted from the payload's beginning (BASE) or from
 * here. */
#define NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_BASE (1 << 2)
#define NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_HERE (1 << 3)
/* The entry is an array, of one of four kinds. Its length is arrayOrUnionDetail; or the array ends
 * with a zero; or arrayOrUnionDetail is the index of the entry, or of the event's payload, that has
 * the length. */
#define NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE           (1 << 4)
#define NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED      (2 << 4)
#define NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX         (3 << 4)
#define NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_PAYLOAD_INDEX (4 << 4)
/* With POINTER: the tool copies what the pointer points to during the call. */
#define NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY (1 << 8)
#define NVTX_PAYLOAD_ENTRY_FLAG_HIDE      (1 << 9) /* tools should not show the entry */
/* The entry is the event's name, or its time. */
#define NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE (1 << 10)
#define NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP     (2 << 10)
/* The meaning of a timestamp (begin or end of a range, or a mark), or that the number is a
 * counter's value. */
#define NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN (1 << 12)
#define NVTX_PAYLOAD_ENTRY_FLAG_RANGE_END   (2 << 12)
#define NVTX_PAYLOAD_ENTRY_FLAG_MARK        (3 << 12)
#define NVTX_PAYLOAD_ENTRY_FLAG_COUNTER     (4 << 12)

/* The mask of CUDA 13.0. It lacks the fourth kind of array. */
#define NVTX_PAYLOAD_ENTRY_FLAG_IS_ARRAY                 \
	(NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE |      \
	 NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED | \
	 NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX)
#define NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_TYPE(flags) ((flags) &NVTX_PAYLOAD_ENTRY_FLAG_IS_ARRAY)

/* ---- Types of an entry ---- */

#define NVTX_PAYLOAD_ENTRY_TYPE_INVALID 0
/* C types. Their sizes and alignments are those of the program. */
#define NVTX_PAYLOAD_ENTRY_TYPE_CHAR       1
#define NVTX_PAYLOAD_ENTRY_TYPE_UCHAR      2
#define NVTX_PAYLOAD_ENTRY_TYPE_SHORT      3
#define NVTX_PAYLOAD_ENTRY_TYPE_USHORT     4
#define NVTX_PAYLOAD_ENTRY_TYPE_INT        5
#define NVTX_PAYLOAD_ENTRY_TYPE_UINT       6
#define NVTX_PAYLOAD_ENTRY_TYPE_LONG       7
#define NVTX_PAYLOAD_ENTRY_TYPE_ULONG      8
#define NVTX_PAYLOAD_ENTRY_TYPE_LONGLONG   9
#define NVTX_PAYLOAD_ENTRY_TYPE_ULONGLONG  10
#define NVTX_PAYLOAD_ENTRY_TYPE_INT8       11
#define NVTX_PAYLOAD_ENTRY_TYPE_UINT8      12
#define NVTX_PAYLOAD_ENTRY_TYPE_INT16      13
#define NVTX_PAYLOAD_ENTRY_TYPE_UINT16     14
#define NVTX_PAYLOAD_ENTRY_TYPE_INT32      15
#define NVTX_PAYLOAD_ENTRY_TYPE_UINT32     16
#define NVTX_PAYLOAD_ENTRY_TYPE_INT64      17
#define NVTX_PAYLOAD_ENTRY_TYPE_UINT64     18
#define NVTX_PAYLOAD_ENTRY_TYPE_FLOAT      19
#define NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE     20
#define NVTX_PAYLOAD_ENTRY_TYPE_LONGDOUBLE 21
#define NVTX_PAYLOAD_ENTRY_TYPE_SIZE       22 /* size_t */
#define NVTX_PAYLOAD_ENTRY_TYPE_ADDRESS    23 /* a pointer, shown as an address */
#define NVTX_PAYLOAD_ENTRY_TYPE_WCHAR      24
#define NVTX_PAYLOAD_ENTRY_TYPE_CHAR8      25
#define NVTX_PAYLOAD_ENTRY_TYPE_CHAR16     26
#define NVTX_PAYLOAD_ENTRY_TYPE_CHAR32     27
/* Number of elements of the table of sizes and alignments. Element 0 describes the table. */
#define NVTX_PAYLOAD_ENTRY_TYPE_INFO_ARRAY_SIZE (NVTX_PAYLOAD_ENTRY_TYPE_CHAR32 + 1)
/* Types of fixed size. */
#define NVTX_PAYLOAD_ENTRY_TYPE_BYTE     32
#define NVTX_PAYLOAD_ENTRY_TYPE_INT128   33
#define NVTX_PAYLOAD_ENTRY_TYPE_UINT128  34
#define NVTX_PAYLOAD_ENTRY_TYPE_FLOAT16  42
#define NVTX_PAYLOAD_ENTRY_TYPE_FLOAT32  43
#define NVTX_PAYLOAD_ENTRY_TYPE_FLOAT64  44
#define NVTX_PAYLOAD_ENTRY_TYPE_FLOAT128 45
#define NVTX_PAYLOAD_ENTRY_TYPE_BF16     50
#define NVTX_PAYLOAD_ENTRY_TYPE_TF32     52
/* Types whose meaning the tool knows. CATEGORY and COLOR set the event's category and colour. */
#define NVTX_PAYLOAD_ENTRY_TYPE_CATEGORY   68
#define NVTX_PAYLOAD_ENTRY_TYPE_COLOR_ARGB 69
#define NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID   70
#define NVTX_PAYLOAD_ENTRY_TYPE_PID_UINT32 71
#define NVTX_PAYLOAD_ENTRY_TYPE_PID_UINT64 72
#define NVTX_PAYLOAD_ENTRY_TYPE_TID_UINT32 73
#define NVTX_PAYLOAD_ENTRY_TYPE_TID_UINT64 74
/* Strings in the payload. Their length is arrayOrUnionDetail code units, or they end with a zero.
 * With POINTER the payload has the string's address. */
#define NVTX_PAYLOAD_ENTRY_TYPE_CSTRING       75
#define NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8  76
#define NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF16 77
#define NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF32 78
/* an nvtxStringHandle_t of the event's domain */
#define NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE 80
/* Entry of a union that says which member the union has. */
#define NVTX_PAYLOAD_ENTRY_TYPE_UNION_SELECTOR 100
/* Values for schemaId of a payload. REFERENCED: another payload of the event refers to it. RAW: it
 * has no schema. */
#define NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED 1022
#define NVTX_TYPE_PAYLOAD_SCHEMA_RAW        1023
/* Ids of schemas and enumerations share one space in a domain. Ids from STATIC_START on are chosen
 * by the program, ids from DYNAMIC_START on by the tool. */
#define NVTX_PAYLOAD_SCHEMA_ID_STATIC_START  (1 << 24)
#define NVTX_PAYLOAD_SCHEMA_ID_DYNAMIC_START (RANGES_NVTX_VALUE(uint64_t, 1) << 32)

/* ---- Schemas and enumerations ---- */

#define NVTX_PAYLOAD_SCHEMA_TYPE_INVALID                      0
#define NVTX_PAYLOAD_SCHEMA_TYPE_STATIC                       1 /* all payloads have one layout */
#define NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC                      2 /* lengths vary with the payload */
#define NVTX_PAYLOAD_SCHEMA_TYPE_UNION                        3
#define NVTX_PAYLOAD_SCHEMA_TYPE_UNION_WITH_INTERNAL_SELECTOR 4

#define NVTX_PAYLOAD_SCHEMA_FLAG_NONE       0
#define NVTX_PAYLOAD_SCHEMA_FLAG_DEEP_COPY  (1 << 1) /* for all entries that are pointers */
#define NVTX_PAYLOAD_SCHEMA_FLAG_REFERENCED (1 << 2) /* other payloads point into this one */
/* Kinds of payloads that are submitted after the event happened. */
#define NVTX_PAYLOAD_SCHEMA_FLAG_COUNTER_GROUP  (1 << 3)
#define NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_PUSHPOP  (2 << 3)
#define NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_STARTEND (3 << 3)
#define NVTX_PAYLOAD_SCHEMA_FLAG_MARK           (4 << 3)

/* Which members of nvtxPayloadSchemaAttr_t are set. */
#define NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME        (1 << 1)
#define NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE        (1 << 2)
#define NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS       (1 << 3)
#define NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES     (1 << 4)
#define NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES (1 << 5)
#define NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE (1 << 6)
#define NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ALIGNMENT   (1 << 7)
#define NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID   (1 << 8)
#define NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_EXTENSION   (1 << 9)

/* Which members of nvtxPayloadEnumAttr_t are set. */
#define NVTX_PAYLOAD_ENUM_ATTR_FIELD_NAME        (1 << 1)
#define NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES     (1 << 2)
#define NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES (1 << 3)
#define NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE        (1 << 4)
#define NVTX_PAYLOAD_ENUM_ATTR_FIELD_SCHEMA_ID   (1 << 5)
#define NVTX_PAYLOAD_ENUM_ATTR_FIELD_EXTENSION   (1 << 6)

/* ---- Scopes: what something belongs to ---- */

#define NVTX_SCOPE_NONE                    0
#define NVTX_SCOPE_ROOT                    1
#define NVTX_SCOPE_CURRENT_HW_MACHINE      2
#define NVTX_SCOPE_CURRENT_HW_SOCKET       3
#define NVTX_SCOPE_CURRENT_HW_CPU_PHYSICAL 4
#define NVTX_SCOPE_CURRENT_HW_CPU_LOGICAL  5
#define NVTX_SCOPE_CURRENT_HW_INNERMOST    15
#define NVTX_SCOPE_CURRENT_HYPERVISOR      16
#define NVTX_SCOPE_CURRENT_VM              17
#define NVTX_SCOPE_CURRENT_KERNEL          18
#define NVTX_SCOPE_CURRENT_CONTAINER       19
#define NVTX_SCOPE_CURRENT_OS              20
#define NVTX_SCOPE_CURRENT_SW_PROCESS      21
#define NVTX_SCOPE_CURRENT_SW_THREAD       22
#define NVTX_SCOPE_CURRENT_SW_INNERMOST    31
#define NVTX_SCOPE_ID_STATIC_START         (1 << 24)
#define NVTX_SCOPE_ID_DYNAMIC_START        (RANGES_NVTX_VALUE(uint64_t, 1) << 32)

/* ---- Time ---- */

#define NVTX_TIMESTAMP_TYPE_NONE          0
#define NVTX_TIMESTAMP_TYPE_TOOL_PROVIDED 1 /* times are from nvtxTimestampGet */
/* The processor's counter (x86: TSC, ARM: CNTVCT and CNTPCT). */
#define NVTX_TIMESTAMP_TYPE_CPU_TSC                              10
#define NVTX_TIMESTAMP_TYPE_CPU_TSC_NONVIRTUALIZED               11
#define NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_REALTIME           12
#define NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_REALTIME_COARSE    13
#define NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC          14
#define NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC_RAW      15
#define NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC_COARSE   16
#define NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_BOOTTIME           17
#define NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_PROCESS_CPUTIME_ID 18
#define NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_THREAD_CPUTIME_ID  19
#define NVTX_TIMESTAMP_TYPE_WIN_QPC                              30
#define NVTX_TIMESTAMP_TYPE_WIN_GSTAFT                           31
#define NVTX_TIMESTAMP_TYPE_WIN_GSTAFTP                          32
#define NVTX_TIMESTAMP_TYPE_C_TIME                               40
#define NVTX_TIMESTAMP_TYPE_C_CLOCK                              41
#define NVTX_TIMESTAMP_TYPE_C_TIMESPEC_GET                       42
#define NVTX_TIMESTAMP_TYPE_CPP_STEADY_CLOCK                     50
#define NVTX_TIMESTAMP_TYPE_CPP_HIGH_RESOLUTION_CLOCK            51
#define NVTX_TIMESTAMP_TYPE_CPP_SYSTEM_CLOCK                     52
#define NVTX_TIMESTAMP_TYPE_CPP_UTC_CLOCK                        53
#define NVTX_TIMESTAMP_TYPE_CPP_TAI_CLOCK                        54
#define NVTX_TIMESTAMP_TYPE_CPP_GPS_CLOCK                        55
#define NVTX_TIMESTAMP_TYPE_CPP_FILE_CLOCK                       56
#define NVTX_TIMESTAMP_TYPE_GPU_GLOBALTIMER                      80

/* A timestamp type can be used as the id of a time domain if nothing else is to be said about the
 * clock. */
#define NVTX_TIME_DOMAIN_ID_NONE          0
#define NVTX_TIME_DOMAIN_ID_STATIC_START  (1 << 24)
#define NVTX_TIME_DOMAIN_ID_DYNAMIC_START (RANGES_NVTX_VALUE(uint64_t, 1) << 32)

#define NVTX_TIMER_FLAG_NONE            0
#define NVTX_TIMER_FLAG_CLOCK_MONOTONIC (1 << 1) /* the timer never goes back */
#define NVTX_TIMER_FLAG_CLOCK_STEADY    (1 << 2) /* the timer has a constant rate */

/* When the timer was 0. */
#define NVTX_TIMER_START_UNKNOWN      0
#define NVTX_TIMER_START_SYSTEM_BOOT  1
#define NVTX_TIMER_START_VM_BOOT      2
#define NVTX_TIMER_START_UNIX_EPOCH   3
#define NVTX_TIMER_START_WIN_FILETIME 4

/* Whether the tool may call a function of the program for the time while the process is ending. */
#define NVTX_TIMER_SOURCE_SAFE_CALL_AFTER_PROCESS_TEARDOWN   0
#define NVTX_TIMER_SOURCE_UNSAFE_CALL_AFTER_PROCESS_TEARDOWN 1

/* How a batch of events is sorted. */
#define NVTX_BATCH_FLAG_TIME_SORTED           0
#define NVTX_BATCH_FLAG_TIME_SORTED_PARTIALLY (1 << 1)
#define NVTX_BATCH_FLAG_TIME_SORTED_PER_SCOPE (2 << 1)
#define NVTX_BATCH_FLAG_UNSORTED              (3 << 1)

/* ---- Numbers of the functions ---- */

#define NVTX3EXT_CBID_nvtxPayloadSchemaRegister     0
#define NVTX3EXT_CBID_nvtxPayloadEnumRegister       1
#define NVTX3EXT_CBID_nvtxMarkPayload               2
#define NVTX3EXT_CBID_nvtxRangePushPayload          3
#define NVTX3EXT_CBID_nvtxRangePopPayload           4
#define NVTX3EXT_CBID_nvtxRangeStartPayload         5
#define NVTX3EXT_CBID_nvtxRangeEndPayload           6
#define NVTX3EXT_CBID_nvtxDomainIsEnabled           7
#define NVTX3EXT_CBID_nvtxTimestampGet              8
#define NVTX3EXT_CBID_nvtxTimeDomainRegister        9
#define NVTX3EXT_CBID_nvtxTimerSource               10
#define NVTX3EXT_CBID_nvtxTimerSourceWithData       11
#define NVTX3EXT_CBID_nvtxScopeRegister             12
#define NVTX3EXT_CBID_nvtxTimeSyncPoint             13
#define NVTX3EXT_CBID_nvtxTimeSyncPointTable        14
#define NVTX3EXT_CBID_nvtxTimestampConversionFactor 15
#define NVTX3EXT_CBID_nvtxEventSubmit               16
#define NVTX3EXT_CBID_nvtxEventBatchSubmit          17

/* NOLINTEND(readability-identifier-naming) */

#endif
