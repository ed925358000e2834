/* SPDX-License-Identifier: MIT */
/* Compares the energy of GPUs. */
#ifndef RA_DIFF_ENERGY_H
#define RA_DIFF_ENERGY_H

#include "analyzer/diff/diff.h"
#include "analyzer/table/table.h"

/*
 * Makes a table of the joules per unit of GPUs, steps, ranges and kernels. Within each kind, the
 * largest change comes first. The table has no rows if either side has no figures of energy.
 *
 * @percent: a change smaller than this is no change.
 */
void ra_diff_energy_fill(struct ra_table *table, const struct ra_diff *diff, double percent);

#endif
