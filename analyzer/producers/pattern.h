/* SPDX-License-Identifier: MIT */
/* Matches names with patterns: a star stands for any text, a percent sign for a number. */
#ifndef RA_PATTERN_H
#define RA_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "format/tables.h"

/* What the text has in place of the pattern's signs. */
struct ra_pattern_found {
	struct rlog_string word; /* in place of the first star; empty if there is none */
	int64_t numbers[2];      /* in place of the first percent signs; -1 if there is none */
};

/*
 * True if the whole text matches. A percent sign stands for 1 to 9 digits, a star for any text or
 * none. The first star takes as little as possible.
 */
bool ra_pattern_match(const char *pattern, struct rlog_string text, struct ra_pattern_found *found);

#endif
