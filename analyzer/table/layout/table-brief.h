/* SPDX-License-Identifier: MIT */
/* Writes figures with at most four digits, for tables with little room. */
#ifndef RA_TABLE_BRIEF_H
#define RA_TABLE_BRIEF_H

#include "analyzer/table/table.h"

/* True if a column has figures that can be shorter than those of ra_table_layout_put_cell(). */
bool ra_table_brief_has(const struct ra_table_column *column);

/* Appends a cell for people, such as 181.3ms instead of 181.259ms. Times and other numbers are
 * rounded half up, bytes down. All digits before the point are kept. */
void ra_table_brief_put_cell(struct ra_util_text *text, const struct ra_table_column *column,
                             const struct ra_table_cell *cell);

#endif
