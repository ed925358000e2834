/* SPDX-License-Identifier: MIT */
/* The tables of the TensorBoard plugin's comparison: nodes, and the operators below them. */
#ifndef RA_DIFF_TB_TABLES_H
#define RA_DIFF_TB_TABLES_H

#include "analyzer/diff/compat/diff-tb.h"
#include "analyzer/table/table.h"

/*
 * Makes and fills both tables: the data of the charts, and the operator view. @is_whole: the
 * operators below each node, each with its path; otherwise only the sums over all. Names are
 * borrowed from the traces.
 */
void ra_diff_tb_tables_fill(struct ra_table tables[2], const struct ra_diff_tb *diff,
                            bool is_whole);

#endif
