/* SPDX-License-Identifier: MIT */
/* The events of a Chrome trace, as PyTorch's Kineto writes it: one row per event, in the file's
 * order. */
#ifndef RA_KINETO_H
#define RA_KINETO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/error.h"
#include "format/tables.h"

#include "analyzer/rows/kineto-wide.h"

/*
 * model->kineto points here when the input was JSON, and is NULL for our own logs. Reports of the
 * default mode read the model's slices and GPU operations, which are made from these rows. Reports
 * that must equal another tool's read these rows. After loading it is const for everybody; the
 * model owns it.
 *
 * Times are integer ns, computed from the decimal text of ts and dur (µs) without floating point.
 * They are the file's own: ra_kineto_ts(kineto, i) - kineto->zero_ns is the time on the model's
 * axis. Tools in Python and C++ use doubles of µs: ra_kineto_us().
 *
 * Strings: all ids are of kineto->strings, which is also model->strings. Id 0 is the empty string.
 *
 * A typical loop:
 *
 *	for (uint32_t i = 0; i < k->count; i++) {
 *		int64_t stream;
 *
 *		if (k->kind[i] == RA_KINETO_KERNEL &&
 *		    ra_kineto_get_int(k, i, RA_KINETO_ARG_STREAM, &stream)) { … }
 *	}
 */

/* No index, or no id. */
#define RA_KINETO_NONE UINT32_MAX

/* The kind of an event, by ph and cat (upper or lower case). */
enum ra_kineto_kind {
	RA_KINETO_OTHER,               /* X of no category or an unknown one */
	RA_KINETO_CPU_OP,              /* cpu_op, operator */
	RA_KINETO_USER_ANNOTATION,     /* user_annotation */
	RA_KINETO_GPU_USER_ANNOTATION, /* gpu_user_annotation: a range projected onto the GPU,
	                                  neither range nor operation */
	RA_KINETO_PYTHON_FUNCTION,     /* python_function */
	RA_KINETO_RUNTIME,        /* cuda_runtime, runtime, hip_runtime and other …_runtime */
	RA_KINETO_DRIVER,         /* cuda_driver, privateuse1_driver and other …_driver */
	RA_KINETO_KERNEL,         /* kernel, mtia_ccp_events, other work of a device */
	RA_KINETO_MEMCPY,         /* gpu_memcpy, memcpy */
	RA_KINETO_MEMSET,         /* gpu_memset, memset */
	RA_KINETO_SYNC,           /* cuda_sync */
	RA_KINETO_OVERHEAD,       /* overhead */
	RA_KINETO_TRACE,          /* trace: the profiler's own span; cuda_event: it was reached */
	RA_KINETO_PROFILER_RANGE, /* cuda_profiler_range */
	RA_KINETO_LAST_X = RA_KINETO_PROFILER_RANGE, /* all kinds up to here are ph X */
	RA_KINETO_MEMORY,                            /* i with name [memory] */
	RA_KINETO_INSTANT,                           /* other i, I, R */
	RA_KINETO_COUNTER,                           /* C */
	RA_KINETO_BEGIN,                             /* B */
	RA_KINETO_END,                               /* E */
	RA_KINETO_FLOW_START,                        /* s; cat tells ac2g, fwdbwd, async … */
	RA_KINETO_FLOW_STEP,                         /* t */
	RA_KINETO_FLOW_END,                          /* f */
	RA_KINETO_ASYNC_BEGIN,                       /* b, S */
	RA_KINETO_ASYNC_STEP,                        /* n, T, p */
	RA_KINETO_ASYNC_END,                         /* e, F */
	RA_KINETO_METADATA,                          /* M */
	RA_KINETO_UNKNOWN,                           /* any other ph, or none */
	RA_KINETO_KINDS
};

enum ra_kineto_flag {
	RA_KINETO_HAS_TS = 1 << 0,   /* ts is a number in range; else ts_ns is 0 */
	RA_KINETO_HAS_DUR = 1 << 1,  /* dur is a number in range; a dur < 0 is kept here, and is 0
	                                in the model */
	RA_KINETO_HAS_NAME = 1 << 2, /* name is a string */
	RA_KINETO_HAS_CAT = 1 << 3,
	RA_KINETO_TS_POINT = 1 << 4,  /* the text of ts has a point or exponent: Python reads it as
	                                 float, not int */
	RA_KINETO_DUR_POINT = 1 << 5, /* the text of dur has a point or exponent */
	RA_KINETO_HAS_ARGS = 1 << 6,  /* args is an object */
	RA_KINETO_IS_CAPTURED =
		1 << 7, /* a range of a graph's capture, added at a launch; not in the file */
};

/*
 * Keys that reports ask for: RA_KINETO_ARG_x for the arg of this name. Other keys are kept for the
 * code that writes the events again, and are found by their string id. The first column is the
 * enum, the second the text as in the file. An event's own fields that have no column (id, bp, s,
 * …) are kept with its args.
 */
#define RA_KINETO_KEYS(X)                                               \
	X(EXTERNAL_ID, "External id")                                   \
	X(EXTERNAL_ID_OLD, "external id")                               \
	X(CORRELATION, "correlation")                                   \
	X(STREAM, "stream")                                             \
	X(DEVICE, "device")                                             \
	X(CONTEXT, "context")                                           \
	X(SEQUENCE_NUMBER, "Sequence number")                           \
	X(FWD_THREAD_ID, "Fwd thread id")                               \
	X(PYTHON_ID, "Python id")                                       \
	X(PYTHON_PARENT_ID, "Python parent id")                         \
	X(PYTHON_MODULE_ID, "Python module id")                         \
	X(INPUT_DIMS, "Input Dims")                                     \
	X(INPUT_DIMS_OLD, "Input dims")                                 \
	X(INPUT_TYPE, "Input type")                                     \
	X(INPUT_STRIDES, "Input Strides")                               \
	X(CONCRETE_INPUTS, "Concrete Inputs")                           \
	X(CALL_STACK, "Call stack")                                     \
	X(FLOPS, "flops")                                               \
	X(BYTES, "bytes")                                               \
	X(BYTES_MEMORY, "Bytes")                                        \
	X(ADDR, "Addr")                                                 \
	X(DEVICE_ID, "Device Id")                                       \
	X(DEVICE_TYPE, "Device Type")                                   \
	X(TOTAL_ALLOCATED, "Total Allocated")                           \
	X(TOTAL_RESERVED, "Total Reserved")                             \
	X(GRID, "grid")                                                 \
	X(BLOCK, "block")                                               \
	X(REGISTERS, "registers per thread")                            \
	X(SHARED_MEMORY, "shared memory")                               \
	X(BLOCKS_PER_SM, "blocks per SM")                               \
	X(OCCUPANCY, "est. achieved occupancy %")                       \
	X(QUEUED, "queued")                                             \
	X(PRIORITY, "priority")                                         \
	X(BANDWIDTH, "memory bandwidth (GB/s)")                         \
	X(GRAPH_ID, "graph id")                                         \
	X(GRAPH_NODE_ID, "graph node id")                               \
	X(KERNEL, "kernel")                                             \
	X(COLLECTIVE_NAME, "Collective name")                           \
	X(IN_MSG_NELEMS, "In msg nelems")                               \
	X(OUT_MSG_NELEMS, "Out msg nelems")                             \
	X(GROUP_SIZE, "Group size")                                     \
	X(DTYPE, "dtype")                                               \
	X(PROCESS_GROUP_NAME, "Process Group Name")                     \
	X(PROCESS_GROUP_DESC, "Process Group Description")              \
	X(WAIT_STREAM, "wait_on_stream")                                \
	X(WAIT_RECORD_CORRELATION, "wait_on_cuda_event_record_corr_id") \
	X(WAIT_EVENT_ID, "wait_on_cuda_event_id")                       \
	X(RESULT, "result")                                             \
	X(DOMAIN, "domain")                                             \
	X(PAYLOAD, "payload")                                           \
	X(NAME, "name")                                                 \
	X(LABELS, "labels")                                             \
	X(SORT_INDEX, "sort_index")                                     \
	X(ID, "id")                                                     \
	X(ID2, "id2")                                                   \
	X(BP, "bp")                                                     \
	X(SCOPE, "s")                                                   \
	X(PH, "ph")                                                     \
	X(CAT, "cat")                                                   \
	X(PID, "pid")                                                   \
	X(TID, "tid")                                                   \
	X(TS, "ts")                                                     \
	X(DUR, "dur")                                                   \
	X(ARGS, "args")                                                 \
	X(CORRELATION_ID, "correlation_id")                             \
	X(CONNECTION_ID, "connection_id")                               \
	X(KERNEL_DETAILS, "kernel_details")                             \
	X(MEMCPY_DETAILS, "memcpy_details")                             \
	X(MEMSET_DETAILS, "memset_details")                             \
	X(HLO_OP, "hlo_op")                                             \
	X(HLO_MODULE, "hlo_module")                                     \
	X(STEP_NUM, "step_num")                                         \
	X(SCOPES, "call_stack")

enum ra_kineto_key {
	RA_KINETO_NO_KEY, /* the empty string has id 0 */
#define RA_KINETO_KEY_ENUM(name, text) RA_KINETO_ARG_##name,
	RA_KINETO_KEYS(RA_KINETO_KEY_ENUM)
#undef RA_KINETO_KEY_ENUM
	RA_KINETO_KEY_COUNT
};

enum ra_kineto_type {
	RA_KINETO_ABSENT,
	RA_KINETO_INT,    /* an integer without point or exponent that fits 64 bits: in `integer` */
	RA_KINETO_NUMBER, /* any other number, NaN and Infinity: in `text`, as the file has it */
	RA_KINETO_STRING, /* `integer` is its string id; `text` is unquoted and unescaped */
	RA_KINETO_JSON,   /* an array or object: in `text`, without white space, numbers as the file
	                     has them */
	RA_KINETO_TRUE,
	RA_KINETO_FALSE,
	RA_KINETO_NULL,
};

struct ra_kineto_value {
	enum ra_kineto_type type;
	int64_t integer;
	struct rlog_string text; /* of NUMBER in `digits`; else borrowed from the strings */
	char digits[44];
};

/* A (pid, tid) pair. Threads are in the order of their first event. */
struct ra_kineto_thread {
	uint32_t pid; /* string id of the JSON text: 5 and "5" differ; 0 if the event has none */
	uint32_t tid;
	int64_t pid_number; /* the text as an integer, quotes aside; INT64_MIN if it is none */
	int64_t tid_number;
	uint32_t name;         /* string id of thread_name; 0: none */
	uint32_t process_name; /* string id of process_name; 0: none */
	uint32_t track;        /* track in the model; RA_KINETO_NONE: it has no slices or calls */
	uint64_t events;
	/* For a row of a device (producers/): the values that its events have instead of Kineto's
	 * args `device` and `stream`; -1: none. */
	int64_t device;
	int64_t stream;
	uint32_t device_word; /* string id: "NPU"; 0: none, or "GPU" */
};

/* What many events have in common: a trace of a million events has some hundreds of these. */
struct ra_kineto_common {
	uint32_t thread;   /* index into threads */
	uint16_t category; /* index into categories; [0] is "no category" */
	uint8_t phase;     /* the character; 0: no ph, or one of several characters */
};

/* A fact that Kineto has in an arg of its own, but here is part of a text in an event's args:
 * producers/. */
struct ra_kineto_detail {
	uint32_t text;  /* string id of the whole text */
	uint32_t key;   /* enum ra_kineto_key */
	int64_t value;  /* the integer, or the string id of … */
	bool is_json;   /* … an array's text … */
	bool is_text;   /* … a name … */
	bool is_number; /* … the text of any other number */
};

struct ra_kineto_category {
	uint32_t name;            /* string id of the name as the file has it */
	uint64_t events;          /* number of events of any ph */
	uint64_t complete;        /* number of events of ph X */
	enum ra_kineto_kind kind; /* kind of its events of ph X */
};

/* A key of the top level, other than traceEvents, in the file's order. */
struct ra_kineto_fact {
	uint32_t key;  /* string id */
	uint32_t json; /* string id of its value's JSON text, without white space */
};

/* From deviceProperties; what the file does not say is 0. */
struct ra_kineto_device {
	int64_t id;
	uint32_t name; /* string id */
	int64_t total_memory_bytes;
	int64_t compute_major;
	int64_t compute_minor;
	int64_t threads_per_block;
	int64_t threads_per_sm;
	int64_t registers_per_block;
	int64_t registers_per_sm;
	int64_t warp_size;
	int64_t shared_per_block_bytes;
	int64_t shared_per_sm_bytes;
	int64_t shared_optin_bytes;
	int64_t multiprocessors;
	int64_t clock_khz;
	int64_t bandwidth_kb_s; /* of the device's memory */
};

/* Counts of what is odd about the file, for the footer. */
struct ra_kineto_oddities {
	uint64_t pid_strings; /* X whose pid is a string */
	uint64_t tid_strings;
	uint64_t negative_durations;
	uint64_t no_duration;    /* X without duration, or with one over 73 years */
	uint64_t no_time;        /* events of known kinds other than M, without a usable ts */
	uint64_t no_name;        /* X without a name */
	uint64_t not_objects;    /* entries of traceEvents that are no objects, or empty: skipped */
	uint64_t rounded_times;  /* finer than 1 ns: rounded */
	uint64_t unknown_phases; /* RA_KINETO_UNKNOWN */
	uint64_t repeated_events;     /* traceEvents keys after the first */
	uint64_t repaired_words;      /* NaN, N/A, Infinity in place of a number */
	uint64_t repaired_commas;     /* surplus before a closing bracket, or missing */
	uint64_t repaired_surrogates; /* half surrogate pairs: read as U+FFFD */
	uint64_t control_texts;       /* texts with unescaped characters below U+0020 */
	uint64_t not_utf8;            /* texts that are not UTF-8 */
	uint64_t literal_backslashes; /* they begin no escape and stand for themselves */
	uint64_t odd_numbers;         /* +1, .5, 007 */
	uint64_t text_times;          /* ts and dur in quotes */
	uint64_t documents;           /* JSON texts after the first: the events of all are read */
	uint64_t damages;             /* places that are not JSON */
	uint64_t lost_events;         /* events lost there or at the end, as far as can be known */
	uint64_t lost_bytes;
	uint64_t lost_offset;  /* offset of the first such place */
	uint64_t changed_logs; /* logs of ours in which the text before the log was changed */
	uint64_t damaged_logs;
	uint64_t unused_ftrace;       /* kernel events (ftrace) in a Perfetto trace */
	uint64_t unknown_device_work; /* X of an unknown category with a device and a stream: taken
	                                 for kernels */
	uint64_t unknown_rows; /* X on rows of a device that this version does not know: taken for
	                          ranges of the device */
	uint64_t unknown_records; /* records of kinds that the reader does not know: in no report */
	uint64_t computed_rows;   /* X that the writer computed from others: in no report */
	uint64_t profiler_warnings; /* warnings by the file's writer: something may be missing */
	uint64_t no_grid;           /* kernels without the size of their launch */
	uint64_t whole_us_kernels;  /* kernels below 10 us if all kernels' times are whole us */
	uint64_t duplicate_correlations; /* API calls whose correlation another call of the same
	                                    kind has, too */
};

/* The rule that matched an operation of a graph to a launch of its capture. */
enum ra_kineto_captured_rule {
	RA_KINETO_CAPTURED_NODE,    /* both traces have the node's id */
	RA_KINETO_CAPTURED_NAME,    /* the names are equal and in the same order */
	RA_KINETO_CAPTURED_STREAMS, /* the names are equal, and each name is in order: several
	                               streams ran it */
	RA_KINETO_CAPTURED_ALIGNED, /* as NAME, except that a few are missing */
	RA_KINETO_CAPTURED_ORDER,   /* the count and order are equal: the capture has no names */
	RA_KINETO_CAPTURED_RULES
};

/* Why no launch was matched. */
enum ra_kineto_captured_rest {
	RA_KINETO_CAPTURED_UNKNOWN, /* no capture fits this graph, or this node */
	RA_KINETO_CAPTURED_SEVERAL, /* several captures fit */
	RA_KINETO_CAPTURED_UNSURE,  /* several launches fit, or none */
	RA_KINETO_CAPTURED_OUTSIDE, /* a launch was matched, but it was in no range */
	RA_KINETO_CAPTURED_RESTS
};

/* The ranges in which graphs were captured: rows after those of the file, one at each launch
 * (graphs/). */
struct ra_kineto_captured {
	uint32_t first; /* number of the first such row */
	size_t count;
	uint32_t *parents; /* owned; by row - first: the row of the range around it; NONE: whatever
	                      is open at the launch */
	uint32_t *slices;  /* owned; likewise: slice in the model; NULL before the model is made */
	uint32_t *leaves;  /* owned; by row of an operation: row of its innermost range, NONE */
	uint32_t domain;   /* string id: domain of these ranges, which take no CPU time */
	uint64_t captures; /* captures to choose from */
	uint64_t damaged;  /* traces of captures that end early or are damaged */
	uint64_t unread;   /* files that should be such traces and could not be read */
	char *notes;       /* owned; what is wrong with these files, one line each; NULL: nothing */
	bool is_given;     /* the captures come from other files than the trace */
	uint64_t launches; /* launches of graphs */
	uint64_t rule_ops[RA_KINETO_CAPTURED_RULES];
	uint64_t rest_ops[RA_KINETO_CAPTURED_RESTS];
};

/* A block is 2^6 events. It has one base for the places of their packed values and one for their
 * times. */
#define RA_KINETO_BLOCK_BITS 6

/* short_ts_ns of an event whose time is the block's base. A short_ts_ns of 0 is time 0 itself. */
#define RA_KINETO_TS_BASE (UINT32_C(1) << 31)

struct ra_kineto_layout; /* which keys an event has: kineto-store.h */

struct ra_kineto {
	/* Columns, count entries each. */
	size_t count;
	size_t dropped;         /* events that were read and counted, but whose row was removed:
	                           kineto-drop.h */
	uint32_t *short_ts_ns;  /* read by ra_kineto_ts() */
	uint32_t *short_dur_ns; /* read by ra_kineto_dur(), set by ra_kineto_set_dur() */
	uint32_t *name;         /* string id; 0 if it has none, see HAS_NAME */
	uint32_t *corr; /* X: args.correlation; flows and async events: id. NONE if absent or not an
	                   integer below 2^32 - 1 */
	uint32_t *external;  /* args "External id", else "external id"; NONE likewise */
	uint16_t *common;    /* index into commons: ra_kineto_get_thread() and the like */
	uint8_t *kind;       /* enum ra_kineto_kind */
	uint8_t *flags;      /* enum ra_kineto_flag */
	uint16_t *packed_at; /* where its packed keys and values begin: see ra_kineto_rest_next() */

	struct rlog_string *strings; /* owned; index = string id; [0] is empty */
	size_t string_count;
	struct ra_kineto_thread *threads; /* owned, as all arrays below */
	size_t thread_count;
	struct ra_kineto_category *categories;
	size_t category_count;
	struct ra_kineto_common *commons;
	size_t common_count;
	struct ra_kineto_fact *facts;
	size_t fact_count;
	struct ra_kineto_device *devices; /* in the file's order */
	size_t device_count;
	bool has_details; /* rows of devices are recognised by their names: kineto-details.h */
	struct ra_kineto_detail *details; /* sorted by text, then key */
	size_t detail_count;
	uint32_t unknown_row; /* the first of oddities.unknown_rows: string id of its name … */
	uint32_t unknown_record;
	uint32_t computed_row; /* … and the first of computed_rows */
	uint64_t kind_count[RA_KINETO_KINDS];
	uint64_t phase_count[256]; /* by character */
	struct ra_kineto_oddities oddities;
	struct rlog_error
		*stop; /* owned: why reading ended before the end of the file; code 0: it did not */
	bool goes_on;  /* reading went on after the damage that `stop` describes */
	bool is_ours;  /* written by this program from a log: time 0 is the start of the capture */
	bool is_array; /* the file is a bare array of events */
	bool has_ts_point; /* some event has TS_POINT: pandas then reads all ts as floats */
	bool has_dur_point;
	int64_t base_ns; /* baseTimeNanoseconds: add it to ts_ns for time since 1970; 0 if absent */
	int64_t zero_ns; /* smallest ts_ns of X, B, i, C and async events: time 0 of the model */
	int64_t display_ns;    /* displayTimeUnit: 1 "ns", 1000000 "ms", 0 absent */
	int64_t rank;          /* distributedInfo.rank, -1 none */
	int64_t world_size;    /* distributedInfo.world_size, 0 none */
	uint32_t backend;      /* string id of distributedInfo.backend … */
	uint32_t nccl_version; /* … and nccl_version */
	uint64_t file_bytes;   /* size of the file on disk */
	uint64_t json_bytes;   /* size unpacked */

	/* The event (a row here) that each thing of the model was made from. */
	uint32_t *slice_event; /* by slice index */
	uint32_t *op_event;    /* by index into gpu.ops */
	uint32_t *api_event;   /* by index into gpu.apis */
	uint32_t *sync_event;  /* by index into gpu.syncs */
	bool takes_captures;   /* the trace is of PyTorch: captures of its graphs can be read in
	                          addition */
	struct ra_kineto_captured *captured; /* owned; NULL: not asked for, or no graph ran */

	struct ra_kineto_layout *layouts; /* owned; this and all below is private to kineto-store.c
	                                     and kineto-rows.c */
	size_t layout_count;
	uint32_t *layout_keys;  /* owned */
	uint8_t *layout_places; /* owned; by layout, key and whether it is an arg: see
	                           ra_kineto_index() */
	size_t layout_indexed;  /* number of layouts that are in layout_places */
	uint8_t *packed;        /* owned */
	uint64_t packed_bytes;
	uint64_t *packed_base; /* owned: by event >> RA_KINETO_BLOCK_BITS; packed_at counts from
	                          there */
	int64_t *ts_base; /* owned: by event >> RA_KINETO_BLOCK_BITS; short_ts_ns counts from there;
	                     0: the block has no event at another time than 0 */
	struct ra_kineto_wide far_ts;     /* times of events whose short_ts_ns is UINT32_MAX */
	struct ra_kineto_wide long_durs;  /* durations of events whose short_dur_ns is UINT32_MAX */
	struct ra_kineto_wide far_packed; /* places of events whose packed_at is UINT16_MAX */
	struct ra_kineto_wide far_commons; /* likewise for common */
	void *arena;                       /* owned: the bytes of the strings */
};

/* Builds an index that makes args faster to find; without it all works the same. Call it after the
 * last event. */
void ra_kineto_index(struct ra_kineto *kineto);

/* Compares rows so that each comes before those nested in it: by thread, then time, longer ones
 * first. @kineto: a struct ra_kineto. For ra_run_sort_indices(). */
int ra_kineto_compare_nested(const void *kineto, uint32_t left, uint32_t right);

/* Computes a time from the base of its block. */
static inline int64_t ra_kineto_from_base(int64_t base_ns, uint32_t ts_ns)
{
	return (int64_t) ((uint64_t) base_ns + ts_ns - RA_KINETO_TS_BASE);
}

/* The start of an event. Nearly all are within 2 s of their neighbours and take four bytes. */
static inline int64_t ra_kineto_ts(const struct ra_kineto *kineto, uint32_t event)
{
	const uint32_t ts_ns = kineto->short_ts_ns[event];

	if (ts_ns == 0 || ts_ns == UINT32_MAX) {
		return ts_ns == 0 ? 0 : ra_kineto_wide_get(&kineto->far_ts, event);
	}
	return ra_kineto_from_base(kineto->ts_base[event >> RA_KINETO_BLOCK_BITS], ts_ns);
}

/* The duration of an event. Nearly all are between 0 and 4 s and take four bytes. */
static inline int64_t ra_kineto_dur(const struct ra_kineto *kineto, uint32_t event)
{
	const uint32_t dur_ns = kineto->short_dur_ns[event];

	return dur_ns != UINT32_MAX ? dur_ns : ra_kineto_wide_get(&kineto->long_durs, event);
}

static inline void ra_kineto_set_dur(struct ra_kineto *kineto, uint32_t event, int64_t dur_ns)
{
	const bool is_short = dur_ns >= 0 && dur_ns < UINT32_MAX;

	kineto->short_dur_ns[event] = is_short ? (uint32_t) dur_ns : UINT32_MAX;
	if (!is_short) {
		ra_kineto_wide_put(&kineto->long_durs, event, dur_ns);
	}
}

static inline const struct ra_kineto_common *ra_kineto_get_common(const struct ra_kineto *kineto,
                                                                  uint32_t event)
{
	const uint16_t common = kineto->common[event];

	return &kineto->commons[common != UINT16_MAX
	                                ? common
	                                : ra_kineto_wide_get(&kineto->far_commons, event)];
}

/* The event's thread, as an index into threads. */
static inline uint32_t ra_kineto_get_thread(const struct ra_kineto *kineto, uint32_t event)
{
	return ra_kineto_get_common(kineto, event)->thread;
}

/* The event's category, as an index into categories. */
static inline uint16_t ra_kineto_get_category(const struct ra_kineto *kineto, uint32_t event)
{
	return ra_kineto_get_common(kineto, event)->category;
}

/* The event's ph; 0: it has none, or one of several characters. */
static inline uint8_t ra_kineto_get_phase(const struct ra_kineto *kineto, uint32_t event)
{
	return ra_kineto_get_common(kineto, event)->phase;
}

/* Frees the rows and all they own. NULL is allowed. */
void ra_kineto_destroy(struct ra_kineto *kineto);

/*
 * Finds an arg of an event by its key. If args has the key several times, the last one counts, as
 * in Python. O(number of args).
 *
 * @event: RA_KINETO_NONE has no args, here and in the functions below; @kineto may then be NULL.
 * Return: false if the event has no such arg; value->type is then RA_KINETO_ABSENT.
 */
bool ra_kineto_get(const struct ra_kineto *kineto, uint32_t event, enum ra_kineto_key key,
                   struct ra_kineto_value *value);

/* The same for a field of the event itself that has no column: id, bp, s … */
bool ra_kineto_get_field(const struct ra_kineto *kineto, uint32_t event, enum ra_kineto_key key,
                         struct ra_kineto_value *value);

/* As ra_kineto_get for an integer. Return: false if it is absent or no integer; *integer is then as
 * before. */
bool ra_kineto_get_int(const struct ra_kineto *kineto, uint32_t event, enum ra_kineto_key key,
                       int64_t *integer);

/*
 * The same for any number, rounded as Python's float() does. "NaN" gives NaN.
 *
 * Return: false if it is absent or no number; *real is then as before.
 */
bool ra_kineto_get_real(const struct ra_kineto *kineto, uint32_t event, enum ra_kineto_key key,
                        double *real);

/* The string id of a string, or of the JSON text of an array or object; 0 if absent or of another
 * type. */
uint32_t ra_kineto_get_text(const struct ra_kineto *kineto, uint32_t event, enum ra_kineto_key key);

/* The same for the sizes of an operator's inputs, under either name that PyTorch has given
 * them. */
uint32_t ra_kineto_get_shape(const struct ra_kineto *kineto, uint32_t event);

/* The text of a list with a blank after each comma. Return: the caller frees it. */
char *ra_kineto_list_text(struct rlog_string json);

/* Reads the first three integers of an array such as [4,1,1]; missing ones are 0. Return: false if
 * it does not begin with an integer. */
bool ra_kineto_read_dim3(struct rlog_string json, int64_t out[3]);

/* A string by id. Its bytes are never NULL, and not NUL-terminated. */
struct rlog_string ra_kineto_string(const struct ra_kineto *kineto, uint32_t id);

/* True if the string is exactly this text. */
bool ra_kineto_is_text(const struct ra_kineto *kineto, uint32_t id, const char *text);

/* Iterates over the keys of an event that have no column, in the file's order. */
struct ra_kineto_rest {
	const uint8_t *at;
	const uint32_t *keys;
	uint32_t left;
	uint32_t event;
	/* The key that next() found: */
	uint32_t key; /* string id, or enum ra_kineto_key */
	bool is_arg;  /* in args; else a field of the event itself */
	struct ra_kineto_value value;
};

void ra_kineto_rest_init(struct ra_kineto_rest *rest, const struct ra_kineto *kineto,
                         uint32_t event);

/* Return: false after the last. */
bool ra_kineto_rest_next(struct ra_kineto_rest *rest, const struct ra_kineto *kineto);

/*
 * The double that Python's json and C++ get for this time, written in µs with up to three decimals:
 * ns / 1000, correctly rounded.
 */
static inline double ra_kineto_us(int64_t ns)
{
	/*
	 * Below 2^53 both numbers are exact and the division rounds once. Above, the whole µs are
	 * exact. So few bits are then left for the fraction that its thousandths, though rounded,
	 * are never near the middle between two doubles. So the sum rounds to the right one.
	 */
	if (ns < INT64_C(1) << 53 && ns > -(INT64_C(1) << 53)) {
		return (double) ns / 1000.0;
	}
	const int64_t whole = ns / 1000;

	return (double) whole + (double) (ns - whole * 1000) / 1000.0;
}

/* The name of a kind: "cpu_op". */
const char *ra_kineto_kind_name(enum ra_kineto_kind kind);

#endif
