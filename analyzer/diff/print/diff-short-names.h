/* SPDX-License-Identifier: MIT */
/* Shortens names of kernels in tables of comparisons. */
#ifndef RA_DIFF_SHORT_NAMES_H
#define RA_DIFF_SHORT_NAMES_H

#include "analyzer/table/table.h"

/*
 * Replaces names of kernels by their short names, as in other tables for users that have a limited
 * width. If several rows have the same short name, the differing parts of their full names are
 * appended: "ns::f [int]". Also works for the second table of several comparisons.
 */
void ra_diff_short_names_put(struct ra_table *table);

#endif
