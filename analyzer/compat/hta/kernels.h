/* SPDX-License-Identifier: MIT */
/* HTA's tables by name: kernels and annotations; and launches by correlation. */
#ifndef RA_HTA_KERNELS_H
#define RA_HTA_KERNELS_H

#include "analyzer/compat/hta/hta.h"

/* The durations of a name. */
struct ra_hta_kernel {
	struct rlog_string name; /* first: sorted by it; borrowed; "others" */
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

/* Selects rows: kernels of a kind, or all events of a category. */
struct ra_hta_choice {
	const char *category; /* NULL: by kind */
	enum ra_hta_kind kind;
	uint64_t limit; /* number of names shown; those after it, or after … */
	double share;   /* … this quantile of the running sum, are "others" */
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
