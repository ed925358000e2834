/* SPDX-License-Identifier: MIT */
/* Differences in the energy of GPUs. */
#ifndef RA_DIFF_ENERGY_H
#define RA_DIFF_ENERGY_H

#include "analyzer/diff/diff.h"
#include "analyzer/table/table.h"

/*
 * Makes a table of the joules of GPUs, steps, ranges and kernels per unit, within each kind the
 * largest change first. It has no rows if either side has no energy.
 *
 * @percent: smaller changes count as none.
 */
void ra_diff_energy_fill(struct ra_table *table, const struct ra_diff *diff, double percent);

#endif
