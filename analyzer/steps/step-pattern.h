/* SPDX-License-Identifier: MIT */
/* Matches ranges with the user's pattern for steps: NAME[@DOMAIN], with wildcards in the name. */
#ifndef RA_STEP_PATTERN_H
#define RA_STEP_PATTERN_H

#include <stdbool.h>

#include "analyzer/base/text/util-string.h"

/*
 * `*` matches any text, `#` a number: a whole run of digits. After a backslash these characters
 * match themselves. They also do in a name that is equal to the pattern.
 */
struct ra_step_pattern {
	struct rlog_string name; /* borrowed, like the domain */
	struct rlog_string domain;
	bool has_domain; /* false: any domain matches */
};

/* Splits NAME[@DOMAIN]. The text must live as long as the pattern. */
struct ra_step_pattern ra_step_pattern_make(const char *range);

/* True if the pattern can match more than one name. */
bool ra_step_pattern_has_wildcard(const struct ra_step_pattern *pattern);

/*
 * True if a range with this name and domain is a step.
 *
 * @number: gets the digits of the first number that a `#` matched, without leading zeros; empty if
 * there is none. It points into the name. @number may be NULL.
 */
bool ra_step_pattern_matches(const struct ra_step_pattern *pattern, struct rlog_string name,
                             struct rlog_string domain, struct rlog_string *number);

#endif
