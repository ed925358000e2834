/* SPDX-License-Identifier: MIT */
/* Finds which part of a step is the GPU's work, before and after. The CPU's parts of a step show
 * only time that the GPU's work does not hide. */
#ifndef RA_DIFF_BOUND_H
#define RA_DIFF_BOUND_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/diff/diff.h"

/* The GPU's work as a part of the mean step; NaN: a side has none. */
double ra_diff_bound_find(const struct ra_diff *diff, size_t side);

/* The time that the host needs by itself in a mean step (host-alone.h); zeros if a side is a
 * summary or has no calls.
 */
struct ra_host_alone ra_diff_bound_find_host(const struct ra_diff *diff, size_t side);

/* True if the step was mostly the CPU's on one side and is mostly the GPU's on the other. */
bool ra_diff_bound_is_moved(const struct ra_diff *diff);

/* True if that is so, and the time that the host needs is known for both sides. It then tells more
 * than the factor of the host's ranges. */
bool ra_diff_bound_has_hosts(const struct ra_diff *diff);

/* The word for a part of the CPU that surely moved, if the step was so: "less exposed". NULL: the
 * usual word of the verdict. */
const char *ra_diff_bound_word(const struct ra_diff *diff, size_t role);

/* Appends lines if the step was mostly the CPU's on one side and is mostly the GPU's on the
 * other. @mark: precedes each line. */
void ra_diff_bound_put(struct ra_util_text *text, const struct ra_diff *diff, const char *mark);

#endif
