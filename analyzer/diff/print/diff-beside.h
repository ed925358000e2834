/* SPDX-License-Identifier: MIT */
/* Explains verdicts on parts of a step and on the rows inside them that seem to contradict each
 * other. */
#ifndef RA_DIFF_BESIDE_H
#define RA_DIFF_BESIDE_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/diff/diff.h"

/*
 * Appends a line for each part that is equal, has no verdict, or changed in one direction while
 * rows inside it surely changed in the other: how many rows, and by how much. Appends nothing if
 * there is no such part.
 */
void ra_diff_beside_put(struct ra_util_text *text, const struct ra_diff *diff);

/* Appends a line with the unsure rows that got longer by most, at most three. A user who asks what
 * got slower wants to see these rows, too, but the table lists them after all sure rows. Appends
 * nothing if there are none. */
void ra_diff_beside_put_unsure(struct ra_util_text *text, const struct ra_diff *diff);

#endif
