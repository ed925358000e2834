/* SPDX-License-Identifier: MIT */
/* Ranges that are steps by their name alone, where nothing says what a step is. */
#ifndef RA_STEP_GUESS_H
#define RA_STEP_GUESS_H

#include "analyzer/model/model.h"

/*
 * Finds ranges that people call step, train_step, iteration and the like (doc/metrics.md, section
 * 22), whatever number stands behind it, of which there are at least two.
 *
 * Return: a pattern for --step-range, owned by the caller; NULL if there are none, or if the input
 * has steps without that.
 */
char *ra_step_guess_make(const struct ra_model *model);

#endif
