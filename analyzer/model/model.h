/* SPDX-License-Identifier: MIT */
/* The model: what a capture holds, as columns that every analysis and output reads. */
#ifndef RA_MODEL_H
#define RA_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/model/gpu.h"
#include "format/tables.h"
#include "format/wire.h"

/*
 * Built by a reader (read-log/, read-json/, read-nsys/), const for everybody after. All times are
 * integer ns on CLOCK_MONOTONIC minus zero_ns, so they start near 0; durations are never negative.
 * All memory is owned by the model and lives until ra_model_destroy(). Const models may be read by
 * several threads.
 */

#define RA_NONE UINT32_MAX

struct ra_schemas;
struct ra_kineto;
struct ra_walk;

enum ra_slice_flag {
	RA_SLICE_OPEN = 1 << 0, /* never closed: its end is that of the capture, or the last event
	                           of its thread if that had ended */
	RA_SLICE_LOST_START =
		1 << 1, /* known from a depth record only: start = end of the loss, name 0 */
	RA_SLICE_LOST_END = 1 << 2, /* closed during a loss: end = start of that loss */
	RA_SLICE_CROSSING = 1 << 3, /* overlaps a range of the same thread without nesting: not part
	                               of the tree */
	RA_SLICE_WAIT = 1 << 4,   /* no range of the program: the thread waited for a sync object */
	RA_SLICE_FAILED = 1 << 5, /* such a wait that failed */
};

/*
 * The slices of a thread that are not CROSSING nest properly: any two are disjoint or one holds the
 * other. A CROSSING slice has no parent and is nobody's parent; what began inside it hangs on the
 * slice around it.
 */

/*
 * Slices are the closed ranges. Those of one track are contiguous and ordered by start; for equal
 * starts the enclosing one comes first. A thread's track holds the push/pop ranges of all its
 * domains in one tree.
 */
struct ra_slices {
	size_t count;
	int64_t *start_ns;
	int64_t *dur_ns;
	uint32_t *name;   /* string id, or a stand-in: always < model->name_count */
	uint32_t *parent; /* slice index, RA_NONE for a root; always smaller than the slice's own
	                     index */
	uint16_t *domain; /* index into model->domains */
	uint8_t *flags;   /* enum ra_slice_flag */
};

/* What a log can count in ranges beside time, and how many of these. */
enum ra_count_kind {
	RA_COUNT_NONE,
	RA_COUNT_INSTRUCTIONS,
	RA_COUNT_CYCLES,
	RA_COUNT_CACHE_MISSES,
	RA_COUNT_BRANCH_MISSES,
	RA_COUNT_PAGE_FAULTS,
	RA_COUNT_TASK_CLOCK, /* ns on a CPU */
	RA_COUNT_KINDS,
};

#define RA_COUNTS 3

/* What the thread counted in a range. */
struct ra_slice_count {
	uint32_t slice;
	uint8_t known; /* bit i: value[i] is there */
	uint64_t value[RA_COUNTS];
};

enum ra_track_kind {
	RA_TRACK_THREAD,    /* push/pop ranges of one stream */
	RA_TRACK_START_END, /* all start/end ranges of the process; parents are RA_NONE */
};

struct ra_track {
	enum ra_track_kind kind;
	uint32_t stream;  /* of the log; 0 for start/end */
	uint32_t process; /* index into model->processes */
	int64_t tid;      /* OS thread id; 0 for start/end */
	uint32_t name;    /* string id of the thread's name, 0 if unknown */
	size_t first_slice;
	size_t slice_count;
	size_t first_mark;
	size_t mark_count;
	int64_t first_ns; /* of its first and last event */
	int64_t last_ns;
	int64_t end_ns;  /* last_ns, or the end of its open ranges if that is later */
	uint64_t events; /* read from the log */
	uint64_t lost;   /* known to be lost in it, all causes, damage included */
	bool has_ended;  /* the thread ended before the capture did; known of those that left
	                    ranges open */
};

/* Ordered by track, then time. */
struct ra_mark {
	int64_t time_ns;
	uint32_t name;
	uint32_t track;
	uint16_t domain;
};

/* What only some ranges and marks carry. */
struct ra_attr {
	uint32_t owner; /* slice or mark index; each table is ordered by it */
	uint32_t category;
	uint32_t color;        /* ARGB, 0 none */
	uint32_t payload_type; /* enum rlog_payload_type */
	uint64_t payload;      /* bits; double for double and float */
};

/*
 * Payloads of a range, mark, sample or call, as the log has them: ra_payload_decode() tells what
 * they mean. An owner with payloads at its beginning and its end has several, those of the end
 * last.
 */
struct ra_data {
	uint32_t owner;       /* index; each list is ordered by it */
	uint32_t length : 31; /* bytes */
	uint32_t is_end : 1;  /* given with the pop or end of a range */
	uint64_t from;        /* in model->data_bytes */
};

struct ra_data_list {
	struct ra_data *rows;
	size_t count;
};

/* A lock or the like that threads wait for (nvtxDomainSyncUser…), and what became of that. */
struct ra_sync_object {
	uint64_t id; /* of the log */
	uint32_t name;
	uint32_t wait_name; /* of the ranges that are waits for it */
	uint16_t domain;
	uint64_t waits;  /* that ended, well or not */
	uint64_t failed; /* of these */
	uint64_t open;   /* that nothing ended */
	int64_t wait_ns;
	int64_t wait_max_ns;
	uint64_t holds; /* times that a thread got it and gave it back */
	int64_t hold_ns;
	int64_t hold_max_ns;
};

struct ra_counter {
	uint64_t id;     /* of the log, in its domain */
	uint64_t schema; /* of its values; 0 if it was not defined */
	uint32_t name;
	uint32_t unit; /* string id, 0 if it has none */
	uint32_t uuid; /* of a GPU's own counter: string id, 0 if it has none */
	uint16_t domain;
};

/* True of what NVML said of a GPU (doc/format.md, section 5): its number and what it is stand in
 * the id. */
static inline bool ra_counter_is_gpu(const struct ra_counter *counter)
{
	return counter->domain == 0 && counter->id >= RLOG_GPU_COUNTER_BASE &&
	       counter->id < RLOG_GPU_COUNTER_BASE + (UINT64_C(1) << 20);
}

enum ra_sample_kind {
	RA_SAMPLE_INTEGER,     /* int64 in bits */
	RA_SAMPLE_REAL,        /* double in bits */
	RA_SAMPLE_DATA,        /* bits: index of its data in sample_data */
	RA_SAMPLE_UNCHANGED,   /* the program took no value: it is that of before … */
	RA_SAMPLE_UNAVAILABLE, /* … or there is none */
};

/* A counter's value. Ordered by counter, then time. */
struct ra_sample {
	int64_t time_ns;
	uint64_t bits;
	uint32_t counter; /* index */
	uint32_t kind;    /* enum ra_sample_kind */
};

/* A call whose data have a meaning on the time axis: batches of counters, deferred events, regions
 * of memory. */
struct ra_call {
	int64_t time_ns;
	uint32_t function; /* doc/format.md, section 14 */
	uint32_t track;
	uint32_t name; /* string id */
	uint16_t domain;
};

/* A call of the operating system's libraries. In any order; some may be before time 0, or after the
 * end: they are not among what the axis is made of. */
struct ra_os_call {
	int64_t start_ns;
	int64_t dur_ns;
	uint32_t name;  /* string id */
	uint32_t track; /* of its thread, RA_NONE if nothing else is known of that */
};

/* A start/end range: which threads it began and ended on (track indices, RA_NONE if unknown). */
struct ra_span {
	uint32_t slice;
	uint32_t start_track;
	uint32_t end_track;
	uint64_t id;
};

enum ra_handoff_kind {
	RA_HANDOFF_CAPTURE, /* what the thread was in is called `id` */
	RA_HANDOFF_ATTACH,  /* the thread works for context `id` from here on; 0: for none */
	RA_HANDOFF_DETACH,  /* the innermost attachment is over */
};

/* A call of ranges_handoff_…(). Ordered by track, then time. */
struct ra_handoff {
	int64_t time_ns;
	uint64_t id;
	uint32_t track;
	uint32_t slice; /* innermost push/pop range open then; of RA_HANDOFF_CAPTURE */
	uint32_t kind;  /* enum ra_handoff_kind */
};

struct ra_domain {
	uint32_t id;   /* of the log; entry 0 is NVTX's default domain */
	uint32_t name; /* string id, 0 for the default domain */
};

struct ra_category {
	uint16_t domain; /* index */
	uint32_t id;
	uint32_t name;
};

struct ra_process {
	int64_t pid;
	int64_t ppid;
	int64_t rank;     /* -1: none */
	const char *host; /* owned by the model, NUL-terminated, perhaps not UTF-8; "" if unknown */
	const char *exe;
};

/* Of the machine that the input is from, and what ran and recorded there: see model-facts.h. */
struct ra_model_fact {
	struct rlog_string key; /* owned, as the text, in one piece */
	struct rlog_string text;
};

/* A stretch in which a track lost events. */
struct ra_loss_span {
	uint32_t track;
	uint32_t cause; /* enum rlog_cause; 0: rows that damage took out of the file */
	int64_t start_ns;
	int64_t end_ns;
	uint64_t count;
};

/* A stretch of time. */
struct ra_window {
	int64_t start_ns;
	int64_t end_ns;
};

/* A wait for a sync object, or a hold of one that is over: what the sums are of. In any order. */
enum ra_sync_time_kind {
	RA_SYNC_WAIT,
	RA_SYNC_WAIT_FAILED,
	RA_SYNC_WAIT_OPEN, /* nothing ended it */
	RA_SYNC_HOLD,
};

struct ra_sync_time {
	int64_t start_ns;
	int64_t dur_ns;
	uint32_t object; /* index into sync_objects */
	uint32_t kind;   /* enum ra_sync_time_kind */
};

/* What is told of push/pop ranges and marks that were read, and are not in the model. */
struct ra_totals_track {
	uint64_t ranges;
	int64_t covered_ns; /* time in which at least one was open */
};

struct ra_totals {
	struct ra_totals_track *tracks; /* owned; by track */
	uint64_t *marks;                /* owned; by domain */
	size_t mark_capacity;
	/* Of a model with a walk, for all threads together: */
	uint64_t slice_count; /* waits, too */
	uint64_t mark_count;
	uint64_t data_count; /* of both */
	uint64_t handoff_count;
	int64_t first_ns; /* INT64_MAX: there are none */
};

/* Everything an honest footer says. */
struct ra_quality {
	uint64_t events; /* read */
	uint64_t
		lost[16]; /* by enum rlog_cause, from the log's loss totals; [0]: cause not known */
	uint64_t missing_rows; /* gaps in sequence numbers: rows damage took */
	uint64_t damaged_stretches;
	uint64_t damaged_bytes;
	uint64_t first_damage; /* byte offset of the first stretch, RLOG_NO_OFFSET if there is none
	                        */
	uint64_t unmatched_pops;  /* pop without an open range */
	uint64_t unmatched_ends;  /* end of an id that is not open */
	uint64_t open_ranges;     /* RA_SLICE_OPEN */
	uint64_t lost_starts;     /* RA_SLICE_LOST_START */
	uint64_t lost_ends;       /* RA_SLICE_LOST_END */
	uint64_t begun_ranges;    /* open when the capture went on: they start there */
	uint64_t outside;         /* events while the capture was off or warming up: not recorded */
	uint64_t crossing_ranges; /* RA_SLICE_CROSSING */
	uint64_t times_repaired;  /* events that went backwards in their thread, set to the time
	                             before */
	uint64_t unknown_events;  /* ops this version does not know */
	uint64_t
		unplaced_events; /* deferred ones and samples of batches whose time nothing tells */
	uint64_t lost_names;     /* events whose string id is not in the file */
	uint64_t cut_names;      /* strings that were too long */
	/* By enum rlog_oddity: what made no sense in the program's calls; [0]: kinds not known. */
	uint64_t oddities[RLOG_ODDITIES];
	uint64_t warnings;      /* of another profiler: events may be missing, it can't tell */
	int64_t clock_error_ns; /* largest err of a clock point */
	bool closed;            /* the log was closed */
	bool recovered;         /* … after the program's death */
};

/*
 * What only some inputs tell of. Reports ask this, never where a model came from; of what has
 * counts of its own (gpu.op_count, span_count …) they ask these.
 */
enum ra_has {
	RA_HAS_LOG = 1 << 0,       /* reader: the log, with facts of the capture */
	RA_HAS_ROWS = 1 << 1,      /* kineto: the events of a trace in JSON, with their arguments */
	RA_HAS_OPERATORS = 1 << 2, /* rows tell operators of a framework from other ranges */
};

struct ra_model {
	const struct rlog_string *strings; /* index = string id; [0] is empty; bytes NULL = lost */
	size_t string_count;
	struct rlog_string
		*own_strings; /* owned, with their texts: where nobody else has strings */
	/*
	 * Stand-ins for strings the log lost: name string_count + i is text i here. Names in this
	 * model never point at a lost string, so arrays of name_count entries can be indexed by any
	 * of them.
	 */
	struct rlog_string *stand_ins; /* owned, with their texts */
	size_t name_count;             /* string_count + stand-ins */
	struct ra_slices slices;
	struct ra_track *tracks;
	size_t track_count;
	struct ra_totals
		*totals;      /* owned; where slices and marks went to a sink (slice-sink.h) and of
	                         slices only some that nothing closed are here; NULL: all are */
	struct ra_walk *walk; /* owned; by which those of threads come again (walk.h); start/end
	                         ranges are here. NULL: by none */
	uint64_t *part_tags;  /* borrowed; of a part of a walk, by slice (walk.h); else NULL */
	struct ra_mark *marks;
	size_t mark_count;
	struct ra_attr *slice_attrs;
	size_t slice_attr_count;
	struct ra_slice_count *slice_counts; /* owned; by slice */
	size_t slice_count_count;
	uint8_t count_kinds[RA_COUNTS]; /* enum ra_count_kind of their values */
	struct ra_attr *mark_attrs;
	size_t mark_attr_count;
	uint8_t *data_bytes; /* of all lists; see struct ra_data */
	struct ra_data_list slice_data;
	struct ra_data_list mark_data;
	struct ra_data_list sample_data;
	struct ra_data_list call_data;
	struct ra_schemas *schemas;
	struct ra_sync_object *sync_objects;
	size_t sync_object_count;
	struct ra_sync_time *sync_times;
	size_t sync_time_count;
	struct ra_counter *counters;
	size_t counter_count;
	struct ra_sample *samples;
	size_t sample_count;
	struct ra_call *calls;
	size_t call_count;
	struct ra_os_call *os_calls;
	size_t os_call_count;
	struct ra_span *spans;
	size_t span_count;
	struct ra_handoff *handoffs;
	size_t handoff_count;
	struct ra_domain *domains;
	size_t domain_count;
	struct ra_category *categories;
	size_t category_count;
	struct ra_process *processes;
	size_t process_count;
	struct ra_model_fact *facts; /* in the input's order */
	size_t fact_count;
	struct ra_loss_span *loss_spans;
	size_t loss_span_count;
	struct ra_gpu gpu;
	struct ra_quality quality;
	int64_t zero_ns;      /* CLOCK_MONOTONIC of time 0 */
	int64_t zero_real_ns; /* CLOCK_REALTIME of time 0 */
	int64_t origin_ns;    /* time 0 of the file it was read from; a log's is time 0 itself */
	int64_t end_ns;       /* of the capture, no event or end of a range is later */
	/*
	 * Of a view of the time of some steps (select.h): what its axis is made of. 0: this is no
	 * such view.
	 */
	const struct ra_window *windows;
	size_t window_count;
	bool is_view;               /* of some steps, either kind */
	unsigned has;               /* enum ra_has, or'ed */
	uint64_t file_bytes;        /* of what it was read from */
	struct rlog_reader *reader; /* owned: strings and facts borrow from it; NULL: of no log */
	struct ra_kineto *kineto;   /* owned: RA_HAS_ROWS, asked by model-rows.h; else NULL */
};

static inline bool ra_model_has(const struct ra_model *model, enum ra_has what)
{
	return (model->has & (unsigned) what) != 0;
}

/* Frees the model and all it owns. NULL is allowed. */
void ra_model_destroy(struct ra_model *model);

/* The attributes of a slice, or NULL. O(log n). */
const struct ra_attr *ra_model_find_slice_attr(const struct ra_model *model, uint32_t slice);

/* The payloads of an owner in a list, *count of them; NULL and 0 if it has none. O(log n). */
const struct ra_data *ra_model_find_data(const struct ra_data_list *list, uint32_t owner,
                                         size_t *count);

/*
 * A string by id, always printable as bytes: "(no name)" for 0, "(string N lost)" for one the log
 * lost. O(1).
 */
struct rlog_string ra_model_string(const struct ra_model *model, uint32_t id);

/* What stands before the number of a device: "GPU", "NPU". */
struct rlog_string ra_model_device_word(const struct ra_model *model, uint32_t device);

/*
 * The track of a slice.
 *
 * @near: a track to look at first, as slices are mostly asked for in their order.
 */
uint32_t ra_model_find_track(const struct ra_model *model, uint32_t slice, uint32_t near);

/* The slices of a track that begin up to a time lie before this one. O(log n). */
size_t ra_model_find_slice_end(const struct ra_model *model, const struct ra_track *track,
                               int64_t time_ns);

/* Name of a category, or 0 if it was never named. */
uint32_t ra_model_find_category(const struct ra_model *model, uint16_t domain, uint32_t category);

#endif
