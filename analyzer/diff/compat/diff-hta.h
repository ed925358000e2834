/* SPDX-License-Identifier: MIT */
/* Compares two ranks as HTA's TraceDiff does: how often each name occurs, and for how long. */
#ifndef RA_DIFF_HTA_H
#define RA_DIFF_HTA_H

#include "analyzer/compat/hta/ops.h"
#include "analyzer/table/table.h"

#define RA_DIFF_HTA_COLUMNS 9

/* The columns of TraceDiff.compare_traces, and the list of ops_diff that a name is in. */
extern const struct ra_table_column ra_diff_hta_columns[RA_DIFF_HTA_COLUMNS];

/* Appends a row for each name that one or both ranks have. Names are borrowed from the ranks. */
void ra_diff_hta_fill(struct ra_table *table, const struct ra_hta_ops *control,
                      const struct ra_hta_ops *test);

#endif
