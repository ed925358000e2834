/* SPDX-License-Identifier: MIT */
/* What people ask of a file, and which reports answer it. */
#ifndef RA_QUESTIONS_H
#define RA_QUESTIONS_H

struct ra_question {
	const char *question;
	const char *example; /* a command that answers it, FILE in the place of the file */
	const char *reports; /* names with a blank between; each report is under one question, or
	                        more of one that is (its more_of) */
};

/* Ends with a question of NULL. README.md has a row of each. */
extern const struct ra_question ra_questions[];

#endif
