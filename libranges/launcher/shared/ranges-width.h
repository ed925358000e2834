/* SPDX-License-Identifier: MIT */
/* Finds how wide the intervals in `analyzer diff -f json` are. */
#ifndef RCAP_RANGES_WIDTH_H
#define RCAP_RANGES_WIDTH_H

#include <stdbool.h>
#include <stddef.h>

struct rcap_ranges_width {
	size_t rows;    /* number of rows that are large enough and have an interval */
	double widest;  /* half of the widest interval, as a fraction: 0.02 is "±2 %" */
	char name[64];  /* name of that row, cut to fit */
	bool is_narrow; /* some rows are large enough, and all of these have an interval */
};

/*
 * Reads a file that analyzer diff has written. Takes only rows with at least a twentieth of the
 * largest row's time. Rows of some µs never become certain, so waiting for them would never end.
 *
 * Return: 0; an errno value if the file can't be read.
 */
int rcap_ranges_width_read(const char *path, struct rcap_ranges_width *out);

#endif
