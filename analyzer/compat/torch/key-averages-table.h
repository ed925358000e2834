/* SPDX-License-Identifier: MIT */
/* Defines the columns of the report "key_averages", and writes torch's text layout of them. */
#ifndef RA_KEY_AVERAGES_TABLE_H
#define RA_KEY_AVERAGES_TABLE_H

#include "analyzer/table/table.h"

enum ra_key_column {
	RA_KEY_NAME,
	RA_KEY_DEVICE,
	RA_KEY_ANNOTATION,
	RA_KEY_SELF_CPU,
	RA_KEY_SELF_CPU_SHARE,
	RA_KEY_CPU,
	RA_KEY_CPU_SHARE,
	RA_KEY_CPU_AVERAGE,
	RA_KEY_SELF_CUDA,
	RA_KEY_SELF_CUDA_SHARE,
	RA_KEY_CUDA,
	RA_KEY_CUDA_AVERAGE,
	RA_KEY_CPU_MEMORY,
	RA_KEY_SELF_CPU_MEMORY,
	RA_KEY_CUDA_MEMORY,
	RA_KEY_SELF_CUDA_MEMORY,
	RA_KEY_CALLS,
	RA_KEY_SHAPES,
	RA_KEY_STACK,
	RA_KEY_FLOPS,
	RA_KEY_COLUMNS,
};

/* The data that torch's layout needs in addition to the table. */
struct ra_key_layout {
	double cpu_us; /* sums of self times */
	double gpu_us;
	size_t limit; /* most rows to print, 0: all; the widths are always those for all rows */
	bool is_old;  /* write bytes as torch up to 2.4 does */
	bool has_nan; /* a share of a total of 0 is NaN, as in torch, instead of 0 */
	bool has_flops;
};

/*
 * Appends the table as print(prof.key_averages().table()) prints it. Columns are those above; times
 * are RA_TABLE_TIME, or RA_TABLE_REAL in µs.
 */
void ra_key_averages_put_layout(struct ra_util_text *text, const struct ra_table *table,
                                const struct ra_key_layout *layout);

#endif
