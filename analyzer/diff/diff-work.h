/* SPDX-License-Identifier: MIT */
/* Checks whether both sides did the same work, that is, made as many calls of each operator. */
#ifndef RA_DIFF_WORK_H
#define RA_DIFF_WORK_H

#include "analyzer/diff/diff.h"

struct ra_diff_work {
	size_t names;  /* number of names of ranges that one or both sides have */
	size_t equal;  /* number of those names that have as many calls per step on both sides */
	bool is_same;  /* nearly all calls are of such names */
	bool is_other; /* hardly any calls are, and most are of names whose numbers of calls surely
	                  differ */
};

/* Compares the numbers of calls of ranges (doc/metrics.md, section 25). Return: zeros if there are
 * no steps or only a few names. */
struct ra_diff_work ra_diff_work_find(const struct ra_diff *diff);

#endif
