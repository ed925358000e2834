/* SPDX-License-Identifier: MIT */
/* Finds what differs between two sets of inputs. */
#ifndef RA_DIFF_H
#define RA_DIFF_H

#include "analyzer/diff/diff-row.h"
#include "analyzer/diff/diff-side.h"
#include "analyzer/diff/diff-verdict.h"
#include "analyzer/summary-file/report/sum-set.h"

/* A part of the time of a step. The means over steps add up to the mean step. */
struct ra_diff_role {
	int64_t mean_ns[2];
	enum ra_diff_verdict verdict;
	struct ra_diff_evidence evidence; /* as for a row */
	const double *figures;
};

/* The machine on which rows share a difference: none, the CPU, the GPUs. */
#define RA_DIFF_MACHINES 3u

struct ra_diff {
	const struct ra_diff_side *sides[2]; /* borrowed: the side before and the side after */
	const struct ra_sum_set *sets[2];    /* the sets of the sides */
	enum ra_count_kind by;               /* the count that is compared instead of times; NONE:
	                                        times */
	bool has_steps;                      /* both sides have steps. A unit is a step; without
	                                        steps, an input */
	struct ra_diff_limits limits;        /* the limits for the verdicts */
	uint64_t units[2];
	size_t incomplete[2]; /* number of inputs that lack events */
	struct ra_diff_role roles[RA_ROLES];
	struct ra_diff_row *rows; /* owned; their order: see diff-order.h */
	size_t count;
	size_t capacity;
	struct ra_sum_texts texts;
	struct ra_util_map by_key;
	struct ra_diff_common drifts[RA_DIFF_MACHINES]; /* [1] for the CPU, [2] for the GPUs */
	double *figures;                                /* owned; rows borrow from it */
};

struct ra_diff_options {
	struct ra_diff_limits limits;
	bool with_drift;       /* subtract the difference that all rows share */
	enum ra_count_kind by; /* the count that is compared instead of times; NONE: times */
};

/* Compares two sides. */
void ra_diff_init(struct ra_diff *diff, const struct ra_diff_side *before,
                  const struct ra_diff_side *after, const struct ra_diff_options *options);
void ra_diff_fini(struct ra_diff *diff);

/* Finds the row for a row of a set. Call it only before ra_diff_init() has sorted the rows. Return:
 * the row's index, or diff->count. */
size_t ra_diff_find_row(struct ra_diff *diff, const struct ra_sum_set *set,
                        const struct ra_sum_row *row);

/* True if the numbers of calls of the sides differ by more than such numbers vary normally. */
bool ra_diff_has_other_calls(const struct ra_diff *diff, const struct ra_diff_row *row,
                             double percent);

/* Withdraws verdicts of slower or faster if another comparison with the same second side does not
 * confirm them, because then they are noise among runs. */
void ra_diff_relent(struct ra_diff *diff, const struct ra_diff *other);

/*
 * If a range is unsure by times but surely slower or faster by counts of the same inputs, takes the
 * verdict by counts.
 * @counts: a comparison of the same sides by counts, without a limit in time.
 */
void ra_diff_take_counts(struct ra_diff *diff, const struct ra_diff *counts,
                         const struct ra_diff_limits *limits);

/* True if a range is unsure. Then counts may tell more. */
bool ra_diff_has_unsure_range(const struct ra_diff *diff);

/* True if either side lacks events. Then no verdict covers everything. */
bool ra_diff_is_partial(const struct ra_diff *diff);

/* Returns the number of rows and roles that are slower. */
size_t ra_diff_count_slower(const struct ra_diff *diff);

/* True if any row or role is slower, or all rows together. */
bool ra_diff_is_slower(const struct ra_diff *diff);

/* True if any row surely differs: slower, faster, or on one side only. */
bool ra_diff_has_sure(const struct ra_diff *diff);

/* Returns the number of rows with any difference, even a ns or a call. */
size_t ra_diff_count_changed(const struct ra_diff *diff);

#endif
