/* SPDX-License-Identifier: MIT */
/* The tables of nsys' schema that we write, and names for the numbers in them. Columns and their
 * order are those of nsys. Columns that we never fill are included, because readers ask for
 * them. */
#include "analyzer/write-sqlite/sqlite-tables.h"

/* clang-format off */
#define INT " INTEGER, "
#define HAS " INTEGER NOT NULL, "

const struct ra_sqlite_definition ra_sqlite_tables_strings = {
	"StringIds",
	"id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL",
	"id, value"
};

const struct ra_sqlite_definition ra_sqlite_tables_nvtx = {
	"NVTX_EVENTS",
	"start" HAS "end" INT "eventType" HAS "rangeId" INT "category" INT "color" INT "text TEXT, "
	"globalTid" INT "endGlobalTid" INT "textId" INT "domainId" INT "uint64Value" INT
	"int64Value" INT "doubleValue REAL, uint32Value" INT "int32Value" INT "floatValue REAL, "
	"jsonTextId" INT "jsonText TEXT, binaryData TEXT",
	"start, end, eventType, rangeId, category, color, globalTid, endGlobalTid, textId, domainId, "
	"text, uint64Value, int64Value, doubleValue, uint32Value, int32Value, floatValue"
};

const struct ra_sqlite_definition ra_sqlite_tables_runtime = {
	"CUPTI_ACTIVITY_KIND_RUNTIME",
	"start" HAS "end" HAS "eventClass" HAS "globalTid" INT "correlationId" INT "nameId" HAS
	"returnValue" HAS "callchainId INTEGER",
	"start, end, eventClass, globalTid, correlationId, nameId, returnValue"
};

#define OPERATION \
	"start" HAS "end" HAS "deviceId" HAS "contextId" HAS "greenContextId" INT "streamId" HAS \
	"correlationId" INT "globalPid" INT
#define OPERATION_FILLED \
	"start, end, deviceId, contextId, streamId, correlationId, globalPid, "

const struct ra_sqlite_definition ra_sqlite_tables_kernel = {
	"CUPTI_ACTIVITY_KIND_KERNEL",
	OPERATION "demangledName" HAS "shortName" HAS "mangledName" INT "launchType" INT
	"cacheConfig" INT "registersPerThread" HAS "gridX" HAS "gridY" HAS "gridZ" HAS "blockX" HAS
	"blockY" HAS "blockZ" HAS "staticSharedMemory" HAS "dynamicSharedMemory" HAS
	"localMemoryPerThread" HAS "localMemoryTotal" HAS "gridId" HAS "sharedMemoryExecuted" INT
	"graphNodeId" INT "sharedMemoryLimitConfig" INT "qmdBulkReleaseDone" INT "qmdPreexitDone" INT
	"qmdLastCtaDone" INT "graphId" INT "clusterX" INT "clusterY" INT "clusterZ" INT
	"clusterSchedulingPolicy" INT "maxPotentialClusterSize" INT "maxActiveClusters" INT
	"sharedMemoryRequestedPercentage INTEGER",
	OPERATION_FILLED "graphNodeId, graphId, demangledName, shortName, mangledName, "
	"localMemoryTotal, gridId, gridX, gridY, gridZ, blockX, blockY, blockZ, clusterX, clusterY, "
	"clusterZ, registersPerThread, staticSharedMemory, dynamicSharedMemory, "
	"localMemoryPerThread, sharedMemoryLimitConfig"
};

const struct ra_sqlite_definition ra_sqlite_tables_copy = {
	"CUPTI_ACTIVITY_KIND_MEMCPY",
	OPERATION "bytes" HAS "copyKind" HAS "deprecatedSrcId" INT "srcKind" INT "dstKind" INT
	"srcDeviceId" INT "srcContextId" INT "dstDeviceId" INT "dstContextId" INT "migrationCause" INT
	"graphNodeId" INT "virtualAddress" INT "copyCount INTEGER",
	OPERATION_FILLED "graphNodeId, bytes, copyKind, srcKind, dstKind, srcDeviceId, dstDeviceId"
};

const struct ra_sqlite_definition ra_sqlite_tables_set = {
	"CUPTI_ACTIVITY_KIND_MEMSET",
	OPERATION "value" HAS "bytes" HAS "graphNodeId" INT "memKind INTEGER",
	OPERATION_FILLED "graphNodeId, value, bytes, memKind"
};

const struct ra_sqlite_definition ra_sqlite_tables_graph = {
	"CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
	OPERATION "graphId" HAS "graphExecId INTEGER NOT NULL",
	OPERATION_FILLED "graphId, graphExecId"
};

const struct ra_sqlite_definition ra_sqlite_tables_sync = {
	"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
	OPERATION "deprecatedSyncType" INT "syncType" HAS "eventId" HAS "eventSyncId INTEGER",
	OPERATION_FILLED "syncType, eventId"
};

const struct ra_sqlite_definition ra_sqlite_tables_overhead = {
	"CUPTI_ACTIVITY_KIND_OVERHEAD",
	"start" HAS "end" HAS "eventClass" HAS "globalTid" INT "correlationId" INT "nameId" INT
	"overheadType INTEGER NOT NULL",
	"start, end, eventClass, globalTid, correlationId, overheadType"
};

const struct ra_sqlite_definition ra_sqlite_tables_memory = {
	"CUDA_GPU_MEMORY_USAGE_EVENTS",
	"start" HAS "globalPid" HAS "deviceId" HAS "contextId" HAS "address" HAS "pc" HAS "bytes" HAS
	"memKind" HAS "memoryOperationType" HAS "name TEXT, correlationId INTEGER",
	"start, globalPid, deviceId, contextId, address, pc, bytes, memKind, memoryOperationType, "
	"correlationId"
};

const struct ra_sqlite_definition ra_sqlite_tables_os = {
	"OSRT_API",
	"start" HAS "end" HAS "eventClass" HAS "globalTid" INT "nameId" HAS "returnValue" HAS
	"nestingLevel" INT "callchainId" HAS "argumentsId INTEGER NOT NULL",
	"start, end, eventClass, globalTid, nameId, returnValue, callchainId, argumentsId"
};

const struct ra_sqlite_definition ra_sqlite_tables_threads = {
	"ThreadNames",
	"nameId" HAS "priority" INT "globalTid INTEGER",
	"nameId, globalTid"
};

const struct ra_sqlite_definition ra_sqlite_tables_processes = {
	"PROCESSES",
	"globalPid" INT "pid" INT "name TEXT",
	"globalPid, pid, name"
};

const struct ra_sqlite_definition ra_sqlite_tables_gpu = {
	"TARGET_INFO_GPU",
	"vmId" HAS "id" HAS "name TEXT, busLocation TEXT, isDiscrete" INT "l2CacheSize" INT
	"totalMemory" INT "memoryBandwidth" INT "clockRate" INT "smCount" INT "pwGpuId" INT
	"uuid TEXT, luid" INT "chipName TEXT, cuDevice" INT "ctxswDevPath TEXT, ctrlDevPath TEXT, "
	"revision" INT "nodeMask" INT "constantMemory" INT "maxIPC" INT "maxRegistersPerBlock" INT
	"maxShmemPerBlock" INT "maxShmemPerBlockOptin" INT "maxShmemPerSm" INT "maxRegistersPerSm" INT
	"threadsPerWarp" INT "asyncEngines" INT "maxWarpsPerSm" INT "maxBlocksPerSm" INT
	"maxThreadsPerBlock" INT "maxBlockDimX" INT "maxBlockDimY" INT "maxBlockDimZ" INT
	"maxGridDimX" INT "maxGridDimY" INT "maxGridDimZ" INT "computeMajor" INT "computeMinor" INT
	"smMajor" INT "smMinor INTEGER",
	"vmId, id, cuDevice, totalMemory, memoryBandwidth, clockRate, smCount, maxRegistersPerBlock, "
	"maxShmemPerBlock, maxShmemPerBlockOptin, maxShmemPerSm, maxRegistersPerSm, threadsPerWarp, "
	"maxWarpsPerSm, maxThreadsPerBlock, computeMajor, computeMinor, name"
};

const struct ra_sqlite_definition ra_sqlite_tables_device = {
	"TARGET_INFO_CUDA_DEVICE",
	"gpuId" INT "cudaId" HAS "pid" HAS "uuid TEXT, numMultiprocessors INTEGER",
	"gpuId, cudaId, pid, numMultiprocessors"
};

const struct ra_sqlite_definition ra_sqlite_tables_start = {
	"TARGET_INFO_SESSION_START_TIME",
	"utcEpochNs" INT "utcTime TEXT, localTime TEXT, systemClockNs INTEGER",
	"utcEpochNs, systemClockNs, utcTime"
};

const struct ra_sqlite_definition ra_sqlite_tables_details = {
	"ANALYSIS_DETAILS",
	"globalVid" HAS "duration" HAS "startTime" HAS "stopTime INTEGER NOT NULL",
	"globalVid, duration, startTime, stopTime"
};

const struct ra_sqlite_definition ra_sqlite_tables_diagnostic = {
	"DIAGNOSTIC_EVENT",
	"timestamp" HAS "timestampType" HAS "source" HAS "severity" HAS "text TEXT NOT NULL, "
	"globalPid INTEGER",
	"timestamp, timestampType, source, severity, globalPid, text"
};

const struct ra_sqlite_definition ra_sqlite_tables_meta = {
	"META_DATA_EXPORT",
	"name TEXT NOT NULL, value TEXT",
	"name, value"
};

const struct ra_sqlite_definition ra_sqlite_tables_capture = {
	"LIBRANGES_CAPTURE",
	"name TEXT NOT NULL, value INTEGER",
	"name, value"
};

const struct ra_sqlite_definition ra_sqlite_tables_open = {
	"LIBRANGES_OPEN",
	"end INTEGER NOT NULL",
	"end"
};

static const struct ra_sqlite_word copies[] = {
	{ 0, "CUDA_MEMCPY_KIND_UNKNOWN", "Unknown" },
	{ 1, "CUDA_MEMCPY_KIND_HTOD", "Host-to-Device" },
	{ 2, "CUDA_MEMCPY_KIND_DTOH", "Device-to-Host" },
	{ 3, "CUDA_MEMCPY_KIND_HTOA", "Host-to-Array" },
	{ 4, "CUDA_MEMCPY_KIND_ATOH", "Array-to-Host" },
	{ 5, "CUDA_MEMCPY_KIND_ATOA", "Array-to-Array" },
	{ 6, "CUDA_MEMCPY_KIND_ATOD", "Array-to-Device" },
	{ 7, "CUDA_MEMCPY_KIND_DTOA", "Device-to-Array" },
	{ 8, "CUDA_MEMCPY_KIND_DTOD", "Device-to-Device" },
	{ 9, "CUDA_MEMCPY_KIND_HTOH", "Host-to-Host" },
	{ 10, "CUDA_MEMCPY_KIND_PTOP", "Peer-to-Peer" },
	{ 11, "CUDA_MEMCPY_KIND_UVM_HTOD", "Unified Host-to-Device" },
	{ 12, "CUDA_MEMCPY_KIND_UVM_DTOH", "Unified Device-to-Host" },
	{ 13, "CUDA_MEMCPY_KIND_UVM_DTOD", "Unified Device-to-Device" },
};

static const struct ra_sqlite_word memories[] = {
	{ 0, "CUDA_MEMOPR_MEMORY_KIND_PAGEABLE", "Pageable" },
	{ 1, "CUDA_MEMOPR_MEMORY_KIND_PINNED", "Pinned" },
	{ 2, "CUDA_MEMOPR_MEMORY_KIND_DEVICE", "Device" },
	{ 3, "CUDA_MEMOPR_MEMORY_KIND_ARRAY", "Array" },
	{ 4, "CUDA_MEMOPR_MEMORY_KIND_MANAGED", "Managed" },
	{ 5, "CUDA_MEMOPR_MEMORY_KIND_DEVICE_STATIC", "Device Static" },
	{ 6, "CUDA_MEMOPR_MEMORY_KIND_MANAGED_STATIC", "Managed Static" },
	{ 7, "CUDA_MEMOPR_MEMORY_KIND_UNKNOWN", "Unknown" },
};

static const struct ra_sqlite_word syncs[] = {
	{ 0, "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_UNKNOWN", "Unknown" },
	{ 1, "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE", "Event sync" },
	{ 2, "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT", "Stream wait sync" },
	{ 3, "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE", "Stream sync" },
	{ 4, "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE", "Context sync" },
};

static const struct ra_sqlite_word overheads[] = {
	{ 0, "OVERHEAD_UNDEFINED", "Undefined" },
	{ 1, "OVERHEAD_UNKNOWN", "Unknown" },
	{ 2, "OVERHEAD_DRIVER_COMPILER", "Driver JIT compiler (CUDA)" },
	{ 3, "OVERHEAD_CUPTI_BUFFER_FLUSH", "Buffer flush (Profiler)" },
	{ 4, "OVERHEAD_CUPTI_INSTRUMENTATION", "Instrumentation (Profiler)" },
	{ 5, "OVERHEAD_CUPTI_RESOURCE", "Resource creation/destruction (Profiler)" },
	{ 6, "OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING", "Runtime module loading (CUDA)" },
	{ 7, "OVERHEAD_LAZY_FUNCTION_LOADING", "Lazy function loading (CUDA)" },
	{ 8, "OVERHEAD_COMMAND_BUFFER_FULL", "Command buffer full (CUDA)" },
};

static const struct ra_sqlite_word allocations[] = {
	{ 0, "CUDA_DEV_MEM_EVENT_OPR_ALLOCATION", "Allocation" },
	{ 1, "CUDA_DEV_MEM_EVENT_OPR_DEALLOCATION", "Deallocation" },
};

static const struct ra_sqlite_word limits[] = {
	{ 0, "CUDA_SHARED_MEM_LIMIT_DEFAULT", "Default" },
	{ 1, "CUDA_SHARED_MEM_LIMIT_OPTIN", "Opt in" },
};

static const struct ra_sqlite_word events[] = {
	{ 33, "NvtxCategory", "NvtxCategory" },
	{ 34, "NvtxMark", "NvtxMark" },
	{ 59, "NvtxPushPopRange", "NvtxPushPopRange" },
	{ 60, "NvtxStartEndRange", "NvtxStartEndRange" },
	{ 75, "NvtxDomainCreate", "NvtxDomainCreate" },
};

static const struct ra_sqlite_word classes[] = {
	{ 0, "TRACE_PROCESS_EVENT_CUDA_RUNTIME", "CUDA runtime" },
	{ 1, "TRACE_PROCESS_EVENT_CUDA_DRIVER", "CUDA driver" },
};

static const struct ra_sqlite_word severities[] = {
	{ 0, "UnknownLevel", "Unknown" }, { 1, "Info", "Info" },       { 2, "Warning", "Warning" },
	{ 3, "Error", "Error" },          { 4, "Verbose", "Verbose" },
};

static const struct ra_sqlite_word sources[] = {
	{ 0, "UnknownSource", "Unknown source" },
	{ 1, "Injection", "Injection" },
	{ 2, "Daemon", "Daemon" },
	{ 3, "Analysis", "Analysis" },
};

static const struct ra_sqlite_word stamps[] = {
	{ 0, "UnknownTimestamp", "Unknown timestamp" },
	{ 1, "TargetTimestamp", "Target timestamp" },
	{ 2, "HostTimestamp", "Host timestamp" },
};

#define WORDS(list) list, sizeof(list) / sizeof((list)[0])

const struct ra_sqlite_words *ra_sqlite_tables_words(size_t *count)
{
	static const struct ra_sqlite_words all[] = {
		{ "ENUM_CUDA_MEMCPY_OPER", WORDS(copies) },
		{ "ENUM_CUDA_MEM_KIND", WORDS(memories) },
		{ "ENUM_CUDA_DEV_MEM_EVENT_OPER", WORDS(allocations) },
		{ "ENUM_CUDA_SHARED_MEM_LIMIT_CONFIG", WORDS(limits) },
		{ "ENUM_CUPTI_SYNC_TYPE", WORDS(syncs) },
		{ "ENUM_CUPTI_OVERHEAD_TYPE", WORDS(overheads) },
		{ "ENUM_NSYS_EVENT_TYPE", WORDS(events) },
		{ "ENUM_NSYS_EVENT_CLASS", WORDS(classes) },
		{ "ENUM_DIAGNOSTIC_SEVERITY_LEVEL", WORDS(severities) },
		{ "ENUM_DIAGNOSTIC_SOURCE_TYPE", WORDS(sources) },
		{ "ENUM_DIAGNOSTIC_TIMESTAMP_SOURCE", WORDS(stamps) },
	};

	*count = sizeof(all) / sizeof(all[0]);
	return all;
}
/* clang-format on */
