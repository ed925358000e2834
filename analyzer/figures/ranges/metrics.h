/* SPDX-License-Identifier: MIT */
/* Computes metrics: calls and times of groups of ranges, as doc/metrics.md defines them. */
#ifndef RA_METRICS_H
#define RA_METRICS_H

#include "analyzer/names/group.h"

struct ra_metrics_row {
	struct ra_group_key key;
	uint64_t calls;
	int64_t total_ns; /* push/pop: time on each thread, each instant once; start/end: sum of
	                     durations */
	int64_t self_ns;  /* push/pop: sum of durations minus those of direct children;
	                     start/end: 0 */
	int64_t min_ns;   /* of a single duration, as the next three */
	int64_t max_ns;
	int64_t mean_ns;            /* rounded half up, like gpu_mean_ns */
	int64_t median_ns;          /* mean of the two middle durations, rounded down */
	int64_t gpu_self_ns;        /* number of GPU operations that belong to these ranges
	                               themselves */
	int64_t gpu_total_ns;       /* also operations of ranges inside them; each operation once */
	int64_t gpu_mean_ns;        /* mean of the single ranges' total GPU times */
	uint64_t counts[RA_COUNTS]; /* push/pop: counter values during these ranges, each value
	                               once */
	uint8_t has_counts;         /* bit i: counts[i] is known */
};

/* GPU work that a row's ranges caused in PyTorch's backward pass, where reports show it apart. */
struct ra_metrics_backward {
	uint32_t row;
	uint64_t calls; /* number of ranges that caused such work */
	int64_t gpu_self_ns;
	int64_t gpu_total_ns;
};

struct ra_metrics {
	struct ra_metrics_row *rows; /* owned; in the order in which the groups first occur */
	size_t count;
	struct ra_metrics_backward *backwards; /* owned; for each row */
	size_t backward_count;
	struct ra_group_path *paths; /* owned; paths for the indices in keys */
	int64_t self_sum_ns;         /* the sum of all rows, of which shares are computed */
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
