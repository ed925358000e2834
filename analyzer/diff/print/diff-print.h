/* SPDX-License-Identifier: MIT */
/* Writes a comparison, for users and for programs. */
#ifndef RA_DIFF_PRINT_H
#define RA_DIFF_PRINT_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/diff/diff.h"

enum ra_diff_print_form {
	RA_DIFF_PRINT_TEXT,
	RA_DIFF_PRINT_JSON,
	RA_DIFF_PRINT_MARKDOWN,
	RA_DIFF_PRINT_JUNIT,
	RA_DIFF_PRINT_PAGE, /* written by ra_page_of_diff_write() */
};

struct ra_diff_print {
	const char *names[2]; /* names of both sides, as the user gave them */
	enum ra_diff_print_form form;
	struct ra_diff_limits limits;
	size_t limit;     /* most rows for users, 0: all */
	size_t width;     /* columns of the terminal, 0: no limit */
	bool is_brief;    /* --brief: users don't see lines that hardly help */
	size_t causes;    /* most rows of causes, for users */
	bool without_why; /* users don't see the causes at all */
};

/* Appends the whole comparison. */
void ra_diff_print(struct ra_util_text *text, const struct ra_diff *diff,
                   const struct ra_diff_print *options);

/* Appends a JUnit file of one or several comparisons with the same first side. If there are
 * several, each row has the letter of its comparison, beginning with B. */
void ra_diff_print_cases(struct ra_util_text *text, const struct ra_diff *diffs, size_t count);

#endif
