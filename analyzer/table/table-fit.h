/* SPDX-License-Identifier: MIT */
/* Makes a table fit into a width: names are shortened, and what says least is left out. */
#ifndef RA_TABLE_FIT_H
#define RA_TABLE_FIT_H

#include "analyzer/table/table-layout.h"

#define RA_TABLE_FIT_NAME 24 /* names are not shortened below this */

/*
 * Sets widths, gap and what is hidden of a layout.
 *
 * Names are shortened, those of the widest column first. If that is not enough the columns move
 * together; if it still is not, columns go, one after the other: those that say the same in each
 * row, averages and other statistics of single durations, shares that stand beside their time, then
 * from the right what is left. The first column and the first name stay. Names get the room that
 * becomes free.
 *
 * @full: widths with nothing shortened. @limit: 0: all is shown in full.
 */
void ra_table_fit(struct ra_table_layout *layout, const size_t *full, size_t limit);

#endif
