/* SPDX-License-Identifier: MIT */
/* GPU time of groups of ranges, and figures of GPU operations and API calls by name. */
#ifndef RA_GPU_METRICS_H
#define RA_GPU_METRICS_H

#include "analyzer/names/group.h"

/* What belongs to one group of ranges. */
struct ra_gpu_metrics_sum {
	int64_t self_ns;  /* operations whose range is of the group */
	int64_t total_ns; /* those and the ones of ranges inside; each operation once */
	int64_t calls_ns; /* total of each range by itself, added up: what their mean is of */
	uint64_t ops;     /* operations that total_ns is of */
	uint64_t ranges;  /* that have them; those inside another one of the group do not count */
};

/*
 * Sums the durations of operations by the group of their range.
 *
 * @is_backward: of those that ra_gpu_is_backward() tells, else of all others.
 * @sums: group->count entries, all zero. Memory for the time of the call: 16 bytes per slice.
 */
void ra_gpu_metrics_sum_groups(const struct ra_model *model, const struct ra_group *group,
                               bool is_backward, struct ra_gpu_metrics_sum *sums);

/* Durations of all operations together. */
int64_t ra_gpu_metrics_total(const struct ra_model *model);

/* What a kernel's launch asked for, and what the device made of it. */
struct ra_gpu_metrics_shape {
	int64_t blocks;  /* of the grid; stops at INT64_MAX */
	int64_t threads; /* of a block */
	int32_t multiprocessors;
	struct ra_occupancy occupancy;
};

/* Return: false if the shape of the operation's launch or the limits of its device are not known;
 * else multiprocessors is positive. */
bool ra_gpu_metrics_find_shape(const struct ra_gpu *gpu, const struct ra_gpu_op *op,
                               struct ra_gpu_metrics_shape *out);

/* How a kernel fills its device. */
struct ra_gpu_metrics_load {
	double blocks;    /* of the grid per multiprocessor; NaN: not known */
	double occupancy; /* est. achieved, of 1; likewise */
};

/*
 * By the launch and the limits of the device, else what a trace states of the kernel: its occupancy
 * only up to 48 KiB of shared memory, above which Kineto always has 0.
 */
struct ra_gpu_metrics_load ra_gpu_metrics_find_load(const struct ra_model *model, size_t op);

/* Blocks of the thread block clusters of a launch; 0: it has none. */
uint64_t ra_gpu_metrics_cluster(const struct ra_gpu_shape *shape);

/* The nearest integer to a sum that is not negative; stops at 2^62. */
int64_t ra_gpu_metrics_round(double value);

/*
 * By name id: whether kernels of this name, as it was recorded, use tensor cores. Return: as many
 * as the model has names, to be freed.
 */
bool *ra_gpu_metrics_find_tensor(const struct ra_model *model);

/* Calls are HIP's: names of kernels tell of NVIDIA's tensor cores only. */
bool ra_gpu_metrics_is_rocm(const struct ra_model *model);

/* Figures of things that share a key. */
struct ra_gpu_tally {
	uint64_t key;
	uint64_t calls;
	int64_t total_ns;
	int64_t min_ns;
	int64_t max_ns;
	uint64_t bytes;
	uint64_t errors;      /* API calls that did not return 0 */
	double blocks;        /* blocks per multiprocessor × ns */
	double occupancy;     /* est. achieved occupancy × ns */
	int64_t shaped_ns;    /* durations that blocks is of */
	int64_t occupancy_ns; /* durations that occupancy is of */
	int64_t tensor_ns;    /* durations of kernels that use tensor cores, by their full names */
	/* What kernels were launched with that is not usual; 0: nothing, or it is not known. */
	uint64_t cluster_blocks; /* of a thread block cluster, the largest */
	int32_t priority;        /* the most urgent: the least that is not 0 */
	uint8_t launch_type;     /* as struct ra_gpu_shape; 0 too where calls differ */
	bool has_types;          /* calls differ in it */
};

struct ra_gpu_tallies {
	struct ra_gpu_tally *rows; /* owned; in the order in which keys first occur */
	size_t count;
};

/*
 * Kernels by label, copies and sets by kind << 32 | copy kind, API calls by name.
 *
 * @labels: of kernels; NULL: the key is the name.
 */
void ra_gpu_metrics_kernels(struct ra_gpu_tallies *tallies, const struct ra_model *model,
                            struct ra_labels *labels);
void ra_gpu_metrics_copies(struct ra_gpu_tallies *tallies, const struct ra_model *model);
void ra_gpu_metrics_apis(struct ra_gpu_tallies *tallies, const struct ra_model *model);
void ra_gpu_metrics_fini(struct ra_gpu_tallies *tallies);

#endif
