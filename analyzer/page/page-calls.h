/* SPDX-License-Identifier: MIT */
/* Collects the single calls of a table's row: durations over time, and the slowest calls. */
#ifndef RA_PAGE_CALLS_H
#define RA_PAGE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/base/text/util-text.h"

struct ra_page_calls_row;

/* The calls of a table's first rows. */
struct ra_page_calls {
	struct ra_page_calls_row *rows; /* owned */
	size_t count;
	int64_t end_ns; /* end of the capture, whose time is divided into equal parts */
};

/* @rows: number of rows of the table; only the first rows get calls. */
void ra_page_calls_init(struct ra_page_calls *calls, size_t rows, int64_t end_ns);
void ra_page_calls_fini(struct ra_page_calls *calls);

void ra_page_calls_add(struct ra_page_calls *calls, size_t row, int64_t start_ns, int64_t dur_ns);

/*
 * Appends the calls of a row, if it has any: [row, [start, duration, …], [part, calls, sum,
 * longest, …]]. The first list has the ten slowest calls, the slowest first. The second list has
 * the parts of the capture in which calls begin.
 *
 * @before: text to append first.
 * Return: true if the row has calls.
 */
bool ra_page_calls_put(const struct ra_page_calls *calls, size_t row, const char *before,
                       struct ra_util_text *json);

/* The number of parts into which the capture is divided. */
extern const size_t ra_page_calls_parts;

#endif
