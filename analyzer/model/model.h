/* SPDX-License-Identifier: MIT */
/* The model: the contents of a capture, as columns that every analysis and output reads. */
#ifndef RA_MODEL_H
#define RA_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/model/gpu/gpu.h"
#include "format/tables.h"
#include "format/wire.h"

/*
 * A reader builds the model (read-log/, read-json/, read-nsys/); then it is const. All times are
 * integer ns: CLOCK_MONOTONIC minus zero_ns, so they start near 0. Durations are never negative.
 * The model owns all its memory until ra_model_destroy(). Several threads may read a const
 * model.
 */

#define RA_NONE UINT32_MAX

struct ra_schemas;
struct ra_kineto;
struct ra_walk;

enum ra_slice_flag {
	RA_SLICE_OPEN = 1 << 0, /* never closed: it ends with the capture, or with the last event of
	                           its thread if that had ended */
	RA_SLICE_LOST_START =
		1 << 1, /* known only from a depth record: start = end of the loss, name 0 */
	RA_SLICE_LOST_END = 1 << 2, /* closed during a loss: end = start of that loss */
	RA_SLICE_CROSSING = 1 << 3, /* overlaps a range of its thread without nesting: not in the
	                               tree */
	RA_SLICE_WAIT = 1 << 4,     /* not the program's: a wait for a sync object */
	RA_SLICE_FAILED = 1 << 5,   /* the wait failed */
};

/*
 * A thread's slices that are not CROSSING nest: any two are disjoint, or one contains the other. A
 * CROSSING slice has no parent and no children; a slice that began inside it is a child of the
 * slice around it.
 */

/*
 * Slices are the closed ranges. Those of one track are contiguous and ordered by start; at equal
 * starts the enclosing one comes first. A thread's track has the push/pop ranges of all domains in
 * one tree.
 */
struct ra_slices {
	size_t count;
	int64_t *start_ns;
	int64_t *dur_ns;
	uint32_t *name;   /* string id or stand-in; always < model->name_count */
	uint32_t *parent; /* slice index, RA_NONE for a root; always below the slice's own index */
	uint16_t *domain; /* index into model->domains */
	uint8_t *flags;   /* enum ra_slice_flag */
};

/* The counters that a log can have for ranges, and their number. */
enum ra_count_kind {
	RA_COUNT_NONE,
	RA_COUNT_INSTRUCTIONS,
	RA_COUNT_CYCLES,
	RA_COUNT_CACHE_MISSES,
	RA_COUNT_BRANCH_MISSES,
	RA_COUNT_PAGE_FAULTS,
	RA_COUNT_TASK_CLOCK, /* ns of CPU time */
	RA_COUNT_KINDS,
};

#define RA_COUNTS 3

/* Counter values of a range, counted on its thread. */
struct ra_slice_count {
	uint32_t slice;
	uint8_t known; /* bit i: value[i] is set */
	uint64_t value[RA_COUNTS];
};

enum ra_track_kind {
	RA_TRACK_THREAD,    /* push/pop ranges of one stream */
	RA_TRACK_START_END, /* all start/end ranges of the process; their parents are RA_NONE */
};

struct ra_track {
	enum ra_track_kind kind;
	uint32_t stream;  /* stream of the log; 0 for start/end */
	uint32_t process; /* index into model->processes */
	int64_t tid;      /* OS thread id; 0 for start/end */
	uint32_t name;    /* string id of the thread's name, 0 if unknown */
	size_t first_slice;
	size_t slice_count;
	size_t first_mark;
	size_t mark_count;
	int64_t first_ns; /* time of its first and last event */
	int64_t last_ns;
	int64_t end_ns;  /* last_ns, or the end of its open ranges if that is later */
	uint64_t events; /* number of events read from the log */
	uint64_t lost;   /* events known to be lost in it, for any cause, damage included */
	uint32_t helped; /* 1 + index of the thread that it launches work for, by the rule `helper`;
	                    0: none */
	bool has_ended; /* the thread ended before the capture; known only if it left ranges open */
};

/* Ordered by track, then time. */
struct ra_mark {
	int64_t time_ns;
	uint32_t name;
	uint32_t track;
	uint16_t domain;
};

/* Attributes that only some ranges and marks have. */
struct ra_attr {
	uint32_t owner; /* slice or mark index; both tables are ordered by it */
	uint32_t category;
	uint32_t color;        /* ARGB, 0: no color */
	uint32_t payload_type; /* enum rlog_payload_type */
	uint64_t payload;      /* its bits; of a double for double and float */
};

/*
 * Payloads of a range, mark, sample or call, as in the log; ra_payload_decode() decodes them. An
 * owner that has payloads from its beginning and from its end has several, those of the end last.
 */
struct ra_data {
	uint32_t owner;       /* index of the owner; each list is ordered by it */
	uint32_t length : 31; /* bytes */
	uint32_t is_end : 1;  /* it came with the pop or end of a range */
	uint64_t from;        /* where its bytes begin in model->data_bytes */
};

struct ra_data_list {
	struct ra_data *rows;
	size_t count;
};

/* A lock or similar object that threads wait for (nvtxDomainSyncUser…), with the outcome of the
 * waits. */
struct ra_sync_object {
	uint64_t id; /* of the log */
	uint32_t name;
	uint32_t wait_name; /* name of the ranges that are waits for it */
	uint16_t domain;
	uint64_t waits;  /* waits that ended, successful or not */
	uint64_t failed; /* of these, how many failed */
	uint64_t open;   /* waits that never ended */
	int64_t wait_ns;
	int64_t wait_max_ns;
	uint64_t holds; /* how often a thread acquired and released it */
	int64_t hold_ns;
	int64_t hold_max_ns;
};

struct ra_counter {
	uint64_t id;     /* id in the log, within its domain */
	uint64_t schema; /* schema of its values; 0 if it was not defined */
	uint32_t name;
	uint32_t unit; /* string id, 0 if it has none */
	uint32_t uuid; /* string id of the GPU's UUID, for counters of a GPU; 0: none */
	uint16_t domain;
};

/* True for a counter of what NVML said of a GPU (doc/format.md, section 5). Its id has the GPU's
 * number and the kind of value. */
static inline bool ra_counter_is_gpu(const struct ra_counter *counter)
{
	return counter->domain == 0 && counter->id >= RLOG_GPU_COUNTER_BASE &&
	       counter->id < RLOG_GPU_COUNTER_BASE + (UINT64_C(1) << 20);
}

enum ra_sample_kind {
	RA_SAMPLE_INTEGER,     /* int64, in `bits` */
	RA_SAMPLE_REAL,        /* double, in `bits` */
	RA_SAMPLE_DATA,        /* `bits` is the index of its data in sample_data */
	RA_SAMPLE_UNCHANGED,   /* the program took no value: the one before still holds … */
	RA_SAMPLE_UNAVAILABLE, /* … or there is none */
};

/* A value of a counter. Ordered by counter, then time. */
struct ra_sample {
	int64_t time_ns;
	uint64_t bits;
	uint32_t counter; /* index */
	uint32_t kind;    /* enum ra_sample_kind */
};

/* A call whose payload has times of its own: batches of counters, deferred events, regions of
 * memory. */
struct ra_call {
	int64_t time_ns;
	uint32_t function; /* number of the function: doc/format.md, section 14 */
	uint32_t track;
	uint32_t name; /* string id */
	uint16_t domain;
};

/* A call of the operating system's libraries. In any order. It may be before time 0 or after the
 * end, because these calls do not set the limits of the time axis. */
struct ra_os_call {
	int64_t start_ns;
	int64_t dur_ns;
	uint32_t name;  /* string id */
	uint32_t track; /* track of its thread, RA_NONE if the thread is otherwise unknown */
};

/* The threads on which a start/end range began and ended (track indices, RA_NONE if unknown). */
struct ra_span {
	uint32_t slice;
	uint32_t start_track;
	uint32_t end_track;
	uint64_t id;
};

enum ra_handoff_kind {
	RA_HANDOFF_CAPTURE, /* gives the work that the thread is doing the name `id` */
	RA_HANDOFF_ATTACH,  /* from here on the thread works for context `id`; 0: for no context */
	RA_HANDOFF_DETACH,  /* the innermost attachment ends */
};

/* A call of ranges_handoff_…(). Ordered by track, then time. */
struct ra_handoff {
	int64_t time_ns;
	uint64_t id;
	uint32_t track;
	uint32_t slice; /* of RA_HANDOFF_CAPTURE: innermost push/pop range open at that time */
	uint32_t kind;  /* enum ra_handoff_kind */
};

struct ra_domain {
	uint32_t id;   /* id in the log; entry 0 is NVTX's default domain */
	uint32_t name; /* string id, 0 for the default domain */
};

struct ra_category {
	uint16_t domain; /* index of the domain */
	uint32_t id;
	uint32_t name;
};

struct ra_process {
	int64_t pid;
	int64_t ppid;
	int64_t rank;     /* -1: none */
	const char *host; /* owned by the model, NUL-terminated, maybe not UTF-8; "" if unknown */
	const char *exe;
};

/* A fact of the machine that the input is from, or of what ran and recorded there: see
 * model-facts.h. */
struct ra_model_fact {
	struct rlog_string key; /* owned; key and text are one allocation */
	struct rlog_string text;
};

/* A stretch of time in which a track lost events. */
struct ra_loss_span {
	uint32_t track;
	uint32_t cause; /* enum rlog_cause; 0: rows that are missing because of damage */
	int64_t start_ns;
	int64_t end_ns;
	uint64_t count;
};

/* A stretch of time. */
struct ra_window {
	int64_t start_ns;
	int64_t end_ns;
};

/* A wait for a sync object, or a finished hold of one. The sums are made from these. In any order.
 */
enum ra_sync_time_kind {
	RA_SYNC_WAIT,
	RA_SYNC_WAIT_FAILED,
	RA_SYNC_WAIT_OPEN, /* the wait never ended */
	RA_SYNC_HOLD,
};

struct ra_sync_time {
	int64_t start_ns;
	int64_t dur_ns;
	uint32_t object; /* index into sync_objects */
	uint32_t kind;   /* enum ra_sync_time_kind */
};

/* Totals of push/pop ranges and marks that were read but are not in the model. */
struct ra_totals_track {
	uint64_t ranges;
	int64_t covered_ns; /* time in which at least one range was open */
};

struct ra_totals {
	struct ra_totals_track *tracks; /* owned; by track */
	uint64_t *marks;                /* owned; by domain */
	size_t mark_capacity;
	/* If the model has a walk, totals over all threads: */
	uint64_t slice_count; /* waits included */
	uint64_t mark_count;
	uint64_t data_count; /* data of slices and marks */
	uint64_t handoff_count;
	int64_t first_ns; /* INT64_MAX: there are none */
};

/* The counts that tell how complete the data are, for the footer. */
struct ra_quality {
	uint64_t events;   /* events read */
	uint64_t lost[16]; /* by enum rlog_cause, from the log's loss totals; [0]: unknown cause */
	uint64_t missing_rows; /* gaps in sequence numbers: rows lost by damage */
	uint64_t damaged_stretches;
	uint64_t damaged_bytes;
	uint64_t first_damage;    /* byte offset of the first, RLOG_NO_OFFSET: none */
	uint64_t unmatched_pops;  /* pops without an open range */
	uint64_t unmatched_ends;  /* ends of an id that is not open */
	uint64_t open_ranges;     /* RA_SLICE_OPEN */
	uint64_t lost_starts;     /* RA_SLICE_LOST_START */
	uint64_t lost_ends;       /* RA_SLICE_LOST_END */
	uint64_t begun_ranges;    /* ranges open when the capture was resumed: they start there */
	uint64_t outside;         /* events while the capture was off or warming up: not recorded */
	uint64_t crossing_ranges; /* RA_SLICE_CROSSING */
	uint64_t times_repaired;  /* events whose time went backwards in their thread; they got the
	                             time before */
	uint64_t unknown_events;  /* events that this version does not know */
	uint64_t unplaced_events; /* deferred events and samples of batches whose time is unknown */
	uint64_t lost_names;      /* events whose string id is not in the file */
	uint64_t cut_names;       /* strings that were too long and were cut */
	/* By enum rlog_oddity: counts of calls of the program that made no sense; [0]: unknown
	 * kind. */
	uint64_t oddities[RLOG_ODDITIES];
	uint64_t warnings; /* of another profiler: events may be missing, but it does not know */
	int64_t clock_error_ns; /* the largest err of a clock point */
	bool closed;            /* the log was closed */
	bool recovered;         /* … by another process, after the program's death */
};

/*
 * Things that only some inputs have. Reports check these bits, never the kind of input. For data
 * with a count of their own (gpu.op_count, span_count …) they look at the count.
 */
enum ra_has {
	RA_HAS_LOG = 1 << 0,       /* `reader` has the log, with facts of the capture */
	RA_HAS_ROWS = 1 << 1,      /* `kineto` has the events of a trace in JSON, with their args */
	RA_HAS_OPERATORS = 1 << 2, /* `kineto` tells a framework's operators from other ranges */
};

/* The facts about all ranges in a model that holds only the ranges around some steps
 * (model-part.h). Quality, times of threads and the like in such a model describe the whole input.
 */
struct ra_model_part {
	struct ra_slices slices; /* owned; the ranges of all of the input that may be steps, by
	                            track, then in the order in which they begin */
	size_t *firsts;          /* owned; by track: its first of these; one more at the end */
	size_t track_count;
	uint64_t slice_count; /* ranges of all of the input */
};

struct ra_model {
	const struct rlog_string *strings; /* by string id; [0] is empty; bytes NULL: lost */
	size_t string_count;
	struct rlog_string *own_strings; /* owned, with their texts, if `strings` is not borrowed */
	/*
	 * Stand-ins for strings that the log lost: name string_count + i is text i here. So no name
	 * in this model refers to a lost string, and every name is an index below name_count.
	 */
	struct rlog_string *stand_ins; /* owned, with their texts */
	size_t name_count;             /* string_count + stand-ins */
	struct ra_slices slices;
	struct ra_track *tracks;
	size_t track_count;
	struct ra_totals *totals; /* owned; totals of slices and marks that went to a sink
	                             (slice-sink.h); the model then holds only some slices that were
	                             never closed. NULL: it holds all */
	struct ra_walk *walk; /* owned; gives the slices and marks of threads again (walk.h); only
	                         start/end ranges are held. NULL: the model holds all */
	struct ra_model_part *part; /* owned; the model holds only ranges around some steps, and
	                               this is known of the others (model-part.h). NULL: all */
	uint64_t *part_tags; /* borrowed; a number for each slice in a part of a walk (walk.h); else
	                        NULL */
	struct ra_mark *marks;
	size_t mark_count;
	struct ra_attr *slice_attrs;
	size_t slice_attr_count;
	struct ra_slice_count *slice_counts; /* owned; by slice */
	size_t slice_count_count;
	uint8_t count_kinds[RA_COUNTS]; /* enum ra_count_kind of their values */
	struct ra_attr *mark_attrs;
	size_t mark_attr_count;
	uint8_t *data_bytes; /* bytes of all lists; see struct ra_data */
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
	int64_t origin_ns;    /* time 0 of the file it was read from; for a log time 0 itself */
	int64_t end_ns;       /* end of the capture; no event or end of a range is later */
	/*
	 * For a view that shows only some steps (select.h): the windows that its time axis is made
	 * of. 0: no such view.
	 */
	const struct ra_window *windows;
	size_t window_count;
	bool is_view;               /* a view of some steps, of either kind */
	unsigned has;               /* enum ra_has, or'ed */
	uint64_t file_bytes;        /* size of the input file */
	struct rlog_reader *reader; /* owned: has strings and facts; NULL: not from a log */
	struct ra_kineto *kineto;   /* owned: set if RA_HAS_ROWS, see model-rows.h; else NULL */
};

static inline bool ra_model_has(const struct ra_model *model, enum ra_has what)
{
	return (model->has & (unsigned) what) != 0;
}

/* Frees the model and everything it owns. NULL is allowed. */
void ra_model_destroy(struct ra_model *model);
void ra_model_part_destroy(struct ra_model_part *part);

/* The attributes of a slice, or NULL. O(log n). */
const struct ra_attr *ra_model_find_slice_attr(const struct ra_model *model, uint32_t slice);

/* The payloads of an owner, *count of them; NULL and 0 if it has none. O(log n). */
const struct ra_data *ra_model_find_data(const struct ra_data_list *list, uint32_t owner,
                                         size_t *count);

/*
 * A string by id, always one that can be printed: "(no name)" for 0, "(string N lost)" for one that
 * the log lost. O(1).
 */
struct rlog_string ra_model_string(const struct ra_model *model, uint32_t id);

/* The word before the number of a device: "GPU", "NPU". */
struct rlog_string ra_model_device_word(const struct ra_model *model, uint32_t device);

/*
 * Finds the track of a slice.
 *
 * @near: the track to try first, as slices are mostly asked for in order.
 */
uint32_t ra_model_find_track(const struct ra_model *model, uint32_t slice, uint32_t near);

/* Finds the end of a track's slices that begin at or before a time: the index after the last. O(log
 * n). */
size_t ra_model_find_slice_end(const struct ra_model *model, const struct ra_track *track,
                               int64_t time_ns);

/* The name of a category, or 0 if it was never named. */
uint32_t ra_model_find_category(const struct ra_model *model, uint16_t domain, uint32_t category);

#endif
