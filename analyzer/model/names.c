/* SPDX-License-Identifier: MIT */
/* Gives the names that doc/format.md has for the numbers in a log. */
#include "analyzer/model/names.h"

#include <stddef.h>

#include "format/wire.h"

#define FIND(table, number) ((number) < sizeof(table) / sizeof((table)[0]) ? (table)[number] : NULL)

const char *ra_names_chunk(uint32_t type)
{
	static const char *const names[] = {
		[RLOG_CHUNK_CAPTURE] = "capture", [RLOG_CHUNK_STRINGS] = "strings",
		[RLOG_CHUNK_DEFS] = "defs",       [RLOG_CHUNK_EVENTS] = "events",
		[RLOG_CHUNK_CLOCK] = "clock",     [RLOG_CHUNK_LOSS] = "loss",
		[RLOG_CHUNK_INDEX] = "index",     [RLOG_CHUNK_END] = "end",
	};

	return FIND(names, type);
}

const char *ra_names_op(uint32_t op)
{
	static const char *const names[] = {
		[RLOG_OP_PUSH] = "push",
		[RLOG_OP_POP] = "pop",
		[RLOG_OP_START] = "start",
		[RLOG_OP_END] = "end",
		[RLOG_OP_MARK] = "mark",
		[RLOG_OP_LOSS] = "loss",
		[RLOG_OP_DEPTH] = "depth",
		[RLOG_OP_CALL] = "call",
		[RLOG_OP_MORE] = "more",
		[RLOG_OP_ACQUIRE_START] = "acquire_start",
		[RLOG_OP_ACQUIRE_FAILED] = "acquire_failed",
		[RLOG_OP_ACQUIRE_SUCCESS] = "acquire_success",
		[RLOG_OP_RELEASING] = "releasing",
		[RLOG_OP_SAMPLE] = "sample",
		[RLOG_OP_NO_SAMPLE] = "no_sample",
		[RLOG_OP_HANDOFF] = "handoff",
		[RLOG_OP_ATTACH] = "attach",
		[RLOG_OP_DETACH] = "detach",
		[RLOG_OP_STEP] = "step",
		[RLOG_OP_STEP_END] = "step_end",
		[RLOG_OP_BEGUN] = "begun",
		[RLOG_OP_API] = "api",
		[RLOG_OP_KERNEL] = "kernel",
		[RLOG_OP_COPY] = "copy",
		[RLOG_OP_SET] = "set",
		[RLOG_OP_GPU_SYNC] = "gpu_sync",
		[RLOG_OP_OVERHEAD] = "overhead",
		[RLOG_OP_MEMORY] = "memory",
		[RLOG_OP_GRAPH_LAUNCH] = "graph_launch",
		[RLOG_OP_JIT] = "jit",
		[RLOG_OP_GPU_EVENT] = "gpu_event",
		[RLOG_OP_UNIFIED_MEMORY] = "unified_memory",
		[RLOG_OP_EXTERNAL] = "external",
		[RLOG_OP_MEMORY_POOL] = "memory_pool",
		[RLOG_OP_GRAPH_NODE] = "graph_node",
	};

	return FIND(names, op);
}

const char *ra_names_def(uint32_t kind)
{
	static const char *const names[] = {
		[RLOG_DEF_DOMAIN] = "domain",
		[RLOG_DEF_CATEGORY] = "category",
		[RLOG_DEF_STREAM] = "stream",
		[RLOG_DEF_THREAD_NAME] = "thread_name",
		[RLOG_DEF_RESOURCE] = "resource",
		[RLOG_DEF_SYNC_OBJECT] = "sync_object",
		[RLOG_DEF_OBJECT_NAME] = "object_name",
		[RLOG_DEF_REGISTERED_STRING] = "registered_string",
		[RLOG_DEF_PAYLOAD_SCHEMA] = "payload_schema",
		[RLOG_DEF_PAYLOAD_ENUM] = "payload_enum",
		[RLOG_DEF_SCOPE] = "scope",
		[RLOG_DEF_TIME_DOMAIN] = "time_domain",
		[RLOG_DEF_COUNTER] = "counter",
		[RLOG_DEF_TYPE_TABLE] = "type_table",
		[RLOG_DEF_GPU_STATUS] = "gpu_status",
		[RLOG_DEF_DEVICE] = "device",
		[RLOG_DEF_CONTEXT] = "context",
		[RLOG_DEF_GPU_STREAM] = "gpu_stream",
		[RLOG_DEF_LAUNCH_SHAPE] = "launch_shape",
		[RLOG_DEF_OBJECT_ID] = "object_id",
		[RLOG_DEF_DOMAIN_OFF] = "domain_off",
		[RLOG_DEF_STREAM_END] = "stream_end",
	};

	return FIND(names, kind);
}

const char *ra_names_cause(uint32_t cause)
{
	static const char *const names[] = {
		[RLOG_CAUSE_RING_FULL] = "ring_full",
		[RLOG_CAUSE_NESTED] = "nested",
		[RLOG_CAUSE_INTERN_OVERFLOW] = "intern_overflow",
		[RLOG_CAUSE_NO_SLOT] = "no_slot",
		[RLOG_CAUSE_WRITE_ERROR] = "write_error",
		[RLOG_CAUSE_GPU_DROPPED] = "gpu_dropped",
		[RLOG_CAUSE_GPU_TS_INVALID] = "gpu_ts_invalid",
		[RLOG_CAUSE_BAD_RECORD] = "bad_record",
	};

	return FIND(names, cause);
}

const char *ra_names_payload(uint32_t type)
{
	static const char *const names[] = {
		[RLOG_PAYLOAD_U64] = "u64",       [RLOG_PAYLOAD_I64] = "i64",
		[RLOG_PAYLOAD_DOUBLE] = "double", [RLOG_PAYLOAD_U32] = "u32",
		[RLOG_PAYLOAD_I32] = "i32",       [RLOG_PAYLOAD_FLOAT] = "float",
	};

	return FIND(names, type);
}

const char *ra_names_object(uint64_t type)
{
	static const char *const cuda[] = { NULL, "cuda_device", "cuda_context", "cuda_stream",
		                            "cuda_event" };
	static const char *const runtime[] = { "cudart_device", "cudart_stream", "cudart_event" };
	static const char *const opencl[] = { NULL,
		                              "opencl_device",
		                              "opencl_context",
		                              "opencl_command_queue",
		                              "opencl_memory_object",
		                              "opencl_sampler",
		                              "opencl_program",
		                              "opencl_event" };

	switch (type >> 16) {
	case 4:
		return FIND(cuda, type & 0xFFFF);
	case 5:
		return FIND(runtime, type & 0xFFFF);
	case 6:
		return FIND(opencl, type & 0xFFFF);
	default:
		return NULL;
	}
}
