/* SPDX-License-Identifier: MIT */
/* Finds when each thread read the program's input. */
#ifndef RA_ADVICE_READING_H
#define RA_ADVICE_READING_H

#include "analyzer/base/order/intervals.h"
#include "analyzer/model/model.h"

/*
 * Finds the times in which a thread is in a range or a Python function that reads input. The name
 * tells, as for the finding data_loading. Threads that only load data in parallel with the program
 * do not count.
 *
 * Return: a united set for each track of the model, freed by fini. O(n log n).
 */
struct ra_intervals *ra_advice_reading_init(const struct ra_model *model);

/* Frees the sets. @reading: the result of ra_advice_reading_init() for the same model. */
void ra_advice_reading_fini(struct ra_intervals *reading, const struct ra_model *model);

#endif
