/* SPDX-License-Identifier: MIT */
/* Finds columns that can be computed from others: averages of sums that are shown, and shares. */
#ifndef RA_TABLE_DERIVE_H
#define RA_TABLE_DERIVE_H

#include "analyzer/table/table.h"

/* True if a column is the mean of a time, by its key and its cells: api_mean_ns next to
 * api_total_ns. */
bool ra_table_derive_is_mean(const struct ra_table *table, size_t column);

/* True if a column is the share of a time, by its key: self_cpu_share next to self_cpu_ns. The
 * whole must be the same in all rows. */
bool ra_table_derive_is_share(const struct ra_table *table, size_t column);

/* True if a column is a quantile over ranks that equals the extreme in all rows, as for few ranks:
 * rank_p99_ns next to rank_max_ns. */
bool ra_table_derive_is_extreme(const struct ra_table *table, size_t column);

/* True if such a column can be computed from column `of`. */
bool ra_table_derive_is_of(const struct ra_table *table, size_t column, size_t other);

/* Appends how to compute such a column: "CPU total / # of Calls", "Self CPU / 1.250s". */
void ra_table_derive_put(struct ra_util_text *text, const struct ra_table *table, size_t column);

/* The column whose key is that of this column with another ending; column_count: there is none. */
size_t ra_table_derive_find_twin(const struct ra_table *table, size_t column, const char *end,
                                 const char *twin);

#endif
