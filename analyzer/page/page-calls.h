/* SPDX-License-Identifier: MIT */
/* Single calls of a row: how long they were over time, and the slowest of them. */
#ifndef RA_PAGE_CALLS_H
#define RA_PAGE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/base/text/util-text.h"

struct ra_page_calls_row;

/* Of the first rows of a table. */
struct ra_page_calls {
	struct ra_page_calls_row *rows; /* owned */
	size_t count;
	int64_t end_ns; /* of the capture, which is divided into equal parts */
};

/* @rows: of the table; of those behind the first some nothing is kept. */
void ra_page_calls_init(struct ra_page_calls *calls, size_t rows, int64_t end_ns);
void ra_page_calls_fini(struct ra_page_calls *calls);

void ra_page_calls_add(struct ra_page_calls *calls, size_t row, int64_t start_ns, int64_t dur_ns);

/*
 * Appends what is known of a row, if there is anything: [row, [start, duration, …],
 * [part, calls, sum, longest, …]], the slowest ten calls, the slowest first, and the parts in which
 * calls begin.
 *
 * @before: what stands before it.
 * Return: whether there was.
 */
bool ra_page_calls_put(const struct ra_page_calls *calls, size_t row, const char *before,
                       struct ra_util_text *json);

/* How many parts there are. */
extern const size_t ra_page_calls_parts;

#endif
