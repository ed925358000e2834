/* SPDX-License-Identifier: MIT */
/* The figures of rules: what a set of inputs has of them. */
#ifndef RA_CHECK_FIGURE_H
#define RA_CHECK_FIGURE_H

#include "analyzer/check/check-rules.h"
#include "analyzer/summary-file/report/sum-set.h"

/* A figure, or why there is none. */
struct ra_check_value {
	const char *none; /* NULL: there is one */
	double value;     /* in the term's unit */
};

struct ra_check_value ra_check_figure_find(const struct ra_check_term *term,
                                           const struct ra_sum_set *set);

/* Whether twice as many inputs have twice as much. */
bool ra_check_figure_is_sum(const struct ra_check_term *term);

/* Whether it is another one each time the same program runs: a time or a share, no number of
 * things. */
bool ra_check_figure_varies(const struct ra_check_term *term);

/* Whether it is known within the width of a bucket only. */
bool ra_check_figure_is_quantile(const struct ra_check_term *term);

#endif
