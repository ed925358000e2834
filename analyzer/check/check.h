/* SPDX-License-Identifier: MIT */
/* Does what inputs add up to keep to rules? */
#ifndef RA_CHECK_H
#define RA_CHECK_H

#include "analyzer/check/check-rules.h"
#include "analyzer/summary-file/sum-set.h"

enum ra_check_form {
	RA_CHECK_TEXT,
	RA_CHECK_JSON,
	RA_CHECK_JUNIT,
};

struct ra_check_result {
	const struct ra_check_rule *rule; /* borrowed */
	char *where;                      /* owned; the input, NULL: all */
	const char *none;                 /* why there is no figure; NULL: there is one */
	double value;                     /* in the rule's unit */
	bool is_none_of_baseline;         /* it is the baseline that has no figure */
	double baseline;                  /* its figure, of as many inputs if it is a sum */
	bool holds;
};

/* Zero-initialise. */
struct ra_check {
	struct ra_check_result *results; /* owned */
	size_t count;
	size_t capacity;
};

/*
 * Holds each rule against a set, and appends what came of it. A figure that is not there breaks the
 * rule.
 *
 * @baselines: the sets of the rules' baselines, in their order; NULL if there are none.
 * @where: the input that the set is of; NULL: several.
 */
void ra_check_add(struct ra_check *check, const struct ra_check_rules *rules,
                  const struct ra_sum_set *set, const struct ra_sum_set *baselines,
                  const char *where);
void ra_check_fini(struct ra_check *check);

/* How many rules are broken. */
size_t ra_check_count_broken(const struct ra_check *check);

/* Appends a line or case for each result, in order. */
void ra_check_print(struct ra_util_text *text, const struct ra_check *check,
                    enum ra_check_form form);

/* The same for people, in `rows` lines at most: what is broken first; what is left out is counted.
 */
void ra_check_print_brief(struct ra_util_text *text, const struct ra_check *check, size_t rows);

#endif
