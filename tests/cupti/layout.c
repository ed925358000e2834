/* SPDX-License-Identifier: MIT */
/* Prints what libranges/abi/cupti-abi.h and NVIDIA's headers of CUDA 13 disagree about, and the
 * sizes of NVIDIA's records. Compiled where those headers are. */
#include <cupti.h>
#include <stdio.h>

#include "libranges/abi/cupti-abi.h"

static int compared;

static void same(const char *what, long long ours, long long theirs)
{
	compared++;
	if (ours != theirs) {
		printf("differs %s: ours %lld, NVIDIA's %lld\n", what, ours, theirs);
	}
}

#define FIELD(our, field, theirs, their_field)                                                    \
	same(#our "." #field " offset", (long long) offsetof(struct rcap_cupti_##our, field),     \
	     (long long) offsetof(theirs, their_field));                                          \
	same(#our "." #field " size", (long long) sizeof(((struct rcap_cupti_##our *) 0)->field), \
	     (long long) sizeof(((theirs *) 0)->their_field))
#define NUMBER(ours, theirs) same(#ours, (long long) (ours), (long long) (theirs))

/* As FIELD, for one of three numbers that have names of their own. */
#define PLACE(our, field, theirs, their_field)                                                \
	same(#our "." #field " offset", (long long) offsetof(struct rcap_cupti_##our, field), \
	     (long long) offsetof(theirs, their_field))

static void compare_kernel(void)
{
#define KERNEL(field, their_field) FIELD(kernel, field, CUpti_ActivityKernel10, their_field)
	KERNEL(kind, kind);
	KERNEL(registers, registersPerThread);
	KERNEL(start, start);
	KERNEL(end, end);
	KERNEL(completed, completed);
	KERNEL(device, deviceId);
	KERNEL(context, contextId);
	KERNEL(stream, streamId);
	PLACE(kernel, grid, CUpti_ActivityKernel10, gridX);
	PLACE(kernel, grid[1], CUpti_ActivityKernel10, gridY);
	PLACE(kernel, grid[2], CUpti_ActivityKernel10, gridZ);
	PLACE(kernel, block, CUpti_ActivityKernel10, blockX);
	PLACE(kernel, block[2], CUpti_ActivityKernel10, blockZ);
	KERNEL(static_shared, staticSharedMemory);
	KERNEL(dynamic_shared, dynamicSharedMemory);
	KERNEL(local_per_thread, localMemoryPerThread);
	KERNEL(local_total, localMemoryTotal);
	KERNEL(correlation, correlationId);
	KERNEL(grid_id, gridId);
	KERNEL(name, name);
	KERNEL(queued, queued);
	KERNEL(submitted, submitted);
	KERNEL(launch_type, launchType);
	KERNEL(carveout_requested, isSharedMemoryCarveoutRequested);
	KERNEL(carveout, sharedMemoryCarveoutRequested);
	KERNEL(shared_executed, sharedMemoryExecuted);
	KERNEL(graph_node, graphNodeId);
	KERNEL(shared_limit_config, shmemLimitConfig);
	KERNEL(graph, graphId);
	KERNEL(channel, channelID);
	KERNEL(channel_type, channelType);
	PLACE(kernel, cluster, CUpti_ActivityKernel10, clusterX);
	PLACE(kernel, cluster[2], CUpti_ActivityKernel10, clusterZ);
	KERNEL(cluster_policy, clusterSchedulingPolicy);
	KERNEL(local_total_v2, localMemoryTotal_v2);
	KERNEL(max_potential_cluster, maxPotentialClusterSize);
	KERNEL(max_active_clusters, maxActiveClusters);
	KERNEL(is_device_launched, isDeviceLaunched);
}

static void compare_memory(void)
{
#define COPY(field, their_field) FIELD(memcpy, field, CUpti_ActivityMemcpy6, their_field)
	COPY(copy_kind, copyKind);
	COPY(src_kind, srcKind);
	COPY(dst_kind, dstKind);
	COPY(flags, flags);
	COPY(bytes, bytes);
	COPY(start, start);
	COPY(end, end);
	COPY(device, deviceId);
	COPY(context, contextId);
	COPY(stream, streamId);
	COPY(correlation, correlationId);
	COPY(graph_node, graphNodeId);
	COPY(graph, graphId);
#define PEER(field, their_field) FIELD(memcpy2, field, CUpti_ActivityMemcpyPtoP4, their_field)
	PEER(copy_kind, copyKind);
	PEER(bytes, bytes);
	PEER(start, start);
	PEER(end, end);
	PEER(device, deviceId);
	PEER(context, contextId);
	PEER(stream, streamId);
	PEER(src_device, srcDeviceId);
	PEER(dst_device, dstDeviceId);
	PEER(correlation, correlationId);
	PEER(graph_node, graphNodeId);
	PEER(graph, graphId);
#define SET(field, their_field) FIELD(memset, field, CUpti_ActivityMemset4, their_field)
	SET(bytes, bytes);
	SET(start, start);
	SET(end, end);
	SET(device, deviceId);
	SET(context, contextId);
	SET(stream, streamId);
	SET(correlation, correlationId);
	SET(memory_kind, memoryKind);
	SET(graph_node, graphNodeId);
	SET(graph, graphId);
#define MEMORY(field, their_field) FIELD(memory, field, CUpti_ActivityMemory4, their_field)
	MEMORY(operation, memoryOperationType);
	MEMORY(memory_kind, memoryKind);
	MEMORY(correlation, correlationId);
	MEMORY(address, address);
	MEMORY(bytes, bytes);
	MEMORY(time, timestamp);
	MEMORY(device, deviceId);
	MEMORY(context, contextId);
	MEMORY(stream, streamId);
	MEMORY(name, name);
	MEMORY(is_async, isAsync);
	MEMORY(pool_type, memoryPoolConfig.memoryPoolType);
	MEMORY(pool, memoryPoolConfig.address);
	MEMORY(pool_threshold, memoryPoolConfig.releaseThreshold);
	MEMORY(pool_bytes, memoryPoolConfig.pool.size);
	MEMORY(pool_used, memoryPoolConfig.utilizedSize);
#define POOL(field, their_field) FIELD(memory_pool, field, CUpti_ActivityMemoryPool3, their_field)
	POOL(operation, memoryPoolOperationType);
	POOL(type, memoryPoolType);
	POOL(correlation, correlationId);
	POOL(process, processId);
	POOL(device, deviceId);
	POOL(min_bytes, minBytesToKeep);
	POOL(pool, address);
	POOL(bytes, size);
	POOL(threshold, releaseThreshold);
	POOL(time, timestamp);
	POOL(used, utilizedSize);
}

static void compare_calls(void)
{
#define API(field, their_field) FIELD(api, field, CUpti_ActivityAPI, their_field)
	API(cbid, cbid);
	API(start, start);
	API(end, end);
	API(process, processId);
	API(thread, threadId);
	API(correlation, correlationId);
	API(result, returnValue);
#define SYNC(field, their_field) FIELD(sync, field, CUpti_ActivitySynchronization2, their_field)
	SYNC(type, type);
	SYNC(start, start);
	SYNC(end, end);
	SYNC(correlation, correlationId);
	SYNC(context, contextId);
	SYNC(stream, streamId);
	SYNC(event, cudaEventId);
	SYNC(event_sync_id, cudaEventSyncId);
	SYNC(result, returnValue);
#define OVERHEAD(field, their_field) FIELD(overhead, field, CUpti_ActivityOverhead3, their_field)
	OVERHEAD(overhead_kind, overheadKind);
	OVERHEAD(object_kind, objectKind);
	OVERHEAD(object, objectId);
	OVERHEAD(start, start);
	OVERHEAD(end, end);
	OVERHEAD(correlation, correlationId);
#define EVENT(field, their_field) FIELD(event, field, CUpti_ActivityCudaEvent2, their_field)
	EVENT(correlation, correlationId);
	EVENT(context, contextId);
	EVENT(stream, streamId);
	EVENT(id, eventId);
	EVENT(device, deviceId);
	EVENT(time, deviceTimestamp);
	EVENT(sync_id, cudaEventSyncId);
#define GRAPH(field, their_field) FIELD(graph, field, CUpti_ActivityGraphTrace2, their_field)
	GRAPH(correlation, correlationId);
	GRAPH(start, start);
	GRAPH(end, end);
	GRAPH(device, deviceId);
	GRAPH(graph, graphId);
	GRAPH(context, contextId);
	GRAPH(stream, streamId);
#define JIT(field, their_field) FIELD(jit, field, CUpti_ActivityJit2, their_field)
	JIT(entry, jitEntryType);
	JIT(operation, jitOperationType);
	JIT(device, deviceId);
	JIT(start, start);
	JIT(end, end);
	JIT(correlation, correlationId);
#define CALL(field, their_field) FIELD(call_data, field, CUpti_CallbackData, their_field)
	CALL(site, callbackSite);
	CALL(name, functionName);
	CALL(arguments, functionParams);
	CALL(result, functionReturnValue);
	CALL(context_id, contextUid);
	CALL(correlation, correlationId);
	FIELD(resource_data, context, CUpti_ResourceData, context);
	FIELD(resource_data, descriptor, CUpti_ResourceData, resourceDescriptor);
	FIELD(node_data, graph, CUpti_GraphData, graph);
	FIELD(node_data, original_graph, CUpti_GraphData, originalGraph);
	FIELD(node_data, node, CUpti_GraphData, node);
	FIELD(node_data, original_node, CUpti_GraphData, originalNode);
	FIELD(node_data, type, CUpti_GraphData, nodeType);
	FIELD(node_data, exec, CUpti_GraphData, graphExec);
	FIELD(map_arguments, address, cuMemMap_params, ptr);
	FIELD(map_arguments, bytes, cuMemMap_params, size);
	FIELD(map_arguments, address, cuMemUnmap_params, ptr);
	FIELD(map_arguments, bytes, cuMemUnmap_params, size);
}

static void compare_places(void)
{
#define DEVICE(field, their_field) FIELD(device, field, CUpti_ActivityDevice5, their_field)
	DEVICE(memory_bandwidth, globalMemoryBandwidth);
	DEVICE(memory_bytes, globalMemorySize);
	DEVICE(l2_bytes, l2CacheSize);
	DEVICE(warp_threads, numThreadsPerWarp);
	DEVICE(clock_khz, coreClockRate);
	DEVICE(copy_engines, numMemcpyEngines);
	DEVICE(multiprocessors, numMultiprocessors);
	DEVICE(warps_per_sm, maxWarpsPerMultiprocessor);
	DEVICE(blocks_per_sm, maxBlocksPerMultiprocessor);
	DEVICE(shared_per_sm, maxSharedMemoryPerMultiprocessor);
	DEVICE(registers_per_sm, maxRegistersPerMultiprocessor);
	DEVICE(registers_per_block, maxRegistersPerBlock);
	DEVICE(shared_per_block, maxSharedMemoryPerBlock);
	DEVICE(threads_per_block, maxThreadsPerBlock);
	DEVICE(major, computeCapabilityMajor);
	DEVICE(minor, computeCapabilityMinor);
	DEVICE(id, id);
	DEVICE(uuid, uuid);
	DEVICE(name, name);
	DEVICE(is_mig, isMigEnabled);
#define CONTEXT(field, their_field) FIELD(context, field, CUpti_ActivityContext3, their_field)
	CONTEXT(id, contextId);
	CONTEXT(device, deviceId);
	CONTEXT(api, computeApiKind);
	CONTEXT(null_stream, nullStreamId);
	CONTEXT(parent, parentContextId);
	CONTEXT(is_green, isGreenContext);
	CONTEXT(multiprocessors, numMultiprocessors);
#define STREAM(field, their_field) FIELD(stream, field, CUpti_ActivityStream, their_field)
	STREAM(context, contextId);
	STREAM(id, streamId);
	STREAM(priority, priority);
	STREAM(flag, flag);
}

static void compare_numbers(void)
{
	NUMBER(RCAP_CUPTI_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY);
	NUMBER(RCAP_CUPTI_MEMSET, CUPTI_ACTIVITY_KIND_MEMSET);
	NUMBER(RCAP_CUPTI_KERNEL, CUPTI_ACTIVITY_KIND_KERNEL);
	NUMBER(RCAP_CUPTI_DRIVER, CUPTI_ACTIVITY_KIND_DRIVER);
	NUMBER(RCAP_CUPTI_RUNTIME, CUPTI_ACTIVITY_KIND_RUNTIME);
	NUMBER(RCAP_CUPTI_DEVICE, CUPTI_ACTIVITY_KIND_DEVICE);
	NUMBER(RCAP_CUPTI_CONTEXT, CUPTI_ACTIVITY_KIND_CONTEXT);
	NUMBER(RCAP_CUPTI_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
	NUMBER(RCAP_CUPTI_OVERHEAD, CUPTI_ACTIVITY_KIND_OVERHEAD);
	NUMBER(RCAP_CUPTI_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMCPY2);
	NUMBER(RCAP_CUPTI_CUDA_EVENT, CUPTI_ACTIVITY_KIND_CUDA_EVENT);
	NUMBER(RCAP_CUPTI_STREAM, CUPTI_ACTIVITY_KIND_STREAM);
	NUMBER(RCAP_CUPTI_SYNCHRONIZATION, CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
	NUMBER(RCAP_CUPTI_MEMORY2, CUPTI_ACTIVITY_KIND_MEMORY2);
	NUMBER(RCAP_CUPTI_MEMORY_POOL, CUPTI_ACTIVITY_KIND_MEMORY_POOL);
	NUMBER(RCAP_CUPTI_POOL_LOCAL, CUPTI_ACTIVITY_MEMORY_POOL_TYPE_LOCAL);
	NUMBER(RCAP_CUPTI_SITE_ENTER, CUPTI_API_ENTER);
	NUMBER(RCAP_CUPTI_GRAPH_TRACE, CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
	NUMBER(RCAP_CUPTI_JIT, CUPTI_ACTIVITY_KIND_JIT);
	NUMBER(RCAP_CUPTI_MAX_LIMIT_REACHED, CUPTI_ERROR_MAX_LIMIT_REACHED);
	NUMBER(RCAP_CUPTI_INSUFFICIENT_PRIVILEGES, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
	NUMBER(RCAP_CUPTI_MULTIPLE_SUBSCRIBERS, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
	NUMBER(RCAP_CUPTI_UNKNOWN, CUPTI_ERROR_UNKNOWN);
	NUMBER(RCAP_CUPTI_ATTR_ZEROED_OUT, CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER);
	NUMBER(RCAP_CUPTI_ATTR_PER_THREAD, CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER);
	NUMBER(RCAP_CUPTI_DOMAIN_DRIVER, CUPTI_CB_DOMAIN_DRIVER_API);
	NUMBER(RCAP_CUPTI_DOMAIN_RUNTIME, CUPTI_CB_DOMAIN_RUNTIME_API);
	NUMBER(RCAP_CUPTI_DOMAIN_RESOURCE, CUPTI_CB_DOMAIN_RESOURCE);
	NUMBER(RCAP_CUPTI_DOMAIN_STATE, CUPTI_CB_DOMAIN_STATE);
	NUMBER(RCAP_CUPTI_RESOURCE_INIT_FINISHED, CUPTI_CBID_RESOURCE_CU_INIT_FINISHED);
	NUMBER(RCAP_CUPTI_RESOURCE_NODE_STARTING, CUPTI_CBID_RESOURCE_GRAPHNODE_CREATE_STARTING);
	NUMBER(RCAP_CUPTI_RESOURCE_NODE_CREATED, CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED);
	NUMBER(RCAP_CUPTI_RESOURCE_NODE_CLONED, CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED);
	NUMBER(RCAP_CUPTI_NODE_CHILD, CU_GRAPH_NODE_TYPE_GRAPH);
	NUMBER(RCAP_CUPTI_STATE_FATAL_ERROR, CUPTI_CBID_STATE_FATAL_ERROR);
	NUMBER(RCAP_CUPTI_THREAD_ID_SYSTEM, CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
	NUMBER(RCAP_CUPTI_FLUSH_FORCED, CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
	NUMBER(RCAP_CUPTI_OBJECT_THREAD, CUPTI_ACTIVITY_OBJECT_THREAD);
	NUMBER(RCAP_CUPTI_OBJECT_DEVICE, CUPTI_ACTIVITY_OBJECT_DEVICE);
}

static void compare_options(void)
{
#define UNIFIED(field, their_field) \
	FIELD(unified, field, CUpti_ActivityUnifiedMemoryCounter3, their_field)
	UNIFIED(counter, counterKind);
	UNIFIED(value, value);
	UNIFIED(start, start);
	UNIFIED(end, end);
	UNIFIED(address, address);
	UNIFIED(src, srcId);
	UNIFIED(dst, dstId);
	UNIFIED(stream, streamId);
#define CONFIG(field, their_field) \
	FIELD(unified_config, field, CUpti_ActivityUnifiedMemoryCounterConfig, their_field)
	CONFIG(scope, scope);
	CONFIG(counter, kind);
	CONFIG(device, deviceId);
	CONFIG(is_on, enable);
	same("size of rcap_cupti_unified_config",
	     (long long) sizeof(struct rcap_cupti_unified_config),
	     (long long) sizeof(CUpti_ActivityUnifiedMemoryCounterConfig));
#define EXTERNAL(field, their_field) \
	FIELD(external, field, CUpti_ActivityExternalCorrelation, their_field)
	EXTERNAL(external_kind, externalKind);
	EXTERNAL(id, externalId);
	EXTERNAL(correlation, correlationId);
	NUMBER(RCAP_CUPTI_UNIFIED_MEMORY, CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
	NUMBER(RCAP_CUPTI_EXTERNAL, CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION);
	NUMBER(RCAP_CUPTI_SCOPE_ALL_DEVICES,
	       CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_ALL_DEVICES);
#define COUNTER(our, their) NUMBER(our, CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_##their)
	COUNTER(RCAP_CUPTI_COUNTER_TO_DEVICE, BYTES_TRANSFER_HTOD);
	COUNTER(RCAP_CUPTI_COUNTER_TO_HOST, BYTES_TRANSFER_DTOH);
	COUNTER(RCAP_CUPTI_COUNTER_CPU_FAULT, CPU_PAGE_FAULT_COUNT);
	COUNTER(RCAP_CUPTI_COUNTER_GPU_FAULT, GPU_PAGE_FAULT);
	COUNTER(RCAP_CUPTI_COUNTER_THRASHING, THRASHING);
	COUNTER(RCAP_CUPTI_COUNTER_REMOTE_MAP, REMOTE_MAP);
	COUNTER(RCAP_CUPTI_COUNTER_BETWEEN_DEVICES, BYTES_TRANSFER_DTOD);
}

/* As far as 13.0 has it: what makes it shared came later. */
static void compare_subscriber(void)
{
#define SUBSCRIBER(field, their_field) \
	FIELD(subscriber_params, field, CUpti_SubscriberParams, their_field)
	SUBSCRIBER(bytes, structSize);
	SUBSCRIBER(name, subscriberName);
	SUBSCRIBER(old_name, oldSubscriberName);
	SUBSCRIBER(old_bytes, oldSubscriberSize);
	same("place of rcap_cupti_subscriber_params.is_shared",
	     (long long) offsetof(struct rcap_cupti_subscriber_params, is_shared),
	     (long long) offsetof(CUpti_SubscriberParams, oldSubscriberSize) +
	             (long long) sizeof(size_t));
#if CUPTI_API_VERSION >= 130300
	SUBSCRIBER(is_shared, allowMultipleSubscribers);
	NUMBER(RCAP_CUPTI_ATTR_LATENCY, CUPTI_ACTIVITY_ATTR_ENABLE_KERNEL_LATENCY_TIMESTAMPS);
	NUMBER(RCAP_CUPTI_ATTR_EVENT_TIMES,
	       CUPTI_ACTIVITY_ATTR_ENABLE_CUDA_EVENT_DEVICE_TIMESTAMPS);
	NUMBER(RCAP_CUPTI_ATTR_THREAD_ID_TYPE, CUPTI_ACTIVITY_ATTR_THREAD_ID_TYPE);
#endif
	NUMBER(RCAP_CUPTI_NOT_SUPPORTED, CUPTI_ERROR_NOT_SUPPORTED);
	NUMBER(RCAP_CUPTI_NOT_COMPATIBLE, CUPTI_ERROR_NOT_COMPATIBLE);
}

static void print_sizes(void)
{
#define SIZE(kind, type) printf("size %d %zu\n", kind, sizeof(type))
	SIZE(RCAP_CUPTI_MEMCPY, CUpti_ActivityMemcpy6);
	SIZE(RCAP_CUPTI_MEMSET, CUpti_ActivityMemset4);
	SIZE(RCAP_CUPTI_KERNEL, CUpti_ActivityKernel10);
	SIZE(RCAP_CUPTI_DRIVER, CUpti_ActivityAPI);
	SIZE(RCAP_CUPTI_RUNTIME, CUpti_ActivityAPI);
	SIZE(RCAP_CUPTI_DEVICE, CUpti_ActivityDevice5);
	SIZE(RCAP_CUPTI_CONTEXT, CUpti_ActivityContext3);
	SIZE(RCAP_CUPTI_CONCURRENT_KERNEL, CUpti_ActivityKernel10);
	SIZE(RCAP_CUPTI_OVERHEAD, CUpti_ActivityOverhead3);
	SIZE(RCAP_CUPTI_MEMCPY2, CUpti_ActivityMemcpyPtoP4);
	SIZE(RCAP_CUPTI_CUDA_EVENT, CUpti_ActivityCudaEvent2);
	SIZE(RCAP_CUPTI_STREAM, CUpti_ActivityStream);
	SIZE(RCAP_CUPTI_SYNCHRONIZATION, CUpti_ActivitySynchronization2);
	SIZE(RCAP_CUPTI_MEMORY2, CUpti_ActivityMemory4);
	SIZE(RCAP_CUPTI_MEMORY_POOL, CUpti_ActivityMemoryPool3);
	SIZE(RCAP_CUPTI_GRAPH_TRACE, CUpti_ActivityGraphTrace2);
	SIZE(RCAP_CUPTI_JIT, CUpti_ActivityJit2);
	SIZE(RCAP_CUPTI_UNIFIED_MEMORY, CUpti_ActivityUnifiedMemoryCounter3);
	SIZE(RCAP_CUPTI_EXTERNAL, CUpti_ActivityExternalCorrelation);
}

int main(void)
{
	compare_kernel();
	compare_memory();
	compare_calls();
	compare_places();
	compare_numbers();
	compare_options();
	compare_subscriber();
	print_sizes();
	printf("compared %d\n", compared);
	return 0;
}
