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

#include "analyzer/rows/kineto-captured.h"
#include "analyzer/rows/kineto-wide.h"

/*
 * model->kineto points here when the input was JSON, and is NULL for our own logs. Reports of the
 * default mode read the model's slices and GPU operations, which are made from these rows. Reports
 * whose figures must equal another tool's read these rows. After loading, the rows are const; the
 * model owns them.
 *
 * Times are integer ns, computed from the decimal text of ts and dur (µs) without floating point.
 * They are the times in the file: ra_kineto_ts(kineto, i) - kineto->zero_ns is the time in the
 * model. Tools in Python and C++ use doubles of µs: ra_kineto_us().
 *
 * Strings: all ids are indices into kineto->strings, which is the same as model->strings. Id 0 is
 * the empty string.
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

/* Means "none" for an index or id. */
#define RA_KINETO_NONE UINT32_MAX

/* The kind of an event, by ph and cat (upper or lower case). */
enum ra_kineto_kind {
	RA_KINETO_OTHER,               /* X without a category, or with an unknown one */
	RA_KINETO_CPU_OP,              /* cpu_op, operator */
	RA_KINETO_USER_ANNOTATION,     /* user_annotation */
	RA_KINETO_GPU_USER_ANNOTATION, /* gpu_user_annotation: a range projected onto the GPU, so it
	                                  becomes neither a range nor an operation of the model */
	RA_KINETO_PYTHON_FUNCTION,     /* python_function */
	RA_KINETO_RUNTIME,  /* cuda_runtime, runtime, hip_runtime and other …_runtime */
	RA_KINETO_DRIVER,   /* cuda_driver, privateuse1_driver and other …_driver */
	RA_KINETO_KERNEL,   /* kernel, mtia_ccp_events, other work of a device */
	RA_KINETO_MEMCPY,   /* gpu_memcpy, memcpy */
	RA_KINETO_MEMSET,   /* gpu_memset, memset */
	RA_KINETO_SYNC,     /* cuda_sync */
	RA_KINETO_OVERHEAD, /* overhead */
	/* trace: the profiler's own span; cuda_event: an event was recorded on a stream */
	RA_KINETO_TRACE,
	RA_KINETO_PROFILER_RANGE,                    /* cuda_profiler_range */
	RA_KINETO_LAST_X = RA_KINETO_PROFILER_RANGE, /* kinds up to this have ph X */
	RA_KINETO_MEMORY,                            /* i with the name [memory] */
	RA_KINETO_INSTANT,                           /* other i; I, R */
	RA_KINETO_COUNTER,                           /* C */
	RA_KINETO_BEGIN,                             /* B */
	RA_KINETO_END,                               /* E */
	RA_KINETO_FLOW_START,                        /* s; its cat is ac2g, fwdbwd, async … */
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
	RA_KINETO_HAS_TS = 1 << 0, /* ts is a number in range; else ts_ns is 0 */
	/* dur is a number in range; a negative dur is stored here, but is 0 in the model */
	RA_KINETO_HAS_DUR = 1 << 1,
	RA_KINETO_HAS_NAME = 1 << 2, /* name is a string */
	RA_KINETO_HAS_CAT = 1 << 3,
	RA_KINETO_TS_POINT = 1 << 4,  /* the text of ts has a point or exponent: Python reads it as
	                                 float, not int */
	RA_KINETO_DUR_POINT = 1 << 5, /* the text of dur has a point or exponent */
	RA_KINETO_HAS_ARGS = 1 << 6,  /* args is an object */
	RA_KINETO_IS_CAPTURED = 1 << 7, /* a range of a graph's capture, which was added at a launch
	                                   and is not in the file */
};

/*
 * The keys that reports read: RA_KINETO_ARG_x is for the arg with this name. Other keys are stored
 * only for writing the events again, and are found by their string id. The first column has the
 * name of the enum value, the second the text in the file. Those fields of an event itself that
 * have no column (id, bp, s, …) are stored with its args.
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
	/* an integer without point or exponent that fits into 64 bits: in `integer` */
	RA_KINETO_INT,
	/* any other number, NaN and Infinity: in `text`, in the form of the file */
	RA_KINETO_NUMBER,
	RA_KINETO_STRING, /* `integer` is its string id; `text` is unquoted and unescaped */
	/* an array or object: in `text`, without white space, numbers in the form of the file */
	RA_KINETO_JSON,
	RA_KINETO_TRUE,
	RA_KINETO_FALSE,
	RA_KINETO_NULL,
};

struct ra_kineto_value {
	enum ra_kineto_type type;
	int64_t integer;
	/* for NUMBER, points into `digits`; otherwise borrowed from the strings */
	struct rlog_string text;
	char digits[44];
};

/* A (pid, tid) pair. Threads are in the order of their first event. */
struct ra_kineto_thread {
	uint32_t pid; /* string id of the JSON text, so 5 and "5" differ; 0: the event has none; the
	                 same for tid */
	uint32_t tid;
	/* the text as an integer, without quotes; INT64_MIN: it is no integer; the same for tid */
	int64_t pid_number;
	int64_t tid_number;
	uint32_t name;         /* string id of thread_name; 0: none */
	uint32_t process_name; /* string id of process_name; 0: none */
	uint32_t track; /* track in the model; RA_KINETO_NONE: the thread has no slices or calls */
	uint64_t events;
	/* For a thread that is a row of a device (producers/): the values of Kineto's args `device`
	 * and `stream`, which its events lack; -1: none. */
	int64_t device;
	int64_t stream;
	/* string id of the word before the device's number, such as "NPU"; 0: none, or "GPU" */
	uint32_t device_word;
};

/* Thread, category and phase, which many events share: a trace of a million events has some
 * hundreds of these. */
struct ra_kineto_common {
	uint32_t thread;   /* index into threads */
	uint16_t category; /* index into categories; [0] is "no category" */
	uint8_t phase;     /* the character; 0: the event has no ph, or one of several characters */
};

/* A fact that Kineto has in an arg of its own, but other producers put into a text together with
 * others: producers/. */
struct ra_kineto_detail {
	uint32_t text;  /* string id of the whole text */
	uint32_t key;   /* enum ra_kineto_key */
	int64_t value;  /* the integer, or a string id, which is … */
	bool is_json;   /* … that of an array's text … */
	bool is_text;   /* … that of a name … */
	bool is_number; /* … or that of the text of any other number */
};

struct ra_kineto_category {
	uint32_t name;            /* string id of the name in the file */
	uint64_t events;          /* number of events of any ph */
	uint64_t complete;        /* number of events of ph X */
	enum ra_kineto_kind kind; /* kind of its events of ph X */
};

/* A key of the top level and its value, except traceEvents, in the file's order. */
struct ra_kineto_fact {
	uint32_t key;  /* string id */
	uint32_t json; /* string id of its value's JSON text, without white space */
};

/* A device in deviceProperties. A value that the file lacks is 0. */
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
	int64_t bandwidth_kb_s; /* bandwidth of the device's memory */
};

/* Counts of oddities in the file, for the footer. */
struct ra_kineto_oddities {
	uint64_t pid_strings; /* X events whose pid is a string */
	uint64_t tid_strings;
	uint64_t negative_durations;
	uint64_t no_duration;    /* X events without duration, or with one over 73 years */
	uint64_t no_time;        /* events of known kinds, except M, that have no usable ts */
	uint64_t no_name;        /* X events without a name */
	uint64_t not_objects;    /* entries of traceEvents that are no objects, or empty: skipped */
	uint64_t rounded_times;  /* times finer than 1 ns, which were rounded */
	uint64_t unknown_phases; /* events of kind RA_KINETO_UNKNOWN */
	uint64_t repeated_events; /* keys traceEvents after the first */
	uint64_t repaired_words;  /* NaN, N/A, Infinity in place of a number */
	uint64_t repaired_commas; /* commas too many before a closing bracket, or missing commas */
	uint64_t repaired_surrogates; /* half surrogate pairs, which became U+FFFD */
	uint64_t control_texts;       /* texts with unescaped characters below U+0020 */
	uint64_t not_utf8;            /* texts that are not UTF-8 */
	/* backslashes that begin no escape and stand for themselves */
	uint64_t literal_backslashes;
	uint64_t odd_numbers; /* numbers such as +1, .5, 007 */
	uint64_t text_times;  /* ts and dur in quotes */
	uint64_t documents;   /* JSON texts after the first; the events of all are read */
	uint64_t damages;     /* places at which the text is not JSON */
	/* events lost at these places or at the end, as far as can be known */
	uint64_t lost_events;
	uint64_t lost_bytes;
	uint64_t lost_offset; /* offset of the first of these places */
	/* logs embedded by us in a trace whose text before the log was changed */
	uint64_t changed_logs;
	uint64_t damaged_logs;
	uint64_t unused_ftrace; /* kernel events (ftrace) in a Perfetto trace */
	/* X events of an unknown category that have a device and a stream; they become kernels */
	uint64_t unknown_device_work;
	uint64_t unknown_rows; /* X events on rows of a device that this version does not know; they
	                          become ranges of the device */
	/* records of kinds that the reader does not know; they are in no report */
	uint64_t unknown_records;
	/* X events that the writer computed from others; they are in no report */
	uint64_t computed_rows;
	/* warnings of the file's writer that something may be missing */
	uint64_t profiler_warnings;
	uint64_t no_grid; /* kernels without the size of their launch */
	/* kernels shorter than 10 us, if the times of all kernels are whole us */
	uint64_t whole_us_kernels;
	/* API calls whose correlation another call of the same kind has as well */
	uint64_t duplicate_correlations;
};

/* A block is 2^6 events. It has one base for the places of the events' packed values, and one for
 * their times. */
#define RA_KINETO_BLOCK_BITS 6

/* short_ts_ns of an event at the time of its block's base. A short_ts_ns of 0 means the time 0. */
#define RA_KINETO_TS_BASE (UINT32_C(1) << 31)

struct ra_kineto_layout; /* the list of an event's keys: kineto-store.h */

struct ra_kineto {
	/* Columns, with `count` entries each. */
	size_t count;
	/* number of events that were read and counted, but whose row was removed (kineto-drop.h) */
	size_t dropped;
	uint32_t *short_ts_ns;  /* read by ra_kineto_ts() */
	uint32_t *short_dur_ns; /* read by ra_kineto_dur(), set by ra_kineto_set_dur() */
	uint32_t *name;         /* string id; 0: the event has no name, see HAS_NAME */
	/* for X: args.correlation; for flows and async events: id. NONE: absent, or no integer
	 * below 2^32 - 1 */
	uint32_t *corr;
	/* args "External id", or if absent "external id"; NONE: absent, or no such integer */
	uint32_t *external;
	uint16_t *common; /* index into commons: read by ra_kineto_get_thread() and others */
	uint8_t *kind;    /* enum ra_kineto_kind */
	uint8_t *flags;   /* enum ra_kineto_flag */
	/* where its packed keys and values begin, relative to packed_base: see
	 * ra_kineto_rest_next() */
	uint16_t *packed_at;

	struct rlog_string *strings; /* owned; by string id; [0] is empty */
	size_t string_count;
	struct ra_kineto_thread *threads; /* owned, like all arrays below */
	size_t thread_count;
	struct ra_kineto_category *categories;
	size_t category_count;
	struct ra_kineto_common *commons;
	size_t common_count;
	struct ra_kineto_fact *facts;
	size_t fact_count;
	struct ra_kineto_device *devices; /* in the order of the file */
	size_t device_count;
	bool has_details; /* rows of devices are recognised by their names: kineto-details.h */
	struct ra_kineto_detail *details; /* sorted by text, then key */
	size_t detail_count;
	uint32_t unknown_row; /* string id of the name of the first of oddities.unknown_rows … */
	uint32_t unknown_record;
	uint32_t computed_row; /* … and the first of computed_rows */
	uint64_t kind_count[RA_KINETO_KINDS];
	uint64_t phase_count[256]; /* number of events, by character of ph */
	struct ra_kineto_oddities oddities;
	struct rlog_error
		/* owned: where and why reading ended before the end of the file; code 0: it did
	         * not */
		*stop;
	bool goes_on;  /* reading continued after the damage that `stop` describes */
	bool is_ours;  /* this program wrote it from a log, so time 0 is the start of the capture */
	bool is_array; /* the file is a bare array of events */
	bool has_ts_point; /* some event has TS_POINT; then pandas reads all ts as floats */
	bool has_dur_point;
	/* baseTimeNanoseconds: ts_ns + base_ns is the time since 1970; 0: absent */
	int64_t base_ns;
	/* smallest ts_ns of X, B, i, C and async events, which is time 0 of the model */
	int64_t zero_ns;
	int64_t display_ns;    /* displayTimeUnit in ns: 1 for "ns", 1000000 for "ms"; 0: absent */
	int64_t rank;          /* distributedInfo.rank; -1: absent */
	int64_t world_size;    /* distributedInfo.world_size; 0: absent */
	uint32_t backend;      /* string id of distributedInfo.backend … */
	uint32_t nccl_version; /* … and of nccl_version */
	uint64_t file_bytes;   /* size of the file on disk */
	uint64_t json_bytes;   /* size of the unpacked text */

	/* The event (index of a row) from which each item of the model was made. */
	uint32_t *slice_event; /* by slice index */
	uint32_t *op_event;    /* by index into gpu.ops */
	uint32_t *api_event;   /* by index into gpu.apis */
	uint32_t *sync_event;  /* by index into gpu.syncs */
	/* the trace is PyTorch's, so captures of its graphs can be read from other files */
	bool takes_captures;
	/* owned; NULL: the caller does not want it, or no graph ran */
	struct ra_kineto_captured *captured;

	/* owned; this and all below is only for kineto-store.c and kineto-rows.c */
	struct ra_kineto_layout *layouts;
	size_t layout_count;
	uint32_t *layout_keys;  /* owned */
	uint8_t *layout_places; /* owned; by layout, key and whether it is an arg: see
	                           ra_kineto_index() */
	size_t layout_indexed;  /* number of layouts that are in layout_places */
	uint8_t *packed;        /* owned */
	uint64_t packed_bytes;
	/* owned: by event >> RA_KINETO_BLOCK_BITS: what packed_at is relative to */
	uint64_t *packed_base;
	/* owned: by event >> RA_KINETO_BLOCK_BITS: what short_ts_ns is relative to; 0: all
	 * events of the block are at time 0 */
	int64_t *ts_base;
	struct ra_kineto_wide far_ts;     /* times of events whose short_ts_ns is UINT32_MAX */
	struct ra_kineto_wide long_durs;  /* durations of events whose short_dur_ns is UINT32_MAX */
	struct ra_kineto_wide far_packed; /* places of events whose packed_at is UINT16_MAX */
	/* index into commons of events whose `common` is UINT16_MAX */
	struct ra_kineto_wide far_commons;
	void *arena; /* owned: the bytes of the strings */
};

/* Builds an index that makes finding args faster; everything works without it, too. Call it after
 * the last event. */
void ra_kineto_index(struct ra_kineto *kineto);

/* Compares rows so that each row comes before the rows nested in it: by thread, then time, then the
 * longer one first. @kineto: a struct ra_kineto. For ra_run_sort_indices(). */
int ra_kineto_compare_nested(const void *kineto, uint32_t left, uint32_t right);

/* Computes a time from the base of its block. */
static inline int64_t ra_kineto_from_base(int64_t base_ns, uint32_t ts_ns)
{
	return (int64_t) ((uint64_t) base_ns + ts_ns - RA_KINETO_TS_BASE);
}

/* The start of an event in the file's ns. Nearly all starts are within 2 s of their neighbours and
 * take four bytes. */
static inline int64_t ra_kineto_ts(const struct ra_kineto *kineto, uint32_t event)
{
	const uint32_t ts_ns = kineto->short_ts_ns[event];

	if (ts_ns == 0 || ts_ns == UINT32_MAX) {
		return ts_ns == 0 ? 0 : ra_kineto_wide_get(&kineto->far_ts, event);
	}
	return ra_kineto_from_base(kineto->ts_base[event >> RA_KINETO_BLOCK_BITS], ts_ns);
}

/* The duration of an event in ns. Nearly all durations are between 0 and 4 s and take four
 * bytes. */
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

/* The event's ph; 0: it has no ph, or one of several characters. */
static inline uint8_t ra_kineto_get_phase(const struct ra_kineto *kineto, uint32_t event)
{
	return ra_kineto_get_common(kineto, event)->phase;
}

/* Frees the rows and everything that they own. NULL is allowed. */
void ra_kineto_destroy(struct ra_kineto *kineto);

/*
 * Finds an arg of an event by its key. If args has the key several times, the last one is found, as
 * in Python. O(number of args).
 *
 * @event: may be RA_KINETO_NONE, which has no args, here and in the functions below; then @kineto
 * may be NULL. Return: false if the event has no such arg; value->type is then RA_KINETO_ABSENT.
 */
bool ra_kineto_get(const struct ra_kineto *kineto, uint32_t event, enum ra_kineto_key key,
                   struct ra_kineto_value *value);

/* The same for a field of the event itself that has no column, such as id, bp, s. */
bool ra_kineto_get_field(const struct ra_kineto *kineto, uint32_t event, enum ra_kineto_key key,
                         struct ra_kineto_value *value);

/* The same for an integer. Return: false if the arg is absent or no integer; then *integer is
 * unchanged. */
bool ra_kineto_get_int(const struct ra_kineto *kineto, uint32_t event, enum ra_kineto_key key,
                       int64_t *integer);

/*
 * The same for any number, rounded as Python's float() does. "NaN" gives NaN.
 *
 * Return: false if the arg is absent or no number; then *real is unchanged.
 */
bool ra_kineto_get_real(const struct ra_kineto *kineto, uint32_t event, enum ra_kineto_key key,
                        double *real);

/* The string id of a string, or of the JSON text of an array or object; 0: absent or of another
 * type. */
uint32_t ra_kineto_get_text(const struct ra_kineto *kineto, uint32_t event, enum ra_kineto_key key);

/* The same for the sizes of an operator's inputs. PyTorch has used two names for this arg; both are
 * tried. */
uint32_t ra_kineto_get_shape(const struct ra_kineto *kineto, uint32_t event);

/* Makes the text of a list with a blank after each comma. Return: owned by the caller. */
char *ra_kineto_list_text(struct rlog_string json);

/* Reads the first three integers of an array such as [4,1,1]; those that are missing are 0. Return:
 * false if the array does not begin with an integer. */
bool ra_kineto_read_dim3(struct rlog_string json, int64_t out[3]);

/* A string by id. Its bytes are never NULL, and have no NUL at the end. */
struct rlog_string ra_kineto_string(const struct ra_kineto *kineto, uint32_t id);

/* True if the string with this id is this text. */
bool ra_kineto_is_text(const struct ra_kineto *kineto, uint32_t id, const char *text);

/* Iterates over those keys of an event that have no column, in the file's order. */
struct ra_kineto_rest {
	const uint8_t *at;
	const uint32_t *keys;
	uint32_t left;
	uint32_t event;
	/* The key that ra_kineto_rest_next() found: */
	uint32_t key; /* string id, or enum ra_kineto_key */
	bool is_arg;  /* it is in args; false: it is a field of the event itself */
	struct ra_kineto_value value;
};

void ra_kineto_rest_init(struct ra_kineto_rest *rest, const struct ra_kineto *kineto,
                         uint32_t event);

/* Finds the next key. Return: false after the last one. */
bool ra_kineto_rest_next(struct ra_kineto_rest *rest, const struct ra_kineto *kineto);

/*
 * The double that Python's json and C++ get for this time, written in µs with up to three decimals:
 * ns / 1000, correctly rounded.
 */
static inline double ra_kineto_us(int64_t ns)
{
	/*
	 * Below 2^53 both numbers are exact, and the division rounds once. Above that, the whole µs
	 * are exact, and so few bits are left for the fraction that its thousandths, even rounded,
	 * are never near the middle between two doubles. So the sum is rounded to the right double.
	 */
	if (ns < INT64_C(1) << 53 && ns > -(INT64_C(1) << 53)) {
		return (double) ns / 1000.0;
	}
	const int64_t whole = ns / 1000;

	return (double) whole + (double) (ns - whole * 1000) / 1000.0;
}

/* The name of a kind, such as "cpu_op". */
const char *ra_kineto_kind_name(enum ra_kineto_kind kind);

#endif
