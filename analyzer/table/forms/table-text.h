/* SPDX-License-Identifier: MIT */
/* Writes tables for people: aligned text for a terminal, and Markdown. */
#ifndef RA_TABLE_TEXT_H
#define RA_TABLE_TEXT_H

#include "analyzer/table/table.h"

/* Appends a table. @width: columns of the terminal, to which names are shortened; 0: nothing is
 * shortened. */
void ra_table_text_put(struct ra_util_text *text, const struct ra_table *table, size_t width);

/* True if no column is left out at this width. */
bool ra_table_text_is_whole(const struct ra_table *table, size_t width);

void ra_table_text_put_markdown(struct ra_util_text *text, const struct ra_table *table);

#endif
