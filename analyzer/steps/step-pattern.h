/* SPDX-License-Identifier: MIT */
/* Which ranges are steps, as the user says it: NAME[@DOMAIN], with wildcards in the name. */
#ifndef RA_STEP_PATTERN_H
#define RA_STEP_PATTERN_H

#include <stdbool.h>

#include "analyzer/base/text/util-string.h"

/*
 * `*` stands for any text, `#` for a number: all digits that stand together. Behind a backslash
 * they stand for themselves, and so they do in a name that is the pattern to the letter.
 */
struct ra_step_pattern {
	struct rlog_string name; /* borrowed, as the domain is */
	struct rlog_string domain;
	bool has_domain; /* false: any will do */
};

/* Takes NAME[@DOMAIN] apart; the text must live as long as the pattern. */
struct ra_step_pattern ra_step_pattern_make(const char *range);

/* True if ranges of several names can be steps. */
bool ra_step_pattern_has_wildcard(const struct ra_step_pattern *pattern);

/*
 * True if a range of this name and domain is a step.
 *
 * @number: set to the digits of the first number that `#` stands for, without zeros in front; empty
 * if there is none. It lies in the name. May be NULL.
 */
bool ra_step_pattern_matches(const struct ra_step_pattern *pattern, struct rlog_string name,
                             struct rlog_string domain, struct rlog_string *number);

#endif
