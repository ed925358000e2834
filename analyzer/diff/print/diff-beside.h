/* SPDX-License-Identifier: MIT */
/* Parts of a step against the rows inside them, where their verdicts seem to contradict. */
#ifndef RA_DIFF_BESIDE_H
#define RA_DIFF_BESIDE_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/diff/diff.h"

/*
 * Appends a line for each part that is equal, has no verdict, or moved one way while rows inside it
 * surely moved the other way: how many rows, and by how much. Appends nothing if there is no such
 * part.
 */
void ra_diff_beside_put(struct ra_util_text *text, const struct ra_diff *diff);

/* Appends a line with the unsure rows that got longer by most, at most three. A user who asks what
 * got slower wants to see them, too, and the table has them only after all sure rows. Appends
 * nothing if there are none. */
void ra_diff_beside_put_unsure(struct ra_util_text *text, const struct ra_diff *diff);

#endif
