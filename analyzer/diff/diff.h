/* SPDX-License-Identifier: MIT */
/* What differs between two sets of inputs. */
#ifndef RA_DIFF_H
#define RA_DIFF_H

#include "analyzer/diff/diff-row.h"
#include "analyzer/diff/diff-side.h"
#include "analyzer/diff/diff-verdict.h"
#include "analyzer/summary-file/report/sum-set.h"

/* Where the time of a step went: means over steps, and they add up. */
struct ra_diff_role {
	int64_t mean_ns[2];
	enum ra_diff_verdict verdict;
	struct ra_diff_evidence evidence; /* as of a row */
	const double *figures;
};

/* Those that rows share something on: none, the CPU, GPUs. */
#define RA_DIFF_MACHINES 3u

struct ra_diff {
	const struct ra_diff_side *sides[2]; /* borrowed: before, after */
	const struct ra_sum_set *sets[2];    /* of these */
	enum ra_count_kind by;               /* what stands where times do; NONE: times */
	bool has_steps;                      /* both have: a unit is a step; else it is an input */
	struct ra_diff_limits limits;        /* that verdicts are by */
	uint64_t units[2];
	size_t incomplete[2]; /* inputs that lack events */
	struct ra_diff_role roles[RA_ROLES];
	struct ra_diff_row *rows; /* owned; see diff-order.h */
	size_t count;
	size_t capacity;
	struct ra_sum_texts texts;
	struct ra_util_map by_key;
	struct ra_diff_common drifts[RA_DIFF_MACHINES]; /* of the CPU, 1, and of GPUs, 2 */
	double *figures;                                /* owned: which rows borrow */
};

struct ra_diff_options {
	struct ra_diff_limits limits;
	bool with_drift;       /* what all rows share is taken out */
	enum ra_count_kind by; /* what sides have in place of times; NONE: times */
};

/*
 * Compares two sets.
 */
void ra_diff_init(struct ra_diff *diff, const struct ra_diff_side *before,
                  const struct ra_diff_side *after, const struct ra_diff_options *options);
void ra_diff_fini(struct ra_diff *diff);

/* The row that a row of a set is in: rows as they are before init has ordered them. Return: its
 * index, or diff->count. */
size_t ra_diff_find_row(struct ra_diff *diff, const struct ra_sum_set *set,
                        const struct ra_sum_row *row);

/* Whether the sides make other numbers of calls, by more than such numbers vary. */
bool ra_diff_has_other_calls(const struct ra_diff *diff, const struct ra_diff_row *row,
                             double percent);

/* Takes back what is slower or faster here and not so in another comparison with the same second
 * side: that is noise among runs. */
void ra_diff_relent(struct ra_diff *diff, const struct ra_diff *other);

/*
 * Ranges that times leave unsure are called by what the same inputs counted, if that is sure.
 *
 * @counts: of the same sides by counts, without a limit in time.
 */
void ra_diff_take_counts(struct ra_diff *diff, const struct ra_diff *counts,
                         const struct ra_diff_limits *limits);

/* Whether a range is unsure: counts may tell more of it. */
bool ra_diff_has_unsure_range(const struct ra_diff *diff);

/* Whether either side lacks events: then no verdict is of all that was. */
bool ra_diff_is_partial(const struct ra_diff *diff);

/* How many rows and roles are slower. */
size_t ra_diff_count_slower(const struct ra_diff *diff);

/* Whether any of them is, or all together. */
bool ra_diff_is_slower(const struct ra_diff *diff);

/* Whether any row differs for sure: it is slower, faster, or on one side only. */
bool ra_diff_has_sure(const struct ra_diff *diff);

/* How many rows differ at all, be it by a ns or a call. */
size_t ra_diff_count_changed(const struct ra_diff *diff);

#endif
