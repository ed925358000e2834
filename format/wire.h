/* SPDX-License-Identifier: MIT */
/* All constants of the log's bytes. doc/format.md describes them; change it first. */
#ifndef RLOG_WIRE_H
#define RLOG_WIRE_H

#define RLOG_FORMAT_VERSION 1

#define RLOG_HEADER_BYTES  64
#define RLOG_TRAILER_BYTES 40
#define RLOG_MARKER        "\xC1\xF7\x72\x6C"
#define RLOG_MARKER_BYTES  4
#define RLOG_TRAILER_MAGIC "RLOGEND\n"

/* Limits that a reader checks before it allocates. They are needed because a deflate stream can
 * expand 1032:1. */
#define RLOG_MAX_RAW_BYTES    (1u << 20)
#define RLOG_MAX_STRING_BYTES 65535u
#define RLOG_MAX_NESTING      16
#define RLOG_MAX_NAME_BYTES   (256u << 20) /* bytes of all names together, plus 16 for each name */
#define RLOG_MAX_STRINGS      (1u << 24)
#define RLOG_MAX_DEFS         (1u << 22)
#define RLOG_MAX_CLOCK_POINTS (1u << 20)
#define RLOG_MAX_LOSSES       (1u << 20)
/* Limits of what a file can hold: a fixed amount (FREE), plus an amount for each byte of the file
 * (doc/format.md, section 10). */
#define RLOG_FREE_ROWS       65536u
#define RLOG_FREE_STEPS      32768u
#define RLOG_FREE_RAW_BYTES  (1u << 20)
#define RLOG_EVENTS_PER_BYTE 64u
#define RLOG_TABLE_PER_BYTE  2u
#define RLOG_RAW_PER_BYTE    64u

/* The writer writes a checkpoint (tables again, index) whenever the file has grown by this many
 * bytes. */
#define RLOG_CHECKPOINT_BYTES (64u << 20)

enum rlog_chunk_type {
	RLOG_CHUNK_CAPTURE = 1,
	RLOG_CHUNK_STRINGS = 2,
	RLOG_CHUNK_DEFS = 3,
	RLOG_CHUNK_EVENTS = 4,
	RLOG_CHUNK_CLOCK = 5,
	RLOG_CHUNK_LOSS = 6,
	RLOG_CHUNK_INDEX = 7,
	RLOG_CHUNK_END = 8,
};

/* Types from this number on are private to the writer. Readers skip them. */
#define RLOG_CHUNK_PRIVATE 128u

enum rlog_flag {
	RLOG_FLAG_STORED = 1 << 0,
	RLOG_FLAG_FIRST = 1 << 1,
	RLOG_FLAG_LAST = 1 << 2,
	RLOG_FLAG_RECOVERED = 1 << 3,
	RLOG_FLAG_UNSORTED = 1 << 4,
	RLOG_FLAG_REPEAT = 1 << 5,
	RLOG_FLAG_REMARKS = 1 << 8,
	RLOG_FLAG_OPEN = 1 << 9,
	RLOG_FLAG_OTHERS = 1 << 10,
	RLOG_FLAG_OUTER = 1 << 11,
	RLOG_FLAGS_REFUSED = 0x00C0,
};

enum rlog_def_kind {
	RLOG_DEF_DOMAIN = 1,
	RLOG_DEF_CATEGORY = 2,
	RLOG_DEF_STREAM = 3,
	RLOG_DEF_THREAD_NAME = 4,
	RLOG_DEF_RESOURCE = 5,
	RLOG_DEF_SYNC_OBJECT = 6,
	RLOG_DEF_OBJECT_NAME = 7,
	RLOG_DEF_REGISTERED_STRING = 8,
	RLOG_DEF_PAYLOAD_SCHEMA = 9,
	RLOG_DEF_PAYLOAD_ENUM = 10,
	RLOG_DEF_SCOPE = 11,
	RLOG_DEF_TIME_DOMAIN = 12,
	RLOG_DEF_COUNTER = 13,
	RLOG_DEF_TYPE_TABLE = 14,
	RLOG_DEF_GPU_STATUS = 15,
	RLOG_DEF_DEVICE = 16,
	RLOG_DEF_CONTEXT = 17,
	RLOG_DEF_GPU_STREAM = 18,
	RLOG_DEF_LAUNCH_SHAPE = 19,
	RLOG_DEF_OBJECT_ID = 20,
	RLOG_DEF_DOMAIN_OFF = 21,
	RLOG_DEF_STREAM_END = 22,
};

enum rlog_op {
	RLOG_OP_PUSH = 1,
	RLOG_OP_POP = 2,
	RLOG_OP_START = 3,
	RLOG_OP_END = 4,
	RLOG_OP_MARK = 5,
	RLOG_OP_LOSS = 6,
	RLOG_OP_DEPTH = 7,
	RLOG_OP_CALL = 8,
	RLOG_OP_MORE = 9,
	RLOG_OP_ACQUIRE_START = 10,
	RLOG_OP_ACQUIRE_FAILED = 11,
	RLOG_OP_ACQUIRE_SUCCESS = 12,
	RLOG_OP_RELEASING = 13,
	RLOG_OP_SAMPLE = 14,
	RLOG_OP_NO_SAMPLE = 15,
	RLOG_OP_HANDOFF = 16,
	RLOG_OP_ATTACH = 17,
	RLOG_OP_DETACH = 18,
	RLOG_OP_STEP = 19,
	RLOG_OP_STEP_END = 20,
	RLOG_OP_BEGUN = 21,
	RLOG_OP_API = 32,
	RLOG_OP_KERNEL = 33,
	RLOG_OP_COPY = 34,
	RLOG_OP_SET = 35,
	RLOG_OP_GPU_SYNC = 36,
	RLOG_OP_OVERHEAD = 37,
	RLOG_OP_MEMORY = 38,
	RLOG_OP_GRAPH_LAUNCH = 39,
	RLOG_OP_JIT = 40,
	RLOG_OP_GPU_EVENT = 41,
	RLOG_OP_UNIFIED_MEMORY = 42,
	RLOG_OP_EXTERNAL = 43,
	RLOG_OP_MEMORY_POOL = 44,
	RLOG_OP_GRAPH_NODE = 45,
};

/* The clock of a stream. `parent` in the stream's definition has one of these. */
enum rlog_stream_clock {
	RLOG_STREAM_CLOCK_CAPTURE = 0,
	RLOG_STREAM_CLOCK_MONOTONIC = 1,
	RLOG_STREAM_CLOCK_REALTIME = 2,
};

/*
 * Counters that libranges writes itself: NVML's values for GPUs, in domain 0. A counter's id is
 * RLOG_GPU_COUNTER_BASE + NVML's number of the device × RLOG_GPU_COUNTER_STRIDE + one of these
 * values. So it is below all ids that NVTX gives to programs.
 */
#define RLOG_GPU_COUNTER_BASE   UINT64_C(0x100000)
#define RLOG_GPU_COUNTER_STRIDE UINT64_C(64)

enum rlog_gpu_counter {
	RLOG_GPU_POWER = 0,  /* W, as double */
	RLOG_GPU_ENERGY = 1, /* J since the driver was loaded, as double */
	RLOG_GPU_SM_CLOCK = 2,
	RLOG_GPU_MEMORY_CLOCK = 3, /* MHz, like SM_CLOCK */
	RLOG_GPU_UTIL = 4,
	RLOG_GPU_MEMORY_UTIL = 5, /* %, like UTIL */
	RLOG_GPU_MEMORY_USED = 6, /* bytes */
	RLOG_GPU_TEMPERATURE = 7, /* °C */
	RLOG_GPU_PCIE_TX = 8,     /* bytes/s sent by the GPU, as double, like all below */
	RLOG_GPU_PCIE_RX = 9,     /* bytes/s received by the GPU */
	RLOG_GPU_SM_ACTIVE = 10,  /* % of the time since the last sample, like all below */
	RLOG_GPU_SM_OCCUPANCY = 11,
	RLOG_GPU_TENSOR = 12,
	RLOG_GPU_DRAM = 13,
	RLOG_GPU_FP64 = 14,
	RLOG_GPU_FP32 = 15,
	RLOG_GPU_FP16 = 16,
	RLOG_GPU_NVLINK_TX = 17, /* bytes/s, like NVLINK_RX */
	RLOG_GPU_NVLINK_RX = 18,
	RLOG_GPU_COUNTERS
};

/* Values of `dst` in rows of op memory. */
enum rlog_memory_way {
	RLOG_MEMORY_MAPPED = 1,
};

/* Values of `kind` in rows of op gpu event. */
enum rlog_event_kind {
	RLOG_EVENT_WITHOUT_TIME = 1,
};

/* The values of NVTX's nvtxPayloadType_t (nvToolsExt.h). */
enum rlog_payload_type {
	RLOG_PAYLOAD_NONE = 0,
	RLOG_PAYLOAD_U64 = 1,
	RLOG_PAYLOAD_I64 = 2,
	RLOG_PAYLOAD_DOUBLE = 3,
	RLOG_PAYLOAD_U32 = 4,
	RLOG_PAYLOAD_I32 = 5,
	RLOG_PAYLOAD_FLOAT = 6,
};

enum rlog_cause {
	RLOG_CAUSE_RING_FULL = 1,
	RLOG_CAUSE_NESTED = 2,
	RLOG_CAUSE_INTERN_OVERFLOW = 3,
	RLOG_CAUSE_NO_SLOT = 4,
	RLOG_CAUSE_WRITE_ERROR = 5,
	RLOG_CAUSE_GPU_DROPPED = 6,
	RLOG_CAUSE_GPU_TS_INVALID = 7,
	RLOG_CAUSE_BAD_RECORD = 8,
	RLOG_CAUSES, /* number of causes + 1 */
};

/* Parts of a call that make no sense. The call is recorded without such a part (doc/format.md,
 * section 8). */
enum rlog_oddity {
	RLOG_ODDITY_WILD_HANDLE = 1,
	RLOG_ODDITY_BAD_ATTRIBUTES = 2,
	RLOG_ODDITY_BAD_MESSAGE = 3,
	RLOG_ODDITY_BAD_PAYLOAD = 4,
	RLOG_ODDITY_BAD_POINTER = 5,
	RLOG_ODDITY_NO_HANDLE = 6,
	RLOG_ODDITY_UNKNOWN_SCHEMA = 7,
	RLOG_ODDITY_BAD_SCHEMA = 8,
	RLOG_ODDITY_CUT_PAYLOAD = 9,
	RLOG_ODDITY_UNKNOWN_EXTENSION = 10,
	RLOG_ODDITIES, /* number of oddities + 1 */
};

#endif
