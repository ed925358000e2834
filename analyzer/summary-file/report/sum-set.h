/* SPDX-License-Identifier: MIT */
/* Adds up many parts: figures over ranks, for reports and comparisons. */
#ifndef RA_SUM_SET_H
#define RA_SUM_SET_H

#include "analyzer/summary-file/report/sum-facts.h"
#include "analyzer/summary-file/sum-file.h"
#include "analyzer/summary-file/report/sum-spread.h"
#include "analyzer/summary-file/sum-texts.h"

/* A row summed over parts, or of one part. */
struct ra_sum_total {
	struct ra_sum_row row; /* its texts are in the set; device -1 */
	uint32_t part;         /* index of the part, RA_NONE: sum over all */
	uint32_t parts;        /* number of parts that have it */
	int64_t part_max_ns;   /* the largest total_ns of a part, and that part */
	uint32_t part_max;
	int64_t part_ns; /* total_ns of the current part; after the last part, of that one */
	uint32_t part_last;
	struct ra_sum_spread spread;       /* of the parts' total_ns; unused if by_part */
	struct ra_sum_projected projected; /* sum over all parts … */
	bool has_projected;                /* … if each of them has it */
	struct ra_sum_change change; /* of part_max; calls 0: none. Its step is a text of the set */
};

/* Steps with the same name, or of one part. */
struct ra_sum_steps {
	uint32_t name; /* index of a text */
	uint64_t count;
	int64_t role_ns[RA_ROLES]; /* sums by role */
	int64_t max_ns;            /* the longest step, and its part */
	uint32_t part_max;
	struct ra_sum_spread spread; /* spread of their lengths; unused for steps of one part */
};

/* Facts of a part. */
struct ra_sum_source {
	struct rlog_string run; /* borrowed from the set's texts, as the others here */
	struct rlog_string source;
	struct rlog_string host;
	struct rlog_string options;
	uint32_t run_id; /* index of a text: the run */
	int64_t rank;    /* -1: unknown */
	enum ra_sum_state state;
	bool is_whole;
	uint32_t devices; /* number of devices that something ran on */
	bool is_older;    /* its summary was made before some of the figures existed */
	uint64_t events;
	uint64_t lost;
	int64_t length_ns;
	int64_t own_ns; /* as in its part, as the next */
	uint64_t own_stretches;
	int64_t gpu_exactly_ns[RA_RANK_KINDS];
	int64_t device_ns; /* from the first start of GPU work to the last end, summed over its
	                      devices … */
	int64_t busy_ns;   /* … and the time in which each was busy, summed */
	struct ra_sum_steps steps;
	size_t first_remark;
	size_t remark_count;
};

/* The kernels of a collective on one device of a part. */
struct ra_sum_collective {
	uint32_t run;  /* index of a text */
	uint32_t name; /* index of a text */
	uint32_t part;
	uint64_t calls;
	int64_t total_ns;
	size_t first;     /* index in the set's durations: one per call, in order of start */
	int64_t start_ns; /* of the first of these; RA_SUM_NO_START: not known */
	bool is_by_call;  /* the durations are there */
};

/* Zero-initialise. */
struct ra_sum_set {
	bool by_part;        /* set it before the first part: rows of parts stay separate */
	bool without_causes; /* set it before the first part: rows of RA_SUM_CAUSES are left out */
	struct ra_sum_texts texts;
	struct ra_util_map by_key; /* hash of a row's key → index */
	struct ra_sum_total *totals;
	size_t total_count;
	size_t total_capacity;
	uint32_t *touched; /* owned: totals that the current part has */
	size_t touched_count;
	size_t touched_capacity;
	struct ra_sum_source *sources;
	size_t source_count;
	size_t source_capacity;
	struct ra_sum_collective *collectives; /* as in the parts */
	size_t collective_count;
	size_t collective_capacity;
	int64_t *durations; /* of all these */
	size_t duration_count;
	size_t duration_capacity;
	struct ra_sum_remark *remarks; /* of all sources */
	size_t remark_count;
	size_t remark_capacity;
	struct ra_sum_facts facts;
	struct ra_sum_steps *steps; /* by name, in the order in which names first come */
	size_t step_count;
	size_t step_capacity;
	struct ra_util_map by_step;
	struct ra_sum_stat roles[RA_ROLES]; /* over all steps of all parts */
	int64_t outside_ns;                 /* GPU work in no range */
	uint64_t outside_ops;
};

void ra_sum_set_fini(struct ra_sum_set *set);

/* Adds a part. */
void ra_sum_set_add(struct ra_sum_set *set, const struct ra_sum_part *part);

/* Adds all parts of a file, with only one in memory at a time. Return: 0, or as
 * ra_sum_file_unpack(). */
int ra_sum_set_add_file(struct ra_sum_set *set, const struct ra_sum_file *file);

/* Appends a name for a part: "rank 3", "runA rank 3", "x.bin". */
void ra_sum_set_put_source(struct ra_util_text *text, const struct ra_sum_source *source);

/* The number of inputs that lack events. */
size_t ra_sum_set_count_incomplete(const struct ra_sum_set *set);

/* Appends what these lack, one line each, after `prefix`. */
void ra_sum_set_put_incomplete(struct ra_util_text *text, const struct ra_sum_set *set,
                               const char *prefix);

/* The text of the first remark with a key; empty: there is none. */
struct rlog_string ra_sum_set_find_remark(const struct ra_sum_set *set, const char *key);

/* Appends what the inputs lack: one line if nothing. */
void ra_sum_set_put_footer(struct ra_util_text *text, const struct ra_sum_set *set,
                           const char *prefix);

#endif
