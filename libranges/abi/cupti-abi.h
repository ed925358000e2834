/* SPDX-License-Identifier: MIT */
/*
 * CUPTI's binary interface, as far as we use it: kinds, codes, records, functions. We declare it
 * ourselves, so that building needs no CUDA; tests/cupti/test-cupti-abi.sh compares it with
 * NVIDIA's headers.
 */
#ifndef RCAP_CUPTI_ABI_H
#define RCAP_CUPTI_ABI_H

#include <stddef.h>
#include <stdint.h>

/* Results of cuptiGetVersion(). From 13.0 on the result is major * 10000 + minor * 100 + patch. */
#define RCAP_CUPTI_VERSION_11_0 13u
#define RCAP_CUPTI_VERSION_11_6 17u
#define RCAP_CUPTI_VERSION_12_0 19u
#define RCAP_CUPTI_VERSION_12_9 27u
#define RCAP_CUPTI_VERSION_13_0 130000u
#define RCAP_CUPTI_VERSION_13_1 130100u
#define RCAP_CUPTI_VERSION_13_3 130300u

enum rcap_cupti_result {
	RCAP_CUPTI_SUCCESS = 0,
	RCAP_CUPTI_MAX_LIMIT_REACHED = 12,
	RCAP_CUPTI_NOT_COMPATIBLE = 14,
	RCAP_CUPTI_NOT_INITIALIZED = 15,
	RCAP_CUPTI_NOT_SUPPORTED = 27,
	RCAP_CUPTI_NO_VIRTUAL = 33,
	RCAP_CUPTI_INSUFFICIENT_PRIVILEGES = 35,
	RCAP_CUPTI_MULTIPLE_SUBSCRIBERS = 39,
	RCAP_CUPTI_VIRTUAL_FORBIDDEN = 40,
	RCAP_CUPTI_NO_CONFIDENTIAL = 41,
	RCAP_CUPTI_NO_CMP = 42,
	RCAP_CUPTI_NO_MIG = 43,
	RCAP_CUPTI_NO_SLI = 44,
	RCAP_CUPTI_NO_WSL = 45,
	RCAP_CUPTI_UNKNOWN = 999,
};

enum rcap_cupti_kind {
	RCAP_CUPTI_MEMCPY = 1,
	RCAP_CUPTI_MEMSET = 2,
	RCAP_CUPTI_KERNEL = 3,
	RCAP_CUPTI_DRIVER = 4,
	RCAP_CUPTI_RUNTIME = 5,
	RCAP_CUPTI_DEVICE = 8,
	RCAP_CUPTI_CONTEXT = 9,
	RCAP_CUPTI_CONCURRENT_KERNEL = 10,
	RCAP_CUPTI_OVERHEAD = 17,
	RCAP_CUPTI_MEMCPY2 = 22,
	RCAP_CUPTI_UNIFIED_MEMORY = 25,
	RCAP_CUPTI_CUDA_EVENT = 36,
	RCAP_CUPTI_STREAM = 37,
	RCAP_CUPTI_SYNCHRONIZATION = 38,
	RCAP_CUPTI_EXTERNAL = 39,
	RCAP_CUPTI_MEMORY2 = 49,
	RCAP_CUPTI_MEMORY_POOL = 50,
	RCAP_CUPTI_GRAPH_TRACE = 51,
	RCAP_CUPTI_JIT = 52,
	RCAP_CUPTI_KINDS = 64, /* records of higher kinds are ignored */
};

enum rcap_cupti_attribute {
	RCAP_CUPTI_ATTR_ZEROED_OUT = 5,
	RCAP_CUPTI_ATTR_PER_THREAD = 9,
	/* From CUPTI 13.3 on, cuptiActivitySetAttribute_v2() sets these. */
	RCAP_CUPTI_ATTR_LATENCY = 15,
	RCAP_CUPTI_ATTR_EVENT_TIMES = 17,
	RCAP_CUPTI_ATTR_THREAD_ID_TYPE = 21,
};

enum rcap_cupti_domain {
	RCAP_CUPTI_DOMAIN_DRIVER = 1,
	RCAP_CUPTI_DOMAIN_RUNTIME = 2,
	RCAP_CUPTI_DOMAIN_RESOURCE = 3,
	RCAP_CUPTI_DOMAIN_STATE = 6,
};

enum {
	RCAP_CUPTI_RESOURCE_INIT_FINISHED = 5,
	RCAP_CUPTI_RESOURCE_NODE_STARTING = 12,
	RCAP_CUPTI_RESOURCE_NODE_CREATED = 13,
	RCAP_CUPTI_RESOURCE_NODE_CLONED = 20,
	RCAP_CUPTI_RESOURCE_NODE_UPDATED = 22,
	RCAP_CUPTI_NODE_CHILD = 4, /* CHILD and CONDITIONAL: types of nodes that contain graphs */
	RCAP_CUPTI_NODE_CONDITIONAL = 13,
	RCAP_CUPTI_STATE_FATAL_ERROR = 1,
	RCAP_CUPTI_SITE_ENTER = 0, /* the callback comes at the begin of a call */
	RCAP_CUPTI_THREAD_ID_SYSTEM = 1,
	RCAP_CUPTI_FLUSH_FORCED = 1,
};

/* The value of a missing stream, context or channel. */
#define RCAP_CUPTI_NO_ID UINT32_MAX
/* The value of device and context if a graph begins or ends on the host. */
#define RCAP_CUPTI_ON_HOST ((uint32_t) INT32_MAX)

/*
 * Records. Since CUDA 9, fields are only added at the end. So a record of any version is either the
 * beginning of our struct or a longer form of it. We copy as many bytes as the loaded library fills
 * (struct rcap_cupti, stride) into a zeroed struct. Fields that the library does not have are 0.
 */
struct rcap_cupti_kernel {
	uint32_t kind;
	uint8_t cache_config;
	uint8_t shared_config;
	uint16_t registers;
	uint32_t partitioned_requested;
	uint32_t partitioned_executed;
	uint64_t start;
	uint64_t end;
	uint64_t completed;
	uint32_t device;
	uint32_t context;
	uint32_t stream;
	uint32_t grid[3];
	uint32_t block[3];
	uint32_t static_shared;
	uint32_t dynamic_shared;
	uint32_t local_per_thread;
	uint32_t local_total;
	uint32_t correlation;
	uint64_t grid_id;
	const char *name; /* our completion callback replaces it by the string's id */
	void *reserved;
	uint64_t queued;
	uint64_t submitted;
	uint8_t launch_type;
	uint8_t carveout_requested;
	uint8_t carveout;
	uint8_t pad;
	uint32_t shared_executed;
	uint64_t graph_node;
	uint32_t shared_limit_config;
	uint32_t graph;
	void *access_policy_window;
	uint32_t channel;
	uint32_t channel_type;
	uint32_t cluster[3];
	uint32_t cluster_policy;
	uint64_t local_total_v2;
	uint32_t max_potential_cluster;
	uint32_t max_active_clusters;
	uint8_t is_device_launched;
	uint8_t pad2[3];
	int32_t priority; /* undefined before CUPTI 13.1 */
};

struct rcap_cupti_memcpy {
	uint32_t kind;
	uint8_t copy_kind;
	uint8_t src_kind;
	uint8_t dst_kind;
	uint8_t flags;
	uint64_t bytes;
	uint64_t start;
	uint64_t end;
	uint32_t device;
	uint32_t context;
	uint32_t stream;
	uint32_t correlation;
	uint32_t runtime_correlation;
	uint32_t pad;
	void *reserved;
	uint64_t graph_node;
	uint32_t graph;
};

/* A copy of memory between two devices. */
struct rcap_cupti_memcpy2 {
	uint32_t kind;
	uint8_t copy_kind;
	uint8_t src_kind;
	uint8_t dst_kind;
	uint8_t flags;
	uint64_t bytes;
	uint64_t start;
	uint64_t end;
	uint32_t device;
	uint32_t context;
	uint32_t stream;
	uint32_t src_device;
	uint32_t src_context;
	uint32_t dst_device;
	uint32_t dst_context;
	uint32_t correlation;
	void *reserved;
	uint64_t graph_node;
	uint32_t graph;
};

struct rcap_cupti_memset {
	uint32_t kind;
	uint32_t value;
	uint64_t bytes;
	uint64_t start;
	uint64_t end;
	uint32_t device;
	uint32_t context;
	uint32_t stream;
	uint32_t correlation;
	uint16_t flags;
	uint16_t memory_kind;
	uint32_t pad;
	void *reserved;
	uint64_t graph_node;
	uint32_t graph;
};

struct rcap_cupti_api {
	uint32_t kind;
	uint32_t cbid;
	uint64_t start;
	uint64_t end;
	uint32_t process;
	uint32_t thread;
	uint32_t correlation;
	uint32_t result;
};

struct rcap_cupti_sync {
	uint32_t kind;
	uint32_t type;
	uint64_t start;
	uint64_t end;
	uint32_t correlation;
	uint32_t context;
	uint32_t stream;
	uint32_t event;
	uint64_t event_sync_id;
	uint32_t result;
};

struct rcap_cupti_overhead {
	uint32_t kind;
	uint32_t overhead_kind;
	uint32_t object_kind;
	uint32_t object[3]; /* a thread: process, thread; else: device, context, stream */
	uint64_t start;
	uint64_t end;
	uint32_t correlation;
};

enum {
	RCAP_CUPTI_OBJECT_THREAD = 2,
	RCAP_CUPTI_OBJECT_DEVICE = 3, /* higher values are a context, a stream */
};

struct rcap_cupti_memory {
	uint32_t kind;
	uint32_t operation;
	uint32_t memory_kind;
	uint32_t correlation;
	uint64_t address;
	uint64_t bytes;
	uint64_t time;
	uint64_t pc;
	uint32_t process;
	uint32_t device;
	uint32_t context;
	uint32_t stream;
	const char *name;
	uint32_t is_async;
	uint32_t pad;
	uint32_t pool_type;
	uint32_t pad2;
	uint64_t pool; /* address of the pool */
	uint64_t pool_threshold;
	uint64_t pool_bytes; /* of a local pool: its bytes; of another pool: the process that owns
	                      * it */
	uint64_t pool_used;
};

enum {
	RCAP_CUPTI_POOL_LOCAL = 1,
};

struct rcap_cupti_memory_pool {
	uint32_t kind;
	uint32_t operation;
	uint32_t type;
	uint32_t correlation;
	uint32_t process;
	uint32_t device;
	uint64_t min_bytes; /* the pool keeps this many bytes when it is trimmed */
	uint64_t pool;
	uint64_t bytes;
	uint64_t threshold;
	uint64_t time;
	uint64_t used;
};

struct rcap_cupti_device {
	uint32_t kind;
	uint32_t flags;
	uint64_t memory_bandwidth;
	uint64_t memory_bytes;
	uint32_t constant_bytes;
	uint32_t l2_bytes;
	uint32_t warp_threads;
	uint32_t clock_khz;
	uint32_t copy_engines;
	uint32_t multiprocessors;
	uint32_t max_ipc;
	uint32_t warps_per_sm;
	uint32_t blocks_per_sm;
	uint32_t shared_per_sm;
	uint32_t registers_per_sm;
	uint32_t registers_per_block;
	uint32_t shared_per_block;
	uint32_t threads_per_block;
	uint32_t max_block[3];
	uint32_t max_grid[3];
	uint32_t major;
	uint32_t minor;
	uint32_t id;
	uint32_t ecc;
	uint8_t uuid[16];
	const char *name; /* like the name of a kernel */
	uint8_t is_visible;
	uint8_t is_mig;
};

struct rcap_cupti_context {
	uint32_t kind;
	uint32_t id;
	uint32_t device;
	uint16_t api;
	uint16_t null_stream;
	uint32_t parent;
	uint8_t is_green;
	uint8_t pad;
	uint16_t multiprocessors;
};

struct rcap_cupti_stream {
	uint32_t kind;
	uint32_t context;
	uint32_t id;
	uint32_t priority;
	uint32_t flag;
	uint32_t correlation;
};

struct rcap_cupti_event {
	uint32_t kind;
	uint32_t correlation;
	uint32_t context;
	uint32_t stream;
	uint32_t id;
	uint32_t pad;
	uint32_t device;
	uint32_t pad2;
	void *reserved;
	uint64_t time; /* 0 if unknown; always 0 before 12.8 */
	uint64_t sync_id;
};

struct rcap_cupti_graph {
	uint32_t kind;
	uint32_t correlation;
	uint64_t start;
	uint64_t end;
	uint32_t device;
	uint32_t graph;
	uint32_t context;
	uint32_t stream;
	void *reserved;
	uint32_t end_device; /* this and end_context: only from 12.3 on */
	uint32_t end_context;
};

struct rcap_cupti_jit {
	uint32_t kind;
	uint32_t entry;
	uint32_t operation;
	uint32_t device;
	uint64_t start;
	uint64_t end;
	uint32_t correlation;
};

struct rcap_cupti_unified {
	uint32_t kind;
	uint32_t counter;
	uint64_t value;
	uint64_t start;
	uint64_t end;
	uint64_t address;
	uint32_t src;
	uint32_t dst;
	uint32_t stream;
};

enum rcap_cupti_counter {
	RCAP_CUPTI_COUNTER_TO_DEVICE = 1,
	RCAP_CUPTI_COUNTER_TO_HOST = 2,
	RCAP_CUPTI_COUNTER_CPU_FAULT = 3,
	RCAP_CUPTI_COUNTER_GPU_FAULT = 4,
	RCAP_CUPTI_COUNTER_THRASHING = 5,
	RCAP_CUPTI_COUNTER_REMOTE_MAP = 7,
	RCAP_CUPTI_COUNTER_BETWEEN_DEVICES = 8,
};

/* Which counters of managed memory to switch on. */
struct rcap_cupti_unified_config {
	uint32_t scope;
	uint32_t counter;
	uint32_t device;
	uint32_t is_on;
};

#define RCAP_CUPTI_SCOPE_ALL_DEVICES 2

struct rcap_cupti_external {
	uint32_t kind;
	uint32_t external_kind;
	uint64_t id;
	uint32_t correlation;
};

/* CUPTI's data about a call of the driver or the runtime. */
struct rcap_cupti_call_data {
	uint32_t site;
	uint32_t pad;
	const char *name;
	const void *arguments; /* the arguments, one after the other, as the function declares
	                        * them */
	const void *result;    /* the function's return value; valid at the end of the call */
	const char *symbol;
	const void *context;
	uint32_t context_id;
	uint32_t pad2;
	uint64_t *correlation_data;
	uint32_t correlation;
};

/* CUPTI's data about a resource (CUpti_ResourceData). If the resource is a node of a graph,
 * `descriptor` points to a struct rcap_cupti_node_data (CUpti_GraphData). */
struct rcap_cupti_resource_data {
	const void *context;
	const void *stream;
	const void *descriptor;
};

struct rcap_cupti_node_data {
	const void *graph;
	const void *original_graph;
	const void *node;
	const void *original_node;
	uint32_t type; /* CUgraphNodeType */
	uint32_t pad;
	const void *dependency;
	const void *exec;
};

/* The first arguments of cuMemMap(), and all arguments of cuMemUnmap(). */
struct rcap_cupti_map_arguments {
	uint64_t address;
	uint64_t bytes;
};

typedef void rcap_cupti_callback_fn(void *user, uint32_t domain, uint32_t cbid, const void *data);
typedef void rcap_cupti_requested_fn(uint8_t **buffer, size_t *bytes, size_t *max_records);
typedef void rcap_cupti_completed_fn(void *context, uint32_t stream, uint8_t *buffer, size_t bytes,
                                     size_t valid_bytes);
typedef uint64_t rcap_cupti_time_fn(void);

/*
 * Parameters of cuptiSubscribe_v2(), which exists from 13.0 on. CUPTI can be shared from 13.3 on.
 * The first subscriber decides whether it is.
 */
struct rcap_cupti_subscriber_params {
	size_t bytes; /* size of this struct; 32 in 13.0, where it has no is_shared */
	const char *name;
	char *old_name; /* gets the name of the subscriber that already has CUPTI */
	size_t old_bytes;
	uint8_t is_shared;
	uint8_t pad[7];
};

typedef void rcap_cupti_requested_v2_fn(uint8_t **buffer, size_t *bytes, size_t *max_records,
                                        const void *info);
typedef void rcap_cupti_completed_v2_fn(uint8_t *buffer, size_t bytes, size_t valid_bytes,
                                        const void *info);

/*
 * CUPTI's functions: X(need, member, NVIDIA's name, arguments). All return enum rcap_cupti_result.
 * `need` is ALWAYS if every version since 11.0 has the function. If it is MAYBE, the function can
 * be missing, and the member is then NULL.
 */
#define RCAP_CUPTI_FUNCTIONS(X)                                                                    \
	X(ALWAYS, get_version, cuptiGetVersion, (uint32_t * version))                              \
	X(ALWAYS, get_result_string, cuptiGetResultString, (int result, const char **text))        \
	X(ALWAYS, subscribe, cuptiSubscribe,                                                       \
	  (void **subscriber, rcap_cupti_callback_fn *callback, void *user))                       \
	X(ALWAYS, unsubscribe, cuptiUnsubscribe, (void *subscriber))                               \
	X(ALWAYS, enable_callback, cuptiEnableCallback,                                            \
	  (uint32_t on, void *subscriber, uint32_t domain, uint32_t cbid))                         \
	X(ALWAYS, get_callback_name, cuptiGetCallbackName,                                         \
	  (uint32_t domain, uint32_t cbid, const char **name))                                     \
	X(ALWAYS, register_callbacks, cuptiActivityRegisterCallbacks,                              \
	  (rcap_cupti_requested_fn * requested, rcap_cupti_completed_fn * completed))              \
	X(ALWAYS, enable, cuptiActivityEnable, (uint32_t kind))                                    \
	X(ALWAYS, disable, cuptiActivityDisable, (uint32_t kind))                                  \
	X(ALWAYS, flush_all, cuptiActivityFlushAll, (uint32_t flag))                               \
	X(ALWAYS, get_next_record, cuptiActivityGetNextRecord,                                     \
	  (uint8_t * buffer, size_t valid_bytes, void **record))                                   \
	X(ALWAYS, get_dropped, cuptiActivityGetNumDroppedRecords,                                  \
	  (void *context, uint32_t stream, size_t *count))                                         \
	X(ALWAYS, set_attribute, cuptiActivitySetAttribute,                                        \
	  (uint32_t attribute, size_t * bytes, void *value))                                       \
	X(MAYBE, enable_and_dump, cuptiActivityEnableAndDump, (uint32_t kind))                     \
	X(MAYBE, set_thread_id_type, cuptiSetThreadIdType, (uint32_t type))                        \
	X(MAYBE, register_time, cuptiActivityRegisterTimestampCallback, (rcap_cupti_time_fn * fn)) \
	X(MAYBE, enable_runtime_api, cuptiActivityEnableRuntimeApi, (uint32_t cbid, uint8_t on))   \
	X(MAYBE, enable_driver_api, cuptiActivityEnableDriverApi, (uint32_t cbid, uint8_t on))     \
	X(MAYBE, enable_latency, cuptiActivityEnableLatencyTimestamps, (uint8_t on))               \
	X(MAYBE, enable_event_times, cuptiActivityEnableCudaEventDeviceTimestamps, (uint8_t on))   \
	X(MAYBE, get_node_id, cuptiGetGraphNodeId, (const void *node, uint64_t *id))               \
	X(MAYBE, get_graph_id, cuptiGetGraphId, (const void *graph, uint32_t *id))                 \
	X(MAYBE, configure_unified, cuptiActivityConfigureUnifiedMemoryCounter,                    \
	  (const struct rcap_cupti_unified_config *configs, uint32_t count))                       \
	X(MAYBE, get_stream_id, cuptiGetStreamIdEx,                                                \
	  (void *context, const void *stream, uint8_t per_thread, uint32_t *id))                   \
	X(MAYBE, get_context_id, cuptiGetContextId, (const void *context, uint32_t *id))           \
	X(MAYBE, get_struct_size, cuptiActivityGetStructSize,                                      \
	  (uint32_t kind, uint32_t version, size_t * bytes))                                       \
	X(MAYBE, subscribe_v2, cuptiSubscribe_v2,                                                  \
	  (void **subscriber, rcap_cupti_callback_fn *callback, void *user,                        \
	   struct rcap_cupti_subscriber_params *params))                                           \
	X(MAYBE, register_callbacks_v2, cuptiActivityRegisterCallbacks_v2,                         \
	  (void *subscriber, rcap_cupti_requested_v2_fn *requested,                                \
	   rcap_cupti_completed_v2_fn *completed))                                                 \
	X(MAYBE, enable_v2, cuptiActivityEnable_v2,                                                \
	  (void *subscriber, uint32_t kind, void *config))                                         \
	X(MAYBE, disable_v2, cuptiActivityDisable_v2,                                              \
	  (void *subscriber, uint32_t kind, void *config))                                         \
	X(MAYBE, enable_and_dump_v2, cuptiActivityEnableAndDump_v2,                                \
	  (void *subscriber, uint32_t kind, void *config))                                         \
	X(MAYBE, get_next_record_v2, cuptiActivityGetNextRecord_v2,                                \
	  (void *subscriber, uint8_t *buffer, size_t valid_bytes, void **record))                  \
	X(MAYBE, get_dropped_v2, cuptiActivityGetNumDroppedRecords_v2,                             \
	  (void *subscriber, void *context, uint32_t stream, size_t *count))                       \
	X(MAYBE, set_attribute_v2, cuptiActivitySetAttribute_v2,                                   \
	  (void *subscriber, uint32_t attribute, size_t *bytes, void *value))                      \
	X(MAYBE, get_timestamp_v2, cuptiGetTimestamp_v2, (void *subscriber, uint64_t *time))       \
	X(MAYBE, enable_runtime_api_v2, cuptiActivityEnableRuntimeApi_v2,                          \
	  (void *subscriber, uint32_t cbid, uint8_t on))                                           \
	X(MAYBE, enable_driver_api_v2, cuptiActivityEnableDriverApi_v2,                            \
	  (void *subscriber, uint32_t cbid, uint8_t on))

#endif
