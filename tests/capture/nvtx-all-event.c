/* SPDX-License-Identifier: MIT */
/* Parts of nvtx-all: every kind of event with payloads, and the semantics of their parts. */
#include "nvtx-all.h"

static uint64_t register_pair(nvtxDomainHandle_t domain)
{
	static const nvtxPayloadSchemaEntry_t entries[] = {
		NVTX_ALL_ENTRY(INT32, "first", 0),
		NVTX_ALL_ENTRY(INT32, "second", 4),
	};

	return nvtx_all_register(domain, "pair", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, entries, 2, 8);
}

static nvtxPayloadData_t make_data(uint64_t schema, const void *payload, size_t size)
{
	nvtxPayloadData_t data;

	data.schemaId = schema;
	data.size = size;
	data.payload = payload;
	return data;
}

/* The calls of the extension. */
static void call_payload_events(void)
{
	const nvtxDomainHandle_t domain = nvtx_all_make_domain("payload-events");
	const uint64_t pair = register_pair(domain);
	int32_t value[2] = { 1, 2 };
	nvtxPayloadData_t data = make_data(pair, value, sizeof(value));
	nvtxRangeId_t id;

	nvtxMarkPayload(domain, &data, 1);
	value[0] = 3;
	nvtxRangePushPayload(domain, &data, 1);
	value[0] = 4;
	nvtxRangePopPayload(domain, &data, 1);
	value[0] = 5;
	id = nvtxRangeStartPayload(domain, &data, 1);
	value[0] = 6;
	nvtxRangeEndPayload(domain, id, &data, 1);
	nvtxMarkPayload(domain, NULL, 0);
	if (nvtxDomainIsEnabled(domain)) {
		value[0] = 7;
		nvtxMarkPayload(domain, &data, 1);
	}
}

/* The core's events, with attributes that have payloads. */
static void call_payload_attributes(void)
{
	const nvtxDomainHandle_t domain = nvtx_all_make_domain("payload-attributes");
	const uint64_t pair = register_pair(domain);
	nvtxEventAttributes_t event = nvtx_all_make_event("push with payload");
	nvtxPayloadData_t data;
	int32_t value[2] = { 10, 20 };
	nvtxRangeId_t id;

	event.category = 41;
	NVTX_PAYLOAD_EVTATTR_SET_DATA(event, &data, pair, value, sizeof(value))
	nvtxDomainRangePushEx(domain, &event);
	value[0] = 11;
	event.message.ascii = "start with payload";
	id = nvtxDomainRangeStartEx(domain, &event);
	nvtxDomainRangePop(domain);
	nvtxDomainRangeEnd(domain, id);
	event.message.ascii = "in the default domain";
	nvtxRangePushEx(&event);
	nvtxRangePop();
	nvtxMarkEx(&event);
	nvtxRangeEnd(nvtxRangeStartEx(&event));
	/* A range that begins with attributes and ends with a payload, as in NCCL. */
	event = nvtx_all_make_event("ends with payload");
	nvtxDomainRangePushEx(domain, &event);
	value[0] = 12;
	nvtxRangePopPayload(domain, &data, 1);
#ifndef NVIDIA_HEADER /* NVIDIA's header needs another one */
	event.message.ascii = "by macro";
	nvtxPayloadMark(domain, &event, pair, value, sizeof(value));
	nvtxPayloadRangePush(domain, &event, pair, value, sizeof(value));
	nvtxDomainRangePop(domain);
#else
	event.message.ascii = "by macro";
	NVTX_PAYLOAD_EVTATTR_SET_DATA(event, &data, pair, value, sizeof(value))
	nvtxDomainMarkEx(domain, &event);
	nvtxDomainRangePushEx(domain, &event);
	nvtxDomainRangePop(domain);
#endif
}

/* Several payloads of several kinds on one event. */
static void call_payload_several(void)
{
	const nvtxDomainHandle_t domain = nvtx_all_make_domain("payload-several");
	const uint64_t pair = register_pair(domain);
	const int32_t values[3][2] = { { 1, -1 }, { 2, -2 }, { 3, -3 } };
	const double fraction = 0.5;
	nvtxEventAttributes_t event = nvtx_all_make_event("three");
	nvtxPayloadData_t data[5];

	data[0] = make_data(pair, values[0], sizeof(values[0]));
	data[1] = make_data(pair, values[1], sizeof(values[1]));
	data[2] = make_data(NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE, &fraction, sizeof(fraction));
	data[3] = make_data(NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED, values[2], sizeof(values[2]));
	data[4] = make_data(NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8, "fifth", SIZE_MAX);
	nvtx_all_mark_several(domain, "three", data, 3);
	nvtxMarkPayload(domain, data, 5);
	NVTX_PAYLOAD_EVTATTR_SET_MULTIPLE(event, data)
	event.message.ascii = "five";
	nvtxDomainMarkEx(domain, &event);
}

/* The name, category and colour of an event, from its payload. */
static void call_payload_message(void)
{
	static const nvtxPayloadSchemaEntry_t entries[] = {
		NVTX_ALL_FLAGGED(EVENT_MESSAGE, NVTX_REGISTERED_STRING_HANDLE, "name", 0, 0),
		NVTX_ALL_ENTRY(CATEGORY, "category", 8),
		NVTX_ALL_ENTRY(COLOR_ARGB, "color", 12),
	};
	struct {
		nvtxStringHandle_t name;
		uint32_t category;
		uint32_t color;
	} value;
	const nvtxDomainHandle_t domain = nvtx_all_make_domain("payload-message");
	const uint64_t id = nvtx_all_register(domain, "event", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC,
	                                      entries, NVTX_ALL_COUNT(entries), sizeof(value));
	nvtxPayloadData_t data = make_data(id, &value, sizeof(value));

	nvtxDomainNameCategoryA(domain, 51, "from payload");
	value.name = nvtxDomainRegisterStringA(domain, "named by its payload");
	value.category = 51;
	value.color = 0xFF778899;
	nvtxRangePushPayload(domain, &data, 1);
	nvtxDomainRangePop(domain);
	nvtxMarkPayload(domain, &data, 1);
}

static uint64_t register_scope(nvtxDomainHandle_t domain, const char *path, uint64_t parent,
                               uint64_t id)
{
	nvtxScopeAttr_t scope;

	memset(&scope, 0, sizeof(scope));
	scope.structSize = sizeof(scope);
	scope.path = path;
	scope.parentScope = parent;
	scope.scopeId = id;
	return nvtxScopeRegister(domain, &scope);
}

/* Places, and events and values that belong to them. */
static void call_scope(void)
{
	const nvtxDomainHandle_t domain = nvtx_all_make_domain("scope");
	const uint64_t board =
		register_scope(domain, "board[0]/sensor", NVTX_SCOPE_CURRENT_HW_MACHINE,
	                       NVTX_SCOPE_ID_STATIC_START + 61);
	const uint64_t gpu = register_scope(domain, "GPU[CUDAID:0]", board, NVTX_SCOPE_NONE);
	nvtxSemanticsScope_t in_board;
	nvtxPayloadSchemaEntry_t entries[2];
	struct {
		uint64_t scope;
		double degrees;
	} value = { gpu, 61.5 };
	uint64_t id;

	register_scope(domain, NULL, NVTX_SCOPE_CURRENT_SW_THREAD, NVTX_SCOPE_NONE);
	memset(&in_board, 0, sizeof(in_board));
	in_board.header.structSize = sizeof(in_board);
	in_board.header.semanticId = NVTX_SEMANTIC_ID_SCOPE_V1;
	in_board.header.version = 1;
	in_board.scopeId = board;
	memset(entries, 0, sizeof(entries));
	entries[0].type = NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID;
	entries[0].name = "scope";
	entries[1].type = NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE;
	entries[1].name = "degrees";
	entries[1].offset = 8;
	entries[1].semantics = &in_board.header;
	id = nvtx_all_register(domain, "temperature", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, entries, 2,
	                       sizeof(value));
	nvtx_all_mark(domain, "temperature", id, &value, sizeof(value));
}

/* A list of meanings of one value. */
static void call_semantics(void)
{
	const nvtxDomainHandle_t domain = nvtx_all_make_domain("semantics");
	nvtxSemanticsScope_t scope;
	nvtxSemanticsTime_t time;
	nvtxSemanticsCounter_t counter;
	nvtxPayloadSchemaEntry_t entry;
	const int64_t value = 71;
	uint64_t id;

	memset(&scope, 0, sizeof(scope));
	memset(&time, 0, sizeof(time));
	memset(&counter, 0, sizeof(counter));
	memset(&entry, 0, sizeof(entry));
	scope.header.structSize = sizeof(scope);
	scope.header.semanticId = NVTX_SEMANTIC_ID_SCOPE_V1;
	scope.header.version = 1;
	scope.header.next = &time.header;
	scope.scopeId = NVTX_SCOPE_CURRENT_SW_PROCESS;
	time.header.structSize = sizeof(time);
	time.header.semanticId = NVTX_SEMANTIC_ID_TIME_V1;
	time.header.version = NVTX_TIME_SEMANTIC_VERSION;
	time.header.next = &counter.header;
	time.timeDomainId = NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC;
	counter.header.structSize = sizeof(counter);
	counter.header.semanticId = NVTX_SEMANTIC_ID_COUNTERS_V1;
	counter.header.version = NVTX_COUNTER_SEMANTIC_VERSION;
	counter.flags = NVTX_COUNTER_FLAG_LIMITS | NVTX_COUNTER_FLAG_VALUETYPE_DELTA |
	                NVTX_COUNTER_FLAG_INTERPOLATION_LINEAR;
	counter.unit = "MiB";
	counter.unitScaleNumerator = 1;
	counter.unitScaleDenominator = 1048576;
	counter.limitType = NVTX_COUNTER_LIMIT_I64;
	counter.min.i64 = -7;
	counter.max.i64 = 700;
	entry.type = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
	entry.name = "value";
	entry.description = "of three meanings";
	entry.semantics = &scope.header;
	id = nvtx_all_register(domain, "meanings", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, &entry, 1,
	                       sizeof(value));
	nvtx_all_mark(domain, "meanings", id, &value, sizeof(value));
}

const struct nvtx_all_group nvtx_all_event_groups[] = {
	{ "payload-events", call_payload_events },
	{ "payload-attributes", call_payload_attributes },
	{ "payload-several", call_payload_several },
	{ "payload-message", call_payload_message },
	{ "scope", call_scope },
	{ "semantics", call_semantics },
	{ NULL, NULL },
};
