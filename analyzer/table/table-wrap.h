/* SPDX-License-Identifier: MIT */
/* Breaks text into lines that fit into a width. */
#ifndef RA_TABLE_WRAP_H
#define RA_TABLE_WRAP_H

#include "analyzer/base/text/util-text.h"

/*
 * Appends text made for a terminal. Lines wider than `width` are broken at blanks; a continued line
 * is indented by two more columns. @width: 0: no line is broken.
 */
void ra_table_wrap_put(struct ra_util_text *text, const char *bytes, size_t length, size_t width);

/* Does the same for the end of a text, which begins at `start`. */
void ra_table_wrap_from(struct ra_util_text *text, size_t start, size_t width);

#endif
