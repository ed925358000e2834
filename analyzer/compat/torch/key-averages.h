/* SPDX-License-Identifier: MIT */
/* Makes the rows of torch.profiler's key_averages(): by torch's own rules, or by ours. */
#ifndef RA_KEY_AVERAGES_H
#define RA_KEY_AVERAGES_H

#include "analyzer/base/util.h"
#include "analyzer/rows/kineto.h"
#include "analyzer/report/report.h"
#include "analyzer/base/util-map.h"

/* Index of a sum: of which side, and whether of self or total time or bytes. */
enum ra_key_side {
	RA_KEY_CPU_SELF,
	RA_KEY_CPU_TOTAL,
	RA_KEY_GPU_SELF,
	RA_KEY_GPU_TOTAL,
	RA_KEY_SIDES
};

struct ra_key_average {
	struct rlog_string name;   /* borrowed, as shapes and stack */
	struct rlog_string shapes; /* sizes of the inputs as the trace has them; empty: none */
	struct rlog_string stack;  /* the call stack, innermost first, separated by ; */
	bool is_device;
	bool is_span;       /* the row is of start/end ranges, which are not part of the threads'
	                       time */
	bool is_annotation; /* a range of the program, or a range's projection onto the device */
	uint64_t calls;
	int64_t ns[RA_KEY_SIDES]; /* times by our rules */
	int64_t calls_ns;     /* sum of the durations of all calls; averages are computed from this
	                         and from gpu_calls_ns */
	int64_t gpu_calls_ns; /* sum over the calls of the GPU time of each, including everything
	                         inside it */
	double us[RA_KEY_SIDES]; /* times by torch's rules */
	int64_t bytes[RA_KEY_SIDES];
	double flops;
	size_t order; /* place in the order of first appearance */
};

struct ra_key_averages {
	struct ra_key_average *rows; /* owned; in order of first appearance */
	size_t count;
	size_t capacity;
	/* Totals of self time; shares are parts of these. */
	int64_t cpu_ns;
	int64_t gpu_ns;
	double cpu_us;
	double gpu_us;
	bool has_memory; /* allocations were recorded */
};

/* Maps the parts of keys to rows. Zero-initialise. */
struct ra_key_finder {
	struct ra_util_map names;  /* name key → number */
	struct ra_util_map shapes; /* that number << 32 | shape → number */
	struct ra_util_map stacks; /* that number << 32 | stack → row */
	uint32_t name_count;
	uint32_t shape_count;
};

/*
 * Finds the row of a key, or adds one. Then *is_new is true and the row is all zero.
 *
 * @shape, @stack: string ids, 0 for none.
 * Return: the row's index.
 */
uint32_t ra_key_averages_find(struct ra_key_averages *averages, struct ra_key_finder *finder,
                              uint64_t name, uint32_t shape, uint32_t stack, bool *is_new);
void ra_key_averages_fini_finder(struct ra_key_finder *finder);

/* Return the string id of the sizes of an event's inputs, or of its call stack. 0 if the trace has
 * none, or if rows are not grouped by these. */
uint32_t ra_key_averages_shape(const struct ra_kineto *kineto, uint32_t event, unsigned by);
uint32_t ra_key_averages_stack(const struct ra_kineto *kineto, uint32_t event, unsigned by);

/*
 * Makes the rows by torch's rules: fills us and bytes.
 *
 * @by: only RA_GROUP_BY_SHAPE and RA_GROUP_BY_STACK count.
 * @is_old: by the rules of torch up to 2.4.
 */
void ra_key_averages_init_torch(struct ra_key_averages *averages, const struct ra_kineto *kineto,
                                unsigned by, bool is_old);

/* Makes the rows by our rules (doc/metrics.md): fills ns and bytes. @table: owns the texts. */
void ra_key_averages_init(struct ra_key_averages *averages, const struct ra_report_input *input,
                          struct ra_table *table);

void ra_key_averages_fini(struct ra_key_averages *averages);

#endif
