/* SPDX-License-Identifier: MIT */
/* Short names of kernels in tables of comparisons. */
#ifndef RA_DIFF_SHORT_NAMES_H
#define RA_DIFF_SHORT_NAMES_H

#include "analyzer/table/table.h"

/*
 * Replaces names of kernels by their short names, as in other tables: for people, where a width is
 * kept. If several rows have one short name, the differing parts of their full names follow it,
 * "ns::f [int]". Works for the second table of several comparisons, too.
 */
void ra_diff_short_names_put(struct ra_table *table);

#endif
