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
	char *where;                      /* owned; the input, NULL: all */
	const char *none;                 /* why there is no figure; NULL: there is one */
	double value;                     /* in the rule's unit */
	bool is_incomplete;               /* an input of either side lacks events: the value may
	                                   * be larger */
	bool is_none_of_other;            /* the other side has no figure */
	bool is_absent;                   /* nothing has the name: the figure is 0, or none */
	double other; /* the baseline's figure, for as many inputs if it is a sum; or the other
	               * figure */
	struct ra_check_interval interval;
	enum ra_check_verdict verdict;
};

/* Zero-initialise. */
struct ra_check {
	bool is_strict; /* set before the first: unsure counts as broken, and so does what holds
	                 * for an input that lacks events */
	struct ra_check_result *results; /* owned */
	size_t count;
	size_t capacity;
	char *steps; /* owned; for rules on steps: a note on which ranges are steps; NULL: none */
};

/*
 * Checks each rule against inputs, and appends the results. A missing figure breaks the rule,
 * unless it ends in "or none". A sum over a name that nothing has is missing, unless the rule holds
 * for 0 only.
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
