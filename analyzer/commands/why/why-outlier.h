/* SPDX-License-Identifier: MIT */
/* analyzer why FILE --step: finds the single long call of a step, if one stands out. */
#ifndef RA_WHY_OUTLIER_H
#define RA_WHY_OUTLIER_H

#include "analyzer/commands/why/why-figures.h"

/*
 * Appends "A single call stands out: cudaFree, 1.2ms into the step's range, took 40ms; ...", with
 * the time that other calls of the name take. Appends nothing if no call stands out. The call must
 * account for a part of the time by which the step exceeds the others, and take at least 1.5 times
 * as long as the longest call of its name in another step. If a call inside it adds nearly as much,
 * the inner one is named. why->has_others must be true. O(n log n) in ranges, calls and kernels.
 */
void ra_why_outlier_put(struct ra_util_text *text, const struct ra_why *why);

#endif
