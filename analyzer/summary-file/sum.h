/* SPDX-License-Identifier: MIT */
/* A summary: it has one part for each input, with nothing but figures. */
#ifndef RA_SUM_H
#define RA_SUM_H

#include <stdbool.h>

#include "analyzer/link/link.h"
#include "analyzer/names/labels.h"
#include "analyzer/model/model.h"
#include "analyzer/figures/rank-gpu.h"
#include "analyzer/steps/step-costs.h"
#include "analyzer/summary-file/sum-id.h"
#include "analyzer/summary-file/sum-stat.h"

/* The tables. The file contains these numbers (doc/format.md, section 15). */
enum ra_sum_table {
	RA_SUM_RANGES = 0,  /* by name, domain and kind */
	RA_SUM_PATHS = 1,   /* like RA_SUM_RANGES, split by the names of the ranges around */
	RA_SUM_KERNELS = 2, /* by device and name, like the next two tables; includes graphs */
	RA_SUM_COPIES = 3,  /* includes memsets */
	RA_SUM_APIS = 4,
	RA_SUM_TIMES, /* the number of tables above, which have times */
	/* By device, kind, name and domain. total_ns is energy in microjoules, self_ns is its
	 * error, gpu_total_ns is the time; the stat has the microjoules of the single steps. */
	RA_SUM_ENERGY = 5,
	/* by device and enum rlog_gpu_counter; the stat has the single values, in thousandths */
	RA_SUM_GAUGES = 6,
	/* Where the time of steps went, for comparisons; not stored in files. `kind` is enum
	 * ra_role. `domain` is the operation or call. `name` has the names of the ranges around it,
	 * outermost first, separated by RA_SUM_BETWEEN. `self_ns` is its time in steps; each moment
	 * is in one row only. `gpu_self_ns` is the part of that time in which the first step fills
	 * the queue. `total_ns` is the sum of durations, for GPU work and for ranges inside a
	 * DataLoader's; `stat` has these durations, but only for GPU work. Three members are about
	 * the longest call: `gpu_total_ns` is its duration, `bytes` its time in steps, `errors` its
	 * start; 0: unknown. */
	RA_SUM_CAUSES = 7,
	RA_SUM_TABLES
};

/* Separates the names of a path in RA_SUM_CAUSES. */
#define RA_SUM_BETWEEN '\x1f'

/* The kinds of rows in RA_SUM_ENERGY. */
enum ra_sum_energy {
	RA_SUM_ENERGY_GPU = 0,
	RA_SUM_ENERGY_STEP = 1,
	RA_SUM_ENERGY_RANGE = 2,
	RA_SUM_ENERGY_KERNEL = 3
};

/* Kinds of ranges are RA_TRACK_… or RA_GROUP_WAIT. Kinds of GPU work are RA_GPU_… or this one. */
#define RA_SUM_COLLECTIVE 16

struct ra_sum_row {
	uint32_t table; /* enum ra_sum_table, or an unknown one */
	uint32_t kind;
	uint32_t domain;  /* index of a text; for ranges and paths */
	uint32_t name;    /* index of a text */
	uint32_t parent;  /* index of an earlier row of paths; RA_NONE: none */
	int64_t device;   /* for GPU work; otherwise -1 */
	int64_t total_ns; /* as in struct ra_metrics_row, or the sum of durations */
	int64_t self_ns;
	int64_t gpu_self_ns;
	int64_t gpu_total_ns;
	uint64_t bytes;
	uint64_t errors;
	struct ra_sum_stat stat; /* figures of the single durations */
};

/* A change: from one call on, a row's ranges took longer than before. */
struct ra_sum_change {
	uint32_t row;   /* index of the row */
	uint32_t step;  /* index of a text: the step that was open then; 0: none */
	uint64_t calls; /* number of calls before it */
	int64_t at_ns;
	int64_t before_ns; /* median before and after, from the sketch */
	int64_t after_ns;
};

/* The GPU work of a row's ranges, projected in nsys' way: the work of calls that began and ended in
 * a range on the range's thread. */
struct ra_sum_projected {
	uint32_t row;     /* index of the row */
	uint64_t ranges;  /* number of ranges that have GPU work */
	uint64_t ops;     /* number of operations of all these ranges */
	int64_t total_ns; /* time from the first start to the last end in each range: the sum … */
	int64_t min_ns;   /* … the shortest … */
	int64_t max_ns;   /* … and the longest */
};

/* The single durations of a row of collectives, in order of start. */
struct ra_sum_calls {
	uint32_t row; /* index of the row */
	size_t first; /* index in the part's durations */
	size_t count;
	int64_t start_ns; /* start of the first one; RA_SUM_NO_START: unknown */
};

#define RA_SUM_NO_START INT64_MAX

struct ra_sum_step {
	uint32_t name; /* index of a text */
	int64_t start_ns;
	int64_t role_ns[RA_ROLES];
	int64_t computation_ns;
	int64_t communication_ns;
	int64_t overlap_ns;
};

struct ra_sum_device {
	int64_t id;
	uint32_t name; /* index of a text */
	uint64_t ops;
	int64_t busy_ns;
	int64_t kernel_busy_ns;
	int64_t sync_ns;
};

/* The key of a remark that names the ranges taken as steps because of their names. */
/* The key of a remark: which ranges were taken as steps by their name. */
#define RA_SUM_REMARK_GUESS "steps_by_name"

struct ra_sum_remark {
	uint32_t key;  /* index of a text */
	uint32_t text; /* index of a text */
	uint64_t count;
};

/* A fact about the input's machine, or about the software that ran and recorded there: struct
 * ra_model_fact. */
struct ra_sum_fact {
	uint32_t key;  /* index of a text */
	uint32_t text; /* index of a text */
};

/* How complete the input is. */
enum ra_sum_state {
	RA_SUM_COMPLETE,   /* nothing was lost or damaged */
	RA_SUM_LOSSY,      /* something was lost or damaged, but no events */
	RA_SUM_INCOMPLETE, /* events are missing */
};

/* The origin of a part. Parts with the same id are the same part. */
struct ra_sum_origin {
	struct rlog_string run;    /* owned by the part: the folder; may be empty */
	struct rlog_string source; /* owned by the part: the name of the file */
	int64_t rank;              /* -1: unknown */
	uint8_t id[RA_SUM_ID_BYTES];
};

struct ra_sum_part {
	struct ra_sum_origin origin;
	struct rlog_string *texts; /* owned, with their bytes; [0] is empty */
	size_t text_count;
	size_t text_capacity;
	struct ra_sum_row *rows; /* owned, like all arrays here; ordered by table */
	size_t row_count;
	size_t row_capacity;
	/* ordered by row, at most one for each; only rows that have GPU work */
	struct ra_sum_projected *projected;
	size_t projected_count;
	size_t projected_capacity;
	struct ra_sum_change *changes; /* ordered by row, at most one for each */
	size_t change_count;
	size_t change_capacity;
	/* ordered by row, at most one for each; only rows with few calls */
	struct ra_sum_calls *calls;
	size_t call_count;
	size_t call_capacity;
	int64_t *durations; /* the durations of all `calls` */
	size_t duration_count;
	size_t duration_capacity;
	struct ra_sum_step *steps;
	size_t step_count;
	bool is_whole; /* no steps were found, so its only step is the whole input */
	struct ra_sum_device *devices;
	size_t device_count;
	struct ra_sum_remark *remarks;
	size_t remark_count;
	struct ra_sum_fact *facts; /* ordered by key and text, without repeats */
	size_t fact_count;
	size_t fact_capacity;
	enum ra_sum_state state;
	bool is_older; /* made by a version that had neither projected times nor facts */
	bool is_trace; /* the input was a trace of PyTorch or another program, not a log of ours */
	int64_t pid;
	uint32_t host; /* index of a text, like the two members below */
	uint32_t program;
	uint32_t options; /* how names were made and GPU work was linked */
	uint64_t events;
	uint64_t lost;
	int64_t start_real_ns; /* time 0 by CLOCK_REALTIME; 0: unknown */
	int64_t length_ns;
	int64_t clock_error_ns;
	int64_t gpu_span_ns;                   /* as in struct ra_rank_gpu */
	int64_t gpu_exactly_ns[RA_RANK_KINDS]; /* device_ns of struct ra_rank_gpu */
	int64_t own_ns; /* the rank's own time from each collective to the next, without waits for
	                   other ranks (rank-stretches.h) … */
	uint64_t own_stretches; /* … and the number of these times; 0: none, or unknown */
	int64_t gpu_outside_ns; /* time of GPU work in no range */
	uint64_t gpu_outside_ops;
};

struct ra_sum_series;

struct ra_sum_build_options {
	struct ra_labels_options names;
	const char *step_range; /* NULL: PyTorch's steps */
	const char *steps;      /* only these steps, as in struct ra_steps_options; NULL: all */
	/* the options as a text, which is a part of the identity; "" for the defaults */
	const char *words;
	/* without paths, because the part will be added to a set at once (sum-set.h) */
	bool without_paths;
	/* gets the single calls; NULL: the caller does not need them */
	struct ra_sum_series *series;
	enum ra_count_kind by; /* NONE: the figures are times. Otherwise the part has only ranges
	                          with such a counter, and the counter's values instead of times */
};

/* Frees the part. Zero-initialise it before use; call this in any case. */
void ra_sum_fini(struct ra_sum_part *part);

/* Copies a text. Return: its index. */
uint32_t ra_sum_keep(struct ra_sum_part *part, struct rlog_string text);

/* Makes lists with these numbers of steps, devices and remarks, all zero. A list is not made if its
 * number is 0. The part must have no lists yet. */
void ra_sum_make_lists(struct ra_sum_part *part, size_t steps, size_t devices, size_t remarks);

/* Makes room for exactly this many more rows. */
void ra_sum_make_room(struct ra_sum_part *part, size_t rows);

/* Appends a row, all zero except device and parent, which mean "none". */
struct ra_sum_row *ra_sum_add_row(struct ra_sum_part *part);

/* Begins the durations of a row. @start_ns: start of the first one, or RA_SUM_NO_START. Then add
 * them with ra_sum_add_duration(). */
void ra_sum_add_calls(struct ra_sum_part *part, uint32_t row, int64_t start_ns);
void ra_sum_add_duration(struct ra_sum_part *part, int64_t dur_ns);

/* Returned by ra_sum_build() if a model with a walk (walk.h) is not enough. */
#define RA_SUM_NEEDS_RANGES 1

/*
 * Fills a part, except for run, source and id of its origin. A model with a walk is enough if the
 * options have neither steps nor counts nor names.merges_numbers.
 *
 * Return: 0, -RLOG_E_ARGUMENT: none of the chosen steps exists; RA_SUM_NEEDS_RANGES, and the part
 * must be thrown away.
 */
int ra_sum_build(struct ra_sum_part *part, const struct ra_model *model,
                 const struct ra_sum_build_options *options);

/* Compares parts in the order in which a file has them: run, rank, id, source. */
int ra_sum_compare(const struct ra_sum_origin *a, const struct ra_sum_origin *b);

#endif
