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
	RA_ADVICE_RECORDING_BEFORE, /* recording delays the host, but meanwhile the GPU had earlier
	                               work to do */
	RA_ADVICE_LOADING,
	RA_ADVICE_COMMUNICATION,
	RA_ADVICE_COMMUNICATION_LATE, /* communication is exposed, because the CPU launches too late
	                                 to overlap */
	RA_ADVICE_WAIT,
	RA_ADVICE_WAIT_PART, /* RA_ADVICE_WAIT, if part of the time is before nodes of graphs … */
	RA_ADVICE_WAIT_GRAPHS, /* … or at least half of it */
	RA_ADVICE_FIRST_USE,
	RA_ADVICE_ALLOCATION,
	RA_ADVICE_SYNC,
	RA_ADVICE_BLOCKING,
	RA_ADVICE_HOST,
	RA_ADVICE_HOST_LONG,    /* the host is late, and did one thing for long each time */
	RA_ADVICE_HOST_SLOW,    /* the host is late, because something slows all operators */
	RA_ADVICE_HOST_UNKNOWN, /* the host is late, and its activity is not known */
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
	RA_ADVICE_PRECISION_TF32, /* the same rule, with the remedy for the device's formats */
	RA_ADVICE_PRECISION_FP16,
	RA_ADVICE_PRECISION_ANY,
	RA_ADVICE_ALIGNMENT,
	RA_ADVICE_BIG_KERNEL,
	RA_ADVICE_ATTENTION,
	RA_ADVICE_ELEMENTWISE,
	RA_ADVICE_LAYOUT,
	RA_ADVICE_STEPS,
	RA_ADVICE_STEPS_HOST, /* steps differ in length, though the GPU does as much work in all of
	                         them */
	RA_ADVICE_DATA_PARALLEL,
	RA_ADVICE_BACKEND,
	RA_ADVICE_MEMORY_FULL,
	RA_ADVICE_MEMORY_GROWS,
	RA_ADVICE_RULES,
};

/* A rule. In its texts {time} is the finding's time, {share} that time as a part of the window,
 * {place} the names that took most of the time, {detail} the rule's own text. Texts end without a
 * full stop. */
struct ra_advice_rule {
	const char *id;
	double threshold;  /* part of the window; NaN: the rule has no share */
	bool is_of_device; /* a finding is about one device, which is named if there are several */
	const char *finding;
	const char *evidence; /* the text about the finding's evidence, after a colon */
	const char *remedy;
	const char *torch;   /* text for a PyTorch program; NULL: no other text */
	const char *reports; /* the reports that show more about it */
};

extern const struct ra_advice_rule ra_advice_rules[RA_ADVICE_RULES];

/* A line below several findings. It says what their shares do not mean. */
extern const char ra_advice_overlap[];

/* Rewrites a text about CUDA for HIP: names of functions, libraries and units. */
void ra_advice_put_words(struct ra_util_text *text, const char *words, bool is_hip);

/* Appends one of a finding's texts; cuts long words in the middle. */
void ra_advice_put_prose(struct ra_util_text *text, struct rlog_string prose);

/* Converts a time from double to ns. The result is limited, so that any value in a file is safe. */
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
	bool is_joined; /* stands for all names that differ only in the number at the end */
};

/* Zero-initialise; always call fini. */
struct ra_advice_evidence {
	uint64_t count;
	int64_t total_ns;
	int64_t shared_ns;              /* part of the total that another finding is charged with,
	                                   too */
	struct ra_advice_event longest; /* the longest event; of equally long ones, the first */
	struct ra_advice_name *names;   /* owned */
	size_t name_count;
	size_t name_capacity;
	struct ra_util_map index; /* address of a name → names */
};

void ra_advice_note(struct ra_advice_evidence *evidence, const struct ra_advice_event *event);
/* Notes an event that occurred in several places. Its duration is the sum over them; `worst` is the
 * longest of them. */
void ra_advice_note_sum(struct ra_advice_evidence *evidence, const struct ra_advice_event *event,
                        const struct ra_advice_event *worst);
/* Notes an event that several names share. Its duration is divided in proportion to the durations
 * of `parts`, one for each name. */
void ra_advice_note_parts(struct ra_advice_evidence *evidence, const struct ra_advice_event *event,
                          const struct ra_advice_event *parts, size_t part_count);
/* Appends "aten::copy_ (12 times), aten::add (3 times), 4 other names". The name with the most time
 * comes first. */
void ra_advice_put_names(struct ra_util_text *text, const struct ra_advice_evidence *evidence);
void ra_advice_evidence_fini(struct ra_advice_evidence *evidence);

/* A finding of a rule. Each field is a column of the table; prose is made from these. */
struct ra_advice_finding {
	const struct ra_advice_rule *rule;
	double share;     /* part of the window; NaN: the rule has no share */
	int64_t total_ns; /* the finding's time */
	int64_t cost_ns;  /* the same, or only the rest of it if most is also charged to another
	                     finding */
	uint64_t count;
	struct ra_advice_event worst; /* the worst event: its place, start and own duration */
	struct rlog_string finding;   /* a sentence; the table keeps this text and the next two */
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
	int64_t view_ns; /* what an operator that moves no data takes, in ns; 0: no more than
	                    usual */
	struct ra_gpu_order order;
	struct ra_kernel_kinds kinds;
	int64_t busy_ns;         /* time in the window in which any device is busy */
	int64_t *step_busy_ns;   /* owned: each step's busy time, in the time of ra_steps_length()
	                            up to its end */
	int64_t devices_busy_ns; /* the busy times of the devices, summed: more than busy_ns if
	                            several work at once */
	size_t device_count;     /* devices that had work in the window */
	struct ra_advice_finding *findings; /* owned */
	size_t finding_count;
	size_t finding_capacity;
};

/* A duration as a part of the window. */
double ra_advice_share(const struct ra_advice *advice, int64_t dur_ns);

/* Converts a sum of kernel durations to time of the window. If devices work side by side or kernels
 * overlap on one device, they share the time. */
int64_t ra_advice_gpu_time(const struct ra_advice *advice, int64_t sum_ns);

/* The part of a duration that is inside the window, in ns. */
int64_t ra_advice_clip(const struct ra_advice *advice, int64_t start_ns, int64_t dur_ns);

/*
 * Adds a finding if its share reaches the rule's threshold.
 *
 * @saved_ns: the cost, from which the share is computed; for a rule without share, any value.
 * @detail: may be NULL.
 */
void ra_advice_add(struct ra_advice *advice, enum ra_advice_id id, int64_t saved_ns,
                   const struct ra_advice_evidence *evidence, const struct ra_util_text *detail);

/* Sorts the findings, worst first, and appends a row to the table for each. */
void ra_advice_finish(struct ra_advice *advice);

/* Makes an event from a GPU operation, with the operation's name in reports. */
struct ra_advice_event ra_advice_read_op(const struct ra_advice *advice,
                                         const struct ra_gpu_op *op);

/* The recorded name of the innermost range around an operation's launch; without a range, that of
 * the call. Empty: neither is known. */
struct rlog_string ra_advice_operator(const struct ra_advice *advice, const struct ra_gpu_op *op);

/* The name in reports of the innermost range around a call, except steps; without a range, that of
 * the call. Empty: there is neither. */
struct rlog_string ra_advice_name_call(const struct ra_advice *advice, uint32_t api,
                                       uint32_t slice);

static inline struct rlog_string ra_advice_name_operator(const struct ra_advice *advice,
                                                         const struct ra_gpu_op *op)
{
	return ra_advice_name_call(advice, op->api, op->slice);
}

/* Finds the class of an operation. If it is no kernel, the class is RA_KERNEL_OTHER. */
void ra_advice_classify(struct ra_advice *advice, const struct ra_gpu_op *op,
                        struct ra_kernel_class *class);

/* Adds the ranges that begin in the window and whose name `is_it` accepts, without their time in
 * `hidden`. @hidden: NULL: nothing is left out. */
void ra_advice_note_ranges(struct ra_advice_evidence *evidence, const struct ra_advice *advice,
                           bool (*is_it)(struct rlog_string name),
                           const struct ra_intervals *hidden);

/* Times in which a process did something other than the model's own work. Each set is the union
 * over all threads of the process. */
struct ra_advice_host {
	struct ra_intervals loading;    /* reads its input */
	struct ra_intervals profiler;   /* starts or stops the recording */
	struct ra_intervals first_use;  /* one-time work, whose results later steps use */
	struct ra_intervals allocation; /* calls that allocate or free, if most steps have some */
	struct rlog_string loader;      /* the name of the range or function in which it read its
	                                   input for the longest time */
	int64_t loader_ns;
	bool has_calls; /* it made calls of CUDA */
};

bool ra_advice_host_is_loader(struct rlog_string name);

/* Makes one entry for each process of the model, and one more for unknown processes. The caller
 * frees them by fini. */
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
