/* SPDX-License-Identifier: MIT */
/* Makes a table fit into a width: shortens names, and leaves out the columns that tell least. */
#ifndef RA_TABLE_FIT_H
#define RA_TABLE_FIT_H

#include "analyzer/table/layout/table-layout.h"

#define RA_TABLE_FIT_NAME 24 /* names are never shortened to fewer columns than this */
#define RA_TABLE_FIT_EASY 40 /* ... nor to fewer than this while there are other ways to fit */

/*
 * Sets a layout's widths and gap, and which columns are hidden.
 *
 * It takes these steps until the table fits. Names are shortened, those of the widest column first.
 * Titles take two lines. Columns with the same value in each row are replaced by a line below the
 * table. Names get shorter still, figures get four digits, and columns move closer. Quantiles over
 * ranks that equal an extreme, then means, then shares are replaced by a line that tells how to
 * compute them. At last columns are left out one by one: averages and other statistics of single
 * durations, shares next to their time, then the others from the right. The first column and the
 * first name stay. Room that becomes free is used for names.
 *
 * @limit: width in columns; 0: everything is shown in full.
 */
void ra_table_fit(struct ra_table_layout *layout, const struct ra_table_layout_sizes *sizes,
                  size_t limit);

#endif
