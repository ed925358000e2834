/* SPDX-License-Identifier: MIT */
/* Sweeps over unions of GPU work: finds which of them overlap, and for how long. */
#ifndef RA_HTA_SWEEP_H
#define RA_HTA_SWEEP_H

#include "analyzer/compat/hta/spans.h"

/* A sweep. Set the inputs, and initialise the rest with zeros. */
struct ra_hta_sweep {
	const struct ra_hta_union *const *unions; /* input: borrowed; the first has bit 1, the next
	                                             ones 2 and 4 */
	size_t count;                             /* input */
	bool only_lengths;                        /* input: has[] is not needed */
	double whole_us[8]; /* for each set of bits: the sum of the lengths of its intervals, each
	                       truncated to µs */
	bool has[8];        /* HTA has a row for the set, even if its interval is empty */
	double both_us;     /* the sum of the lengths in which only the unions with bits 1 and 2 are
	                       busy */
};

/* Does the sweep. @is_exact: spans may end before they start. */
void ra_hta_sweep_run(struct ra_hta_sweep *sweep, bool is_exact);

#endif
