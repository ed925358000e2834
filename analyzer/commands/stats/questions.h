/* SPDX-License-Identifier: MIT */
/* What people ask of a file, and which reports answer it. */
#ifndef RA_QUESTIONS_H
#define RA_QUESTIONS_H

struct ra_question {
	const char *question;
	const char *example; /* a command that answers it, FILE in the place of the file */
	const char *reports; /* names with a blank between; each report is under one question, or a
	                        part of one */
};

/* Reports that nobody looks for by themselves: they are named with the one that they belong to. */
struct ra_question_parts {
	const char *report;
	const char *parts; /* names with a blank between */
};

/* Ends with a question of NULL. README.md has a row of each. */
extern const struct ra_question ra_questions[];

/* Ends with a report of NULL. */
extern const struct ra_question_parts ra_questions_parts[];

#endif
