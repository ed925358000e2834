/* SPDX-License-Identifier: MIT */
/* Settings of reports (--set KEY=VALUE, and options that every report gets), each with its default.
 */
#ifndef RA_SETTINGS_H
#define RA_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ra_settings {
	double idle_delay_us;   /* `idle`: shorter gaps are the GPU's own waits */
	uint64_t last_step;     /* 1: keep the work of the profiler's last step; --compat=hta */
	uint64_t memory;        /* 1: copies and sets count as kernels; `breakdown` … */
	uint64_t kernels;       /* … number of names shown; the rest is one row */
	double kernel_share;    /* … share of the summed time that names must reach; the rest is
	                         * one row */
	uint64_t stragglers;    /* how many ranks `stragglers` names */
	const char *op;         /* `sequences`: text that names of ranges must contain; borrowed */
	uint64_t op_kernels;    /* … the fewest kernels of a range */
	const char *annotation; /* `critical-path`: text in the names of ranges that bound it;
	                         * NULL: the whole trace; borrowed */
	uint64_t instance;      /* … the first of these ranges that counts, from 0 */
	uint64_t instances;     /* … and how many count */
	uint64_t launch_edges;  /* … 1: no operation begins before its call */
	const char *data_load;  /* … text in names of ranges that load data, NULL: none */
	double short_cutoff_us; /* `launch-outliers`: longer calls are outliers … */
	double delay_cutoff_us; /* … and so are longer delays */
	uint64_t memory_points; /* `memory-curve`: most points of a device; 0: all */
	uint64_t flops;         /* 1: --format torch shows FLOPs, as with_flops=True does */
	const char *step_range; /* --step-range: NAME[@DOMAIN]; NULL: PyTorch's steps; borrowed */
	const char *steps;      /* --steps: FIRST-LAST; NULL: all; borrowed */
};

enum ra_setting_kind {
	RA_SETTING_SWITCH, /* 0 or 1; a uint64_t, as is a count */
	RA_SETTING_COUNT,
	RA_SETTING_REAL, /* not negative; a double */
	RA_SETTING_TEXT, /* a const char *; borrowed */
};

/* The defaults. */
void ra_settings_init(struct ra_settings *settings);

/*
 * Sets KEY=VALUE.
 *
 * @value: must live as long as the settings.
 * Return: NULL, or what was expected.
 */
const char *ra_settings_take(struct ra_settings *settings, const char *value);

/*
 * Sets one setting.
 *
 * @at: its offset in struct ra_settings.
 * @kind: the type of the member there.
 * @value: must live as long as the settings.
 * Return: NULL, or what was expected.
 */
const char *ra_settings_put(struct ra_settings *settings, size_t at, enum ra_setting_kind kind,
                            const char *value);

/* True if a setting, as ra_settings_put() has it, is neither 0 nor NULL. */
bool ra_settings_is_given(const struct ra_settings *settings, size_t at, enum ra_setting_kind kind);

#endif
