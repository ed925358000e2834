/* SPDX-License-Identifier: MIT */
/* Parts of nvtx-all: time, deferred events, counters and memory. */
#include "nvtx-all.h"

/* A clock of the program's. Tools may call it at any time. */
static int64_t tell_time(void)
{
	return 81000;
}

static int64_t tell_time_with(void *data)
{
	return *(const int64_t *) data;
}

static uint64_t register_clock(nvtxDomainHandle_t domain, uint64_t id)
{
	nvtxTimeDomainAttr_t clock;

	memset(&clock, 0, sizeof(clock));
	clock.scopeId = NVTX_SCOPE_CURRENT_SW_PROCESS;
	clock.timestampTypeId = NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC_RAW;
	clock.timeDomainId = id;
	clock.timerFlags = NVTX_TIMER_FLAG_CLOCK_MONOTONIC | NVTX_TIMER_FLAG_CLOCK_STEADY;
	clock.timerResolution = 1000000;
	clock.timerStart = NVTX_TIMER_START_SYSTEM_BOOT;
	return nvtxTimeDomainRegister(domain, &clock);
}

static void call_time(void)
{
	static const nvtxSyncPoint_t points[] = { { 100, 200100 },
		                                  { 200, 200200 },
		                                  { 300, 200305 } };
	static int64_t now = 82000;
	const nvtxDomainHandle_t domain = nvtx_all_make_domain("time");
	const uint64_t own = register_clock(domain, NVTX_TIME_DOMAIN_ID_STATIC_START + 81);
	const uint64_t other = register_clock(domain, NVTX_TIME_DOMAIN_ID_NONE);
	const uint64_t system = NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC;

	(void) nvtxTimestampGet();
	nvtxTimerSource(domain, own, NVTX_TIMER_SOURCE_SAFE_CALL_AFTER_PROCESS_TEARDOWN, tell_time);
	nvtxTimerSourceWithData(domain, other, NVTX_TIMER_SOURCE_UNSAFE_CALL_AFTER_PROCESS_TEARDOWN,
	                        tell_time_with, &now);
	nvtxTimeSyncPoint(domain, own, system, 81001, 91001);
	nvtxTimeSyncPointTable(domain, other, system, points, NVTX_ALL_COUNT(points));
	nvtxTimestampConversionFactor(domain, own, system, 1.0625, 81002, 91002);
}

/* Ranges that are submitted after their end, with begin, end and name. */
struct finished {
	int64_t begin;
	int64_t end;
	nvtxStringHandle_t name;
};

static uint64_t register_finished(nvtxDomainHandle_t domain)
{
	static nvtxSemanticsTime_t time; /* lives as long as the schema might be read */
	nvtxPayloadSchemaEntry_t entries[3];
	nvtxPayloadSchemaAttr_t schema;

	memset(entries, 0, sizeof(entries));
	memset(&schema, 0, sizeof(schema));
	time.header.structSize = sizeof(time);
	time.header.semanticId = NVTX_SEMANTIC_ID_TIME_V1;
	time.header.version = NVTX_TIME_SEMANTIC_VERSION;
	time.timeDomainId = NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC;
	entries[0].flags = NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN | NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP;
	entries[0].type = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
	entries[0].name = "begin";
	entries[0].semantics = &time.header;
	entries[1] = entries[0];
	entries[1].flags = NVTX_PAYLOAD_ENTRY_FLAG_RANGE_END | NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP;
	entries[1].name = "end";
	entries[1].offset = offsetof(struct finished, end);
	entries[2].flags = NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE;
	entries[2].type = NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE;
	entries[2].name = "name";
	entries[2].offset = offsetof(struct finished, name);
	schema.fieldMask =
		NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
		NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
		NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
		NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
	schema.name = "finished range";
	schema.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
	schema.flags = NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_STARTEND;
	schema.entries = entries;
	schema.numEntries = 3;
	schema.payloadStaticSize = sizeof(struct finished);
	return nvtxPayloadSchemaRegister(domain, &schema);
}

static void call_batch(void)
{
	const nvtxDomainHandle_t domain = nvtx_all_make_domain("batch");
	const uint64_t schema = register_finished(domain);
	const nvtxStringHandle_t name = nvtxDomainRegisterStringA(domain, "finished");
	const struct finished ranges[3] = { { 1000, 1100, name },
		                            { 1200, 1300, name },
		                            { 1250, 1350, name } };
	nvtxPayloadData_t data;
	nvtxEventBatch_t batch;

	data.schemaId = schema;
	data.size = sizeof(ranges[0]);
	data.payload = &ranges[0];
	nvtxEventSubmit(domain, &data, 1);
	memset(&batch, 0, sizeof(batch));
	batch.eventSchemaId = schema;
	batch.size = sizeof(ranges);
	batch.events = ranges;
	batch.scope = NVTX_SCOPE_CURRENT_SW_THREAD;
	batch.flags = NVTX_BATCH_FLAG_TIME_SORTED;
	nvtxEventBatchSubmit(domain, &batch);
	batch.size = 2 * sizeof(ranges[0]);
	batch.flags = NVTX_BATCH_FLAG_UNSORTED;
	batch.flexData = "flexible data";
	batch.flexDataSize = 13;
	batch.flexDataOffset = 4;
	nvtxEventBatchSubmit(domain, &batch);
}

static nvtxCounterAttr_t make_counter(const char *name, uint64_t schema, uint64_t id)
{
	nvtxCounterAttr_t counter;

	memset(&counter, 0, sizeof(counter));
	counter.structSize = sizeof(counter);
	counter.schemaId = schema;
	counter.name = name;
	counter.scopeId = NVTX_SCOPE_CURRENT_SW_PROCESS;
	counter.counterId = id;
	return counter;
}

static void call_counters(void)
{
	const nvtxDomainHandle_t domain = nvtx_all_make_domain("counters");
	nvtxCounterAttr_t counter = make_counter("queue length", NVTX_PAYLOAD_ENTRY_TYPE_INT64,
	                                         NVTX_COUNTER_ID_STATIC_START + 91);
	nvtxSemanticsCounter_t unit;
	const uint32_t small = 93;
	uint64_t ids[3];

	counter.description = "requests that wait";
	ids[0] = nvtxCounterRegister(domain, &counter);
	nvtxCounterSampleInt64(domain, ids[0], 5);
	nvtxCounterSampleInt64(domain, ids[0], INT64_C(-9000000000000000001));
	nvtxCounterSampleNoValue(domain, ids[0], NVTX_COUNTER_SAMPLE_ZERO);
	nvtxCounterSampleNoValue(domain, ids[0], NVTX_COUNTER_SAMPLE_UNCHANGED);
	nvtxCounterSampleNoValue(domain, ids[0], NVTX_COUNTER_SAMPLE_UNAVAILABLE);

	memset(&unit, 0, sizeof(unit));
	unit.header.structSize = sizeof(unit);
	unit.header.semanticId = NVTX_SEMANTIC_ID_COUNTERS_V1;
	unit.header.version = NVTX_COUNTER_SEMANTIC_VERSION;
	unit.flags = NVTX_COUNTER_FLAG_LIMITS | NVTX_COUNTER_FLAG_VALUETYPE_ABSOLUTE |
	             NVTX_COUNTER_FLAG_INTERPOLATION_UNTIL_NEXT;
	unit.unit = "W";
	unit.limitType = NVTX_COUNTER_LIMIT_F64;
	unit.min.f64 = 0.5;
	unit.max.f64 = 700.0;
	counter = make_counter("power", NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE, NVTX_COUNTER_ID_NONE);
	counter.semantics = &unit.header;
	ids[1] = nvtxCounterRegister(domain, &counter);
	nvtxCounterSampleFloat64(domain, ids[1], 92.25);

	counter = make_counter("small", NVTX_PAYLOAD_ENTRY_TYPE_UINT32, NVTX_COUNTER_ID_NONE);
	ids[2] = nvtxCounterRegister(domain, &counter);
	nvtxCounterSample(domain, ids[2], &small, sizeof(small));
}

/* Counters that are sampled together, and batches of both kinds. */
static void call_counter_group(void)
{
	static const nvtxPayloadSchemaEntry_t entries[] = {
		NVTX_ALL_FLAGGED(COUNTER, UINT64, "sent", 0, 0),
		NVTX_ALL_FLAGGED(COUNTER, UINT64, "received", 0, 8),
	};
	static const uint64_t samples[3][2] = { { 10, 11 }, { 20, 21 }, { 30, 31 } };
	static const int64_t times[3] = { 5000, 6000, 7000 };
	static const int64_t interval[2] = { 8000, 250 };
	const nvtxDomainHandle_t domain = nvtx_all_make_domain("counter-group");
	nvtxCounterAttr_t counter;
	nvtxPayloadSchemaAttr_t schema;
	nvtxCounterBatch_t batch;
	uint64_t id;

	memset(&schema, 0, sizeof(schema));
	schema.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
	                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS |
	                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
	                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
	                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
	schema.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
	schema.flags = NVTX_PAYLOAD_SCHEMA_FLAG_COUNTER_GROUP;
	schema.entries = entries;
	schema.numEntries = 2;
	schema.payloadStaticSize = sizeof(samples[0]);
	counter = make_counter("network", nvtxPayloadSchemaRegister(domain, &schema),
	                       NVTX_COUNTER_ID_NONE);
	id = nvtxCounterRegister(domain, &counter);
	nvtxCounterSample(domain, id, samples[0], sizeof(samples[0]));
	memset(&batch, 0, sizeof(batch));
	batch.counterId = id;
	batch.counters = samples;
	batch.countersSize = sizeof(samples);
	batch.flags = NVTX_BATCH_FLAG_TIME_SORTED;
	batch.timestamps = times;
	batch.timestampsSize = sizeof(times);
	nvtxCounterBatchSubmit(domain, &batch);
	batch.flags = NVTX_COUNTER_BATCH_FLAG_BEGINTIME_INTERVAL_PAIR;
	batch.timestamps = interval;
	batch.timestampsSize = sizeof(interval);
	nvtxCounterBatchSubmit(domain, &batch);
	batch.flags = NVTX_COUNTER_BATCH_FLAG_ENDTIME_INTERVAL_PAIR;
	nvtxCounterBatchSubmit(domain, &batch);
}

/* An address that nobody looks behind.
 * NOLINTBEGIN(performance-no-int-to-ptr) */
#define ADDRESS(number) ((const void *) (uintptr_t) (number))

static nvtxMemHeapHandle_t register_heap(nvtxDomainHandle_t domain)
{
	nvtxMemVirtualRangeDesc_t range;
	nvtxMemHeapDesc_t heap;

	memset(&range, 0, sizeof(range));
	memset(&heap, 0, sizeof(heap));
	range.size = 65536;
	range.ptr = ADDRESS(0xE0000);
	heap.extCompatID = NVTX_EXT_COMPATID_MEM;
	heap.structSize = sizeof(heap);
	heap.usage = NVTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR;
	heap.type = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
	heap.typeSpecificDescSize = sizeof(range);
	heap.typeSpecificDesc = &range;
	heap.category = 101;
	heap.messageType = NVTX_MESSAGE_TYPE_ASCII;
	heap.message.ascii = "pool";
	return nvtxMemHeapRegister(domain, &heap);
}

static void name_regions(nvtxDomainHandle_t domain, nvtxMemRegionHandle_t region)
{
	nvtxMemRegionNameDesc_t names[2];
	nvtxMemRegionsNameBatch_t batch;

	memset(names, 0, sizeof(names));
	memset(&batch, 0, sizeof(batch));
	names[0].regionRefType = NVTX_MEM_REGION_REF_TYPE_POINTER;
	names[0].nameType = NVTX_MESSAGE_TYPE_ASCII;
	names[0].region.pointer = ADDRESS(0xE1000);
	names[0].name.ascii = "weights";
	names[1].regionRefType = NVTX_MEM_REGION_REF_TYPE_HANDLE;
	names[1].nameType = NVTX_MESSAGE_TYPE_UNICODE;
	names[1].region.handle = region;
	names[1].name.unicode = L"activations";
	names[1].category = 102;
	batch.extCompatID = NVTX_EXT_COMPATID_MEM;
	batch.structSize = sizeof(batch);
	batch.regionCount = 2;
	batch.regionElementSize = sizeof(names[0]);
	batch.regionElements = names;
	nvtxMemRegionsName(domain, &batch);
}

static void call_mem(void)
{
	const nvtxDomainHandle_t domain = nvtx_all_make_domain("mem");
	const nvtxMemHeapHandle_t heap = register_heap(domain);
	nvtxMemVirtualRangeDesc_t ranges[2] = { { 4096, ADDRESS(0xE1000) },
		                                { 8192, ADDRESS(0xE2000) } };
	nvtxMemRegionHandle_t handles[2] = { NULL, NULL };
	nvtxMemRegionsRegisterBatch_t batch;
	nvtxMemRegionsResizeBatch_t resize;
	nvtxMemRegionsUnregisterBatch_t unregister;
	nvtxMemRegionRef_t refs[2];

	memset(&batch, 0, sizeof(batch));
	batch.extCompatID = NVTX_EXT_COMPATID_MEM;
	batch.structSize = sizeof(batch);
	batch.regionType = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
	batch.heap = heap;
	batch.regionCount = 2;
	batch.regionDescElementSize = sizeof(ranges[0]);
	batch.regionDescElements = ranges;
	batch.regionHandleElementsOut = handles;
	nvtxMemRegionsRegister(domain, &batch);
	batch.heap = NVTX_MEM_HEAP_HANDLE_PROCESS_WIDE;
	batch.regionHandleElementsOut = NULL;
	nvtxMemRegionsRegister(domain, &batch);
	name_regions(domain, handles[1]);
	memset(&resize, 0, sizeof(resize));
	ranges[0].size = 2048;
	resize.extCompatID = NVTX_EXT_COMPATID_MEM;
	resize.structSize = sizeof(resize);
	resize.regionType = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
	resize.regionDescCount = 1;
	resize.regionDescElementSize = sizeof(ranges[0]);
	resize.regionDescElements = ranges;
	nvtxMemRegionsResize(domain, &resize);
	memset(&unregister, 0, sizeof(unregister));
	refs[0].pointer = ADDRESS(0xE1000);
	refs[1].pointer = ADDRESS(0xE2000);
	unregister.extCompatID = NVTX_EXT_COMPATID_MEM;
	unregister.structSize = sizeof(unregister);
	unregister.refType = NVTX_MEM_REGION_REF_TYPE_POINTER;
	unregister.refCount = 2;
	unregister.refElementSize = sizeof(refs[0]);
	unregister.refElements = refs;
	nvtxMemRegionsUnregister(domain, &unregister);
	nvtxMemHeapReset(domain, heap);
	nvtxMemHeapUnregister(domain, heap);
}

static void call_mem_permissions(void)
{
	const nvtxDomainHandle_t domain = nvtx_all_make_domain("mem-permissions");
	const nvtxMemPermissionsHandle_t own = nvtxMemPermissionsCreate(
		domain, NVTX_MEM_PERMISSIONS_CREATE_FLAGS_EXCLUDE_GLOBAL_WRITE |
				NVTX_MEM_PERMISSIONS_CREATE_FLAGS_EXCLUDE_GLOBAL_ATOMIC);
	nvtxMemPermissionsAssignRegionDesc_t region;
	nvtxMemPermissionsAssignBatch_t batch;

	memset(&region, 0, sizeof(region));
	memset(&batch, 0, sizeof(batch));
	region.flags =
		NVTX_MEM_PERMISSIONS_REGION_FLAGS_READ | NVTX_MEM_PERMISSIONS_REGION_FLAGS_ATOMIC;
	region.regionRefType = NVTX_MEM_REGION_REF_TYPE_POINTER;
	region.region.pointer = ADDRESS(0xE3000);
	batch.extCompatID = NVTX_EXT_COMPATID_MEM;
	batch.structSize = sizeof(batch);
	batch.permissions = own;
	batch.regionCount = 1;
	batch.regionElementSize = sizeof(region);
	batch.regionElements = &region;
	nvtxMemPermissionsAssign(domain, &batch);
	nvtxMemPermissionsBind(domain, own, NVTX_MEM_PERMISSIONS_BIND_SCOPE_CPU_THREAD,
	                       NVTX_MEM_PERMISSIONS_BIND_FLAGS_STRICT_READ);
	nvtxMemPermissionsUnbind(domain, NVTX_MEM_PERMISSIONS_BIND_SCOPE_CPU_THREAD);
	nvtxMemPermissionsReset(domain, own);
	nvtxMemPermissionsDestroy(domain, own);
}

static void call_mem_cuda(void)
{
	const nvtxDomainHandle_t domain = nvtx_all_make_domain("mem-cuda");
	const nvtxMemPermissionsHandle_t device = nvtxMemCudaGetDeviceWidePermissions(domain, 1);
	const nvtxMemVirtualRangeDesc_t range = { 1024, ADDRESS(0xE4000) };
	nvtxMemMarkInitializedBatch_t batch;

	(void) nvtxMemCudaGetProcessWidePermissions(domain);
	nvtxMemCudaSetPeerAccess(domain, device, 2, NVTX_MEM_PERMISSIONS_REGION_FLAGS_READ);
	nvtxMemCudaSetPeerAccess(domain, NVTX_MEM_PERMISSIONS_HANDLE_PROCESS_WIDE,
	                         NVTX_MEM_CUDA_PEER_ALL_DEVICES,
	                         NVTX_MEM_PERMISSIONS_REGION_FLAGS_WRITE);
	memset(&batch, 0, sizeof(batch));
	batch.extCompatID = NVTX_EXT_COMPATID_MEM;
	batch.structSize = sizeof(batch);
	batch.regionType = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
	batch.regionDescCount = 1;
	batch.regionDescElementSize = sizeof(range);
	batch.regionDescElements = &range;
	nvtxMemCudaMarkInitialized(domain, (struct CUstream_st *) (uintptr_t) 0xE5000, 1, &batch);
}

/* NOLINTEND(performance-no-int-to-ptr) */

const struct nvtx_all_group nvtx_all_other_groups[] = {
	{ "time", call_time },         { "batch", call_batch },
	{ "counters", call_counters }, { "counter-group", call_counter_group },
	{ "mem", call_mem },           { "mem-permissions", call_mem_permissions },
	{ "mem-cuda", call_mem_cuda }, { NULL, NULL },
};
