/* SPDX-License-Identifier: MIT */
/* Names the ranges that were never closed: they show where a program hung or was killed. */
#ifndef RA_OPEN_RANGES_H
#define RA_OPEN_RANGES_H

#include "analyzer/model/model.h"
#include "analyzer/base/text/util-text.h"

/* This many ranges are named; all others are only counted. */
#define RA_OPEN_RANGES_NAMED 10

/* Appends a line for each range that was never closed, thread by thread, the outermost first.
 * Appends nothing if there are none. */
void ra_open_ranges_put_text(struct ra_util_text *text, const struct ra_model *model);

/* Appends these ranges as an array of objects. */
void ra_open_ranges_put_json(struct ra_util_text *text, const struct ra_model *model);

#endif
