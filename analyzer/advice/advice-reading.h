/* SPDX-License-Identifier: MIT */
/* Finds when each thread read the program's input. */
#ifndef RA_ADVICE_READING_H
#define RA_ADVICE_READING_H

#include "analyzer/base/order/intervals.h"
#include "analyzer/model/model.h"

/* Finds the times in which a thread is in a range or a Python function that reads input, by its
 * name, as for the finding data_loading. Threads that load beside the program do not count.
 *
 * Return: a united set for each track of the model, freed by fini. O(n log n).
 */
struct ra_intervals *ra_advice_reading_init(const struct ra_model *model);

/* Frees the sets. @reading: of ra_advice_reading_init() of the same model. */
void ra_advice_reading_fini(struct ra_intervals *reading, const struct ra_model *model);

#endif
