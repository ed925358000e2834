/* SPDX-License-Identifier: MIT */
/* The report "advice": its rules, what they look at, and how findings become rows. */
#ifndef RA_ADVICE_H
#define RA_ADVICE_H

#include "analyzer/base/order/intervals.h"
#include "analyzer/base/util-map.h"
#include "analyzer/figures/gpu/gpu-order.h"
#include "analyzer/names/kernel-kinds.h"
#include "analyzer/report/report-steps.h"

/* The rules. Findings with equal shares are shown in this order: causes before their effects. */
enum ra_advice_id {
	RA_ADVICE_RECORDING,
	RA_ADVICE_RECORDING_BEFORE, /* recording delays the host while the GPU had earlier work to
	                               do */
	RA_ADVICE_LOADING,
	RA_ADVICE_COMMUNICATION,
	RA_ADVICE_COMMUNICATION_LATE, /* communication is exposed, because the CPU launches too late
	                                 to overlap */
	RA_ADVICE_WAIT,
	RA_ADVICE_WAIT_PART,   /* the same if a part of it is ahead of nodes of graphs … */
	RA_ADVICE_WAIT_GRAPHS, /* … or half of it or more */
	RA_ADVICE_FIRST_USE,
	RA_ADVICE_ALLOCATION,
	RA_ADVICE_SYNC,
	RA_ADVICE_BLOCKING,
	RA_ADVICE_HOST,
	RA_ADVICE_HOST_LONG,    /* the host is late, and did one thing for long each time */
	RA_ADVICE_HOST_SLOW,    /* the host is late, because something slows all operators */
	RA_ADVICE_HOST_UNKNOWN, /* the host is late, and nothing tells what it did */
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
	RA_ADVICE_PRECISION_TF32, /* one rule with several remedies, by the formats of the device */
	RA_ADVICE_PRECISION_FP16,
	RA_ADVICE_PRECISION_ANY,
	RA_ADVICE_ALIGNMENT,
	RA_ADVICE_BIG_KERNEL,
	RA_ADVICE_ATTENTION,
	RA_ADVICE_ELEMENTWISE,
	RA_ADVICE_LAYOUT,
	RA_ADVICE_STEPS,
	RA_ADVICE_STEPS_HOST, /* steps differ, though the GPU does as much work in all of them */
	RA_ADVICE_DATA_PARALLEL,
	RA_ADVICE_BACKEND,
	RA_ADVICE_MEMORY_FULL,
	RA_ADVICE_MEMORY_GROWS,
	RA_ADVICE_RULES,
};

/* A rule. In its texts {time} is the time concerned, {share} its part of the window, {place} the
 * names that took most of it, {detail} the rule's own text. Texts end without a full stop. */
struct ra_advice_rule {
	const char *id;
	double threshold;  /* part of the window; NaN: the rule has no share */
	bool is_of_device; /* findings are of one device, which is named if there are others */
	const char *finding;
	const char *evidence; /* the evidence of the finding, after a colon */
	const char *remedy;
	const char *torch;   /* text for a PyTorch program; NULL: no other text */
	const char *reports; /* reports that show it */
};

extern const struct ra_advice_rule ra_advice_rules[RA_ADVICE_RULES];

/* A line below several findings: it says what their shares don't mean. */
extern const char ra_advice_overlap[];

/* Rewrites a text about CUDA for HIP: names of functions, libraries and units. */
void ra_advice_put_words(struct ra_util_text *text, const char *words, bool is_hip);

/* Appends one of a finding's texts; cuts long words in the middle. */
void ra_advice_put_prose(struct ra_util_text *text, struct rlog_string prose);

/* Converts a time in doubles to ns; any value of a file is safe. */
static inline int64_t ra_advice_ns(double ns)
{
	return ns > 9e18 ? INT64_C(9000000000000000000) : ns < 0 ? 0 : (int64_t) ns;
}

/* An event that a rule is about. */
struct ra_advice_event {
	int64_t start_ns;
	int64_t dur_ns;
	struct rlog_string name; /* lives as long as the table; equal names have equal addresses */
	uint32_t track;          /* track of its thread; RA_NONE: none */
	int64_t device;          /* -1: none */
};

struct ra_advice_name {
	struct rlog_string name;
	uint64_t count;
	int64_t total_ns;
	size_t place;   /* position of its first occurrence */
	bool is_joined; /* stands for all names that only differ in the number at the end */
};

/* Zero-initialise; always call fini. */
struct ra_advice_evidence {
	uint64_t count;
	int64_t total_ns;
	int64_t shared_ns;              /* part of the total that another finding is charged with,
	                                   too */
	struct ra_advice_event longest; /* the first of the longest */
	struct ra_advice_name *names;   /* owned */
	size_t name_count;
	size_t name_capacity;
	struct ra_util_map index; /* address of a name → names */
};

void ra_advice_note(struct ra_advice_evidence *evidence, const struct ra_advice_event *event);
/* Notes an event in several places. Its duration is their sum; `worst` is the longest. */
void ra_advice_note_sum(struct ra_advice_evidence *evidence, const struct ra_advice_event *event,
                        const struct ra_advice_event *worst);
/* Notes an event that several names share. Its duration is divided in proportion to theirs. */
void ra_advice_note_parts(struct ra_advice_evidence *evidence, const struct ra_advice_event *event,
                          const struct ra_advice_event *parts, size_t part_count);
/* Appends "aten::copy_ (12 times), aten::add (3 times), 4 other names": most time first. */
void ra_advice_put_names(struct ra_util_text *text, const struct ra_advice_evidence *evidence);
void ra_advice_evidence_fini(struct ra_advice_evidence *evidence);

/* A finding of a rule. Each field is a column of the table; prose is made from these. */
struct ra_advice_finding {
	const struct ra_advice_rule *rule;
	double share;     /* of the window; NaN: none */
	int64_t total_ns; /* the time concerned */
	int64_t cost_ns;  /* the same, or the rest if most is charged to another finding */
	uint64_t count;
	struct ra_advice_event worst; /* the worst event: its place, start and own duration */
	struct rlog_string finding;   /* a sentence; these texts are kept by the table */
	struct rlog_string evidence;
	struct rlog_string remedy;
};

/* The state of the rules: their input and their findings. */
struct ra_advice {
	struct ra_report_input *input;
	const struct ra_model *model;
	const struct ra_report_steps *steps;
	struct ra_table *table;
	int64_t start_ns; /* the window: from the start of the first step … */
	int64_t end_ns;   /* … to the end of the last */
	bool is_hip;
	bool is_torch;   /* the program uses PyTorch */
	int64_t view_ns; /* what an operator that moves no data takes; 0: no more than usual */
	struct ra_gpu_order order;
	int64_t *call_ends; /* owned: of ra_gpu_meanwhile_list_ends(), while gaps are looked at */
	struct ra_kernel_kinds kinds;
	int64_t busy_ns;         /* union of all operations of all devices, in the window */
	int64_t *step_busy_ns;   /* owned: busy time of each step, over its length before its end */
	int64_t devices_busy_ns; /* each device's own union, summed: more, if several work at
	                            once */
	size_t device_count;     /* devices that had work */
	struct ra_advice_finding *findings; /* owned */
	size_t finding_count;
	size_t finding_capacity;
};

/* A duration as a part of the window. */
double ra_advice_share(const struct ra_advice *advice, int64_t dur_ns);

/* Kernel durations as a part of the window. Devices that work side by side share the time, and
 * so do kernels that overlap on one device. */
int64_t ra_advice_gpu_time(const struct ra_advice *advice, int64_t sum_ns);

/* The part of a duration that lies in the window. */
int64_t ra_advice_clip(const struct ra_advice *advice, int64_t start_ns, int64_t dur_ns);

/*
 * Adds a finding if its share reaches the rule's threshold.
 *
 * @saved_ns: the cost, from which the share follows; for a rule without share any value.
 * @detail: may be NULL.
 */
void ra_advice_add(struct ra_advice *advice, enum ra_advice_id id, int64_t saved_ns,
                   const struct ra_advice_evidence *evidence, const struct ra_util_text *detail);

/* Sorts the findings, worst first, and makes rows of them. */
void ra_advice_finish(struct ra_advice *advice);

/* A GPU operation as an event, with its name in reports. */
struct ra_advice_event ra_advice_read_op(const struct ra_advice *advice,
                                         const struct ra_gpu_op *op);

/* The recorded name of the innermost range around an operation's launch, else of the call;
 * empty: not known. */
struct rlog_string ra_advice_operator(const struct ra_advice *advice, const struct ra_gpu_op *op);

/* The name in reports of the innermost range around a call, except steps; else of the call;
 * empty: none. */
struct rlog_string ra_advice_name_call(const struct ra_advice *advice, uint32_t api,
                                       uint32_t slice);

static inline struct rlog_string ra_advice_name_operator(const struct ra_advice *advice,
                                                         const struct ra_gpu_op *op)
{
	return ra_advice_name_call(advice, op->api, op->slice);
}

/* The class of an operation; RA_KERNEL_OTHER for all but kernels. */
void ra_advice_classify(struct ra_advice *advice, const struct ra_gpu_op *op,
                        struct ra_kernel_class *class);

/* Adds ranges that begin in the window and whose name `is_it` accepts, except what is hidden of
 * them (NULL: nothing). */
void ra_advice_note_ranges(struct ra_advice_evidence *evidence, const struct ra_advice *advice,
                           bool (*is_it)(struct rlog_string name),
                           const struct ra_intervals *hidden);

/* Times when a process did something other than the model's own work. Unions over all its
 * threads. */
struct ra_advice_host {
	struct ra_intervals loading;    /* reads its input */
	struct ra_intervals profiler;   /* starts or stops the recording */
	struct ra_intervals first_use;  /* one-time work, whose results later steps use */
	struct ra_intervals allocation; /* calls that allocate or free, if most steps have some */
	struct rlog_string loader;      /* the name under which it read its input longest */
	int64_t loader_ns;
	bool has_calls; /* of CUDA */
};

bool ra_advice_host_is_loader(struct rlog_string name);

/* Makes one for each process of the model; freed by fini. */
struct ra_advice_host *ra_advice_host_init(const struct ra_advice *advice);
void ra_advice_host_fini(struct ra_advice_host *hosts, const struct ra_advice *advice);

/* The groups of rules, one file each. */
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
