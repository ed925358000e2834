/* SPDX-License-Identifier: MIT */
/* Walks over the values of counters over time: one series for each counter, or for each field of a
 * group. */
#ifndef RA_SERIES_H
#define RA_SERIES_H

#include "analyzer/model/model.h"

struct ra_series_value {
	uint32_t counter;         /* index into model->counters */
	struct rlog_string field; /* field of a group; bytes NULL: the counter has a single value */
	struct rlog_string unit;  /* bytes NULL: it has no unit */
	int64_t time_ns;
	double value;
};

/*
 * Calls `visit` for every value, ordered by counter, then time. Texts are valid only during the
 * call.
 */
void ra_series_walk(const struct ra_model *model,
                    void (*visit)(void *context, const struct ra_series_value *value),
                    void *context);

#endif
