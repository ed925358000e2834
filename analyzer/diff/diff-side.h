/* SPDX-License-Identifier: MIT */
/* Fills one side of a comparison: all of its inputs together, and each of its runs. */
#ifndef RA_DIFF_SIDE_H
#define RA_DIFF_SIDE_H

#include "analyzer/batch/batch-one.h"
#include "analyzer/diff/diff-calls.h"
#include "analyzer/summary-file/report/sum-set.h"

/* A step, and its time by role. */
struct ra_diff_step {
	struct rlog_string name; /* borrowed from the run's set */
	int64_t start_ns;
	int64_t role_ns[RA_ROLES];
};

/* A run: inputs that ran at the same time. It is one input, or those of all ranks. */
struct ra_diff_run {
	struct ra_sum_set set;
	const struct ra_sum_series **series; /* borrowed; one for each of its inputs; NULL for a
	                                        summary */
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
 * Fills a side from its parts, which must be in order. Inputs of one folder with different ranks
 * are one run. An input starts another run if its rank occurs already, or if it has no rank and
 * another input has none either.
 *
 * Return: 0, or as ra_sum_file_unpack().
 */
int ra_diff_side_fill(struct ra_diff_side *side, const struct ra_sum_file *file);

/* Collects the calls of a row from all inputs of a run. The caller frees *calls. Return: false if
 * an input lacks single calls. */
bool ra_diff_side_gather(const struct ra_diff_run *run, uint64_t key,
                         struct ra_sum_series_call **calls, size_t *count);

#endif
