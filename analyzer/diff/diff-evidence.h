/* SPDX-License-Identifier: MIT */
/* Judges each row by the runs of both sides: sets intervals and verdicts. */
#ifndef RA_DIFF_EVIDENCE_H
#define RA_DIFF_EVIDENCE_H

#include "analyzer/diff/diff.h"

/* The machine that a row ran on. Its speed affects all rows there. */
enum {
	RA_DIFF_COMMON_NONE,
	RA_DIFF_COMMON_CPU,
	RA_DIFF_COMMON_GPU,
};

/* Returns the machine whose common difference a row helps to find. Only innermost ranges and GPU
 * work do; for others NONE. */
unsigned ra_diff_evidence_machine(const struct ra_diff_row *row,
                                  const struct ra_diff_limits *limits);

/* Returns the machine whose common difference affects a row, even if the row does not help to find
 * it. */
unsigned ra_diff_evidence_follows(const struct ra_diff_row *row);

/* True if some work ran on a GPU; else all parts of a step are the CPU's. */
bool ra_diff_evidence_has_gpu(const struct ra_diff *diff);

/* Sets the verdict on the common difference of all rows of a machine, from its evidence and
 * share. */
void ra_diff_evidence_judge_common(struct ra_diff *diff, unsigned common,
                                   const struct ra_diff_limits *limits);

/*
 * Finds by how much the typical calls of each name of a machine changed. Of the CPU: ranges whose
 * self time is half or more of their time, and calls of CUDA. Of the GPUs: kernels without
 * collectives, and copies. Only names with 5 calls or more on both sides and a time above the limit
 * are used.
 */
struct ra_diff_factors ra_diff_evidence_find_factors(const struct ra_diff *diff, unsigned common,
                                                     const struct ra_diff_limits *limits);

/* Judges several runs, each of which is a sample. Sets evidence and verdicts of all rows that both
 * sides have. */
void ra_diff_evidence_of_runs(struct ra_diff *diff, const struct ra_diff_options *options);

/* Judges one run on each side. Their calls are the samples, which say nothing about how runs
 * vary. */
void ra_diff_evidence_of_calls(struct ra_diff *diff, const struct ra_diff_options *options);

#endif
