/* SPDX-License-Identifier: MIT */
/* A sweep over unions of GPU work: which of them hold, and for how long. */
#ifndef RA_HTA_SWEEP_H
#define RA_HTA_SWEEP_H

#include "analyzer/compat/hta/spans.h"

/* Zero-initialise, except for the inputs. */
struct ra_hta_sweep {
	const struct ra_hta_union *const *unions; /* in: borrowed; the first has bit 1, then 2, 4 */
	size_t count;                             /* in */
	bool only_lengths;                        /* in: has[] is not needed */
	double whole_us[8]; /* by set of bits: sum of the interval lengths, each truncated to µs */
	bool has[8];        /* HTA has a row, even if its interval is empty */
	double both_us;     /* sum of the lengths in which exactly bits 1 and 2 hold */
};

/* @is_exact: spans may end before they start. */
void ra_hta_sweep_run(struct ra_hta_sweep *sweep, bool is_exact);

#endif
