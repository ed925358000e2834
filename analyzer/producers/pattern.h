/* SPDX-License-Identifier: MIT */
/* Patterns of names: a star stands for any text, a percent sign for a number. */
#ifndef RA_PATTERN_H
#define RA_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "format/tables.h"

/* What stood in a text where the pattern has its signs. */
struct ra_pattern_found {
	struct rlog_string word; /* for the first star; empty if there is none */
	int64_t numbers[2];      /* for the first percent signs; -1 if there is none */
};

/*
 * True if the whole text is as the pattern says. A percent sign stands for 1 to 9 digits, a star
 * for any text, also for none; the first star takes as little as it can.
 */
bool ra_pattern_match(const char *pattern, struct rlog_string text, struct ra_pattern_found *found);

#endif
