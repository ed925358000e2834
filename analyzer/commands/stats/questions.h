/* SPDX-License-Identifier: MIT */
/* Lists questions that users ask about a file, and the reports that answer them. */
#ifndef RA_QUESTIONS_H
#define RA_QUESTIONS_H

struct ra_question {
	const char *question;
	const char *example; /* a command that answers it, FILE in the place of the file */
	const char *reports; /* names separated by blanks; each report is under one question, or
	                        more_of one that is */
};

/* Ends with a NULL question. README.md has a row for each. */
extern const struct ra_question ra_questions[];

#endif
