/* SPDX-License-Identifier: MIT */
/* Fits an answer that consists of several tables into a number of bytes. */
#include "analyzer/table/table-budget.h"

#include <stdbool.h>

#define ROW_BYTES 8 /* bytes of the shortest possible row */

/* Writes the answer in one size. Return: true if it fits. */
static bool try_size(struct ra_util_text *text, size_t bytes, size_t rows, size_t tables,
                     ra_table_budget_put put, const void *context)
{
	ra_util_text_clear(text);
	put(text, rows, tables, context);
	return text->length <= bytes;
}

void ra_table_budget_fit(struct ra_util_text *text, size_t bytes, size_t tables,
                         ra_table_budget_put put, const void *context)
{
	size_t fits = 0; /* number of rows that fit … */
	size_t over = bytes / ROW_BYTES + 1;

	while (fits + 1 < over) {
		const size_t middle = fits == 0 && over > 8 ? 8 : fits + (over - fits) / 2;

		if (try_size(text, bytes, middle, tables, put, context)) {
			fits = middle;
		} else {
			over = middle;
		}
	}
	if (fits > 0) {
		(void) try_size(text, bytes, fits, tables, put, context);
		return;
	}
	/* … or number of tables with one row that fit */
	for (over = tables, fits = 0; fits + 1 < over;) {
		const size_t middle = fits + (over - fits) / 2;

		if (try_size(text, bytes, 1, middle, put, context)) {
			fits = middle;
		} else {
			over = middle;
		}
	}
	(void) try_size(text, bytes, 1, fits, put, context);
}
