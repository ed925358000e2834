/* SPDX-License-Identifier: MIT */
/* How wide the intervals are that `analyzer diff -f json` gives. */
#ifndef RCAP_RANGES_WIDTH_H
#define RCAP_RANGES_WIDTH_H

#include <stdbool.h>
#include <stddef.h>

struct rcap_ranges_width {
	size_t rows;    /* that count, and have an interval */
	double widest;  /* half of the widest interval, a part of one: 0.02 is "±2 %" */
	char name[64];  /* of that row, cut */
	bool is_narrow; /* there are rows that count, and all have an interval */
};

/*
 * Looks through a file that analyzer diff wrote. Rows count that have at least a twentieth of the
 * time of the largest: rows of some µs are never sure, and nobody waits for them.
 *
 * Return: 0, or an errno value: the file cannot be read.
 */
int rcap_ranges_width_read(const char *path, struct rcap_ranges_width *out);

#endif
