/* SPDX-License-Identifier: MIT */
/* Finds which part of a step is GPU work, before and after. The CPU's parts of a step contain only
 * time that GPU work does not hide. */
#ifndef RA_DIFF_BOUND_H
#define RA_DIFF_BOUND_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/diff/diff.h"

/* Returns the GPU work as a part of the mean step; NaN: a side has none. */
double ra_diff_bound_find(const struct ra_diff *diff, size_t side);

/* Returns the time that the host needs by itself in a mean step (host-alone.h); zeros if a side is
 * a summary or has no calls. */
struct ra_host_alone ra_diff_bound_find_host(const struct ra_diff *diff, size_t side);

/* True if a step waits mostly for the CPU on one side, and mostly for the GPU on the other. */
bool ra_diff_bound_is_moved(const struct ra_diff *diff);

/* True if ra_diff_bound_is_moved() and the time that the host needs by itself is known for both
 * sides. Then this time says more than the factor of the host's ranges. */
bool ra_diff_bound_has_hosts(const struct ra_diff *diff);

/* If ra_diff_bound_is_moved(), returns the word for a part of the CPU that surely changed, such as
 * "less exposed". NULL: use the usual word of the verdict. */
const char *ra_diff_bound_word(const struct ra_diff *diff, size_t role);

/* Appends lines about this if ra_diff_bound_is_moved(). @mark: begins each line. */
void ra_diff_bound_put(struct ra_util_text *text, const struct ra_diff *diff, const char *mark);

#endif
