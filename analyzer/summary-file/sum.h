/* SPDX-License-Identifier: MIT */
/* What a summary holds: one part per input, of figures only. */
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

/* The numbers stand in the file (doc/format.md, section 15). */
enum ra_sum_table {
	RA_SUM_RANGES = 0,  /* by name, domain and kind */
	RA_SUM_PATHS = 1,   /* the same by the names around it */
	RA_SUM_KERNELS = 2, /* by device and name, as the next two; graphs too */
	RA_SUM_COPIES = 3,  /* and sets */
	RA_SUM_APIS = 4,
	RA_SUM_TIMES,      /* those before have times */
	RA_SUM_ENERGY = 5, /* by device, what it is of, name and domain: total_ns are microjoules,
	                      self_ns those that it may be off by, gpu_total_ns the time; the stat
	                      is of the single steps' microjoules */
	RA_SUM_GAUGES = 6, /* by device and enum rlog_gpu_counter: the stat is of the single values,
	                      in thousandths */
	RA_SUM_TABLES
};

/* Kinds of RA_SUM_ENERGY. */
enum ra_sum_energy {
	RA_SUM_ENERGY_GPU = 0,
	RA_SUM_ENERGY_STEP = 1,
	RA_SUM_ENERGY_RANGE = 2,
	RA_SUM_ENERGY_KERNEL = 3
};

/* Kinds of ranges are RA_TRACK_…, RA_GROUP_WAIT; of GPU work RA_GPU_…, or this one. */
#define RA_SUM_COLLECTIVE 16

struct ra_sum_row {
	uint32_t table; /* enum ra_sum_table, or one that is not known */
	uint32_t kind;
	uint32_t domain;  /* text; of ranges and paths */
	uint32_t name;    /* text */
	uint32_t parent;  /* index of a row of paths before this one, RA_NONE */
	int64_t device;   /* of GPU work; else -1 */
	int64_t total_ns; /* as struct ra_metrics_row, or the sum of durations */
	int64_t self_ns;
	int64_t gpu_self_ns;
	int64_t gpu_total_ns;
	uint64_t bytes;
	uint64_t errors;
	struct ra_sum_stat stat; /* of the single durations */
};

/* From which call on the ranges of a row took longer than before. */
struct ra_sum_change {
	uint32_t row;   /* index */
	uint32_t step;  /* text: the step that was open then; 0: none */
	uint64_t calls; /* before it: its number, from 0 */
	int64_t at_ns;
	int64_t before_ns; /* medians, as the sketch has them */
	int64_t after_ns;
};

/* GPU work of the ranges of a row as nsys projects it: that of the calls which the thread of a
 * range began and ended in it. */
struct ra_sum_projected {
	uint32_t row;     /* index */
	uint64_t ranges;  /* that have any */
	uint64_t ops;     /* of all of them */
	int64_t total_ns; /* from the first start to the last end of each: sum … */
	int64_t min_ns;   /* … shortest … */
	int64_t max_ns;   /* … longest */
};

/* The single durations of a row of collectives, in the order in which they began. */
struct ra_sum_calls {
	uint32_t row; /* index */
	size_t first; /* into the part's durations */
	size_t count;
};

struct ra_sum_step {
	uint32_t name; /* text */
	int64_t start_ns;
	int64_t role_ns[RA_ROLES];
	int64_t computation_ns;
	int64_t communication_ns;
	int64_t overlap_ns;
};

struct ra_sum_device {
	int64_t id;
	uint32_t name; /* text */
	uint64_t ops;
	int64_t busy_ns;
	int64_t kernel_busy_ns;
	int64_t sync_ns;
};

/* Something to be said about the input, as in the footer. */
/* The key of a remark: which ranges are steps by their name alone. */
#define RA_SUM_REMARK_GUESS "steps_by_name"

struct ra_sum_remark {
	uint32_t key;  /* text */
	uint32_t text; /* text */
	uint64_t count;
};

/* Of the machine that the input is from, and of what ran and recorded there: struct ra_model_fact.
 */
struct ra_sum_fact {
	uint32_t key;  /* text */
	uint32_t text; /* text */
};

/* How much of the input is there. */
enum ra_sum_state {
	RA_SUM_COMPLETE,   /* nothing was lost or damaged */
	RA_SUM_LOSSY,      /* something was, but no events */
	RA_SUM_INCOMPLETE, /* events are missing */
};

/* Where a part came from; two parts of one id are the same. */
struct ra_sum_origin {
	struct rlog_string run;    /* owned by the part: the folder, or empty */
	struct rlog_string source; /* likewise: name of the file */
	int64_t rank;              /* -1: it does not say */
	uint8_t id[RA_SUM_ID_BYTES];
};

struct ra_sum_part {
	struct ra_sum_origin origin;
	struct rlog_string *texts; /* owned, with their bytes; [0] is empty */
	size_t text_count;
	size_t text_capacity;
	struct ra_sum_row *rows; /* owned, as all here; by table */
	size_t row_count;
	size_t row_capacity;
	struct ra_sum_projected *projected; /* by row, each once; of those that have any */
	size_t projected_count;
	size_t projected_capacity;
	struct ra_sum_change *changes; /* by row, each once */
	size_t change_count;
	size_t change_capacity;
	struct ra_sum_calls *calls; /* by row, each once; of those with few enough */
	size_t call_count;
	size_t call_capacity;
	int64_t *durations; /* of all calls */
	size_t duration_count;
	size_t duration_capacity;
	struct ra_sum_step *steps;
	size_t step_count;
	bool is_whole; /* no steps were found: the one there is covers all */
	struct ra_sum_device *devices;
	size_t device_count;
	struct ra_sum_remark *remarks;
	size_t remark_count;
	struct ra_sum_fact *facts; /* by key and text, each once */
	size_t fact_count;
	size_t fact_capacity;
	enum ra_sum_state state;
	bool is_older; /* of a version that knew neither projected times nor facts */
	bool is_trace; /* of PyTorch and the like, not a log of ours */
	int64_t pid;
	uint32_t host; /* text, as the next two */
	uint32_t program;
	uint32_t options; /* how names were made and GPU work linked */
	uint64_t events;
	uint64_t lost;
	int64_t start_real_ns; /* CLOCK_REALTIME of time 0, 0: not known */
	int64_t length_ns;
	int64_t clock_error_ns;
	int64_t gpu_span_ns;                   /* as struct ra_rank_gpu */
	int64_t gpu_exactly_ns[RA_RANK_KINDS]; /* its device_ns */
	int64_t gpu_outside_ns;                /* of GPU work that belongs to no range */
	uint64_t gpu_outside_ops;
};

struct ra_sum_series;

struct ra_sum_build_options {
	struct ra_labels_options names;
	const char *step_range; /* NULL: PyTorch's steps */
	const char *steps;      /* of these only, as struct ra_steps_options has them; NULL: all */
	const char *words;      /* the options as a text, part of the identity; "" for the usual */
	bool without_paths;     /* the part is added up at once (sum-set.h), which needs none */
	struct ra_sum_series *series; /* gets the single calls; NULL: they are not asked for */
	enum ra_count_kind by; /* NONE: times. Else the part has only ranges in which that was
	                          counted, and counts where times are */
};

/* Zero-initialise the part; fini in any case. */
void ra_sum_fini(struct ra_sum_part *part);

/* Keeps a copy of a text. Return: its index. */
uint32_t ra_sum_keep(struct ra_sum_part *part, struct rlog_string text);

/* Makes room for so many steps, devices and remarks, all zero, where the number is not 0; none are
 * there before. */
void ra_sum_make_lists(struct ra_sum_part *part, size_t steps, size_t devices, size_t remarks);

/* Makes room for so many rows more, and no others. */
void ra_sum_make_room(struct ra_sum_part *part, size_t rows);

/* Appends a row, all zero but for device and parent. */
struct ra_sum_row *ra_sum_add_row(struct ra_sum_part *part);

/* Begins the durations of a row, which ra_sum_add_duration() adds to. */
void ra_sum_add_calls(struct ra_sum_part *part, uint32_t row);
void ra_sum_add_duration(struct ra_sum_part *part, int64_t dur_ns);

/* What ra_sum_build() returns of a model with a walk (walk.h), if that is not enough. */
#define RA_SUM_NEEDS_RANGES 1

/*
 * Fills a part, but for its origin's run, source and id. A model with a walk will do if neither
 * steps nor counts are asked for, and names->merges_numbers is not either.
 *
 * Return: 0, -RLOG_E_ARGUMENT: none of the steps that are asked for is there; RA_SUM_NEEDS_RANGES,
 * with a part to be thrown away.
 */
int ra_sum_build(struct ra_sum_part *part, const struct ra_model *model,
                 const struct ra_sum_build_options *options);

/* The order of parts in a file: run, rank, id, source. */
int ra_sum_compare(const struct ra_sum_origin *a, const struct ra_sum_origin *b);

#endif
