/* SPDX-License-Identifier: MIT */
/* Finds ranges that are steps by their names, if nothing else tells what a step is. */
#ifndef RA_STEP_GUESS_H
#define RA_STEP_GUESS_H

#include "analyzer/model/model.h"

#define RA_STEP_GUESSES 10

/* Patterns for --step-range; the pattern that most likely means steps comes first. */
struct ra_step_guesses {
	char *patterns[RA_STEP_GUESSES]; /* owned */
	size_t count;
};

/*
 * Finds ranges with names such as step, train_step or iteration (doc/metrics.md, section 22), with
 * any number after them.
 */
void ra_step_guess_list(struct ra_step_guesses *guesses, const struct ra_model *model);
/* True for every name that some pattern of ra_step_guess_list() could match. */
bool ra_step_guess_may_be(struct rlog_string name);

void ra_step_guess_free(struct ra_step_guesses *guesses);

#endif
