/* SPDX-License-Identifier: MIT */
/* What differs in the energy of GPUs. */
#ifndef RA_DIFF_ENERGY_H
#define RA_DIFF_ENERGY_H

#include "analyzer/diff/diff.h"
#include "analyzer/table/table.h"

/*
 * Makes a table of the joules of GPUs, steps, ranges and kernels per unit, the largest change first
 * of each; it has no rows where either side has no energy.
 *
 * @percent: a change by less is none.
 */
void ra_diff_energy_fill(struct ra_table *table, const struct ra_diff *diff, double percent);

#endif
