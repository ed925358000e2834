/* SPDX-License-Identifier: MIT */
/* Checks whether summaries of inputs keep to rules. */
#ifndef RA_CHECK_H
#define RA_CHECK_H

#include "analyzer/check/check-rules.h"
#include "analyzer/check/check-runs.h"

enum ra_check_verdict {
	RA_CHECK_HOLDS,
	RA_CHECK_BROKEN,
	RA_CHECK_UNSURE, /* the interval contains the limit */
};

struct ra_check_result {
	const struct ra_check_rule *rule; /* borrowed */
	char *where;                      /* owned; the input; NULL: all inputs */
	const char *none;                 /* the reason why there is no figure; NULL: there is
	                                     one */
	double value;                     /* in the rule's unit */
	bool is_incomplete;               /* an input of either side lacks events: the value may
	                                   * be larger */
	bool is_none_of_other;            /* `none` is about the other side's figure */
	bool is_absent;                   /* nothing has the name; the figure is then 0 or
	                                     missing */
	double other; /* the other figure. If it is a baseline's sum, it is scaled to as many
	                 inputs */
	struct ra_check_interval interval;
	enum ra_check_verdict verdict;
};

/* Zero-initialise. */
struct ra_check {
	bool is_strict; /* set it before the first ra_check_add(): then a rule is also broken if it
	                   is unsure or if its input lacks events */
	struct ra_check_result *results; /* owned */
	size_t count;
	size_t capacity;
	char *steps; /* owned; for rules on steps: a note on which ranges are steps; NULL: none */
};

/*
 * Checks each rule against inputs, and appends the results. A missing figure breaks the rule,
 * unless the rule ends in "or none". If nothing has the name, a sum over it counts as missing,
 * unless the rule holds only for 0.
 *
 * @baselines: the inputs of rules->baselines, in their order; NULL if there are none.
 * @where: the input's name, if there is only one; NULL: there are several.
 */
void ra_check_add(struct ra_check *check, const struct ra_check_rules *rules,
                  const struct ra_diff_side *side, const struct ra_diff_side *baselines,
                  const char *where);
void ra_check_fini(struct ra_check *check);

size_t ra_check_count(const struct ra_check *check, enum ra_check_verdict verdict);

#endif
