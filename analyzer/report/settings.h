/* SPDX-License-Identifier: MIT */
/* Holds the settings of reports (--set KEY=VALUE, and options that every report takes), each with
 * its default. */
#ifndef RA_SETTINGS_H
#define RA_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ra_settings {
	double idle_delay_us; /* `idle`: a shorter gap is a wait of the GPU itself, in µs */
	uint64_t last_step;   /* --compat=hta: 1: keep the work of the profiler's last step */
	uint64_t memory;      /* `breakdown`: 1: copies and sets count as kernels … */
	uint64_t kernels;     /* … number of names shown; the others share a row … */
	/* … share of the summed time that the names shown must reach; the others share a row */
	double kernel_share;
	uint64_t stragglers; /* `stragglers`: number of ranks that it names */
	const char *op;      /* `sequences`: text that names of ranges must contain; borrowed */
	uint64_t op_kernels; /* … smallest number of kernels of a range */
	/* `critical-path`: text in the names of the ranges that limit it; NULL: the whole trace;
	 * borrowed */
	const char *annotation;
	uint64_t instance;      /* … index of the first of these ranges to use, from 0 */
	uint64_t instances;     /* … and how many to use */
	uint64_t launch_edges;  /* … 1: no operation begins before its call */
	const char *data_load;  /* … text in the names of ranges that load data; NULL: none */
	double short_cutoff_us; /* `launch-outliers`: longer calls are outliers, in µs … */
	double delay_cutoff_us; /* … and so are longer delays, in µs */
	uint64_t memory_points; /* `memory-curve`: most points for a device; 0: all */
	uint64_t flops;         /* 1: --format torch shows FLOPs, as with_flops=True does */
	/* --step-range: NAME[@DOMAIN]; NULL: the steps of PyTorch; borrowed */
	const char *step_range;
	const char *steps; /* --steps: FIRST-LAST; NULL: all; borrowed */
};

enum ra_setting_kind {
	RA_SETTING_SWITCH, /* 0 or 1; a uint64_t, like a count */
	RA_SETTING_COUNT,
	RA_SETTING_REAL, /* not negative; a double */
	RA_SETTING_TEXT, /* a const char *; borrowed */
};

/* Sets all settings to their defaults. */
void ra_settings_init(struct ra_settings *settings);

/*
 * Sets KEY=VALUE.
 *
 * @value: must live as long as the settings.
 * Return: NULL; or a text that tells what was expected.
 */
const char *ra_settings_take(struct ra_settings *settings, const char *value);

/*
 * Sets one setting.
 *
 * @at: offset of the setting in struct ra_settings.
 * @kind: the type of the member there.
 * @value: must live as long as the settings.
 * Return: NULL; or a text that tells what was expected.
 */
const char *ra_settings_put(struct ra_settings *settings, size_t at, enum ra_setting_kind kind,
                            const char *value);

/* True if a setting is neither 0 nor NULL. The arguments are those of ra_settings_put(). */
bool ra_settings_is_given(const struct ra_settings *settings, size_t at, enum ra_setting_kind kind);

#endif
