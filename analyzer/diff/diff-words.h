/* SPDX-License-Identifier: MIT */
/* The words of comparisons. */
#ifndef RA_DIFF_WORDS_H
#define RA_DIFF_WORDS_H

#include "analyzer/base/util-text.h"
#include "analyzer/diff/diff.h"
#include "analyzer/table/table.h"

/* A part of a step, as the TensorBoard plugin calls it. */
const char *ra_diff_words_role(size_t role);

/* What a row is about: "range", "kernel", "collective", "memcpy", "api". */
const char *ra_diff_words_kind(const struct ra_diff_row *row);

/* Appends what a side is a mean of: "6 steps", "1 input". */
void ra_diff_words_put_units(struct ra_util_text *text, const struct ra_diff *diff, size_t side);

/* "slower" and so on; a cell without a value where nothing is to be said. */
struct ra_table_cell ra_diff_words_verdict(enum ra_diff_verdict verdict);

#endif
