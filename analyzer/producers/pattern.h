/* SPDX-License-Identifier: MIT */
/* Matches names with patterns: a star matches any text, a percent sign a number. */
#ifndef RA_PATTERN_H
#define RA_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "format/tables.h"

/* The parts of a text that the signs of a pattern matched. */
struct ra_pattern_found {
	struct rlog_string word; /* matched by the first star; empty if there is no star */
	int64_t numbers[2]; /* matched by the first percent signs; -1 if there is no such sign */
};

/*
 * True if the whole text matches. A percent sign matches 1 to 9 digits, a star any text or none.
 * The first star matches as little as possible.
 */
bool ra_pattern_match(const char *pattern, struct rlog_string text, struct ra_pattern_found *found);

#endif
