/* SPDX-License-Identifier: MIT */
/* The two tables of a comparison: where the time of a step went, and what changed. */
#ifndef RA_DIFF_TABLE_H
#define RA_DIFF_TABLE_H

#include "analyzer/diff/diff.h"
#include "analyzer/table/table.h"

/*
 * Makes and fills both.
 *
 * @with_same: also rows that did not change, which machines get and people are spared.
 * @with_empty: also parts that no side has.
 */
void ra_diff_table_fill(struct ra_table tables[2], const struct ra_diff *diff, bool with_same,
                        bool with_empty);

#endif
