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
 * A reader builds the model (read-log/, read-json/, read-nsys/); then the model is const. All times
 * are integer ns: CLOCK_MONOTONIC minus zero_ns, so they start near 0. Durations are never
 * negative. The model owns all its memory until ra_model_destroy(). Several threads may read a
 * const model at the same time.
 */

#define RA_NONE UINT32_MAX

struct ra_schemas;
struct ra_kineto;
struct ra_walk;

enum ra_slice_flag {
	RA_SLICE_OPEN = 1 << 0, /* never closed: ends with the capture, or with its thread's last
	                           event if the thread had ended */
	RA_SLICE_LOST_START = 1 << 1, /* its start was lost, and a depth record tells of it: start =
	                                 end of the loss, name 0 */
	RA_SLICE_LOST_END = 1 << 2,   /* closed during a loss: end = start of that loss */
	RA_SLICE_CROSSING = 1 << 3,   /* overlaps a range of its thread without nesting: not in the
	                                 tree */
	RA_SLICE_WAIT = 1 << 4,       /* not a range of the program but a wait for a sync object */
	RA_SLICE_FAILED = 1 << 5,     /* a wait that failed */
};

/*
 * Those slices of a thread that are not CROSSING nest: any two are disjoint, or one contains the
 * other. A CROSSING slice has no parent and no children; a slice that began inside a CROSSING slice
 * is a child of the slice around that.
 */

/*
 * The ranges, all with an end. The slices of one track are contiguous and ordered by start; at
 * equal starts the enclosing slice comes first. A thread's track has the push/pop ranges of all
 * domains in one tree.
 */
struct ra_slices {
	size_t count;
	int64_t *start_ns;
	int64_t *dur_ns;
	uint32_t *name; /* string id or name of a stand-in; always < model->name_count */
	/* slice index, RA_NONE for a root; always less than the slice's own index */
	uint32_t *parent;
	uint16_t *domain; /* index into model->domains */
	uint8_t *flags;   /* enum ra_slice_flag */
};

/* The counters that a log can have for ranges; RA_COUNTS is their number. */
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
	uint8_t known; /* bit i: value[i] is known */
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
	int64_t end_ns;  /* the larger of last_ns and the latest end of its open ranges */
	uint64_t events; /* number of events read from the log */
	uint64_t lost;   /* events known to be lost in its stream, for any cause, damage included */
	uint32_t helped; /* 1 + index of the thread for which it launches work, according to the
	                    rule `helper`; 0: none */
	bool has_ended; /* the thread ended before the capture; known only if it left ranges open */
};

/* A mark. Ordered by track, then time. */
struct ra_mark {
	int64_t time_ns;
	uint32_t name;
	uint32_t track;
	uint16_t domain;
};

/* Attributes that only some ranges and marks have. */
struct ra_attr {
	uint32_t owner; /* index of the slice or mark; both tables are ordered by it */
	uint32_t category;
	uint32_t color;        /* ARGB, 0: no color */
	uint32_t payload_type; /* enum rlog_payload_type */
	uint64_t payload;      /* bits of the payload; for double and float, the bits of a double */
};

/*
 * Payloads of a range, mark, sample or call, as in the log; ra_payload_decode() decodes them. An
 * owner may have payloads from its beginning, followed by payloads from its end.
 */
struct ra_data {
	uint32_t owner;       /* index of the owner; each list is ordered by it */
	uint32_t length : 31; /* in bytes */
	uint32_t is_end : 1;  /* the payload came with the pop or end of a range */
	uint64_t from;        /* where its bytes begin in model->data_bytes */
};

struct ra_data_list {
	struct ra_data *rows;
	size_t count;
};

/* A lock or similar object for which threads wait (nvtxDomainSyncUser…), with counts of these
 * waits. */
struct ra_sync_object {
	uint64_t id; /* id in the log */
	uint32_t name;
	uint32_t wait_name; /* name of the ranges that are waits for it */
	uint16_t domain;
	uint64_t waits;  /* number of waits that ended, successful or not */
	uint64_t failed; /* number of waits that failed, included in `waits` */
	uint64_t open;   /* number of waits that never ended */
	int64_t wait_ns;
	int64_t wait_max_ns;
	uint64_t holds; /* how often a thread acquired and released the object */
	int64_t hold_ns;
	int64_t hold_max_ns;
};

struct ra_counter {
	uint64_t id;     /* id in the log, within its domain */
	uint64_t schema; /* schema of its values; 0 if it was not defined */
	uint32_t name;
	uint32_t unit; /* string id of the unit, 0: none */
	uint32_t uuid; /* string id of the GPU's UUID, for counters of a GPU; 0: none */
	uint16_t domain;
};

/* True for a counter with what NVML reported about a GPU (doc/format.md, section 5). The counter's
 * id contains the GPU's number and the kind of value. */
static inline bool ra_counter_is_gpu(const struct ra_counter *counter)
{
	return counter->domain == 0 && counter->id >= RLOG_GPU_COUNTER_BASE &&
	       counter->id < RLOG_GPU_COUNTER_BASE + (UINT64_C(1) << 20);
}

enum ra_sample_kind {
	RA_SAMPLE_INTEGER,     /* int64, in `bits` */
	RA_SAMPLE_REAL,        /* double, in `bits` */
	RA_SAMPLE_DATA,        /* `bits` is the index of its data in sample_data */
	RA_SAMPLE_UNCHANGED,   /* the program took no value: the value before is still valid … */
	RA_SAMPLE_UNAVAILABLE, /* … or there is no value */
};

/* A value of a counter. Ordered by counter, then time. */
struct ra_sample {
	int64_t time_ns;
	uint64_t bits;
	uint32_t counter; /* index of the counter */
	uint32_t kind;    /* enum ra_sample_kind */
};

/* A call whose payload contains times: batches of counters, deferred events, regions of memory. */
struct ra_call {
	int64_t time_ns;
	uint32_t function; /* number of the function: doc/format.md, section 14 */
	uint32_t track;
	uint32_t name; /* string id of the call's name */
	uint16_t domain;
};

/* A call of the operating system's libraries. In any order. Its time may be before 0 or after the
 * end, because these calls do not set the limits of the time axis. */
struct ra_os_call {
	int64_t start_ns;
	int64_t dur_ns;
	uint32_t name;  /* string id */
	uint32_t track; /* track of its thread, RA_NONE if the model has no track for that thread */
};

/* The threads on which a start/end range began and ended (track indices, RA_NONE if unknown). */
struct ra_span {
	uint32_t slice;
	uint32_t start_track;
	uint32_t end_track;
	uint64_t id;
};

enum ra_handoff_kind {
	RA_HANDOFF_CAPTURE, /* the thread's present work becomes context `id` */
	RA_HANDOFF_ATTACH,  /* from here on the thread works for context `id`; 0: for no context */
	RA_HANDOFF_DETACH,  /* the innermost attachment ends */
};

/* A call of ranges_handoff_…(). Ordered by track, then time. */
struct ra_handoff {
	int64_t time_ns;
	uint64_t id;
	uint32_t track;
	uint32_t slice; /* for RA_HANDOFF_CAPTURE: innermost push/pop range open at that time */
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
	int64_t rank;     /* -1: the process has no rank */
	const char *host; /* owned by the model, NUL-terminated, maybe not UTF-8; "" if unknown */
	const char *exe;
};

/* A fact about the machine of the input, or about the software that ran and recorded there: see
 * model-facts.h. */
struct ra_model_fact {
	struct rlog_string key; /* owned; key and text are one allocation */
	struct rlog_string text;
};

/* A stretch of time in which a track lost events. */
struct ra_loss_span {
	uint32_t track;
	uint32_t cause; /* enum rlog_cause; 0: rows are missing because of damage */
	int64_t start_ns;
	int64_t end_ns;
	uint64_t count;
};

/* A stretch of time. */
struct ra_window {
	int64_t start_ns;
	int64_t end_ns;
};

/* A wait for a sync object, or a finished hold of one. The counts in struct ra_sync_object are made
 * from these. In any order. */
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

/* Totals of those push/pop ranges and marks that were read but are not in the model. */
struct ra_totals_track {
	uint64_t ranges;
	int64_t covered_ns; /* time in which at least one range was open */
};

struct ra_totals {
	struct ra_totals_track *tracks; /* owned; by track */
	uint64_t *marks;                /* owned; number of marks by domain */
	size_t mark_capacity;
	/* If the model has a walk, totals over all threads' slices and marks: */
	uint64_t slice_count; /* waits included */
	uint64_t mark_count;
	uint64_t data_count; /* number of payloads of slices and marks */
	uint64_t handoff_count;
	int64_t first_ns; /* first begin or mark; INT64_MAX: there are none */
};

/* The counts that tell how complete the data are, for the footer. */
struct ra_quality {
	uint64_t events; /* number of events read */
	/* by enum rlog_cause, from the log's totals of losses; [0]: unknown cause */
	uint64_t lost[16];
	uint64_t missing_rows; /* gaps in sequence numbers: rows lost by damage */
	uint64_t damaged_stretches;
	uint64_t damaged_bytes;
	uint64_t first_damage;   /* byte offset of the first damage; RLOG_NO_OFFSET: none */
	uint64_t unmatched_pops; /* pops without an open range */
	uint64_t unmatched_ends; /* ends of an id that is not open */
	uint64_t open_ranges;    /* slices with RA_SLICE_OPEN */
	uint64_t lost_starts;    /* slices with RA_SLICE_LOST_START */
	uint64_t lost_ends;      /* slices with RA_SLICE_LOST_END */
	/* ranges that were open when the capture was resumed: they start at that time */
	uint64_t begun_ranges;
	uint64_t outside;         /* events while the capture was off or warming up: not recorded */
	uint64_t crossing_ranges; /* slices with RA_SLICE_CROSSING */
	uint64_t times_repaired;  /* events whose time went backwards in their thread; they got the
	                             time of the event before */
	uint64_t unknown_events;  /* events that this version does not know */
	/* deferred events and samples of batches that have no known time */
	uint64_t unplaced_events;
	uint64_t lost_names; /* events whose string id is not in the file */
	uint64_t cut_names;  /* strings that were too long and were cut */
	/* By enum rlog_oddity: number of the program's calls that made no sense; [0]: unknown
	 * kind. */
	uint64_t oddities[RLOG_ODDITIES];
	uint64_t warnings; /* warnings of another profiler that events may be missing; it does not
	                      know whether some are */
	int64_t clock_error_ns; /* the largest error of a clock point */
	bool closed;            /* the log was closed … */
	bool recovered;         /* … by another process, after the program's death */
};

/*
 * Things that only some inputs have. Reports check these bits, never the kind of input. If data
 * have a count of their own (gpu.op_count, span_count …), reports look at the count instead.
 */
enum ra_has {
	RA_HAS_LOG = 1 << 0,       /* `reader` has the log, with facts of the capture */
	RA_HAS_ROWS = 1 << 1,      /* `kineto` has the events of a trace in JSON, with their args */
	RA_HAS_OPERATORS = 1 << 2, /* `kineto` tells a framework's operators from other ranges */
};

/* The facts about all ranges in a model that holds only the ranges around some steps
 * (model-part.h). In such a model, quality and the times of threads still describe the whole
 * input. */
struct ra_model_part {
	struct ra_slices slices; /* owned; the ranges of the whole input that may be steps, by
	                            track, then in order of their begins */
	/* owned; by track: index of its first range in `slices`; one more entry at the end */
	size_t *firsts;
	size_t track_count;
	uint64_t slice_count; /* number of ranges of the whole input */
};

struct ra_model {
	/* by string id; [0] is empty; bytes NULL: the string is lost */
	const struct rlog_string *strings;
	size_t string_count;
	/* owned, with their texts; NULL if `strings` is borrowed */
	struct rlog_string *own_strings;
	/*
	 * Stand-ins for strings that the log lost: the name with index string_count + i has text i
	 * here. So no name in this model refers to a lost string, and every name is an index below
	 * name_count.
	 */
	struct rlog_string *stand_ins; /* owned, with their texts */
	size_t name_count;             /* string_count + number of stand-ins */
	struct ra_slices slices;
	struct ra_track *tracks;
	size_t track_count;
	/* owned; totals of slices and marks that were given to a sink (slice-sink.h); the model
	 * then holds only some slices that were never closed. NULL: the model holds all slices */
	struct ra_totals *totals;
	/* owned; reads the slices and marks of threads again (walk.h); the model holds only
	 * start/end ranges. NULL: it holds all */
	struct ra_walk *walk;
	/* owned; the model holds only ranges around some steps, and this has facts about the
	 * others (model-part.h). NULL: the model holds all */
	struct ra_model_part *part;
	/* borrowed; in a part of a walk, a number for each slice (walk.h); else NULL */
	uint64_t *part_tags;
	struct ra_mark *marks;
	size_t mark_count;
	struct ra_attr *slice_attrs;
	size_t slice_attr_count;
	struct ra_slice_count *slice_counts; /* owned; by slice */
	size_t slice_count_count;
	uint8_t count_kinds[RA_COUNTS]; /* enum ra_count_kind of the values in slice_counts */
	struct ra_attr *mark_attrs;
	size_t mark_attr_count;
	uint8_t *data_bytes; /* bytes of all data lists; see struct ra_data */
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
	int64_t zero_ns;      /* time 0, by CLOCK_MONOTONIC */
	int64_t zero_real_ns; /* time 0, by CLOCK_REALTIME */
	/* time 0 of the file from which the model was made; for a log this is time 0 itself */
	int64_t origin_ns;
	int64_t end_ns; /* end of the capture; no event or end of a range is later */
	/*
	 * For a view that shows only the time of some steps (select.h): the windows of which its
	 * time axis consists. 0: the model is no such view.
	 */
	const struct ra_window *windows;
	size_t window_count;
	bool is_view;               /* a view of some steps, of ranges or of time */
	unsigned has;               /* enum ra_has, or'ed */
	uint64_t file_bytes;        /* size of the input file */
	struct rlog_reader *reader; /* owned: has strings and facts; NULL: the input is no log */
	struct ra_kineto *kineto;   /* owned; the rows (model-rows.h) if RA_HAS_ROWS; else NULL */
};

static inline bool ra_model_has(const struct ra_model *model, enum ra_has what)
{
	return (model->has & (unsigned) what) != 0;
}

/* Frees the model and everything it owns. NULL is allowed. */
void ra_model_destroy(struct ra_model *model);
void ra_model_part_destroy(struct ra_model_part *part);

/* The attributes of a slice; NULL: it has none. O(log n). */
const struct ra_attr *ra_model_find_slice_attr(const struct ra_model *model, uint32_t slice);

/* The payloads of an owner, *count of them; NULL and 0 if it has none. O(log n). */
const struct ra_data *ra_model_find_data(const struct ra_data_list *list, uint32_t owner,
                                         size_t *count);

/*
 * A string by id; the result can always be printed: "(no name)" for 0, "(string N lost)" for a
 * string that the log lost. O(1).
 */
struct rlog_string ra_model_string(const struct ra_model *model, uint32_t id);

/* The word to print before a device's number: "GPU", "NPU". */
struct rlog_string ra_model_device_word(const struct ra_model *model, uint32_t device);

/*
 * Finds the track of a slice.
 *
 * @near: the track to try first, because slices are mostly asked for in order.
 */
uint32_t ra_model_find_track(const struct ra_model *model, uint32_t slice, uint32_t near);

/* Finds the end of a track's slices that begin at or before a time: the index after the last such
 * slice. O(log n). */
size_t ra_model_find_slice_end(const struct ra_model *model, const struct ra_track *track,
                               int64_t time_ns);

/* The name of a category; 0: it was never named. */
uint32_t ra_model_find_category(const struct ra_model *model, uint16_t domain, uint32_t category);

#endif
