/* SPDX-License-Identifier: MIT */
/* Lists questions that users ask about a file, and the reports that answer them. */
#ifndef RA_QUESTIONS_H
#define RA_QUESTIONS_H

struct ra_question {
	const char *question;
	const char *example; /* a command that answers the question, with FILE in place of the
	                        file */
	const char *reports; /* names of reports, separated by blanks. Each report is listed under
	                        one question, or is more_of a report that is */
};

/* Ends with a NULL question. README.md has a row for each. */
extern const struct ra_question ra_questions[];

#endif
