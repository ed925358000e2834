/* SPDX-License-Identifier: MIT */
/*
 * The calls of NVTX's extensions, each in one place. The numbers of slots, the declarations and
 * tables of our functions (entry/nvtx-ext-install.c) and of the wrappers for a chained tool
 * (chain/nvtx-chain-ext.c), and what the tests' tool knows (tests/nvtx/show-tool.h) are made of
 * these lists. tests/nvtx/test-nvtx-abi.sh compares numbers with NVIDIA's headers.
 */
#ifndef RCAP_NVTX_CALLS_H
#define RCAP_NVTX_CALLS_H

#include <stddef.h>
#include <stdint.h>

#include "libranges/abi/nvtx-abi-counters.h"
#include "libranges/abi/nvtx-abi-payload.h"

/*
 * CALL(slot, number, name, kinds, gives, function, result, arguments)
 *
 * @slot: RCAP_NVTX_SLOT_..., whose number it is within the extension. @name: NVTX's, without nvtx.
 * @kinds, @gives: arguments and result as show-tool.h has them.
 * @function: ours is rcap_nvtx_<function>, the wrapper rcap_nvtx_chain_<function>.
 * @result, @arguments: NVTX's signature; streams, heaps and permissions are opaque.
 */

/*
 * Payloads, schemas, clocks of the program's own. What is believed of payloads stands in payload.h.
 * Push, pop and start return what their twins in nvtx-core.h do. Attributes of schemas may be
 * garbage: nothing in them is followed but through the kernel, and only where the rest makes sense;
 * what makes none gets an id without a meaning, and 0 is given where nothing is recorded. Clocks of
 * the program are never called.
 */
#define RCAP_NVTX_PAYLOAD_CALLS(CALL)                                                              \
	CALL(SCHEMA_REGISTER, 0, "PayloadSchemaRegister", "ns", 'h', schemas_register_schema,      \
	     uint64_t, (const void *domain, const struct rcap_nvtx_schema_attributes *attributes)) \
	CALL(ENUM_REGISTER, 1, "PayloadEnumRegister", "nm", 'h', schemas_register_enum, uint64_t,  \
	     (const void *domain, const struct rcap_nvtx_enum_attributes *attributes))             \
	CALL(MARK, 2, "MarkPayload", "np", 'v', payload_mark, void,                                \
	     (const void *domain, const struct rcap_nvtx_payload_data *data, size_t count))        \
	CALL(RANGE_PUSH, 3, "RangePushPayload", "np", '+', payload_push, int,                      \
	     (const void *domain, const struct rcap_nvtx_payload_data *data, size_t count))        \
	CALL(RANGE_POP, 4, "RangePopPayload", "np", '-', payload_pop, int,                         \
	     (const void *domain, const struct rcap_nvtx_payload_data *data, size_t count))        \
	CALL(RANGE_START, 5, "RangeStartPayload", "np", 'h', payload_start, uint64_t,              \
	     (const void *domain, const struct rcap_nvtx_payload_data *data, size_t count))        \
	CALL(RANGE_END, 6, "RangeEndPayload", "nnp", 'v', payload_end, void,                       \
	     (const void *domain, uint64_t id, const struct rcap_nvtx_payload_data *data,          \
	      size_t count))                                                                       \
	CALL(DOMAIN_IS_ENABLED, 7, "DomainIsEnabled", "n", '1', payload_is_enabled, uint8_t,       \
	     (const void *domain))                                                                 \
	CALL(TIMESTAMP_GET, 8, "TimestampGet", "", 'h', time_get, int64_t, (void) )                \
	CALL(TIME_DOMAIN_REGISTER, 9, "TimeDomainRegister", "nn", 'h', time_register_domain,       \
	     uint64_t,                                                                             \
	     (const void *domain, const struct rcap_nvtx_time_domain_attributes *attributes))      \
	CALL(TIMER_SOURCE, 10, "TimerSource", "nnnn", 'v', time_set_source, void,                  \
	     (const void *domain, uint64_t time_domain, uint64_t flags, int64_t (*source)(void)))  \
	CALL(TIMER_SOURCE_WITH_DATA, 11, "TimerSourceWithData", "nnnnn", 'v',                      \
	     time_set_source_with_data, void,                                                      \
	     (const void *domain, uint64_t time_domain, uint64_t flags,                            \
	      int64_t (*source)(void *data), void *data))                                          \
	CALL(SCOPE_REGISTER, 12, "ScopeRegister", "nn", 'h', schemas_register_scope, uint64_t,     \
	     (const void *domain, const struct rcap_nvtx_scope_attributes *attributes))            \
	CALL(TIME_SYNC_POINT, 13, "TimeSyncPoint", "nnnnn", 'v', time_sync_point, void,            \
	     (const void *domain, uint64_t time_domain_1, uint64_t time_domain_2, int64_t time_1,  \
	      int64_t time_2))                                                                     \
	CALL(TIME_SYNC_POINT_TABLE, 14, "TimeSyncPointTable", "nnnnn", 'v', time_sync_table, void, \
	     (const void *domain, uint64_t from, uint64_t to,                                      \
	      const struct rcap_nvtx_sync_point *points, size_t count))                            \
	CALL(TIMESTAMP_CONVERSION_FACTOR, 15, "TimestampConversionFactor", "nnnfnn", 'v',          \
	     time_convert, void,                                                                   \
	     (const void *domain, uint64_t from, uint64_t to, double slope, int64_t from_time,     \
	      int64_t to_time))                                                                    \
	CALL(EVENT_SUBMIT, 16, "EventSubmit", "np", 'v', payload_submit, void,                     \
	     (const void *domain, const struct rcap_nvtx_payload_data *data, size_t count))        \
	CALL(EVENT_BATCH_SUBMIT, 17, "EventBatchSubmit", "nn", 'v', payload_submit_batch, void,    \
	     (const void *domain, const struct rcap_nvtx_event_batch *batch))

/* Counters: a definition, and samples. */
#define RCAP_NVTX_COUNTERS_CALLS(CALL)                                                             \
	CALL(COUNTER_REGISTER, 0, "CounterRegister", "nc", 'h', counters_register, uint64_t,       \
	     (const void *domain, const struct rcap_nvtx_counter_attributes *attributes))          \
	CALL(COUNTER_SAMPLE_INT64, 1, "CounterSampleInt64", "nnn", 'v', counters_sample_i64, void, \
	     (const void *domain, uint64_t counter, int64_t value))                                \
	CALL(COUNTER_SAMPLE_FLOAT64, 2, "CounterSampleFloat64", "nnf", 'v', counters_sample_f64,   \
	     void, (const void *domain, uint64_t counter, double value))                           \
	CALL(COUNTER_SAMPLE, 3, "CounterSample", "nnnn", 'v', counters_sample, void,               \
	     (const void *domain, uint64_t counter, const void *values, size_t bytes))             \
	CALL(COUNTER_SAMPLE_NO_VALUE, 4, "CounterSampleNoValue", "nnb", 'v', counters_sample_none, \
	     void, (const void *domain, uint64_t counter, uint8_t reason))                         \
	CALL(COUNTER_BATCH_SUBMIT, 5, "CounterBatchSubmit", "nn", 'v', counters_submit_batch,      \
	     void, (const void *domain, const struct rcap_nvtx_counter_batch *batch))

/*
 * Heaps, regions, permissions. Each call is an event; memory that is spoken of is never touched,
 * only descriptions are read, through the kernel. A heap of virtual memory has its address as its
 * handle, as NVTX wants it; everything else is a number of ours. Where nothing is recorded, the
 * program gets what it gets without a tool.
 *
 * NVIDIA's sources of 2024, with the same compat id, count from 1 and have 17 slots (and segment id
 * 0); with 63 slots they are as here.
 */
#define RCAP_NVTX_MEM_CALLS(CALL)                                                                  \
	CALL(MEM_HEAP_REGISTER, 0, "MemHeapRegister", "nn", 'h', mem_register_heap, const void *,  \
	     (const void *domain, const struct rcap_nvtx_mem_heap_desc *desc))                     \
	CALL(MEM_HEAP_UNREGISTER, 1, "MemHeapUnregister", "nn", 'v', mem_unregister_heap, void,    \
	     (const void *domain, const void *heap))                                               \
	CALL(MEM_HEAP_RESET, 2, "MemHeapReset", "nn", 'v', mem_reset_heap, void,                   \
	     (const void *domain, const void *heap))                                               \
	CALL(MEM_REGIONS_REGISTER, 3, "MemRegionsRegister", "nn", 'v', mem_register_regions, void, \
	     (const void *domain, const struct rcap_nvtx_mem_register_batch *batch))               \
	CALL(MEM_REGIONS_RESIZE, 4, "MemRegionsResize", "nn", 'v', mem_resize_regions, void,       \
	     (const void *domain, const struct rcap_nvtx_mem_region_batch *batch))                 \
	CALL(MEM_REGIONS_UNREGISTER, 5, "MemRegionsUnregister", "nn", 'v', mem_unregister_regions, \
	     void, (const void *domain, const struct rcap_nvtx_mem_unregister_batch *batch))       \
	CALL(MEM_REGIONS_NAME, 6, "MemRegionsName", "nn", 'v', mem_name_regions, void,             \
	     (const void *domain, const struct rcap_nvtx_mem_name_batch *batch))                   \
	CALL(MEM_PERMISSIONS_ASSIGN, 7, "MemPermissionsAssign", "nn", 'v', mem_assign, void,       \
	     (const void *domain, const struct rcap_nvtx_mem_assign_batch *batch))                 \
	CALL(MEM_PERMISSIONS_CREATE, 8, "MemPermissionsCreate", "ni", 'h', mem_create_permissions, \
	     const void *, (const void *domain, int32_t flags))                                    \
	CALL(MEM_PERMISSIONS_DESTROY, 9, "MemPermissionsDestroy", "nn", 'v',                       \
	     mem_destroy_permissions, void, (const void *domain, const void *permissions))         \
	CALL(MEM_PERMISSIONS_RESET, 10, "MemPermissionsReset", "nn", 'v', mem_reset_permissions,   \
	     void, (const void *domain, const void *permissions))                                  \
	CALL(MEM_PERMISSIONS_BIND, 11, "MemPermissionsBind", "nnii", 'v', mem_bind, void,          \
	     (const void *domain, const void *permissions, uint32_t scope, uint32_t flags))        \
	CALL(MEM_PERMISSIONS_UNBIND, 12, "MemPermissionsUnbind", "ni", 'v', mem_unbind, void,      \
	     (const void *domain, uint32_t scope))                                                 \
	CALL(MEM_CUDA_GET_PROCESS_WIDE_PERMISSIONS, 13, "MemCudaGetProcessWidePermissions", "n",   \
	     'h', mem_cuda_process, const void *, (const void *domain))                            \
	CALL(MEM_CUDA_GET_DEVICE_WIDE_PERMISSIONS, 14, "MemCudaGetDeviceWidePermissions", "ni",    \
	     'h', mem_cuda_device, const void *, (const void *domain, int device))                 \
	CALL(MEM_CUDA_SET_PEER_ACCESS, 15, "MemCudaSetPeerAccess", "nnii", 'v', mem_cuda_set_peer, \
	     void, (const void *domain, const void *permissions, int peer, uint32_t flags))        \
	CALL(MEM_CUDA_MARK_INITIALIZED, 16, "MemCudaMarkInitialized", "nnbn", 'v',                 \
	     mem_cuda_mark_initialized, void,                                                      \
	     (const void *domain, const void *stream, uint8_t is_per_thread,                       \
	      const struct rcap_nvtx_mem_region_batch *batch))

/* clang-format off */
#define RCAP_NVTX_NUMBER_SLOT(slot, number, name, kinds, gives, function, result, arguments) \
	RCAP_NVTX_SLOT_##slot = (number),
/* clang-format on */
enum rcap_nvtx_payload_slot {
	RCAP_NVTX_PAYLOAD_CALLS(RCAP_NVTX_NUMBER_SLOT)
};
enum rcap_nvtx_counters_slot {
	RCAP_NVTX_COUNTERS_CALLS(RCAP_NVTX_NUMBER_SLOT)
};
enum rcap_nvtx_mem_slot {
	RCAP_NVTX_MEM_CALLS(RCAP_NVTX_NUMBER_SLOT)
};

/* Our functions, and the type of each (rcap_nvtx_<slot>_fn). Context: any thread, signal handlers,
 * fork children; errno is kept. */
#define RCAP_NVTX_DECLARE_OURS(slot, number, name, kinds, gives, function, result, arguments) \
	typedef result rcap_nvtx_##slot##_fn arguments;                                       \
	rcap_nvtx_##slot##_fn rcap_nvtx_##function;

RCAP_NVTX_PAYLOAD_CALLS(RCAP_NVTX_DECLARE_OURS)
RCAP_NVTX_COUNTERS_CALLS(RCAP_NVTX_DECLARE_OURS)
RCAP_NVTX_MEM_CALLS(RCAP_NVTX_DECLARE_OURS)

#endif
