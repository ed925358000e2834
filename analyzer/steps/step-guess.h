/* SPDX-License-Identifier: MIT */
/* Ranges that are steps by their name alone, where nothing says what a step is. */
#ifndef RA_STEP_GUESS_H
#define RA_STEP_GUESS_H

#include "analyzer/model/model.h"

#define RA_STEP_GUESSES 10

/* Patterns as of --step-range, the most telling first. */
struct ra_step_guesses {
	char *patterns[RA_STEP_GUESSES]; /* owned */
	size_t count;
};

/*
 * Finds ranges that people call step, train_step, iteration and the like (doc/metrics.md, section
 * 22), whatever number stands behind it.
 */
void ra_step_guess_list(struct ra_step_guesses *guesses, const struct ra_model *model);
/* True of all names that the patterns of that list can match. */
bool ra_step_guess_may_be(struct rlog_string name);

void ra_step_guess_free(struct ra_step_guesses *guesses);

#endif
