/* SPDX-License-Identifier: MIT */
/* The report "advice": its rules, what they look at, and how what they find becomes rows. */
#ifndef RA_ADVICE_H
#define RA_ADVICE_H

#include "analyzer/base/order/intervals.h"
#include "analyzer/base/util-map.h"
#include "analyzer/figures/gpu/gpu-order.h"
#include "analyzer/names/kernel-kinds.h"
#include "analyzer/report/report-steps.h"

/* In the order in which findings of one share are told: causes before what follows from them. */
enum ra_advice_id {
	RA_ADVICE_RECORDING,
	RA_ADVICE_RECORDING_BEFORE, /* the same where the GPU had work of before */
	RA_ADVICE_LOADING,
	RA_ADVICE_COMMUNICATION,
	RA_ADVICE_WAIT,
	RA_ADVICE_FIRST_USE,
	RA_ADVICE_SYNC,
	RA_ADVICE_BLOCKING,
	RA_ADVICE_HOST,
	RA_ADVICE_HOST_UNKNOWN, /* the same where nothing tells what the host did */
	RA_ADVICE_LAUNCH,
	RA_ADVICE_SHORT,
	RA_ADVICE_IDLE,
	RA_ADVICE_PAGEABLE,
	RA_ADVICE_SYNC_COPY,
	RA_ADVICE_DEVICE_COPIES,
	RA_ADVICE_FEW_BLOCKS,
	RA_ADVICE_OCCUPANCY,
	RA_ADVICE_STALLS,
	RA_ADVICE_PRECISION,
	RA_ADVICE_PRECISION_TF32, /* one rule with other remedies, as the device has formats */
	RA_ADVICE_PRECISION_FP16,
	RA_ADVICE_PRECISION_ANY,
	RA_ADVICE_ALIGNMENT,
	RA_ADVICE_BIG_KERNEL,
	RA_ADVICE_ATTENTION,
	RA_ADVICE_ELEMENTWISE,
	RA_ADVICE_LAYOUT,
	RA_ADVICE_STEPS,
	RA_ADVICE_STEPS_HOST, /* the same where the GPU does as much in all of them */
	RA_ADVICE_DATA_PARALLEL,
	RA_ADVICE_BACKEND,
	RA_ADVICE_MEMORY_FULL,
	RA_ADVICE_MEMORY_GROWS,
	RA_ADVICE_RULES,
};

/*
 * A rule. In the texts {time} is the time it is about, {share} its part of the window, {place} the
 * names that took most of it, {detail} what the rule says itself. They end without a full stop.
 */
struct ra_advice_rule {
	const char *id;
	double threshold;  /* part of the window; NaN: the rule has no share */
	bool is_of_device; /* a finding is of one device: it is named where there are others */
	const char *finding;
	const char *evidence; /* what the finding rests on, behind a colon */
	const char *remedy;
	const char *torch;   /* the same in a program of PyTorch; NULL: no other words */
	const char *reports; /* those that show it */
};

extern const struct ra_advice_rule ra_advice_rules[RA_ADVICE_RULES];

/* A line below several findings: what their shares are not. */
extern const char ra_advice_overlap[];

/* A text about CUDA as it is for HIP: names of functions, libraries and units. */
void ra_advice_put_words(struct ra_util_text *text, const char *words, bool is_hip);

/* Appends one of a finding's texts, long words of it cut in the middle. */
void ra_advice_put_prose(struct ra_util_text *text, struct rlog_string prose);

/* A time in doubles as a number of ns, whatever a file made of it. */
static inline int64_t ra_advice_ns(double ns)
{
	return ns > 9e18 ? INT64_C(9000000000000000000) : ns < 0 ? 0 : (int64_t) ns;
}

/* Something that a rule is about. */
struct ra_advice_event {
	int64_t start_ns;
	int64_t dur_ns;
	struct rlog_string name; /* lives as long as the table; names with one address are one */
	uint32_t track;          /* of its thread; RA_NONE: none */
	int64_t device;          /* -1: none */
};

struct ra_advice_name {
	struct rlog_string name;
	uint64_t count;
	int64_t total_ns;
	size_t place;   /* in which it was first found */
	bool is_joined; /* it stands for all that differ in the number at its end */
};

/* Zero-initialise; fini in any case. */
struct ra_advice_evidence {
	uint64_t count;
	int64_t total_ns;
	int64_t shared_ns;              /* of the total, what is charged to another finding, too */
	struct ra_advice_event longest; /* the first of those */
	struct ra_advice_name *names;   /* owned */
	size_t name_count;
	size_t name_capacity;
	struct ra_util_map index; /* address of a name → names */
};

void ra_advice_note(struct ra_advice_evidence *evidence, const struct ra_advice_event *event);
/* The same of what is in several places: its duration is their sum, the worst is the longest. */
void ra_advice_note_sum(struct ra_advice_evidence *evidence, const struct ra_advice_event *event,
                        const struct ra_advice_event *worst);
/* The same of what several names share: its duration is parted as theirs are. */
void ra_advice_note_parts(struct ra_advice_evidence *evidence, const struct ra_advice_event *event,
                          const struct ra_advice_event *parts, size_t part_count);
/* "aten::copy_ (12 times), aten::add (3 times), 4 other names": what took most time first. */
void ra_advice_put_names(struct ra_util_text *text, const struct ra_advice_evidence *evidence);
void ra_advice_evidence_fini(struct ra_advice_evidence *evidence);

/* What a rule found: each field is one of the table's columns, from which prose is made. */
struct ra_advice_finding {
	const struct ra_advice_rule *rule;
	double share;     /* of the window; NaN: none */
	int64_t total_ns; /* it is about */
	int64_t cost_ns;  /* the same, or what is left of it if most is charged to another one */
	uint64_t count;
	struct ra_advice_event worst; /* one of them: its place, begin, and own duration */
	struct rlog_string finding;   /* a sentence; these texts are kept by the table */
	struct rlog_string evidence;
	struct rlog_string remedy;
};

/* What the rules look at, and what they found. */
struct ra_advice {
	struct ra_report_input *input;
	const struct ra_model *model;
	const struct ra_report_steps *steps;
	struct ra_table *table;
	int64_t start_ns; /* the window: of the first step … */
	int64_t end_ns;   /* … to the end of the last */
	bool is_hip;
	bool is_torch; /* the program uses PyTorch */
	struct ra_gpu_order order;
	struct ra_kernel_kinds kinds;
	int64_t busy_ns;         /* any operation, on any device; in the window */
	int64_t *step_busy_ns;   /* owned: the same of each step, from its end back to as long as it
	                            is */
	int64_t devices_busy_ns; /* the same of each device, summed: more, where they work at once
	                          */
	size_t device_count;     /* that had work */
	struct ra_advice_finding *findings; /* owned */
	size_t finding_count;
	size_t finding_capacity;
};

/* The part of the window that a duration is. */
double ra_advice_share(const struct ra_advice *advice, int64_t dur_ns);

/*
 * What the durations of kernels are of the window's time: devices that work side by side pass it
 * together, and so do kernels that overlap on one.
 */
int64_t ra_advice_gpu_time(const struct ra_advice *advice, int64_t sum_ns);

/* How much of a duration lies in the window. */
int64_t ra_advice_clip(const struct ra_advice *advice, int64_t start_ns, int64_t dur_ns);

/* ns of [from, to) in a united set. O(log n + what is there). */
int64_t ra_advice_cover(const struct ra_intervals *set, int64_t from_ns, int64_t to_ns);

/*
 * Adds a finding if its share reaches the rule's threshold.
 *
 * @saved_ns: what it costs, and its share is of; of a rule without share anything.
 * @detail: may be NULL.
 */
void ra_advice_add(struct ra_advice *advice, enum ra_advice_id id, int64_t saved_ns,
                   const struct ra_advice_evidence *evidence, const struct ra_util_text *detail);

/* Sorts the findings, worst first, and makes them rows of the table. */
void ra_advice_finish(struct ra_advice *advice);

/* A GPU operation as an event, and the name that reports have for it. */
struct ra_advice_event ra_advice_read_op(const struct ra_advice *advice,
                                         const struct ra_gpu_op *op);

/* The innermost range around an operation's launch as it was recorded, or the call; empty: not
 * known. */
struct rlog_string ra_advice_operator(const struct ra_advice *advice, const struct ra_gpu_op *op);

/* What reports call the innermost range around a call, which is no step; else the call; empty:
 * none.
 */
struct rlog_string ra_advice_name_call(const struct ra_advice *advice, uint32_t api,
                                       uint32_t slice);

static inline struct rlog_string ra_advice_name_operator(const struct ra_advice *advice,
                                                         const struct ra_gpu_op *op)
{
	return ra_advice_name_call(advice, op->api, op->slice);
}

/* Kind and so on of an operation: of no kernel it is RA_KERNEL_OTHER. */
void ra_advice_classify(struct ra_advice *advice, const struct ra_gpu_op *op,
                        struct ra_kernel_class *class);

/* Adds ranges that begin in the window and whose name is one that `is_it` knows, without what is
 * hidden of them (NULL: nothing). */
void ra_advice_note_ranges(struct ra_advice_evidence *evidence, const struct ra_advice *advice,
                           bool (*is_it)(struct rlog_string name),
                           const struct ra_intervals *hidden);

/* When a process was at what is no work of the program's own model. United; of all its threads. */
struct ra_advice_host {
	struct ra_intervals loading;   /* reads its input */
	struct ra_intervals profiler;  /* starts or stops the recording */
	struct ra_intervals first_use; /* makes what later steps have */
	struct rlog_string loader;     /* what it read longest with */
	int64_t loader_ns;
	bool has_calls; /* of CUDA */
};

bool ra_advice_host_is_loader(struct rlog_string name);

/* Makes one of each process of the model, which fini frees. */
struct ra_advice_host *ra_advice_host_init(const struct ra_advice *advice);
void ra_advice_host_fini(struct ra_advice_host *hosts, const struct ra_advice *advice);

/* The subjects, one file each. */
void ra_advice_idle_apply(struct ra_advice *advice);
void ra_advice_kernels_apply(struct ra_advice *advice);
void ra_advice_shape_apply(struct ra_advice *advice);
void ra_advice_stalls_apply(struct ra_advice *advice);
void ra_advice_comm_apply(struct ra_advice *advice);
void ra_advice_steps_apply(struct ra_advice *advice);
void ra_advice_memory_apply(struct ra_advice *advice);

#define RA_ADVICE_COLUMNS 15
extern const struct ra_table_column ra_advice_columns[RA_ADVICE_COLUMNS];

#endif
