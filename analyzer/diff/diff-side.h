/* SPDX-License-Identifier: MIT */
/* One side of a comparison: all of its inputs together, and each of its runs. */
#ifndef RA_DIFF_SIDE_H
#define RA_DIFF_SIDE_H

#include "analyzer/batch/batch-one.h"
#include "analyzer/diff/diff-calls.h"
#include "analyzer/summary-file/report/sum-set.h"

/* The times of a step by what it went to. */
struct ra_diff_step {
	int64_t role_ns[RA_ROLES];
};

/* What ran at once: an input, or those of all ranks. */
struct ra_diff_run {
	struct ra_sum_set set;
	const struct ra_sum_series **series; /* of its inputs, borrowed; NULL: of a summary */
	size_t series_count;
	size_t series_capacity;
	struct ra_diff_step *steps; /* owned: of all its inputs */
	size_t step_count;
	size_t step_capacity;
};

/* Zero-initialise. */
struct ra_diff_side {
	struct ra_sum_set set;         /* of all inputs */
	struct ra_batch_series series; /* filled while inputs are read */
	struct ra_diff_run *runs;      /* owned */
	size_t run_count;
};

void ra_diff_side_fini(struct ra_diff_side *side);

/*
 * Fills all from what was read, which is in order. Inputs of one folder with different ranks are
 * one run; what has a rank that another one has, or like others none, is a run more.
 *
 * Return: 0, or as ra_sum_file_unpack().
 */
int ra_diff_side_fill(struct ra_diff_side *side, const struct ra_sum_file *file);

/* The calls of a row, of all inputs of a run, to be freed. Return: false if not all have them. */
bool ra_diff_side_gather(const struct ra_diff_run *run, uint64_t key,
                         struct ra_sum_series_call **calls, size_t *count);

#endif
