/* SPDX-License-Identifier: MIT */
/* GPU time of groups of ranges, and figures of GPU operations and API calls by name. */
#ifndef RA_GPU_METRICS_H
#define RA_GPU_METRICS_H

#include "analyzer/names/group.h"

/* The GPU work of one group of ranges. */
struct ra_gpu_metrics_sum {
	int64_t self_ns;  /* operations whose range is of the group */
	int64_t total_ns; /* also operations of ranges inside; each operation once */
	int64_t calls_ns; /* sum of each single range's total: the mean is of these */
	uint64_t ops;     /* operations in total_ns */
	uint64_t ranges;  /* ranges with operations, except those inside another of the group */
};

/*
 * Sums the durations of operations by the group of their range. @is_backward: sums only operations
 * for which ra_gpu_is_backward() is true; otherwise only the others. @sums: group->count entries,
 * all zero. Memory during the call: 16 bytes a slice.
 */
void ra_gpu_metrics_sum_groups(const struct ra_model *model, const struct ra_group *group,
                               bool is_backward, struct ra_gpu_metrics_sum *sums);

/* The sum of the durations of all operations. */
int64_t ra_gpu_metrics_total(const struct ra_model *model);

/* A kernel's launch configuration, and the limits of the device. */
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

/* Answers of ra_gpu_metrics_find_shape(), each in the place that its launch shape and device give.
 * Zero-initialise. */
#define RA_GPU_METRICS_KNOWN 64
struct ra_gpu_metrics_known {
	struct ra_gpu_metrics_answer {
		bool is_set;
		bool is_known;
		uint32_t device;
		uint32_t shape;
		struct ra_gpu_metrics_shape facts;
	} answers[RA_GPU_METRICS_KNOWN];
};

/* As ra_gpu_metrics_find_shape(), but computes most answers only once. Return: NULL: not known;
 * else it is valid until the next call. */
const struct ra_gpu_metrics_shape *ra_gpu_metrics_find_again(struct ra_gpu_metrics_known *known,
                                                             const struct ra_gpu *gpu,
                                                             const struct ra_gpu_op *op);

/* How well a kernel fills its device. */
struct ra_gpu_metrics_load {
	double blocks;    /* of the grid per multiprocessor; NaN: not known */
	double occupancy; /* est. achieved, of 1; likewise */
};

/* Computes a kernel's load from the launch and the device's limits, or else from what a trace
 * states. The trace's occupancy counts only up to 48 KiB of shared memory: above, Kineto always
 * writes 0. */
struct ra_gpu_metrics_load ra_gpu_metrics_find_load(const struct ra_model *model, size_t op);

/* The first part of it alone. @known: as above. */
double ra_gpu_metrics_find_blocks(struct ra_gpu_metrics_known *known, const struct ra_model *model,
                                  size_t op);

/* Number of blocks in a launch's thread block clusters; 0: it has none. */
uint64_t ra_gpu_metrics_cluster(const struct ra_gpu_shape *shape);

/* The nearest integer to a sum that is not negative; stops at 2^62. */
int64_t ra_gpu_metrics_round(double value);

/* By name id: true if kernels of this name, as recorded, use tensor cores. Return: one entry for
 * each of the model's names; free it. */
bool *ra_gpu_metrics_find_tensor(const struct ra_model *model);

/* By name id: the enum ra_kernel_unit of kernels of this name, as recorded. Return: one entry for
 * each of the model's names; free it. */
uint8_t *ra_gpu_metrics_find_units(const struct ra_model *model);

/* True if the calls are HIP's. Only NVIDIA's kernel names tell of tensor cores. */
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
	int64_t plain_ns;     /* time of matrix kernels that do not use tensor cores */
	int64_t unsure_ns;    /* time of matrix kernels whose names do not tell */
	uint64_t plain_calls; /* number of matrix kernels that do not use tensor cores */
	/* Unusual settings of the kernels' launches; 0: none, or not known. */
	uint64_t cluster_blocks; /* of a thread block cluster, the largest */
	int32_t priority;        /* the most urgent: the lowest value except 0 */
	uint8_t launch_type;     /* as struct ra_gpu_shape; also 0 where calls differ */
	bool has_types;          /* calls differ in their launch type */
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
