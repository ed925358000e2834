/* SPDX-License-Identifier: MIT */
/* Writes that a DataLoader was replaced, and which ranges moved to its worker processes. */
#ifndef RA_DIFF_LOADER_WORDS_H
#define RA_DIFF_LOADER_WORDS_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/diff/diff.h"

/* Appends "DataLoader: loading moved to worker processes (A -> B), 69.300ms -> 1.420ms; …", with a
 * newline. Appends nothing if no loader was replaced. @is_brief: without the names of the ranges
 * that moved. */
void ra_diff_loader_words_put(struct ra_util_text *text, const struct ra_diff *diff,
                              enum ra_util_text_target target, bool is_brief);

/* Appends the same as a member of a JSON object, "loader":{…}, with a newline. Appends nothing if
 * no loader was replaced. */
void ra_diff_loader_words_put_json(struct ra_util_text *text, const struct ra_diff *diff);

/* Appends a shortened name of a loader's range for a narrow column: "_SingleProcessDataLoader".
 * Return: false if it is no loader's name; then appends nothing. */
bool ra_diff_loader_words_put_short(struct ra_util_text *text, struct rlog_string name);

#endif
