/* SPDX-License-Identifier: MIT */
/* Makes the tables of the TensorBoard plugin's comparison: nodes, and the operators below them. */
#ifndef RA_DIFF_TB_TABLES_H
#define RA_DIFF_TB_TABLES_H

#include "analyzer/diff/compat/diff-tb.h"
#include "analyzer/table/table.h"

/*
 * Makes and fills both tables: the data of the charts, and the operator view. @is_whole: the second
 * table has the operators below each node, with the node's path; else only the sums over all nodes.
 * Names are borrowed from the traces.
 */
void ra_diff_tb_tables_fill(struct ra_table tables[2], const struct ra_diff_tb *diff,
                            bool is_whole);

#endif
