/* SPDX-License-Identifier: MIT */
/* Lines of text that fit into a width. */
#ifndef RA_TABLE_WRAP_H
#define RA_TABLE_WRAP_H

#include "analyzer/base/text/util-text.h"

/*
 * Appends text, made for a terminal, with its lines broken at blanks where they are wider than
 * `width`; what a line goes on with stands two columns further in. 0: nothing is broken.
 */
void ra_table_wrap_put(struct ra_util_text *text, const char *bytes, size_t length, size_t width);

/* The same of what a text has from `start` on. */
void ra_table_wrap_from(struct ra_util_text *text, size_t start, size_t width);

#endif
