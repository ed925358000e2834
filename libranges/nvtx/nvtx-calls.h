/* SPDX-License-Identifier: MIT */
/*
 * Lists NVTX's calls, each in one place. From these lists come the calls' numbers, the declarations
 * and tables of our functions and of the wrappers for a chained tool (entry/nvtx-install.c,
 * entry/nvtx-ext-install.c, chain/nvtx-chain-ext.c), and the tests' tool (tests/nvtx/show-tool.h).
 * tests/nvtx/test-nvtx-abi.sh compares the numbers with NVIDIA's headers.
 */
#ifndef RCAP_NVTX_CALLS_H
#define RCAP_NVTX_CALLS_H

#include <stddef.h>
#include <stdint.h>

#include "libranges/abi/nvtx-abi-counters.h"
#include "libranges/abi/nvtx-abi-payload.h"
#include "libranges/abi/nvtx-abi.h"

/*
 * CALL(slot, number, name, kinds, gives, function, result, arguments)
 *
 * @slot: part of a constant's name: RCAP_NVTX_<slot> for the core, RCAP_NVTX_SLOT_<slot> for an
 * extension. The constant's value is @number, the index in the module's table. @name: NVTX's name,
 * without nvtx. @kinds, @gives: arguments and result, in the letters of show-tool.h.
 * @function: our function is rcap_nvtx_<function>, and the wrapper is rcap_nvtx_chain_<function>.
 * @result, @arguments: NVTX's signature; handles, streams, heaps and permissions are opaque.
 *
 * The following is true for all calls. Anything may be NULL. A wild domain is taken as the default
 * domain, a wild registered string as no name, and members of attributes outside of their `size` as
 * not given. Other wild handles are ignored. Context: any thread, signal handlers, fork children.
 * The first call of a process starts the capture. errno is kept.
 */

/*
 * Marks and ranges. Push and pop return the depth of the range, counted from 0, or
 * RCAP_NVTX_NO_TRACKING (for a pop without a push, or if nothing is recorded). Start returns the
 * range's id, which is unique in the process, or 0. Calls that name something are made once per
 * name, so they may take a lock. NULL texts are ignored.
 */
#define RCAP_NVTX_CORE_CALLS(CALL)                                                                \
	CALL(MARK_EX, 1, "MarkEx", "e", 'v', core_mark_ex, void,                                  \
	     (const struct rcap_nvtx_attributes *attributes))                                     \
	CALL(MARK_A, 2, "MarkA", "a", 'v', core_mark_a, void, (const char *text))                 \
	CALL(MARK_W, 3, "MarkW", "w", 'v', core_mark_w, void, (const wchar_t *text))              \
	CALL(RANGE_START_EX, 4, "RangeStartEx", "e", 'h', core_range_start_ex, uint64_t,          \
	     (const struct rcap_nvtx_attributes *attributes))                                     \
	CALL(RANGE_START_A, 5, "RangeStartA", "a", 'h', core_range_start_a, uint64_t,             \
	     (const char *text))                                                                  \
	CALL(RANGE_START_W, 6, "RangeStartW", "w", 'h', core_range_start_w, uint64_t,             \
	     (const wchar_t *text))                                                               \
	CALL(RANGE_END, 7, "RangeEnd", "n", 'v', core_range_end, void, (uint64_t id))             \
	CALL(RANGE_PUSH_EX, 8, "RangePushEx", "e", '+', core_range_push_ex, int,                  \
	     (const struct rcap_nvtx_attributes *attributes))                                     \
	CALL(RANGE_PUSH_A, 9, "RangePushA", "a", '+', core_range_push_a, int, (const char *text)) \
	CALL(RANGE_PUSH_W, 10, "RangePushW", "w", '+', core_range_push_w, int,                    \
	     (const wchar_t *text))                                                               \
	CALL(RANGE_POP, 11, "RangePop", "", '-', core_range_pop, int, (void) )                    \
	CALL(NAME_CATEGORY_A, 12, "NameCategoryA", "ia", 'v', names_category_a, void,             \
	     (uint32_t category, const char *text))                                               \
	CALL(NAME_CATEGORY_W, 13, "NameCategoryW", "iw", 'v', names_category_w, void,             \
	     (uint32_t category, const wchar_t *text))                                            \
	CALL(NAME_OS_THREAD_A, 14, "NameOsThreadA", "ia", 'v', names_os_thread_a, void,           \
	     (uint32_t tid, const char *text))                                                    \
	CALL(NAME_OS_THREAD_W, 15, "NameOsThreadW", "iw", 'v', names_os_thread_w, void,           \
	     (uint32_t tid, const wchar_t *text))

/* The same calls with domains, strings and resources. */
#define RCAP_NVTX_CORE2_CALLS(CALL)                                                               \
	CALL(DOMAIN_MARK_EX, 1, "DomainMarkEx", "ne", 'v', core_domain_mark_ex, void,             \
	     (const void *domain, const struct rcap_nvtx_attributes *attributes))                 \
	CALL(DOMAIN_RANGE_START_EX, 2, "DomainRangeStartEx", "ne", 'h',                           \
	     core_domain_range_start_ex, uint64_t,                                                \
	     (const void *domain, const struct rcap_nvtx_attributes *attributes))                 \
	CALL(DOMAIN_RANGE_END, 3, "DomainRangeEnd", "nn", 'v', core_domain_range_end, void,       \
	     (const void *domain, uint64_t id))                                                   \
	CALL(DOMAIN_RANGE_PUSH_EX, 4, "DomainRangePushEx", "ne", '+', core_domain_range_push_ex,  \
	     int, (const void *domain, const struct rcap_nvtx_attributes *attributes))            \
	CALL(DOMAIN_RANGE_POP, 5, "DomainRangePop", "n", '-', core_domain_range_pop, int,         \
	     (const void *domain))                                                                \
	CALL(DOMAIN_RESOURCE_CREATE, 6, "DomainResourceCreate", "nr", 'h', resources_create,      \
	     const void *,                                                                        \
	     (const void *domain, const struct rcap_nvtx_resource_attributes *attributes))        \
	CALL(DOMAIN_RESOURCE_DESTROY, 7, "DomainResourceDestroy", "n", 'v', resources_destroy,    \
	     void, (const void *resource))                                                        \
	CALL(DOMAIN_NAME_CATEGORY_A, 8, "DomainNameCategoryA", "nia", 'v',                        \
	     names_domain_category_a, void,                                                       \
	     (const void *domain, uint32_t category, const char *text))                           \
	CALL(DOMAIN_NAME_CATEGORY_W, 9, "DomainNameCategoryW", "niw", 'v',                        \
	     names_domain_category_w, void,                                                       \
	     (const void *domain, uint32_t category, const wchar_t *text))                        \
	CALL(DOMAIN_REGISTER_STRING_A, 10, "DomainRegisterStringA", "na", 'h',                    \
	     names_register_string_a, const void *, (const void *domain, const char *text))       \
	CALL(DOMAIN_REGISTER_STRING_W, 11, "DomainRegisterStringW", "nw", 'h',                    \
	     names_register_string_w, const void *, (const void *domain, const wchar_t *text))    \
	CALL(DOMAIN_CREATE_A, 12, "DomainCreateA", "a", 'h', names_create_domain_a, const void *, \
	     (const char *text))                                                                  \
	CALL(DOMAIN_CREATE_W, 13, "DomainCreateW", "w", 'h', names_create_domain_w, const void *, \
	     (const wchar_t *text))                                                               \
	CALL(DOMAIN_DESTROY, 14, "DomainDestroy", "n", 'v', names_destroy_domain, void,           \
	     (const void *domain))                                                                \
	CALL(INITIALIZE, 15, "Initialize", "n", 'v', names_initialize, void, (const void *reserved))

/* The program's own synchronisation objects. */
#define RCAP_NVTX_SYNC_CALLS(CALL)                                                              \
	CALL(SYNC_USER_CREATE, 1, "DomainSyncUserCreate", "ny", 'h', sync_create, const void *, \
	     (const void *domain, const struct rcap_nvtx_sync_attributes *attributes))          \
	CALL(SYNC_USER_DESTROY, 2, "DomainSyncUserDestroy", "n", 'v', sync_destroy, void,       \
	     (const void *object))                                                              \
	CALL(SYNC_USER_ACQUIRE_START, 3, "DomainSyncUserAcquireStart", "n", 'v',                \
	     sync_acquire_start, void, (const void *object))                                    \
	CALL(SYNC_USER_ACQUIRE_FAILED, 4, "DomainSyncUserAcquireFailed", "n", 'v',              \
	     sync_acquire_failed, void, (const void *object))                                   \
	CALL(SYNC_USER_ACQUIRE_SUCCESS, 5, "DomainSyncUserAcquireSuccess", "n", 'v',            \
	     sync_acquire_success, void, (const void *object))                                  \
	CALL(SYNC_USER_RELEASING, 6, "DomainSyncUserReleasing", "n", 'v', sync_releasing, void, \
	     (const void *object))

/*
 * OBJECT(arg, what, number, name, kind, function, type, object_number)
 *
 * Calls that name an object. There are two for each kind of object, with a narrow and a wide text.
 * @number is that of the narrow call. Each defines the object's name in the log, and records the
 * call. Objects are only numbers here: what they point to is never read, so they need not exist any
 * more.
 *
 * @object_number: number in the class of objects (RCAP_NVTX_CLASS_...). @arg: passed to each OBJECT
 * by the user of the list.
 */
#define RCAP_NVTX_CUDA_OBJECTS(OBJECT, arg)                                       \
	OBJECT(arg, CU_DEVICE, 1, "CuDevice", "i", cu_device, int, 1)             \
	OBJECT(arg, CU_CONTEXT, 3, "CuContext", "n", cu_context, const void *, 2) \
	OBJECT(arg, CU_STREAM, 5, "CuStream", "n", cu_stream, const void *, 3)    \
	OBJECT(arg, CU_EVENT, 7, "CuEvent", "n", cu_event, const void *, 4)
#define RCAP_NVTX_OPENCL_OBJECTS(OBJECT, arg)                                                      \
	OBJECT(arg, CL_DEVICE, 1, "ClDevice", "n", cl_device, const void *, 1)                     \
	OBJECT(arg, CL_CONTEXT, 3, "ClContext", "n", cl_context, const void *, 2)                  \
	OBJECT(arg, CL_COMMAND_QUEUE, 5, "ClCommandQueue", "n", cl_command_queue, const void *, 3) \
	OBJECT(arg, CL_MEM_OBJECT, 7, "ClMemObject", "n", cl_mem_object, const void *, 4)          \
	OBJECT(arg, CL_SAMPLER, 9, "ClSampler", "n", cl_sampler, const void *, 5)                  \
	OBJECT(arg, CL_PROGRAM, 11, "ClProgram", "n", cl_program, const void *, 6)                 \
	OBJECT(arg, CL_EVENT, 13, "ClEvent", "n", cl_event, const void *, 7)
#define RCAP_NVTX_CUDART_OBJECTS(OBJECT, arg)                                        \
	OBJECT(arg, CUDA_DEVICE, 1, "CudaDevice", "i", cuda_device, int, 0)          \
	OBJECT(arg, CUDA_STREAM, 3, "CudaStream", "n", cuda_stream, const void *, 1) \
	OBJECT(arg, CUDA_EVENT, 5, "CudaEvent", "n", cuda_event, const void *, 2)

#define RCAP_NVTX_OBJECT_CALLS(CALL, what, number, name, kind, function, type, object_number) \
	CALL(NAME_##what##_A, number, "Name" name "A", kind "a", 'v', objects_##function##_a, \
	     void, (type object, const char *text))                                           \
	CALL(NAME_##what##_W, (number) + 1, "Name" name "W", kind "w", 'v',                   \
	     objects_##function##_w, void, (type object, const wchar_t *text))
#define RCAP_NVTX_CUDA_CALLS(CALL)   RCAP_NVTX_CUDA_OBJECTS(RCAP_NVTX_OBJECT_CALLS, CALL)
#define RCAP_NVTX_OPENCL_CALLS(CALL) RCAP_NVTX_OPENCL_OBJECTS(RCAP_NVTX_OBJECT_CALLS, CALL)
#define RCAP_NVTX_CUDART_CALLS(CALL) RCAP_NVTX_CUDART_OBJECTS(RCAP_NVTX_OBJECT_CALLS, CALL)

/*
 * Payloads, schemas, and the program's own clocks. payload.h says which payloads are trusted. Push,
 * pop and start return what the calls of the core return. Attributes of schemas may be garbage.
 * Their addresses are read only through the kernel, and only if the other members make sense. A
 * schema that makes no sense gets an id without a meaning. If nothing is recorded, the id is 0.
 * Clock functions of the program are never called.
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

/* Counters: definitions and samples. */
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
 * Heaps, regions, permissions. Each call is an event. Only descriptions are read, through the
 * kernel, and never the memory itself. The handle of a heap of virtual memory is its address, as
 * NVTX requires. All other handles are numbers of ours. If nothing is recorded, the program gets
 * what it gets without a tool.
 *
 * NVIDIA's sources of 2024 have the same compat id. If a module of theirs has 17 slots (and segment
 * id 0), it numbers the calls from 1. If it has 63 slots, its numbers are as here.
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
#define RCAP_NVTX_NUMBER(slot, number, name, kinds, gives, function, result, arguments) \
	RCAP_NVTX_##slot = (number),
#define RCAP_NVTX_NUMBER_SLOT(slot, number, name, kinds, gives, function, result, arguments) \
	RCAP_NVTX_SLOT_##slot = (number),
/* clang-format on */
enum rcap_nvtx_core_id {
	RCAP_NVTX_CORE_CALLS(RCAP_NVTX_NUMBER)
};
enum rcap_nvtx_cuda_id {
	RCAP_NVTX_CUDA_CALLS(RCAP_NVTX_NUMBER)
};
enum rcap_nvtx_opencl_id {
	RCAP_NVTX_OPENCL_CALLS(RCAP_NVTX_NUMBER)
};
enum rcap_nvtx_cudart_id {
	RCAP_NVTX_CUDART_CALLS(RCAP_NVTX_NUMBER)
};
enum rcap_nvtx_core2_id {
	RCAP_NVTX_CORE2_CALLS(RCAP_NVTX_NUMBER)
};
enum rcap_nvtx_sync_id {
	RCAP_NVTX_SYNC_CALLS(RCAP_NVTX_NUMBER)
};
enum rcap_nvtx_payload_slot {
	RCAP_NVTX_PAYLOAD_CALLS(RCAP_NVTX_NUMBER_SLOT)
};
enum rcap_nvtx_counters_slot {
	RCAP_NVTX_COUNTERS_CALLS(RCAP_NVTX_NUMBER_SLOT)
};
enum rcap_nvtx_mem_slot {
	RCAP_NVTX_MEM_CALLS(RCAP_NVTX_NUMBER_SLOT)
};

/* Declares our functions, and the type of each function of an extension (rcap_nvtx_<slot>_fn). */
#define RCAP_NVTX_DECLARE(slot, number, name, kinds, gives, function, result, arguments) \
	result rcap_nvtx_##function arguments;
#define RCAP_NVTX_DECLARE_OURS(slot, number, name, kinds, gives, function, result, arguments) \
	typedef result rcap_nvtx_##slot##_fn arguments;                                       \
	rcap_nvtx_##slot##_fn rcap_nvtx_##function;

RCAP_NVTX_CORE_CALLS(RCAP_NVTX_DECLARE)
RCAP_NVTX_CUDA_CALLS(RCAP_NVTX_DECLARE)
RCAP_NVTX_OPENCL_CALLS(RCAP_NVTX_DECLARE)
RCAP_NVTX_CUDART_CALLS(RCAP_NVTX_DECLARE)
RCAP_NVTX_CORE2_CALLS(RCAP_NVTX_DECLARE)
RCAP_NVTX_SYNC_CALLS(RCAP_NVTX_DECLARE)
RCAP_NVTX_PAYLOAD_CALLS(RCAP_NVTX_DECLARE_OURS)
RCAP_NVTX_COUNTERS_CALLS(RCAP_NVTX_DECLARE_OURS)
RCAP_NVTX_MEM_CALLS(RCAP_NVTX_DECLARE_OURS)

#endif
