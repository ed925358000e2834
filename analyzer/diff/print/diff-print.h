/* SPDX-License-Identifier: MIT */
/* Writes a comparison, for people and machines. */
#ifndef RA_DIFF_PRINT_H
#define RA_DIFF_PRINT_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/diff/diff.h"

enum ra_diff_print_form {
	RA_DIFF_PRINT_TEXT,
	RA_DIFF_PRINT_JSON,
	RA_DIFF_PRINT_MARKDOWN,
	RA_DIFF_PRINT_JUNIT,
	RA_DIFF_PRINT_PAGE, /* by ra_page_of_diff_write() */
};

struct ra_diff_print {
	const char *names[2]; /* of both sides, as given */
	enum ra_diff_print_form form;
	struct ra_diff_limits limits;
	size_t limit;     /* rows for people, 0: all */
	size_t width;     /* columns of the terminal, 0: no limit */
	bool is_brief;    /* people don't see what hardly helps: --brief */
	size_t causes;    /* rows of what a change is made of, for people: at most */
	bool without_why; /* people don't see that at all */
};

/* Appends everything. */
void ra_diff_print(struct ra_util_text *text, const struct ra_diff *diff,
                   const struct ra_diff_print *options);

/* Appends JUnit's file of one or several comparisons with the same first side; with several,
 * each row has the letter of its comparison, from B on. */
void ra_diff_print_cases(struct ra_util_text *text, const struct ra_diff *diffs, size_t count);

#endif
