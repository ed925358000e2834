/* SPDX-License-Identifier: MIT */
/* Values of the figures in rules, for a set of inputs. */
#ifndef RA_CHECK_FIGURE_H
#define RA_CHECK_FIGURE_H

#include "analyzer/check/check-rules.h"
#include "analyzer/summary-file/report/sum-set.h"

/* A figure, or the reason why there is none. */
struct ra_check_value {
	const char *none; /* the reason; NULL: there is a figure */
	double value;     /* in the term's unit */
	bool is_absent; /* nothing has the name, so there is no figure. The value is then 0, the sum
	                   of nothing */
};

struct ra_check_value ra_check_figure_find(const struct ra_check_term *term,
                                           const struct ra_sum_set *set);

/* True if the figure doubles with twice as many inputs. */
bool ra_check_figure_is_sum(const struct ra_check_term *term);

/* True if the figure differs between runs of the same program: it is a time or a share, not a
 * number of things. */
bool ra_check_figure_varies(const struct ra_check_term *term);

/* True if the figure is known only within the width of a histogram's bucket. */
bool ra_check_figure_is_quantile(const struct ra_check_term *term);

#endif
