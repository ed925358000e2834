/* SPDX-License-Identifier: MIT */
/* Figures of four digits, for tables that have little room. */
#ifndef RA_TABLE_BRIEF_H
#define RA_TABLE_BRIEF_H

#include "analyzer/table/table.h"

/* True if a column has figures that may be shorter than ra_table_layout_put_cell makes them. */
bool ra_table_brief_has(const struct ra_table_column *column);

/* Appends a cell as people read it: 181.3ms where there is room for 181.259ms. Times and other
 * numbers are rounded half up, bytes down; all digits before the point stay. */
void ra_table_brief_put_cell(struct ra_util_text *text, const struct ra_table_column *column,
                             const struct ra_table_cell *cell);

#endif
