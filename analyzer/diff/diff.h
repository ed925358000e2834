/* SPDX-License-Identifier: MIT */
/* Finds what differs between two sets of inputs. */
#ifndef RA_DIFF_H
#define RA_DIFF_H

#include "analyzer/diff/diff-row.h"
#include "analyzer/diff/diff-side.h"
#include "analyzer/diff/diff-verdict.h"
#include "analyzer/summary-file/report/sum-set.h"

/* A part of the time of a step: means over steps, which add up. */
struct ra_diff_role {
	int64_t mean_ns[2];
	enum ra_diff_verdict verdict;
	struct ra_diff_evidence evidence; /* as of a row */
	const double *figures;
};

/* The machine on which rows share something: none, the CPU, GPUs. */
#define RA_DIFF_MACHINES 3u

struct ra_diff {
	const struct ra_diff_side *sides[2]; /* borrowed: before, after */
	const struct ra_sum_set *sets[2];    /* of these */
	enum ra_count_kind by;               /* the count compared in place of times; NONE: times */
	bool has_steps;                      /* both sides have steps: a unit is a step; else an
	                                        input */
	struct ra_diff_limits limits;        /* verdicts follow from these */
	uint64_t units[2];
	size_t incomplete[2]; /* inputs that lack events */
	struct ra_diff_role roles[RA_ROLES];
	struct ra_diff_row *rows; /* owned; see diff-order.h */
	size_t count;
	size_t capacity;
	struct ra_sum_texts texts;
	struct ra_util_map by_key;
	struct ra_diff_common drifts[RA_DIFF_MACHINES]; /* [1] of the CPU, [2] of GPUs */
	double *figures;                                /* owned; rows borrow from it */
};

struct ra_diff_options {
	struct ra_diff_limits limits;
	bool with_drift;       /* subtract what all rows share */
	enum ra_count_kind by; /* the count compared in place of times; NONE: times */
};

/* Compares two sides. */
void ra_diff_init(struct ra_diff *diff, const struct ra_diff_side *before,
                  const struct ra_diff_side *after, const struct ra_diff_options *options);
void ra_diff_fini(struct ra_diff *diff);

/* Finds a row of a set in the comparison, before init has sorted its rows. Return: its index, or
 * diff->count. */
size_t ra_diff_find_row(struct ra_diff *diff, const struct ra_sum_set *set,
                        const struct ra_sum_row *row);

/* True if the sides make different numbers of calls, beyond the normal variation of such
 * numbers. */
bool ra_diff_has_other_calls(const struct ra_diff *diff, const struct ra_diff_row *row,
                             double percent);

/* Withdraws verdicts of slower or faster that another comparison with the same second side does not
 * confirm, because those are noise among runs. */
void ra_diff_relent(struct ra_diff *diff, const struct ra_diff *other);

/*
 * Gives a range that times leave unsure the verdict by counts of the same inputs, if that is sure.
 * @counts: a comparison of the same sides by counts, without a limit in time.
 */
void ra_diff_take_counts(struct ra_diff *diff, const struct ra_diff *counts,
                         const struct ra_diff_limits *limits);

/* True if a range is unsure: counts may tell more about it. */
bool ra_diff_has_unsure_range(const struct ra_diff *diff);

/* True if either side lacks events: then no verdict covers everything. */
bool ra_diff_is_partial(const struct ra_diff *diff);

/* The number of rows and roles that are slower. */
size_t ra_diff_count_slower(const struct ra_diff *diff);

/* True if any of them is, or all rows together. */
bool ra_diff_is_slower(const struct ra_diff *diff);

/* True if any row surely differs: slower, faster, or on one side only. */
bool ra_diff_has_sure(const struct ra_diff *diff);

/* The number of rows with any difference, even a ns or a call. */
size_t ra_diff_count_changed(const struct ra_diff *diff);

#endif
