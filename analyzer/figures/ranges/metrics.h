/* SPDX-License-Identifier: MIT */
/* Metrics: calls and times of groups of ranges, as doc/metrics.md defines them. */
#ifndef RA_METRICS_H
#define RA_METRICS_H

#include "analyzer/names/group.h"

struct ra_metrics_row {
	struct ra_group_key key;
	uint64_t calls;
	int64_t total_ns; /* push/pop: each instant of a thread once; start/end: sum of durations */
	int64_t self_ns;  /* push/pop: sum of durations less direct children's; start/end: 0 */
	int64_t min_ns;   /* of single durations; so are the next three */
	int64_t max_ns;
	int64_t mean_ns;            /* rounded half up; so is gpu_mean_ns */
	int64_t median_ns;          /* mean of the two middle durations, rounded down */
	int64_t gpu_self_ns;        /* GPU operations of these ranges themselves */
	int64_t gpu_total_ns;       /* also those of ranges inside them; each operation once */
	int64_t gpu_mean_ns;        /* mean of the single ranges' totals */
	uint64_t counts[RA_COUNTS]; /* push/pop: counter values within them, each once */
	uint8_t has_counts;         /* bit i: counts[i] is there */
};

/* GPU work that a row's ranges caused in PyTorch's backward pass, where it is shown apart. */
struct ra_metrics_backward {
	uint32_t row;
	uint64_t calls; /* ranges that have such work */
	int64_t gpu_self_ns;
	int64_t gpu_total_ns;
};

struct ra_metrics {
	struct ra_metrics_row *rows; /* owned; in the order in which the groups first occur */
	size_t count;
	struct ra_metrics_backward *backwards; /* owned; by row */
	size_t backward_count;
	struct ra_group_path *paths; /* owned; the paths that keys index */
	int64_t self_sum_ns;         /* of all rows: the whole that shares refer to */
	int64_t gpu_sum_ns;          /* of all GPU operations, also of those without a range */
};

/*
 * Computes all rows. Needs 8 more bytes a slice during the call. For a model with a walk see
 * metrics-walk.h.
 *
 * @by, @labels: as for ra_group_init().
 */
void ra_metrics_init(struct ra_metrics *metrics, const struct ra_model *model, unsigned by,
                     struct ra_labels *labels);
void ra_metrics_fini(struct ra_metrics *metrics);

#endif
