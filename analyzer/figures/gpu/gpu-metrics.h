/* SPDX-License-Identifier: MIT */
/* GPU time of groups of ranges, and figures of GPU operations and API calls by name. */
#ifndef RA_GPU_METRICS_H
#define RA_GPU_METRICS_H

#include "analyzer/names/group.h"

/* The GPU work of one group of ranges. */
struct ra_gpu_metrics_sum {
	int64_t self_ns;  /* operations that belong to ranges of the group itself */
	int64_t total_ns; /* also operations of ranges inside; each operation once */
	int64_t calls_ns; /* sum of the single ranges' totals, from which the mean is computed */
	uint64_t ops;     /* number of operations in total_ns */
	uint64_t ranges;  /* number of ranges with operations, except those inside another range of
	                     the group */
};

/*
 * Sums the durations of operations by the group of their range. @is_backward: sums only operations
 * for which ra_gpu_is_backward() is true; otherwise only the others. @sums: group->count entries,
 * all zero. Needs 16 bytes a slice during the call.
 */
void ra_gpu_metrics_sum_groups(const struct ra_model *model, const struct ra_group *group,
                               bool is_backward, struct ra_gpu_metrics_sum *sums);

/* Returns the sum of the durations of all operations. */
int64_t ra_gpu_metrics_total(const struct ra_model *model);

/* A kernel's launch configuration, and the limits of the device. */
struct ra_gpu_metrics_shape {
	int64_t blocks;  /* number of blocks in the grid; stops at INT64_MAX */
	int64_t threads; /* number of threads in a block */
	int32_t multiprocessors;
	struct ra_occupancy occupancy;
};

/* Finds the shape of an operation's launch. Return: false if the shape or the limits of the device
 * are not known; otherwise multiprocessors is positive. */
bool ra_gpu_metrics_find_shape(const struct ra_gpu *gpu, const struct ra_gpu_op *op,
                               struct ra_gpu_metrics_shape *out);

/* How much of its device a kernel uses. */
struct ra_gpu_metrics_load {
	double blocks;    /* the grid's blocks per multiprocessor; NaN: not known */
	double occupancy; /* est. achieved, from 0 to 1; NaN: not known */
};

/* Computes a kernel's load from the launch and the device's limits, or else takes the values that a
 * trace states. The trace's occupancy is only used up to 48 KiB of shared memory: above, Kineto
 * always writes 0. */
struct ra_gpu_metrics_load ra_gpu_metrics_find_load(const struct ra_model *model, size_t op);

/* Returns the number of blocks in each thread block cluster of a launch; 0: the launch has no
 * clusters. */
uint64_t ra_gpu_metrics_cluster(const struct ra_gpu_shape *shape);

/* Rounds a sum that is not negative to the nearest integer; stops at 2^62. */
int64_t ra_gpu_metrics_round(double value);

/* Finds which kernels use tensor cores, by their names as recorded. Return: a bool for each name id
 * of the model; free it. */
bool *ra_gpu_metrics_find_tensor(const struct ra_model *model);

/* Finds the enum ra_kernel_unit of kernels, by their names as recorded. Return: a value for each
 * name id of the model; free it. */
uint8_t *ra_gpu_metrics_find_units(const struct ra_model *model);

/* True if the calls are HIP's. Only the names of NVIDIA's kernels show whether a kernel uses tensor
 * cores. */
bool ra_gpu_metrics_is_rocm(const struct ra_model *model);

/* Figures of the operations or calls that share a key. */
struct ra_gpu_tally {
	uint64_t key;
	uint64_t calls;
	int64_t total_ns;
	int64_t min_ns;
	int64_t max_ns;
	uint64_t bytes;
	uint64_t errors;      /* API calls that did not return 0 */
	double blocks;        /* sum of blocks per multiprocessor × ns */
	double occupancy;     /* sum of est. achieved occupancy × ns */
	int64_t shaped_ns;    /* sum of durations of the kernels in `blocks` */
	int64_t occupancy_ns; /* sum of durations of the kernels in `occupancy` */
	int64_t tensor_ns;    /* durations of kernels that use tensor cores, according to their full
	                         names */
	int64_t plain_ns;     /* time of matrix kernels that do not use tensor cores */
	int64_t unsure_ns;    /* time of matrix kernels whose names do not show which */
	uint64_t plain_calls; /* number of matrix kernels that do not use tensor cores */
	/* Unusual settings of the kernels' launches; 0: none, or not known. */
	uint64_t cluster_blocks; /* number of blocks in the largest thread block cluster */
	int32_t priority;        /* the most urgent priority: the lowest value except 0 */
	uint8_t launch_type;     /* as in struct ra_gpu_shape; also 0 where calls differ */
	bool has_types;          /* calls have different launch types */
};

struct ra_gpu_tallies {
	struct ra_gpu_tally *rows; /* owned; in the order in which keys first occur */
	size_t count;
};

/*
 * Makes rows for kernels by label, copies and sets by kind << 32 | copy kind, API calls by name.
 *
 * @labels: of kernels; NULL: the key is the name.
 */
void ra_gpu_metrics_kernels(struct ra_gpu_tallies *tallies, const struct ra_model *model,
                            struct ra_labels *labels);
void ra_gpu_metrics_copies(struct ra_gpu_tallies *tallies, const struct ra_model *model);
void ra_gpu_metrics_apis(struct ra_gpu_tallies *tallies, const struct ra_model *model);
void ra_gpu_metrics_fini(struct ra_gpu_tallies *tallies);

#endif
