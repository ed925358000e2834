/* SPDX-License-Identifier: MIT */
/* HTA's unions of GPU work and what it sums over them: temporal, kinds of kernels, overlap. */
#ifndef RA_HTA_SPANS_H
#define RA_HTA_SPANS_H

#include "analyzer/hta.h"

/* How a rank's time passed, from the first GPU operation to the end of the last. */
struct ra_hta_temporal {
	double idle_us;
	double compute_us;
	double non_compute_us;
	double kernel_time_us;
};

/* Return: 0, -RLOG_E_NO_MEMORY. All figures NaN: the rank has no GPU rows. */
int ra_hta_spans_temporal(struct ra_hta_temporal *out, const struct ra_hta_rank *rank);

/* Adds to sums_us[kinds] the time in which exactly these kinds of kernels ran; has[kinds] is set
 * where HTA has a row. @types: 2 or 3 (with memory). Return: 0, -RLOG_E_NO_MEMORY. */
int ra_hta_spans_kinds(double sums_us[8], bool has[8], const struct ra_hta_rank *rank,
                       unsigned types);

/* Part of communication's time in which computation ran; NaN without communication. Return: 0,
 * -RLOG_E_NO_MEMORY. */
int ra_hta_spans_overlap(double *part, const struct ra_hta_rank *rank);

#endif
