/* SPDX-License-Identifier: MIT */
/* Writes the results of rules. */
#ifndef RA_CHECK_PRINT_H
#define RA_CHECK_PRINT_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/check/check.h"

enum ra_check_form {
	RA_CHECK_TEXT,
	RA_CHECK_JSON,
	RA_CHECK_JUNIT,
};

/* Appends a line or test case for each result, in order. */
void ra_check_print_put(struct ra_util_text *text, const struct ra_check *check,
                        enum ra_check_form form);

/* Prints the results for users, in at most `rows` lines: broken rules first, then unsure ones. The
 * rules left out are counted. */
void ra_check_print_brief(struct ra_util_text *text, const struct ra_check *check, size_t rows);

#endif
