/* SPDX-License-Identifier: MIT */
/* Columns that can be worked out from others: averages of sums that are shown, and shares. */
#ifndef RA_TABLE_DERIVE_H
#define RA_TABLE_DERIVE_H

#include "analyzer/table/table.h"

/* True for a column that is by its key the mean of a time, api_mean_ns beside api_total_ns, and
 * whose cells are. */
bool ra_table_derive_is_mean(const struct ra_table *table, size_t column);

/* True for a share by its key, self_cpu_share beside self_cpu_ns, of the same whole in all rows. */
bool ra_table_derive_is_share(const struct ra_table *table, size_t column);

/* True for a quantile of ranks, rank_p99_ns beside rank_max_ns, that is the extreme in all rows, as
 * that of few ranks. */
bool ra_table_derive_is_extreme(const struct ra_table *table, size_t column);

/* True if such a column is worked out of another one. */
bool ra_table_derive_is_of(const struct ra_table *table, size_t column, size_t other);

/* Appends how such a column is worked out: "CPU total / # of Calls", "Self CPU / 1.250s". */
void ra_table_derive_put(struct ra_util_text *text, const struct ra_table *table, size_t column);

/* The column whose key is that of another one with its end changed; column_count: none. */
size_t ra_table_derive_find_twin(const struct ra_table *table, size_t column, const char *end,
                                 const char *twin);

#endif
