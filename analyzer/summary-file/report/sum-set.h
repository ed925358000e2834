/* SPDX-License-Identifier: MIT */
/* Adds up many parts: figures over ranks, for reports and comparisons. */
#ifndef RA_SUM_SET_H
#define RA_SUM_SET_H

#include "analyzer/summary-file/report/sum-facts.h"
#include "analyzer/summary-file/sum-file.h"
#include "analyzer/summary-file/report/sum-spread.h"
#include "analyzer/summary-file/sum-texts.h"

/* A row: a sum over parts, or a row of one part. */
struct ra_sum_total {
	struct ra_sum_row row; /* the sums; its texts are in the set, and its device is -1 */
	uint32_t part;         /* index of the part; RA_NONE: it is a sum over all */
	uint32_t parts;        /* number of parts that have the row */
	int64_t part_max_ns;   /* the largest total_ns of a part, and the part that has it */
	uint32_t part_max;
	int64_t part_ns; /* total_ns of the part that is being added */
	uint32_t part_last;
	/* how total_ns differs between parts; unused if by_part is set */
	struct ra_sum_spread spread;
	struct ra_sum_projected projected; /* sum over all parts that have the row … */
	bool has_projected;                /* … valid if each of these parts has it */
	/* the change in part_max; `calls` 0: none. Its step is a text of the set */
	struct ra_sum_change change;
};

/* Sums over steps with the same name, or over the steps of one part. */
struct ra_sum_steps {
	uint32_t name; /* index of a text */
	uint64_t count;
	int64_t role_ns[RA_ROLES]; /* sum over the steps, by role */
	int64_t max_ns;            /* the longest step, and the part that has it */
	uint32_t part_max;
	/* how the durations of steps differ; unused for the steps of one part */
	struct ra_sum_spread spread;
};

/* A part that was added: facts about it. */
struct ra_sum_source {
	struct rlog_string run; /* borrowed from the set's texts, like the other texts here */
	struct rlog_string source;
	struct rlog_string host;
	struct rlog_string options;
	uint32_t run_id; /* index of the run's text */
	int64_t rank;    /* -1: unknown */
	enum ra_sum_state state;
	bool is_whole;
	uint32_t devices; /* number of devices on which something ran */
	bool is_older;    /* the summary was made by a version that lacked some figures */
	uint64_t events;
	uint64_t lost;
	int64_t length_ns;
	int64_t own_ns; /* as in struct ra_sum_part, like the member below */
	uint64_t own_stretches;
	int64_t gpu_exactly_ns[RA_RANK_KINDS];
	int64_t device_ns; /* from the first start of GPU work to the last end, summed over its
	                      devices … */
	int64_t busy_ns;   /* … and sum over the devices of the time in which each was busy */
	struct ra_sum_steps steps;
	size_t first_remark;
	size_t remark_count;
};

/* The kernels of one collective on one device of a part. */
struct ra_sum_collective {
	uint32_t run;  /* index of a text */
	uint32_t name; /* index of a text */
	uint32_t part;
	uint64_t calls;
	int64_t total_ns;
	size_t first; /* index of its first duration in the set's durations; there is one for each
	                 call, in order of start */
	int64_t start_ns; /* start of the first call; RA_SUM_NO_START: unknown */
	bool is_by_call;  /* the set has these durations */
};

/* A sum of parts. Zero-initialise. */
struct ra_sum_set {
	bool by_part; /* set it before the first part: keep rows of different parts separate */
	bool without_causes; /* set it before the first part: leave out rows of RA_SUM_CAUSES */
	struct ra_sum_texts texts;
	struct ra_util_map by_key; /* hash of a row's key → index of the total */
	struct ra_sum_total *totals;
	size_t total_count;
	size_t total_capacity;
	uint32_t *touched; /* owned: indices of the totals to which the current part has added */
	size_t touched_count;
	size_t touched_capacity;
	struct ra_sum_source *sources;
	size_t source_count;
	size_t source_capacity;
	struct ra_sum_collective *collectives; /* in the order of the parts */
	size_t collective_count;
	size_t collective_capacity;
	int64_t *durations; /* durations of all these collectives */
	size_t duration_count;
	size_t duration_capacity;
	struct ra_sum_remark *remarks; /* remarks of all sources */
	size_t remark_count;
	size_t remark_capacity;
	struct ra_sum_facts facts;
	struct ra_sum_steps *steps; /* by name, in the order in which names first come */
	size_t step_count;
	size_t step_capacity;
	struct ra_util_map by_step;
	struct ra_sum_stat roles[RA_ROLES]; /* figures over all steps of all parts, by role */
	int64_t outside_ns;                 /* time of GPU work in no range */
	uint64_t outside_ops;
};

void ra_sum_set_fini(struct ra_sum_set *set);

/* Adds a part to the set. */
void ra_sum_set_add(struct ra_sum_set *set, const struct ra_sum_part *part);

/* Adds all parts of a file. Only one of them is in memory at a time. Return: 0, or the code of
 * ra_sum_file_unpack(). */
int ra_sum_set_add_file(struct ra_sum_set *set, const struct ra_sum_file *file);

/* Appends a name for a part: "rank 3", "runA rank 3", "x.bin". */
void ra_sum_set_put_source(struct ra_util_text *text, const struct ra_sum_source *source);

/* The number of inputs that lack events. */
size_t ra_sum_set_count_incomplete(const struct ra_sum_set *set);

/* Appends what these inputs lack, one line each, after `prefix`. */
void ra_sum_set_put_incomplete(struct ra_util_text *text, const struct ra_sum_set *set,
                               const char *prefix);

/* The text of the first remark with this key; empty: there is none. */
struct rlog_string ra_sum_set_find_remark(const struct ra_sum_set *set, const char *key);

/* Appends what the inputs lack. If they lack nothing, appends one line. */
void ra_sum_set_put_footer(struct ra_util_text *text, const struct ra_sum_set *set,
                           const char *prefix);

#endif
