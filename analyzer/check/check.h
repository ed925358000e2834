/* SPDX-License-Identifier: MIT */
/* Does what inputs add up to keep to rules? */
#ifndef RA_CHECK_H
#define RA_CHECK_H

#include "analyzer/check/check-rules.h"
#include "analyzer/check/check-runs.h"

enum ra_check_verdict {
	RA_CHECK_HOLDS,
	RA_CHECK_BROKEN,
	RA_CHECK_UNSURE, /* the interval has the limit in it */
};

struct ra_check_result {
	const struct ra_check_rule *rule; /* borrowed */
	char *where;                      /* owned; the input, NULL: all */
	const char *none;                 /* why there is no figure; NULL: there is one */
	double value;                     /* in the rule's unit */
	bool is_incomplete;               /* an input of either lacks events: more may be there */
	bool is_none_of_other;            /* it is the other side that has no figure */
	double other; /* the baseline's figure, of as many inputs if it is a sum;
	                 or the other figure */
	struct ra_check_interval interval;
	enum ra_check_verdict verdict;
};

/* Zero-initialise. */
struct ra_check {
	bool is_strict; /* set before the first: what is unsure is broken, and what holds
	                   of an input that lacks events */
	struct ra_check_result *results; /* owned */
	size_t count;
	size_t capacity;
	char *steps; /* owned; of rules on steps: a remark on which ranges are some; NULL: none */
};

/*
 * Holds each rule against inputs, and appends what came of it. A figure that is not there breaks
 * the rule.
 *
 * @baselines: those of the rules, in their order; NULL if there are none.
 * @where: the input, if it is one; NULL: several.
 */
void ra_check_add(struct ra_check *check, const struct ra_check_rules *rules,
                  const struct ra_diff_side *side, const struct ra_diff_side *baselines,
                  const char *where);
void ra_check_fini(struct ra_check *check);

size_t ra_check_count(const struct ra_check *check, enum ra_check_verdict verdict);

#endif
