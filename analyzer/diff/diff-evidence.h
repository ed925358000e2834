/* SPDX-License-Identifier: MIT */
/* What the runs of both sides tell of each row: intervals and verdicts. */
#ifndef RA_DIFF_EVIDENCE_H
#define RA_DIFF_EVIDENCE_H

#include "analyzer/diff/diff.h"

/* What runs on one machine has in common how fast that was. */
enum {
	RA_DIFF_COMMON_NONE,
	RA_DIFF_COMMON_CPU,
	RA_DIFF_COMMON_GPU,
};

/* Which of them takes part in what is common to all: innermost ranges, and GPU work. */
unsigned ra_diff_evidence_machine(const struct ra_diff_row *row,
                                  const struct ra_diff_limits *limits);

/* Where a row's drift is: also of those that are not looked at to find it. */
unsigned ra_diff_evidence_follows(const struct ra_diff_row *row);

/* Whether parts of a step are the CPU's, as nothing ran on a GPU. */
bool ra_diff_evidence_has_gpu(const struct ra_diff *diff);

/* What all rows of a machine differ by, and what that says of them. Its evidence and share are
 * set, its verdict follows. */
void ra_diff_evidence_judge_common(struct ra_diff *diff, unsigned common,
                                   const struct ra_diff_limits *limits);

/* Several runs: each is a sample. Sets evidence and verdicts of all that both sides have. */
void ra_diff_evidence_of_runs(struct ra_diff *diff, const struct ra_diff_options *options);

/* One run each: their calls are samples, which tell nothing of how runs vary. */
void ra_diff_evidence_of_calls(struct ra_diff *diff, const struct ra_diff_options *options);

#endif
