/* SPDX-License-Identifier: MIT */
/* Many parts added up: figures over ranks, for reports and comparisons. */
#ifndef RA_SUM_SET_H
#define RA_SUM_SET_H

#include "analyzer/summary-file/report/sum-facts.h"
#include "analyzer/summary-file/sum-file.h"
#include "analyzer/summary-file/report/sum-spread.h"
#include "analyzer/summary-file/sum-texts.h"

/* A row over parts, or of one part. */
struct ra_sum_total {
	struct ra_sum_row row; /* its texts are of the set; device -1 */
	uint32_t part;         /* index of the part, RA_NONE: of all */
	uint32_t parts;        /* that have it */
	int64_t part_max_ns;   /* the largest total_ns of a part, and which that is */
	uint32_t part_max;
	int64_t part_ns; /* total_ns of the part at hand; of the last one when all are there */
	uint32_t part_last;
	struct ra_sum_spread spread; /* of the total_ns of parts; not where parts stay apart */
	struct ra_sum_projected projected; /* of all parts … */
	bool has_projected;                /* … of which each tells */
	struct ra_sum_change change; /* of the part that part_max is; calls 0: none. Its step is a
	                                text of the set */
};

/* Steps of one name, or of one part. */
struct ra_sum_steps {
	uint32_t name; /* text */
	uint64_t count;
	int64_t role_ns[RA_ROLES]; /* sums */
	int64_t max_ns;            /* the longest, and of which part */
	uint32_t part_max;
	struct ra_sum_spread spread; /* of their lengths; not of those of one part */
};

/* What is said of a part. */
struct ra_sum_source {
	struct rlog_string run; /* borrowed from the set's texts, as the others */
	struct rlog_string source;
	struct rlog_string host;
	struct rlog_string options;
	uint32_t run_id; /* text: the run */
	int64_t rank;    /* -1: it does not say */
	enum ra_sum_state state;
	bool is_whole;
	bool is_older; /* than the figures that all summaries have now */
	uint64_t events;
	uint64_t lost;
	int64_t length_ns;
	int64_t gpu_exactly_ns[RA_RANK_KINDS];
	int64_t device_ns; /* from the first start of its GPU work to the last end, for each of its
	                      devices, summed … */
	int64_t busy_ns;   /* … and the time in which each was busy */
	struct ra_sum_steps steps;
	size_t first_remark;
	size_t remark_count;
};

/* Kernels of a collective on a device of a part. */
struct ra_sum_collective {
	uint32_t run;  /* text */
	uint32_t name; /* text */
	uint32_t part;
	uint64_t calls;
	int64_t total_ns;
	size_t first;    /* into the set's durations: of each call, as they began */
	bool is_by_call; /* these are there */
};

/* Zero-initialise. */
struct ra_sum_set {
	bool by_part; /* set before the first part: rows of parts stay apart */
	struct ra_sum_texts texts;
	struct ra_util_map by_key; /* hash of a row's key → index */
	struct ra_sum_total *totals;
	size_t total_count;
	size_t total_capacity;
	uint32_t *touched; /* owned: totals that the part at hand has */
	size_t touched_count;
	size_t touched_capacity;
	struct ra_sum_source *sources;
	size_t source_count;
	size_t source_capacity;
	struct ra_sum_collective *collectives; /* as the parts have them */
	size_t collective_count;
	size_t collective_capacity;
	int64_t *durations; /* of all these */
	size_t duration_count;
	size_t duration_capacity;
	struct ra_sum_remark *remarks; /* of all sources */
	size_t remark_count;
	size_t remark_capacity;
	struct ra_sum_facts facts;
	struct ra_sum_steps *steps; /* by name, in the order in which names first occur */
	size_t step_count;
	size_t step_capacity;
	struct ra_util_map by_step;
	struct ra_sum_stat roles[RA_ROLES]; /* of all steps of all parts */
	int64_t outside_ns;                 /* GPU work that belongs to no range */
	uint64_t outside_ops;
};

void ra_sum_set_fini(struct ra_sum_set *set);

/* Adds a part. */
void ra_sum_set_add(struct ra_sum_set *set, const struct ra_sum_part *part);

/* Adds all parts of a file, one in memory at a time. Return: 0, or as ra_sum_file_unpack(). */
int ra_sum_set_add_file(struct ra_sum_set *set, const struct ra_sum_file *file);

/* What people are told a part is: "rank 3", "runA rank 3", "x.bin". */
void ra_sum_set_put_source(struct ra_util_text *text, const struct ra_sum_source *source);

/* How many inputs lack events. */
size_t ra_sum_set_count_incomplete(const struct ra_sum_set *set);

/* Appends what those lack, a line each with `prefix` before it. */
void ra_sum_set_put_incomplete(struct ra_util_text *text, const struct ra_sum_set *set,
                               const char *prefix);

/* The text of the first remark with that key; empty: there is none. */
struct rlog_string ra_sum_set_find_remark(const struct ra_sum_set *set, const char *key);

/* What the inputs lack: one line if all is well. */
void ra_sum_set_put_footer(struct ra_util_text *text, const struct ra_sum_set *set,
                           const char *prefix);

#endif
