/* SPDX-License-Identifier: MIT */
/* Writes that a DataLoader was replaced, and what moved to its worker processes. */
#ifndef RA_DIFF_LOADER_WORDS_H
#define RA_DIFF_LOADER_WORDS_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/diff/diff.h"

/* Appends "DataLoader: loading moved to worker processes (A -> B), 69.300ms -> 1.420ms; …", with a
 * newline; nothing if no loader was replaced. @is_brief: without names of what moved. */
void ra_diff_loader_words_put(struct ra_util_text *text, const struct ra_diff *diff,
                              enum ra_util_text_target target, bool is_brief);

/* Appends the same as a member of an object, "loader":{…}, with a newline, or nothing. */
void ra_diff_loader_words_put_json(struct ra_util_text *text, const struct ra_diff *diff);

/* Appends a name for a narrow column: of a loader's range "_SingleProcessDataLoader". Return:
 * false if it is no such name; then nothing. */
bool ra_diff_loader_words_put_short(struct ra_util_text *text, struct rlog_string name);

#endif
