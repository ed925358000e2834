/* SPDX-License-Identifier: MIT */
/* Columns that can be computed from others: averages of sums that are shown, and shares. */
#ifndef RA_TABLE_DERIVE_H
#define RA_TABLE_DERIVE_H

#include "analyzer/table/table.h"

/* True if a column is, by its key and its cells, the mean of a time: api_mean_ns next to
 * api_total_ns. */
bool ra_table_derive_is_mean(const struct ra_table *table, size_t column);

/* True if a column is by its key the share of a time, self_cpu_share next to self_cpu_ns, and the
 * whole is the same in all rows. */
bool ra_table_derive_is_share(const struct ra_table *table, size_t column);

/* True if a quantile over ranks equals the extreme in all rows, as it does for few ranks:
 * rank_p99_ns next to rank_max_ns. */
bool ra_table_derive_is_extreme(const struct ra_table *table, size_t column);

/* True if such a column is computed from column `of`. */
bool ra_table_derive_is_of(const struct ra_table *table, size_t column, size_t other);

/* Appends how such a column is computed: "CPU total / # of Calls", "Self CPU / 1.250s". */
void ra_table_derive_put(struct ra_util_text *text, const struct ra_table *table, size_t column);

/* The column whose key is another one's with a different ending; column_count: none. */
size_t ra_table_derive_find_twin(const struct ra_table *table, size_t column, const char *end,
                                 const char *twin);

#endif
