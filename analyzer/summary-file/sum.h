/* SPDX-License-Identifier: MIT */
/* A summary: one part per input, with nothing but figures. */
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

/* These numbers are used in the file (doc/format.md, section 15). */
enum ra_sum_table {
	RA_SUM_RANGES = 0,  /* by name, domain and kind */
	RA_SUM_PATHS = 1,   /* the same, split by the names around */
	RA_SUM_KERNELS = 2, /* by device and name, as the next two; includes graphs */
	RA_SUM_COPIES = 3,  /* includes memsets */
	RA_SUM_APIS = 4,
	RA_SUM_TIMES, /* the tables before this have times */
	/* By device, kind, name and domain. total_ns are microjoules, self_ns is their error,
	 * gpu_total_ns the time; the stat is of the single steps' microjoules. */
	RA_SUM_ENERGY = 5,
	RA_SUM_GAUGES = 6, /* by device and enum rlog_gpu_counter; the stat is of the single values,
	                      in thousandths */
	/* Where the time of steps went, for comparisons; not stored in files. kind is enum ra_role,
	 * domain the operation or call, name the names of the ranges around it, outermost first,
	 * with RA_SUM_BETWEEN between them. self_ns is its time in steps, where each moment belongs
	 * to one row. gpu_self_ns is the part of that time in which the first step fills the queue.
	 * total_ns is the sum of durations, for GPU work and for ranges in a DataLoader's; the stat
	 * has these durations, for GPU work only. Of the longest call, gpu_total_ns is the
	 * duration, bytes the time in steps, and errors the start; 0 if not known. */
	RA_SUM_CAUSES = 7,
	RA_SUM_TABLES
};

/* Between the names of a path, in RA_SUM_CAUSES. */
#define RA_SUM_BETWEEN '\x1f'

/* Kinds of RA_SUM_ENERGY. */
enum ra_sum_energy {
	RA_SUM_ENERGY_GPU = 0,
	RA_SUM_ENERGY_STEP = 1,
	RA_SUM_ENERGY_RANGE = 2,
	RA_SUM_ENERGY_KERNEL = 3
};

/* Kinds of ranges are RA_TRACK_… or RA_GROUP_WAIT; of GPU work RA_GPU_… or this one. */
#define RA_SUM_COLLECTIVE 16

struct ra_sum_row {
	uint32_t table; /* enum ra_sum_table, or an unknown one */
	uint32_t kind;
	uint32_t domain;  /* index of a text; for ranges and paths */
	uint32_t name;    /* index of a text */
	uint32_t parent;  /* index of an earlier row of paths, RA_NONE */
	int64_t device;   /* for GPU work; else -1 */
	int64_t total_ns; /* as in struct ra_metrics_row, or the sum of durations */
	int64_t self_ns;
	int64_t gpu_self_ns;
	int64_t gpu_total_ns;
	uint64_t bytes;
	uint64_t errors;
	struct ra_sum_stat stat; /* of the single durations */
};

/* From which call on a row's ranges took longer than before. */
struct ra_sum_change {
	uint32_t row;   /* index of the row */
	uint32_t step;  /* index of a text: the step open then; 0: none */
	uint64_t calls; /* calls before it, which is its number counted from 0 */
	int64_t at_ns;
	int64_t before_ns; /* medians, from the sketch */
	int64_t after_ns;
};

/* The GPU work of a row's ranges, projected as nsys does it: of the calls that began and ended in a
 * range on its thread. */
struct ra_sum_projected {
	uint32_t row;     /* index of the row */
	uint64_t ranges;  /* ranges that have GPU work */
	uint64_t ops;     /* operations of all of them */
	int64_t total_ns; /* from first start to last end, for each range: sum … */
	int64_t min_ns;   /* … shortest … */
	int64_t max_ns;   /* … longest */
};

/* The single durations of a row of collectives, in order of start. */
struct ra_sum_calls {
	uint32_t row; /* index of the row */
	size_t first; /* index in the part's durations */
	size_t count;
	int64_t start_ns; /* of the first one; RA_SUM_NO_START: not known */
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

/* A remark about the input, as in the footer. */
/* The key of a remark: which ranges were taken as steps by their name. */
#define RA_SUM_REMARK_GUESS "steps_by_name"

struct ra_sum_remark {
	uint32_t key;  /* index of a text */
	uint32_t text; /* index of a text */
	uint64_t count;
};

/* A fact of the input's machine, or of what ran and recorded there: struct ra_model_fact. */
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

/* The origin of a part. Two parts with the same id are the same. */
struct ra_sum_origin {
	struct rlog_string run;    /* owned by the part: the folder, or empty */
	struct rlog_string source; /* owned by the part: name of the file */
	int64_t rank;              /* -1: unknown */
	uint8_t id[RA_SUM_ID_BYTES];
};

struct ra_sum_part {
	struct ra_sum_origin origin;
	struct rlog_string *texts; /* owned, with their bytes; [0] is empty */
	size_t text_count;
	size_t text_capacity;
	struct ra_sum_row *rows; /* owned, as all arrays here; ordered by table */
	size_t row_count;
	size_t row_capacity;
	struct ra_sum_projected *projected; /* ordered by row, each once; only rows that have any */
	size_t projected_count;
	size_t projected_capacity;
	struct ra_sum_change *changes; /* ordered by row, each once */
	size_t change_count;
	size_t change_capacity;
	struct ra_sum_calls *calls; /* ordered by row, each once; only rows with few enough calls */
	size_t call_count;
	size_t call_capacity;
	int64_t *durations; /* of all calls */
	size_t duration_count;
	size_t duration_capacity;
	struct ra_sum_step *steps;
	size_t step_count;
	bool is_whole; /* no steps were found: its only step covers everything */
	struct ra_sum_device *devices;
	size_t device_count;
	struct ra_sum_remark *remarks;
	size_t remark_count;
	struct ra_sum_fact *facts; /* ordered by key and text, each once */
	size_t fact_count;
	size_t fact_capacity;
	enum ra_sum_state state;
	bool is_older; /* made by a version that had neither projected times nor facts */
	bool is_trace; /* from a trace of PyTorch or the like, not from a log of ours */
	int64_t pid;
	uint32_t host; /* index of a text, as the next two */
	uint32_t program;
	uint32_t options; /* how names were made and GPU work was linked */
	uint64_t events;
	uint64_t lost;
	int64_t start_real_ns; /* CLOCK_REALTIME of time 0, 0: unknown */
	int64_t length_ns;
	int64_t clock_error_ns;
	int64_t gpu_span_ns;                   /* as in struct ra_rank_gpu */
	int64_t gpu_exactly_ns[RA_RANK_KINDS]; /* its device_ns */
	int64_t own_ns;         /* its own time from each collective to the next, without waits for
	                           other ranks (rank-stretches.h) … */
	uint64_t own_stretches; /* … and how many there are; 0: none, or not known */
	int64_t gpu_outside_ns; /* of GPU work in no range */
	uint64_t gpu_outside_ops;
};

struct ra_sum_series;

struct ra_sum_build_options {
	struct ra_labels_options names;
	const char *step_range; /* NULL: PyTorch's steps */
	const char *steps;      /* only these, as in struct ra_steps_options; NULL: all */
	const char *words;  /* the options as a text, part of the identity; "" for the defaults */
	bool without_paths; /* the part will be added up at once (sum-set.h), without paths */
	struct ra_sum_series *series; /* gets the single calls; NULL: they are not wanted */
	enum ra_count_kind by; /* NONE: times. Else the part has only ranges with such counts, and
	                          the counts instead of times */
};

/* Zero-initialise the part; call ra_sum_fini() in any case. */
void ra_sum_fini(struct ra_sum_part *part);

/* Copies a text. Return: its index. */
uint32_t ra_sum_keep(struct ra_sum_part *part, struct rlog_string text);

/* Makes lists of these numbers of steps, devices and remarks, all zero, unless the number is 0.
 * There must be none yet. */
void ra_sum_make_lists(struct ra_sum_part *part, size_t steps, size_t devices, size_t remarks);

/* Makes room for exactly this many more rows. */
void ra_sum_make_room(struct ra_sum_part *part, size_t rows);

/* Appends a row, all zero except device and parent. */
struct ra_sum_row *ra_sum_add_row(struct ra_sum_part *part);

/* Begins the durations of a row, the first at a time or RA_SUM_NO_START; add them by
 * ra_sum_add_duration(). */
void ra_sum_add_calls(struct ra_sum_part *part, uint32_t row, int64_t start_ns);
void ra_sum_add_duration(struct ra_sum_part *part, int64_t dur_ns);

/* ra_sum_build() returns this if a model with a walk (walk.h) is not enough. */
#define RA_SUM_NEEDS_RANGES 1

/*
 * Fills a part, except for run, source and id of its origin. A model with a walk is enough if
 * neither steps nor counts nor names->merges_numbers are asked for.
 *
 * Return: 0, -RLOG_E_ARGUMENT: none of the chosen steps exists; RA_SUM_NEEDS_RANGES, and the part
 * must be thrown away.
 */
int ra_sum_build(struct ra_sum_part *part, const struct ra_model *model,
                 const struct ra_sum_build_options *options);

/* Compares by the order of parts in a file: run, rank, id, source. */
int ra_sum_compare(const struct ra_sum_origin *a, const struct ra_sum_origin *b);

#endif
