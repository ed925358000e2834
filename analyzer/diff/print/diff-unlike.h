/* SPDX-License-Identifier: MIT */
/* Lists the facts about machines in which the sides differ. */
#ifndef RA_DIFF_UNLIKE_H
#define RA_DIFF_UNLIKE_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/diff/diff.h"

/*
 * Appends a line for users on the GPUs, ranks, versions and so on that are known for both sides and
 * differ: "not the same: GPU A before, B after; 2 ranks before, 1 after: …", with a newline.
 *
 * @names: words for the sides, "before" and "after".
 * Return: false if there is nothing to say.
 */
bool ra_diff_unlike_put(struct ra_util_text *text, const struct ra_diff *diff,
                        const char *const names[2], enum ra_util_text_target target);

/* Appends the same as a member of a JSON object: "not_same":[{"fact":…,"before":[…],"after":[…]}],
 * with a newline. */
void ra_diff_unlike_put_json(struct ra_util_text *text, const struct ra_diff *diff);

/* Returns the difference in hardware that probably changed everything that ran on a machine: "the
 * other GPU", "the other machine". @machine: RA_DIFF_COMMON_CPU or _GPU. NULL: no known fact
 * differs. */
const char *ra_diff_unlike_find_cause(const struct ra_diff *diff, size_t machine);

#endif
