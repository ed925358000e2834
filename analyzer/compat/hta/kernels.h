/* SPDX-License-Identifier: MIT */
/* Makes HTA's tables by name, of kernels and of annotations, and its table of launches by
 * correlation. */
#ifndef RA_HTA_KERNELS_H
#define RA_HTA_KERNELS_H

#include "analyzer/compat/hta/hta.h"

/* The durations of a name. */
struct ra_hta_kernel {
	struct rlog_string name; /* borrowed; "others" for the rest. The first member, because rows
	                            are sorted by it */
	double sum_us;
	double max_us;
	double min_us;
	double deviation_us;
	double mean_us;
};

struct ra_hta_kernels {
	struct ra_hta_kernel *rows; /* owned; ordered by name */
	size_t count;
};

/* Which rows to count: kernels of a kind, or all events of a category. */
struct ra_hta_choice {
	const char *category; /* the category; NULL: kernels of the kind */
	enum ra_hta_kind kind;
	uint64_t limit; /* most names to show; names after these, or after … */
	double share;   /* … this quantile of the running sum, become "others" */
};

void ra_hta_kernels_sum(struct ra_hta_kernels *out, const struct ra_hta_rank *rank,
                        const struct ra_hta_choice *choice);

struct ra_hta_launch {
	const struct ra_hta_row *call; /* borrowed from the rank */
	const struct ra_hta_row *op;
};

static inline double ra_hta_kernels_delay(const struct ra_hta_launch *launch)
{
	return fmax(0, launch->op->ts_us - launch->call->ts_us - launch->call->dur_us);
}

struct ra_hta_launches {
	struct ra_hta_launch *rows; /* owned; ordered by correlation */
	size_t count;
	size_t capacity;
};

void ra_hta_kernels_launches(struct ra_hta_launches *out, const struct ra_hta_rank *rank,
                             bool with_memory);

#endif
