/* SPDX-License-Identifier: MIT */
/*
 * Calls every function of NVTX's extensions with arguments that a test knows. Built with our
 * headers, and with NVIDIA's where they are (-DNVIDIA).
 */
#include <stdio.h>
#include <string.h>

#ifdef NVIDIA
#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtMemCudaRt.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <nvtx3/nvToolsExtSemanticsCounters.h>
#include <nvtx3/nvToolsExtSemanticsScope.h>
#include <nvtx3/nvToolsExtSemanticsTime.h>
#else
#include <ranges/nvtx-counters.h>
#include <ranges/nvtx-mem.h>
#include <ranges/nvtx-payload.h>
#endif

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define STATIC_ID    (UINT64_C(1) << 24)

static nvtxDomainHandle_t domain;

/* Entries with all their fields, so that no compiler warns. */
#define ENTRY(flags, type, name, detail, offset)                                                 \
	{                                                                                        \
		(flags), NVTX_PAYLOAD_ENTRY_TYPE_##type, (name), NULL, (detail), (offset), NULL, \
			NULL                                                                     \
	}
#define NESTED(flags, type, name, detail)                              \
	{                                                              \
		(flags), (type), (name), NULL, (detail), 0, NULL, NULL \
	}
#define FLAG(name) NVTX_PAYLOAD_ENTRY_FLAG_##name

static uint64_t add_schema(const char *name, uint64_t type, const nvtxPayloadSchemaEntry_t *entries,
                           size_t count, size_t size, uint64_t id)
{
	nvtxPayloadSchemaAttr_t attributes;

	memset(&attributes, 0, sizeof(attributes));
	attributes.fieldMask =
		NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
		NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
		NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME;
	attributes.name = name;
	attributes.type = type;
	attributes.entries = entries;
	attributes.numEntries = count;
	attributes.payloadStaticSize = size;
	if (id != 0) {
		attributes.fieldMask |= NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID;
		attributes.schemaId = id;
	}
	return nvtxPayloadSchemaRegister(domain, &attributes);
}

struct plain {
	uint32_t rank;
	uint64_t bytes;
};

#define MANY 7u

/* Static schemas, enums, and every call that takes payloads. */
static void call_payloads(void)
{
	static const nvtxPayloadSchemaEntry_t entries[] = {
		ENTRY(0, UINT32, "rank", 0, 0),
		ENTRY(0, UINT64, "bytes", 0, 0),
	};
	static const nvtxPayloadEnum_t values[] = { { "red", 1, 0 }, { "blue", 4, 1 } };
	nvtxPayloadEnumAttr_t colors;
	struct plain plain;
	uint64_t schema = add_schema("plain", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, entries, 2,
	                             sizeof(plain), STATIC_ID + 5);
	const uint64_t again =
		add_schema("plain", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, entries, 2, sizeof(plain), 0);
	nvtxPayloadData_t data[2];
	nvtxPayloadData_t many[MANY]; /* more payloads than libranges has memory at hand for */
	nvtxEventAttributes_t attributes;
	nvtxRangeId_t range;
	int enabled;

	/* The gaps between members too: they are in the log. */
	memset(&plain, 0, sizeof(plain));
	plain.rank = 7;
	plain.bytes = 4096;
	memset(&colors, 0, sizeof(colors));
	colors.fieldMask =
		NVTX_PAYLOAD_ENUM_ATTR_FIELD_NAME | NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES |
		NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES | NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE;
	colors.name = "color";
	colors.entries = values;
	colors.numEntries = 2;
	colors.sizeOfEnum = 2;
	printf("schema %llx %llx enum %llx\n", (unsigned long long) schema,
	       (unsigned long long) again,
	       (unsigned long long) nvtxPayloadEnumRegister(domain, &colors));
	/* One call a statement: compilers differ in which argument they make first. */
	enabled = nvtxDomainIsEnabled(domain);
	printf("same %d enabled %d\n",
	       again == add_schema("plain", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, entries, 2,
	                           sizeof(plain), 0),
	       enabled);
	data[0].schemaId = schema;
	data[0].size = sizeof(plain);
	data[0].payload = &plain;
	data[1].schemaId = NVTX_PAYLOAD_ENTRY_TYPE_CSTRING;
	data[1].size = SIZE_MAX;
	data[1].payload = "hello";
	printf("push %d\n", nvtxRangePushPayload(domain, data, 2));
	printf("push %d\n", nvtxRangePushPayload(domain, data, 1));
	printf("pop %d\n", nvtxRangePopPayload(domain, data + 1, 1));
	printf("pop %d\n", nvtxRangePopPayload(domain, NULL, 0));
	printf("pop %d\n", nvtxRangePopPayload(domain, NULL, 0));
	nvtxMarkPayload(domain, data, 1);
	range = nvtxRangeStartPayload(domain, data, 1);
	nvtxRangeEndPayload(domain, range, data, 1);
	memset(&attributes, 0, sizeof(attributes));
	attributes.version = NVTX_VERSION;
	attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
	attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
	attributes.message.ascii = "with attributes";
	attributes.category = 3;
	attributes.payloadType = NVTX_PAYLOAD_TYPE_EXT;
	attributes.reserved0 = 2;
	attributes.payload.ullValue = (uint64_t) (uintptr_t) data;
	printf("push %d\n", nvtxDomainRangePushEx(domain, &attributes));
	nvtxDomainMarkEx(domain, &attributes);
	printf("pop %d\n", nvtxDomainRangePop(domain));
	range = nvtxDomainRangeStartEx(domain, &attributes);
	nvtxDomainRangeEnd(domain, range);
	nvtxEventSubmit(domain, data, 2);
	for (size_t i = 0; i < MANY; i++) {
		many[i] = data[i % 2];
	}
	nvtxMarkPayload(domain, many, MANY);
}

struct text {
	int32_t number;
	const char *text;
	const char *none;
	char fixed[8];
};

struct array {
	uint32_t count;
	const uint16_t *values;
	uint64_t sizes[2];
	const uint8_t *matrix;
};

struct node {
	uint64_t value;
	const struct node *next;
};

/* Calls with payloads that point to other memory. */
static void call_pointers(void)
{
	static const nvtxPayloadSchemaEntry_t texts[] = {
		ENTRY(0, INT32, "number", 0, 0),
		ENTRY(FLAG(EVENT_MESSAGE), CSTRING, "text", 0, 0),
		ENTRY(FLAG(ARRAY_ZERO_TERMINATED) | FLAG(POINTER), CSTRING_UTF8, "none", 0, 0),
		ENTRY(0, CSTRING, "fixed", 8, 0),
	};
	static const nvtxPayloadSchemaEntry_t arrays[] = {
		ENTRY(0, UINT32, "count", 0, 0),
		ENTRY(FLAG(POINTER) | FLAG(ARRAY_LENGTH_INDEX), UINT16, "values", 0, 0),
		ENTRY(FLAG(ARRAY_FIXED_SIZE), UINT64, "sizes", 2, 0),
		ENTRY(FLAG(POINTER) | FLAG(DEEP_COPY) | FLAG(ARRAY_LENGTH_INDEX), UINT8, "matrix",
		      2, 0),
	};
	const nvtxPayloadSchemaEntry_t nodes[] = {
		ENTRY(0, UINT64, "value", 0, 0),
		NESTED(FLAG(POINTER) | FLAG(DEEP_COPY), STATIC_ID + 9, "next", 0),
	};
	static const nvtxPayloadSchemaEntry_t dynamic[] = {
		ENTRY(FLAG(ARRAY_ZERO_TERMINATED), CSTRING, "name", 0, 0),
		ENTRY(0, UINT16, "count", 0, 0),
		ENTRY(FLAG(ARRAY_LENGTH_INDEX), UINT16, "values", 1, 0),
		ENTRY(0, CSTRING, "text", 0, 0),
	};
	static const uint16_t values[] = { 1, 2, 3 };
	static const uint8_t matrix[] = { 1, 2, 3, 4, 5, 6 };
	struct text text;
	struct array array;
	struct node loop[2] = { { 1, NULL }, { 2, NULL } };
	char varies[64];
	const char *late = "late";
	size_t used = sizeof("ab"); /* 3 bytes, so the count that follows begins at byte 4 */
	const uint16_t two[] = { 2, 11, 12 };
	nvtxPayloadData_t data[2];

	memset(&text, 0, sizeof(text));
	text.number = -1;
	text.text = "copied";
	memcpy(text.fixed, "fixed", sizeof("fixed"));
	memset(&array, 0, sizeof(array));
	array.count = 3;
	array.values = values;
	array.sizes[0] = 2;
	array.sizes[1] = 3;
	array.matrix = matrix;
	data[0].schemaId = add_schema("text", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, texts, COUNT(texts),
	                              sizeof(text), 0);
	data[0].size = sizeof(text);
	data[0].payload = &text;
	nvtxMarkPayload(domain, data, 1);
	data[0].schemaId = add_schema("array", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, arrays,
	                              COUNT(arrays), sizeof(array), 0);
	data[0].size = sizeof(array);
	data[0].payload = &array;
	nvtxMarkPayload(domain, data, 1);
	/* A loop of two nodes. The second one is in another payload. */
	loop[0].next = &loop[1];
	loop[1].next = &loop[0];
	data[0].schemaId = add_schema("node", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, nodes, 2,
	                              sizeof(struct node), STATIC_ID + 9);
	data[0].size = sizeof(loop[0]);
	data[0].payload = &loop[0];
	nvtxMarkPayload(domain, data, 1);
	memset(varies, 0, sizeof(varies));
	memcpy(varies, "ab", used);
	memcpy(varies + 4, two, sizeof(two));
	memcpy(varies + 16, &late, sizeof(late));
	data[0].schemaId = add_schema("dynamic", NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC, dynamic,
	                              COUNT(dynamic), 0, 0);
	data[0].size = 16 + sizeof(late);
	data[0].payload = varies;
	nvtxMarkPayload(domain, data, 1);
	/* The target of the pointer is a payload of the same event. */
	data[0].size = SIZE_MAX;
	data[0].payload = &array;
	data[0].schemaId -= 1; /* ids are given out in turn */
	data[1].schemaId = NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED;
	data[1].size = sizeof(values);
	data[1].payload = values;
	nvtxMarkPayload(domain, data, 2);
}

/* Calls about scopes, semantics and time. */
static int64_t read_timer(void)
{
	return 42;
}

static int64_t read_timer_with(void *data)
{
	return *(int64_t *) data;
}

static void call_time(void)
{
	static const nvtxSyncPoint_t points[] = { { 1, -2 }, { 3, 4 } };
	static const uint64_t events[] = { 10, 20, 30, 40 };
	nvtxScopeAttr_t scope;
	nvtxTimeDomainAttr_t time;
	nvtxSemanticsScope_t scope_semantics;
	nvtxSemanticsTime_t time_semantics;
	nvtxPayloadSchemaEntry_t entries[] = {
		ENTRY(FLAG(TIMESTAMP) | FLAG(RANGE_BEGIN), INT64, "begin", 0, 0),
		ENTRY(FLAG(TIMESTAMP) | FLAG(RANGE_END), INT64, "end", 0, 0),
	};
	nvtxEventBatch_t batch;
	int64_t number = 43;
	uint64_t scope_id;
	uint64_t time_id;

	memset(&scope, 0, sizeof(scope));
	scope.structSize = sizeof(scope);
	scope.path = "GPU[CUDAID:0]/queue";
	scope.parentScope = NVTX_SCOPE_CURRENT_SW_PROCESS;
	scope_id = nvtxScopeRegister(domain, &scope);
	printf("scope %llx same %d\n", (unsigned long long) scope_id,
	       scope_id == nvtxScopeRegister(domain, &scope));
	memset(&time, 0, sizeof(time));
	time.scopeId = scope_id;
	time.timestampTypeId = NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC;
	time.timerFlags = NVTX_TIMER_FLAG_CLOCK_STEADY;
	time.timerResolution = 1000000000;
	time.timerStart = NVTX_TIMER_START_SYSTEM_BOOT;
	time.timeDomainId = STATIC_ID;
	time_id = nvtxTimeDomainRegister(domain, &time);
	printf("time %llx get %d\n", (unsigned long long) time_id, nvtxTimestampGet() != 0);
	nvtxTimerSource(domain, time_id, NVTX_TIMER_SOURCE_SAFE_CALL_AFTER_PROCESS_TEARDOWN,
	                read_timer);
	nvtxTimerSourceWithData(domain, time_id,
	                        NVTX_TIMER_SOURCE_UNSAFE_CALL_AFTER_PROCESS_TEARDOWN,
	                        read_timer_with, &number);
	nvtxTimeSyncPoint(domain, time_id, NVTX_TIMESTAMP_TYPE_TOOL_PROVIDED, 5, -6);
	nvtxTimeSyncPointTable(domain, time_id, NVTX_TIMESTAMP_TYPE_CPU_TSC, points, 2);
	nvtxTimestampConversionFactor(domain, time_id, NVTX_TIMESTAMP_TYPE_CPU_TSC, 2.5, 100, -200);
	memset(&scope_semantics, 0, sizeof(scope_semantics));
	scope_semantics.header.structSize = sizeof(scope_semantics);
	scope_semantics.header.semanticId = NVTX_SEMANTIC_ID_SCOPE_V1;
	scope_semantics.header.version = 1;
	scope_semantics.scopeId = scope_id;
	memset(&time_semantics, 0, sizeof(time_semantics));
	time_semantics.header.structSize = sizeof(time_semantics);
	time_semantics.header.semanticId = NVTX_SEMANTIC_ID_TIME_V1;
	time_semantics.header.version = NVTX_TIME_SEMANTIC_VERSION;
	time_semantics.header.next = &scope_semantics.header;
	time_semantics.timeDomainId = time_id;
	entries[0].semantics = &time_semantics.header;
	entries[1].description = "when it was over";
	memset(&batch, 0, sizeof(batch));
	batch.eventSchemaId = add_schema("deferred", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, entries, 2,
	                                 16, STATIC_ID + 20);
	batch.size = sizeof(events);
	batch.events = events;
	batch.scope = scope_id;
	batch.flags = NVTX_BATCH_FLAG_UNSORTED;
	batch.flexData = "flexible";
	batch.flexDataSize = 8;
	batch.flexDataOffset = 1;
	nvtxEventBatchSubmit(domain, &batch);
}

static void call_counters(void)
{
	static const nvtxPayloadSchemaEntry_t entries[] = {
		ENTRY(FLAG(COUNTER), UINT32, "free", 0, 0),
		ENTRY(FLAG(COUNTER), DOUBLE, "load", 0, 0),
	};
	static const struct {
		uint32_t free;
		double load;
	} group = { 5, 0.5 };
	static const int64_t numbers[] = { 1, 2, 3 };
	static const int64_t times[] = { 100, -200, 300 };
	nvtxSemanticsCounter_t semantics;
	nvtxCounterAttr_t attributes;
	nvtxCounterBatch_t batch;
	uint64_t counter;

	memset(&semantics, 0, sizeof(semantics));
	semantics.header.structSize = sizeof(semantics);
	semantics.header.semanticId = NVTX_SEMANTIC_ID_COUNTERS_V1;
	semantics.header.version = NVTX_COUNTER_SEMANTIC_VERSION;
	semantics.flags = NVTX_COUNTER_FLAG_LIMITS;
	semantics.unit = "bytes";
	semantics.unitScaleNumerator = 1;
	semantics.unitScaleDenominator = 1024;
	semantics.limitType = NVTX_COUNTER_LIMIT_I64;
	semantics.min.i64 = -5;
	semantics.max.i64 = 100;
	memset(&attributes, 0, sizeof(attributes));
	attributes.structSize = sizeof(attributes);
	attributes.schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
	attributes.name = "memory";
	attributes.description = "in use";
	attributes.scopeId = NVTX_SCOPE_CURRENT_SW_PROCESS;
	attributes.semantics = &semantics.header;
	counter = nvtxCounterRegister(domain, &attributes);
	printf("counter %llx\n", (unsigned long long) counter);
	nvtxCounterSampleInt64(domain, counter, -7);
	nvtxCounterSampleFloat64(domain, counter, 0.25);
	nvtxCounterSampleInt64(domain, counter, 0);
	nvtxCounterSampleNoValue(domain, counter, NVTX_COUNTER_SAMPLE_UNAVAILABLE);
	memset(&batch, 0, sizeof(batch));
	batch.counterId = counter;
	batch.counters = numbers;
	batch.countersSize = sizeof(numbers);
	batch.flags = NVTX_BATCH_FLAG_TIME_SORTED_PARTIALLY;
	batch.timestamps = times;
	batch.timestampsSize = sizeof(times);
	nvtxCounterBatchSubmit(domain, &batch);
	attributes.schemaId = add_schema("group", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, entries, 2,
	                                 sizeof(group), STATIC_ID + 30);
	attributes.name = "both";
	attributes.description = NULL;
	attributes.semantics = NULL;
	attributes.counterId = STATIC_ID + 1;
	counter = nvtxCounterRegister(domain, &attributes);
	printf("counter %llx\n", (unsigned long long) counter);
	nvtxCounterSample(domain, counter, &group, sizeof(group));
}

/* Every batch begins with this. */
#define SET_HEAD(batch)                                        \
	do {                                                   \
		memset(&(batch), 0, sizeof(batch));            \
		(batch).extCompatID = NVTX_EXT_COMPATID_MEM;   \
		(batch).structSize = (uint16_t) sizeof(batch); \
	} while (0)

static const nvtxMemVirtualRangeDesc_t ranges[] = { { 64, (const void *) 0x10000 },
	                                            { 128, (const void *) 0x20000 } };

static void call_heap(void)
{
	static char memory[4096];
	const nvtxMemVirtualRangeDesc_t all = { sizeof(memory), memory };
	nvtxMemHeapDesc_t desc;
	nvtxMemHeapHandle_t heap;

	SET_HEAD(desc);
	desc.usage = NVTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR;
	desc.type = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
	desc.typeSpecificDescSize = sizeof(all);
	desc.typeSpecificDesc = &all;
	desc.category = 9;
	desc.messageType = NVTX_MESSAGE_TYPE_ASCII;
	desc.message.ascii = "pool";
	heap = nvtxMemHeapRegister(domain, &desc);
	printf("heap is its address %d\n", (const void *) heap == (const void *) memory);
	nvtxMemHeapReset(domain, NULL);
	nvtxMemHeapUnregister(domain, NULL);
}

static void call_regions(void)
{
	nvtxMemRegionHandle_t handles[2] = { NULL, NULL };
	nvtxMemRegionRef_t references[2];
	nvtxMemRegionNameDesc_t names[2];
	nvtxMemRegionsRegisterBatch_t add;
	nvtxMemRegionsResizeBatch_t resize;
	nvtxMemRegionsUnregisterBatch_t take;
	nvtxMemRegionsNameBatch_t name;

	SET_HEAD(add);
	add.regionType = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
	add.regionCount = 2;
	add.regionDescElementSize = sizeof(ranges[0]);
	add.regionDescElements = ranges;
	add.regionHandleElementsOut = handles;
	nvtxMemRegionsRegister(domain, &add);
	printf("handles %d %d\n", (int) (intptr_t) handles[0], (int) (intptr_t) handles[1]);
	SET_HEAD(resize);
	resize.regionType = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
	resize.regionDescCount = 1;
	resize.regionDescElementSize = sizeof(ranges[0]);
	resize.regionDescElements = ranges + 1;
	nvtxMemRegionsResize(domain, &resize);
	memset(names, 0, sizeof(names));
	names[0].regionRefType = NVTX_MEM_REGION_REF_TYPE_HANDLE;
	names[0].nameType = NVTX_MESSAGE_TYPE_ASCII;
	names[0].region.handle = handles[1];
	names[0].name.ascii = "weights";
	names[0].category = 2;
	names[1].regionRefType = NVTX_MEM_REGION_REF_TYPE_POINTER;
	names[1].region.pointer = (const void *) 0x10000;
	SET_HEAD(name);
	name.regionCount = 2;
	name.regionElementSize = sizeof(names[0]);
	name.regionElements = names;
	nvtxMemRegionsName(domain, &name);
	references[0].handle = handles[0];
	references[1].handle = handles[1];
	SET_HEAD(take);
	take.refType = NVTX_MEM_REGION_REF_TYPE_HANDLE;
	take.refCount = 2;
	take.refElementSize = sizeof(references[0]);
	take.refElements = references;
	nvtxMemRegionsUnregister(domain, &take);
}

static void call_permissions(void)
{
	const nvtxMemPermissionsHandle_t permissions = nvtxMemPermissionsCreate(
		domain, NVTX_MEM_PERMISSIONS_CREATE_FLAGS_EXCLUDE_GLOBAL_WRITE);
	nvtxMemPermissionsAssignRegionDesc_t assign[1];
	nvtxMemPermissionsAssignBatch_t grant;

	memset(assign, 0, sizeof(assign));
	assign[0].flags = 3;
	assign[0].regionRefType = NVTX_MEM_REGION_REF_TYPE_POINTER;
	assign[0].region.pointer = (const void *) 0x20000;
	SET_HEAD(grant);
	grant.regionCount = 1;
	grant.regionElementSize = sizeof(assign[0]);
	grant.regionElements = assign;
	nvtxMemPermissionsAssign(domain, &grant);
	nvtxMemPermissionsBind(domain, permissions, NVTX_MEM_PERMISSIONS_BIND_SCOPE_CPU_THREAD,
	                       NVTX_MEM_PERMISSIONS_BIND_FLAGS_STRICT_WRITE);
	nvtxMemPermissionsUnbind(domain, NVTX_MEM_PERMISSIONS_BIND_SCOPE_CPU_THREAD);
	nvtxMemPermissionsReset(domain, permissions);
	nvtxMemPermissionsDestroy(domain, permissions);
}

static void call_cuda(void)
{
	const nvtxMemPermissionsHandle_t all = nvtxMemCudaGetProcessWidePermissions(domain);
	const nvtxMemPermissionsHandle_t device = nvtxMemCudaGetDeviceWidePermissions(domain, 1);
	nvtxMemMarkInitializedBatch_t batch;

	printf("permissions %d %d\n", all == nvtxMemCudaGetProcessWidePermissions(domain),
	       all == device);
	nvtxMemCudaSetPeerAccess(domain, device, NVTX_MEM_CUDA_PEER_ALL_DEVICES, 3);
	SET_HEAD(batch);
	batch.regionType = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
	batch.regionDescCount = 1;
	batch.regionDescElementSize = sizeof(ranges[0]);
	batch.regionDescElements = ranges;
	nvtxMemCudaMarkInitialized(domain, NULL, 1, &batch);
}

static void call_mem(void)
{
	call_heap();
	call_regions();
	call_permissions();
	call_cuda();
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*call)(void);
	} parts[] = { { "payloads", call_payloads },
		      { "pointers", call_pointers },
		      { "time", call_time },
		      { "counters", call_counters },
		      { "mem", call_mem } };

	domain = nvtxDomainCreateA("lib");
	for (size_t i = 0; i < COUNT(parts); i++) {
		if (argc < 2 || strcmp(argv[1], parts[i].name) == 0) {
			parts[i].call();
		}
	}
	return 0;
}
