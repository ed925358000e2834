/* SPDX-License-Identifier: MIT */
/* analyzer why FILE --step: the single long call of a step, if one stands out. */
#ifndef RA_WHY_OUTLIER_H
#define RA_WHY_OUTLIER_H

#include "analyzer/commands/why/why-figures.h"

/*
 * Appends "A single call stands out: cudaFree, 1.2ms into the step's range, took 40ms; ...", with
 * how long others of the name take, or nothing. It adds a part of what the step is longer than
 * others, and takes half as long again as the longest of its name in another step, or more. If one
 * within it adds nearly as much, that is named. why->has_others must be true. O(n log n) in ranges,
 * calls and kernels.
 */
void ra_why_outlier_put(struct ra_util_text *text, const struct ra_why *why);

#endif
