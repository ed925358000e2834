/* SPDX-License-Identifier: MIT */
/* Makes a table fit into a width: names are shortened, and what says least is left out. */
#ifndef RA_TABLE_FIT_H
#define RA_TABLE_FIT_H

#include "analyzer/table/table-layout.h"

#define RA_TABLE_FIT_NAME 24 /* names are not shortened below this */
#define RA_TABLE_FIT_EASY 40 /* ... and not below this as long as there are other ways */

/*
 * Sets widths, gap and what is hidden of a layout.
 *
 * Names are shortened, those of the widest column first. If that is not enough titles take two
 * lines; then columns that say the same in each row become a line below the table; then names get
 * shorter still, figures get four digits, and the columns move together; then quantiles of ranks
 * that are an extreme, means and shares become a line of how they are worked out. If it still is
 * not, columns are left out, one after the other: averages and other statistics of single
 * durations, shares that stand beside their time, then from the right what is left. The first
 * column and the first name stay. Names get the room that becomes free.
 *
 * @limit: 0: all is shown in full.
 */
void ra_table_fit(struct ra_table_layout *layout, const struct ra_table_layout_sizes *sizes,
                  size_t limit);

#endif
