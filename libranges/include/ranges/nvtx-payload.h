/* SPDX-License-Identifier: MIT */
/*
 * Structured data on events, as NVTX 3's payload extension takes it. Replaces NVTX's
 * nvToolsExtPayload.h, nvToolsExtSemanticsScope.h and nvToolsExtSemanticsTime.h.
 *
 * A schema, registered once per domain, says how the bytes of a payload are laid out:
 *
 *	struct request { uint64_t id; double seconds; };
 *
 *	static const nvtxPayloadSchemaEntry_t entries[] = {
 *		{ 0, NVTX_PAYLOAD_ENTRY_TYPE_UINT64, "id", NULL, 0, 0, NULL, NULL },
 *		{ 0, NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE, "seconds", NULL, 0, 0, NULL, NULL },
 *	};
 *	nvtxPayloadSchemaAttr_t attributes = { 0 };
 *
 *	attributes.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
 *	                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
 *	                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
 *	                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
 *	attributes.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
 *	attributes.entries = entries;
 *	attributes.numEntries = 2;
 *	attributes.payloadStaticSize = sizeof(struct request);
 *	schema = nvtxPayloadSchemaRegister(domain, &attributes);
 *	…
 *	nvtxPayloadData_t data = { schema, sizeof(request), &request };
 *
 *	nvtxRangePopPayload(domain, &data, 1);
 *
 * ranges/nvtx-payload-helper.h has macros for that. The tool copies the bytes during the call, but
 * the targets of pointers in them only where an entry says DEEP_COPY. Without a tool a call costs a
 * load and a branch, ids are 0, and push and pop return NVTX_NO_PUSH_POP_TRACKING.
 */
#ifndef RANGES_NVTX_PAYLOAD_H
#define RANGES_NVTX_PAYLOAD_H

#include <ranges/nvtx-detail-ext.h>
#include <ranges/nvtx-detail-payload.h>

/* Names are NVTX's; types are written as in C, for their sizes.
 * NOLINTBEGIN(readability-identifier-naming,bugprone-macro-parentheses) */

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Types ---- */

/* Size and alignment of a C type in this program, for the tool. */
typedef struct nvtxPayloadEntryTypeInfo_v1 {
	uint16_t size;
	uint16_t align;
} nvtxPayloadEntryTypeInfo_t;

/* One payload. Functions take an array of them. */
typedef struct nvtxPayloadData_v1 {
	uint64_t schemaId; /* id of a schema; or an entry type, for a single value or a string */
	size_t size;       /* bytes; SIZE_MAX: a string that ends with a zero; 0: no payload */
	const void *payload;
} nvtxPayloadData_t;

/* What a value means besides its type. Each struct of semantics begins with this. */
typedef struct nvtxSemanticsHeader_v1 {
	uint32_t structSize;
	uint16_t semanticId; /* NVTX_SEMANTIC_ID_… */
	uint16_t version;
	const struct nvtxSemanticsHeader_v1 *next; /* further semantics, or NULL */
} nvtxSemanticsHeader_t;

/* The value belongs to a scope. */
#define NVTX_SEMANTIC_ID_SCOPE_V1 1
typedef struct nvtxSemanticsScope_v1 {
	struct nvtxSemanticsHeader_v1 header;
	uint64_t scopeId;
} nvtxSemanticsScope_t;

/* The value is a time of a time domain. */
#define NVTX_SEMANTIC_ID_TIME_V1   2
#define NVTX_TIME_SEMANTIC_VERSION 1
typedef struct nvtxSemanticsTime_v1 {
	struct nvtxSemanticsHeader_v1 header;
	uint64_t timeDomainId;
} nvtxSemanticsTime_t;

typedef struct nvtxPayloadSchemaEntry_v1 {
	uint64_t flags; /* NVTX_PAYLOAD_ENTRY_FLAG_… */
	uint64_t type;  /* NVTX_PAYLOAD_ENTRY_TYPE_…, or the id of a schema or enumeration */
	const char *name;
	const char *description;
	/* Length of an array or string, or the index of the entry that has the length. For a union,
	 * the index of the entry that selects the member. */
	uint64_t arrayOrUnionDetail;
	/* Bytes from the beginning of the payload. In entries after the first, 0 means: directly
	 * behind the previous entry, aligned like a member of a struct. */
	uint64_t offset;
	const nvtxSemanticsHeader_t *semantics;
	const void *reserved; /* NULL */
} nvtxPayloadSchemaEntry_t;

typedef struct nvtxPayloadSchemaAttr_v1 {
	uint64_t fieldMask; /* NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_…: the members that are set */
	const char *name;
	uint64_t type;  /* NVTX_PAYLOAD_SCHEMA_TYPE_… */
	uint64_t flags; /* NVTX_PAYLOAD_SCHEMA_FLAG_… */
	const nvtxPayloadSchemaEntry_t *entries;
	size_t numEntries;
	size_t payloadStaticSize; /* bytes of a static schema, or of the fixed part of a dynamic
	                           * schema */
	size_t packAlign;         /* as in #pragma pack; 0: not packed */
	uint64_t schemaId;        /* id chosen by the program, at least …_STATIC_START */
	void *extension;          /* NULL */
} nvtxPayloadSchemaAttr_t;

typedef struct nvtxPayloadEnum_v1 {
	const char *name;
	uint64_t value;
	int8_t isFlag; /* nonzero if the value can be combined with others by or */
} nvtxPayloadEnum_t;

typedef struct nvtxPayloadEnumAttr_v1 {
	uint64_t fieldMask; /* NVTX_PAYLOAD_ENUM_ATTR_FIELD_…: the members that are set */
	const char *name;
	const nvtxPayloadEnum_t *entries;
	size_t numEntries;
	size_t sizeOfEnum; /* bytes of a value */
	uint64_t schemaId;
	void *extension; /* NULL */
} nvtxPayloadEnumAttr_t;

typedef struct nvtxScopeAttr_v1 {
	size_t structSize;
	const char *path;     /* path below the parent; steps are separated by '/' */
	uint64_t parentScope; /* NVTX_SCOPE_…, or the id of a registered scope */
	uint64_t scopeId;     /* id chosen by the program, or 0 */
} nvtxScopeAttr_t;

typedef struct nvtxTimeDomainAttr_v1 {
	uint64_t scopeId;         /* scope that the timer belongs to */
	uint64_t timestampTypeId; /* NVTX_TIMESTAMP_TYPE_… */
	uint64_t timeDomainId;    /* id chosen by the program, or 0 */
	uint64_t timerFlags;      /* NVTX_TIMER_FLAG_… */
	int64_t timerResolution;  /* ticks per second; 0: unknown */
	uint64_t timerStart;      /* NVTX_TIMER_START_… */
} nvtxTimeDomainAttr_t;

/* The same moment in two time domains. */
typedef struct nvtxSyncPoint_v1 {
	int64_t src;
	int64_t dst;
} nvtxSyncPoint_t;

/* Many events with one schema, one after the other. */
typedef struct nvtxEventBatch_v1 {
	uint64_t eventSchemaId;
	size_t size; /* bytes of all events */
	const void *events;
	uint64_t scope;
	uint64_t flags;        /* NVTX_BATCH_FLAG_… */
	const void *flexData;  /* data to which the events refer by offsets */
	size_t flexDataSize;   /* bytes */
	size_t flexDataOffset; /* number of bytes in flexData before the data begin */
} nvtxEventBatch_t;

/* ---- Start ---- */

#ifndef NVTX_DISABLE

#ifdef __cplusplus
#define RANGES_NVTX_ALIGN(type) alignof(type)
#else
#define RANGES_NVTX_ALIGN(type) __extension__ _Alignof(type)
#endif
#define RANGES_NVTX_TYPE_INFO(type)                   \
	{                                             \
		sizeof(type), RANGES_NVTX_ALIGN(type) \
	}

RANGES_NVTX_SHARED struct ranges_nvtx_ext ranges_nvtx_payload_1;

int ranges_nvtx_payload_start_1(void);
uint8_t ranges_nvtx_payload_yes_1(nvtxDomainHandle_t domain);

/* What nvtxDomainIsEnabled returns for a tool that knows no extensions. */
RANGES_NVTX_COLD uint8_t ranges_nvtx_payload_yes_1(nvtxDomainHandle_t domain)
{
	(void) domain;
	return 1;
}

RANGES_NVTX_COLD int ranges_nvtx_payload_start_1(void)
{
	/* Indexed by entry type. The last three types have a size in any language, so they are
	 * always in the table. */
	static const nvtxPayloadEntryTypeInfo_t types[NVTX_PAYLOAD_ENTRY_TYPE_INFO_ARRAY_SIZE] = {
		{ NVTX_PAYLOAD_ENTRY_TYPE_INFO_ARRAY_SIZE, sizeof(nvtxPayloadEntryTypeInfo_t) },
		RANGES_NVTX_TYPE_INFO(char),
		RANGES_NVTX_TYPE_INFO(unsigned char),
		RANGES_NVTX_TYPE_INFO(short),
		RANGES_NVTX_TYPE_INFO(unsigned short),
		RANGES_NVTX_TYPE_INFO(int),
		RANGES_NVTX_TYPE_INFO(unsigned),
		RANGES_NVTX_TYPE_INFO(long),
		RANGES_NVTX_TYPE_INFO(unsigned long),
		RANGES_NVTX_TYPE_INFO(long long),
		RANGES_NVTX_TYPE_INFO(unsigned long long),
		RANGES_NVTX_TYPE_INFO(int8_t),
		RANGES_NVTX_TYPE_INFO(uint8_t),
		RANGES_NVTX_TYPE_INFO(int16_t),
		RANGES_NVTX_TYPE_INFO(uint16_t),
		RANGES_NVTX_TYPE_INFO(int32_t),
		RANGES_NVTX_TYPE_INFO(uint32_t),
		RANGES_NVTX_TYPE_INFO(int64_t),
		RANGES_NVTX_TYPE_INFO(uint64_t),
		RANGES_NVTX_TYPE_INFO(float),
		RANGES_NVTX_TYPE_INFO(double),
		RANGES_NVTX_TYPE_INFO(long double),
		RANGES_NVTX_TYPE_INFO(size_t),
		RANGES_NVTX_TYPE_INFO(void *),
		RANGES_NVTX_TYPE_INFO(wchar_t),
		RANGES_NVTX_TYPE_INFO(unsigned char),
		RANGES_NVTX_TYPE_INFO(uint_least16_t),
		RANGES_NVTX_TYPE_INFO(uint_least32_t),
	};
	struct ranges_nvtx_ext_about about = {
		&ranges_nvtx_payload_1,
		NVTX_EXT_PAYLOAD_MODULEID,
		NVTX_EXT_PAYLOAD_COMPATID,
		0,
		types,
		NVTX3EXT_CBID_nvtxDomainIsEnabled + 1,
		RANGES_NVTX_CAST(intptr_t, ranges_nvtx_payload_yes_1),
	};

	return ranges_nvtx_pass_2(&ranges_nvtx_payload_1.gate, ranges_nvtx_ext_run_1, &about);
}

static inline intptr_t ranges_nvtx_payload_borrow_slot(int slot)
{
	return ranges_nvtx_ext_borrow_slot(&ranges_nvtx_payload_1, ranges_nvtx_payload_start_1,
	                                   slot);
}

#else

static inline intptr_t ranges_nvtx_payload_borrow_slot(int slot)
{
	(void) slot;
	return 0;
}

#endif

/* ---- Registration: once per domain, before use ---- */

/* Registers a schema. Return: its id: attr->schemaId, or else an id that the tool has chosen. */
RANGES_NVTX_EXT_GET(uint64_t, 0, payload, nvtxPayloadSchemaRegister,
                    (nvtxDomainHandle_t domain, const nvtxPayloadSchemaAttr_t *attr),
                    (domain, attr))
/* Registers names for numbers. The id can be used as the type of a schema's entry. */
RANGES_NVTX_EXT_GET(uint64_t, 0, payload, nvtxPayloadEnumRegister,
                    (nvtxDomainHandle_t domain, const nvtxPayloadEnumAttr_t *attr), (domain, attr))
/* Registers what events or counters belong to: "GPU[UUID:…]", or a name of your own. */
RANGES_NVTX_EXT_GET(uint64_t, 0, payload, nvtxScopeRegister,
                    (nvtxDomainHandle_t domain, const nvtxScopeAttr_t *attr), (domain, attr))

/* ---- Events with payloads and without attributes ---- */

RANGES_NVTX_EXT_DO(payload, nvtxMarkPayload,
                   (nvtxDomainHandle_t domain, const nvtxPayloadData_t *payloadData, size_t count),
                   (domain, payloadData, count))
/* Push and pop with payloads. They nest with nvtxDomainRangePushEx and nvtxDomainRangePop: each pop
 * closes the last push, whatever function opened it. */
RANGES_NVTX_EXT_GET(int, NVTX_NO_PUSH_POP_TRACKING, payload, nvtxRangePushPayload,
                    (nvtxDomainHandle_t domain, const nvtxPayloadData_t *payloadData, size_t count),
                    (domain, payloadData, count))
RANGES_NVTX_EXT_GET(int, NVTX_NO_PUSH_POP_TRACKING, payload, nvtxRangePopPayload,
                    (nvtxDomainHandle_t domain, const nvtxPayloadData_t *payloadData, size_t count),
                    (domain, payloadData, count))
RANGES_NVTX_EXT_GET(nvtxRangeId_t, 0, payload, nvtxRangeStartPayload,
                    (nvtxDomainHandle_t domain, const nvtxPayloadData_t *payloadData, size_t count),
                    (domain, payloadData, count))
RANGES_NVTX_EXT_DO(payload, nvtxRangeEndPayload,
                   (nvtxDomainHandle_t domain, nvtxRangeId_t id,
                    const nvtxPayloadData_t *payloadData, size_t count),
                   (domain, id, payloadData, count))

/* Returns whether a tool wants this domain's events: 0 without a tool; 1 with a tool that does not
 * tell. */
RANGES_NVTX_EXT_GET(uint8_t, 0, payload, nvtxDomainIsEnabled, (nvtxDomainHandle_t domain), (domain))

/* ---- Events that are submitted after they happened ---- */

/* Returns the tool's time, for events that are submitted later. 0 without a tool. */
RANGES_NVTX_EXT_GET(int64_t, 0, payload, nvtxTimestampGet, (void), ())
/* Registers a clock of the program, whose times are in payloads. Return: id of its time domain. */
RANGES_NVTX_EXT_GET(uint64_t, 0, payload, nvtxTimeDomainRegister,
                    (nvtxDomainHandle_t domain, const nvtxTimeDomainAttr_t *timeAttr),
                    (domain, timeAttr))
/* Tell how the tool can read that clock itself. @flags: NVTX_TIMER_SOURCE_…. */
RANGES_NVTX_EXT_DO(payload, nvtxTimerSource,
                   (nvtxDomainHandle_t domain, uint64_t timeDomainId, uint64_t flags,
                    int64_t (*timestampProviderFn)(void)),
                   (domain, timeDomainId, flags, timestampProviderFn))
RANGES_NVTX_EXT_DO(payload, nvtxTimerSourceWithData,
                   (nvtxDomainHandle_t domain, uint64_t timeDomainId, uint64_t flags,
                    int64_t (*timestampProviderFn)(void *data), void *data),
                   (domain, timeDomainId, flags, timestampProviderFn, data))
/* Tell the same moment by two clocks. With two such moments the tool can convert times. */
RANGES_NVTX_EXT_DO(payload, nvtxTimeSyncPoint,
                   (nvtxDomainHandle_t domain, uint64_t timeDomainId1, uint64_t timeDomainId2,
                    int64_t timestamp1, int64_t timestamp2),
                   (domain, timeDomainId1, timeDomainId2, timestamp1, timestamp2))
RANGES_NVTX_EXT_DO(payload, nvtxTimeSyncPointTable,
                   (nvtxDomainHandle_t domain, uint64_t timeDomainIdSrc, uint64_t timeDomainIdDst,
                    const nvtxSyncPoint_t *syncPoints, size_t count),
                   (domain, timeDomainIdSrc, timeDomainIdDst, syncPoints, count))
/* Tells how to convert times: dst = timestampDst + slope * (src - timestampSrc). */
RANGES_NVTX_EXT_DO(payload, nvtxTimestampConversionFactor,
                   (nvtxDomainHandle_t domain, uint64_t timeDomainIdSrc, uint64_t timeDomainIdDst,
                    double slope, int64_t timestampSrc, int64_t timestampDst),
                   (domain, timeDomainIdSrc, timeDomainIdDst, slope, timestampSrc, timestampDst))

/* Submit one event, whose schema says in its entries what its times mean, or many events with one
 * schema. */
RANGES_NVTX_EXT_DO(payload, nvtxEventSubmit,
                   (nvtxDomainHandle_t domain, const nvtxPayloadData_t *payloadData,
                    size_t numPayloads),
                   (domain, payloadData, numPayloads))
RANGES_NVTX_EXT_DO(payload, nvtxEventBatchSubmit,
                   (nvtxDomainHandle_t domain, const nvtxEventBatch_t *eventBatch),
                   (domain, eventBatch))

#ifdef __cplusplus
}
#endif

/* ---- Payloads of events with attributes ---- */

#define NVTX_POINTER_AS_PAYLOAD_ULLVALUE(p) \
	RANGES_NVTX_VALUE(uint64_t, RANGES_NVTX_CAST(uintptr_t, p))

/*
 * Set payloads in evtAttr, a nvtxEventAttributes_t. SET_DATA: one payload, by *pldata_addr, a
 * nvtxPayloadData_t that must exist until the event. SET_MULTIPLE: an array of payloads (not a
 * pointer). As in NVTX, these are statements with their ';'.
 */
#define NVTX_PAYLOAD_EVTATTR_SET_DATA(evtAttr, pldata_addr, schema_id, pl_addr, sz) \
	(pldata_addr)->schemaId = schema_id;                                        \
	(pldata_addr)->size = sz;                                                   \
	(pldata_addr)->payload = pl_addr;                                           \
	(evtAttr).payload.ullValue = NVTX_POINTER_AS_PAYLOAD_ULLVALUE(pldata_addr); \
	(evtAttr).payloadType = NVTX_PAYLOAD_TYPE_EXT;                              \
	(evtAttr).reserved0 = 1;
#define NVTX_PAYLOAD_EVTATTR_SET_MULTIPLE(evtAttr, pldata)                \
	(evtAttr).payloadType = NVTX_PAYLOAD_TYPE_EXT;                    \
	(evtAttr).reserved0 = sizeof(pldata) / sizeof(nvtxPayloadData_t); \
	(evtAttr).payload.ullValue = NVTX_POINTER_AS_PAYLOAD_ULLVALUE(pldata);

#define RANGES_NVTX_JOIN_EXPANDED(a, b) a##b
#define RANGES_NVTX_JOIN(a, b)          RANGES_NVTX_JOIN_EXPANDED(a, b)

/* Sets one payload in *evtAttr. Declares a variable for the payload. */
#define NVTX_PAYLOAD_EVTATTR_SET(evtAttr, schema_id, pl_addr, sz)                                \
	nvtxPayloadData_t RANGES_NVTX_JOIN(ranges_nvtx_data_,                                    \
	                                   __LINE__)[] = { { schema_id, sz, pl_addr } };         \
	(evtAttr)->payload.ullValue =                                                            \
		NVTX_POINTER_AS_PAYLOAD_ULLVALUE(RANGES_NVTX_JOIN(ranges_nvtx_data_, __LINE__)); \
	(evtAttr)->payloadType = NVTX_PAYLOAD_TYPE_EXT;                                          \
	(evtAttr)->reserved0 = 1;

/* Makes an event with *evtAttr and one payload. */
#define nvtxPayloadRangePush(domain, evtAttr, schemaId, plAddr, size)     \
	do {                                                              \
		NVTX_PAYLOAD_EVTATTR_SET(evtAttr, schemaId, plAddr, size) \
		nvtxDomainRangePushEx(domain, evtAttr);                   \
	} while (0)
#define nvtxPayloadMark(domain, evtAttr, schemaId, plAddr, size)          \
	do {                                                              \
		NVTX_PAYLOAD_EVTATTR_SET(evtAttr, schemaId, plAddr, size) \
		nvtxDomainMarkEx(domain, evtAttr);                        \
	} while (0)

/* NOLINTEND(readability-identifier-naming,bugprone-macro-parentheses) */

#endif
