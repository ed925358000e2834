/* SPDX-License-Identifier: MIT */
/* Makes HTA's unions of GPU work, and its sums over them: temporal, kinds of kernels, overlap. */
#ifndef RA_HTA_SPANS_H
#define RA_HTA_SPANS_H

#include "analyzer/compat/hta/hta.h"

struct ra_hta_span {
	double start_us;
	double end_us;
};

struct ra_hta_union {
	struct ra_hta_span *spans; /* owned; ascending; none touches the next */
	size_t count;
};

enum ra_hta_union_of {
	RA_HTA_UNION_COMPUTATION, /* one for each bit of enum ra_hta_kind */
	RA_HTA_UNION_COMMUNICATION,
	RA_HTA_UNION_MEMORY,
	RA_HTA_UNION_ALL,
	RA_HTA_UNIONS,
};

/* When a rank's GPU was busy. */
struct ra_hta_spans {
	struct ra_hta_union unions[RA_HTA_UNIONS];
	bool has_negative; /* an operation ends before it starts, so a span may also do so */
};

void ra_hta_spans_init(struct ra_hta_spans *spans, const struct ra_hta_rank *rank);
void ra_hta_spans_fini(struct ra_hta_spans *spans);

/* How a rank's time was spent, from the start of the first GPU operation to the end of the last. */
struct ra_hta_temporal {
	double idle_us;
	double compute_us;
	double non_compute_us;
	double kernel_time_us;
};

/* All figures are NaN if the rank has no GPU rows. */
void ra_hta_spans_temporal(struct ra_hta_temporal *out, const struct ra_hta_spans *spans);

/* Adds to sums_us[kinds] the time in which exactly these kinds of kernels ran. Sets has[kinds] if
 * HTA has a row for them. @types: 2; or 3, with memory operations. */
void ra_hta_spans_kinds(double sums_us[8], bool has[8], const struct ra_hta_spans *spans,
                        unsigned types);

/* Returns the part of the communication's time in which computation ran; NaN without
 * communication. */
double ra_hta_spans_overlap(const struct ra_hta_spans *spans);

#endif
