/* SPDX-License-Identifier: MIT */
/* The values of counters over time: one series per counter, or per field of a group. */
#ifndef RA_SERIES_H
#define RA_SERIES_H

#include "analyzer/model/model.h"

struct ra_series_value {
	uint32_t counter;         /* index into model->counters */
	struct rlog_string field; /* field of a group; bytes NULL for a counter of one value */
	struct rlog_string unit;  /* bytes NULL: none */
	int64_t time_ns;
	double value;
};

/*
 * Calls `visit` for every value, counter by counter in order of time. Texts are valid during the
 * call only.
 */
void ra_series_walk(const struct ra_model *model,
                    void (*visit)(void *context, const struct ra_series_value *value),
                    void *context);

#endif
