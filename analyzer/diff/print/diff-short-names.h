/* SPDX-License-Identifier: MIT */
/* Short names of kernels in tables of comparisons. */
#ifndef RA_DIFF_SHORT_NAMES_H
#define RA_DIFF_SHORT_NAMES_H

#include "analyzer/table/table.h"

/* Has kernels called by their short names, as in other tables: for people where a width is kept to.
 * Where several rows have one short name, what their whole names differ in stands behind it,
 * "ns::f [int]". Also of the second table of several comparisons. */
void ra_diff_short_names_put(struct ra_table *table);

#endif
