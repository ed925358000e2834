/* SPDX-License-Identifier: MIT */
/* Judges each row by the runs of both sides: intervals and verdicts. */
#ifndef RA_DIFF_EVIDENCE_H
#define RA_DIFF_EVIDENCE_H

#include "analyzer/diff/diff.h"

/* The machine that a row ran on. Its speed affects all rows there. */
enum {
	RA_DIFF_COMMON_NONE,
	RA_DIFF_COMMON_CPU,
	RA_DIFF_COMMON_GPU,
};

/* The machine whose common drift a row helps to find; only for innermost ranges and GPU work. */
unsigned ra_diff_evidence_machine(const struct ra_diff_row *row,
                                  const struct ra_diff_limits *limits);

/* The machine whose drift affects a row, even if the row does not help to find it. */
unsigned ra_diff_evidence_follows(const struct ra_diff_row *row);

/* True if something ran on a GPU; else the parts of a step are the CPU's. */
bool ra_diff_evidence_has_gpu(const struct ra_diff *diff);

/* Judges the common difference of all rows of a machine: evidence and share are set, the verdict
 * follows. */
void ra_diff_evidence_judge_common(struct ra_diff *diff, unsigned common,
                                   const struct ra_diff_limits *limits);

/*
 * Finds by how much the typical calls of the names of a machine changed: of ranges that are half or
 * more of their own time and of calls of CUDA, or of kernels, without collectives, and copies. All
 * have 5 calls or more on both sides, and a time above the limit.
 */
struct ra_diff_factors ra_diff_evidence_find_factors(const struct ra_diff *diff, unsigned common,
                                                     const struct ra_diff_limits *limits);

/* Judges several runs; each is a sample. Sets evidence and verdicts of all rows that both sides
 * have. */
void ra_diff_evidence_of_runs(struct ra_diff *diff, const struct ra_diff_options *options);

/* Judges one run on each side. Its calls are samples, which say nothing about the variation among
 * runs. */
void ra_diff_evidence_of_calls(struct ra_diff *diff, const struct ra_diff_options *options);

#endif
