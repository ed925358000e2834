/* SPDX-License-Identifier: MIT */
/* What a user can set of reports (--set KEY=VALUE), each with its default. */
#ifndef RA_SETTINGS_H
#define RA_SETTINGS_H

#include <stdint.h>

struct ra_settings {
	double idle_delay_us; /* `idle`: gaps below it are waits for the GPU itself */
	uint64_t last_step;   /* 1: keep what the last step of the profiler did; --compat=hta */
	uint64_t memory;      /* 1: copies and sets count among kernels; `breakdown` … */
	uint64_t kernels;     /* … names shown one by one; the rest is one row */
	double kernel_share;  /* … and the part of the sums of time behind which they are rest */
	uint64_t stragglers;  /* how many ranks `stragglers` names */
	const char *op;       /* `sequences`: a part of the names of the ranges; borrowed */
	uint64_t op_kernels;  /* … that have so many kernels at least */
	const char *annotation; /* `critical-path`: a part of the names of ranges that bound it;
	                           NULL: the whole trace; borrowed */
	uint64_t instance;      /* … the first of them that counts, from 0 */
	uint64_t instances;     /* … and how many */
	uint64_t launch_edges;  /* … 1: no operation begins before its call */
	const char *data_load;  /* … a part of the names of ranges that load data, NULL: none */
	double short_cutoff_us; /* `launch-outliers`: calls that take longer are outliers … */
	double delay_cutoff_us; /* … and delays */
	uint64_t memory_points; /* `memory-curve`: points of a device at most; 0: all */
	uint64_t flops;         /* 1: --format torch has FLOPs, as with_flops=True */
	const char *step_range; /* --step-range: NAME[@DOMAIN]; NULL: PyTorch's steps; borrowed */
	const char *steps;      /* --steps: FIRST-LAST; NULL: all; borrowed */
};

/* What is not set. */
void ra_settings_init(struct ra_settings *settings);

/*
 * Takes KEY=VALUE.
 *
 * @value: must live as long as the settings.
 * Return: NULL, or what was expected.
 */
const char *ra_settings_take(struct ra_settings *settings, const char *value);

#endif
