/* SPDX-License-Identifier: MIT */
/* Rows of torch.profiler's key_averages(): by torch's own rules, and by ours. */
#ifndef RA_KEY_AVERAGES_H
#define RA_KEY_AVERAGES_H

#include "analyzer/base/util.h"
#include "analyzer/rows/kineto.h"
#include "analyzer/report/report.h"
#include "analyzer/base/util-map.h"

/* What a sum is of. */
enum ra_key_side {
	RA_KEY_CPU_SELF,
	RA_KEY_CPU_TOTAL,
	RA_KEY_GPU_SELF,
	RA_KEY_GPU_TOTAL,
	RA_KEY_SIDES
};

struct ra_key_average {
	struct rlog_string name;   /* borrowed, as the next two */
	struct rlog_string shapes; /* sizes of the inputs as the trace has them; empty: none */
	struct rlog_string stack;  /* the call stack, innermost first, separated by ; */
	bool is_device;
	bool is_span;       /* start/end ranges: no part of the threads' time */
	bool is_annotation; /* a range of the program, or a range's projection onto the device */
	uint64_t calls;
	int64_t ns[RA_KEY_SIDES]; /* ours */
	int64_t calls_ns;        /* durations of all calls, as gpu_calls_ns: what averages are of */
	int64_t gpu_calls_ns;    /* GPU time of each call with all that is inside it, added up */
	double us[RA_KEY_SIDES]; /* torch's */
	int64_t bytes[RA_KEY_SIDES];
	double flops;
	size_t order; /* of first appearance */
};

struct ra_key_averages {
	struct ra_key_average *rows; /* owned; in order of first appearance */
	size_t count;
	size_t capacity;
	/* Totals of self time, which shares are parts of. */
	int64_t cpu_ns;
	int64_t gpu_ns;
	double cpu_us;
	double gpu_us;
	bool has_memory; /* allocations were recorded */
};

/* Tells rows apart. Zero-initialise. */
struct ra_key_finder {
	struct ra_util_map names;  /* name key → number */
	struct ra_util_map shapes; /* that number << 32 | shape → number */
	struct ra_util_map stacks; /* that number << 32 | stack → row */
	uint32_t name_count;
	uint32_t shape_count;
};

/*
 * Finds the row of a key, or adds one: *is_new is then true and the row all zero.
 *
 * @shape, @stack: string ids, 0 for none.
 * Return: its index.
 */
uint32_t ra_key_averages_find(struct ra_key_averages *averages, struct ra_key_finder *finder,
                              uint64_t name, uint32_t shape, uint32_t stack, bool *is_new);
void ra_key_averages_fini_finder(struct ra_key_finder *finder);

/* String id of the sizes of an event's inputs, of its call stack: 0 if the trace has none, or if
 * rows are not told apart by them. */
uint32_t ra_key_averages_shape(const struct ra_kineto *kineto, uint32_t event, unsigned by);
uint32_t ra_key_averages_stack(const struct ra_kineto *kineto, uint32_t event, unsigned by);

/*
 * The rows by torch's rules: us and bytes.
 *
 * @by: RA_GROUP_BY_SHAPE and RA_GROUP_BY_STACK count; other bits are ignored.
 * @is_old: as torch up to 2.4 has them.
 */
void ra_key_averages_init_torch(struct ra_key_averages *averages, const struct ra_kineto *kineto,
                                unsigned by, bool is_old);

/* The rows by ours (doc/metrics.md): ns and bytes. @table: keeps texts. */
void ra_key_averages_init(struct ra_key_averages *averages, const struct ra_report_input *input,
                          struct ra_table *table);

void ra_key_averages_fini(struct ra_key_averages *averages);

#endif
