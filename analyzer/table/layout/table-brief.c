/* SPDX-License-Identifier: MIT */
/* Writes figures with at most four digits, for tables with little room. */
#include "analyzer/table/layout/table-brief.h"

#include <math.h>

#include "analyzer/table/layout/table-layout.h"

#define MOST 9999 /* the largest number of four digits */

struct unit {
	const char *suffix;
	uint64_t size;
};

/* Appends a number in the smallest unit in which it has at most four digits, including decimals. If
 * there is none, uses the largest unit. */
static void put_scaled(struct ra_util_text *text, int64_t number, const struct unit *units,
                       size_t count, bool is_rounded)
{
	const uint64_t size = number < 0 ? 0 - (uint64_t) number : (uint64_t) number;

	for (size_t u = 0; u < count; u++) {
		int decimals = 3;

		for (unsigned scale = 1000; scale > 1; scale /= 10, decimals--) {
			unsigned __int128 part = (unsigned __int128) size * scale;

			part = (part + (is_rounded ? units[u].size / 2 : 0)) / units[u].size;
			if (part <= MOST || (u + 1 == count && decimals == 1)) {
				ra_util_text_format(text, "%s%llu.%0*u%s", number < 0 ? "-" : "",
				                    (unsigned long long) (part / scale), decimals,
				                    (unsigned) (part % scale), units[u].suffix);
				return;
			}
		}
	}
}

static void put_time(struct ra_util_text *text, int64_t time_ns)
{
	static const struct unit units[] = { { "us", 1000 },
		                             { "ms", 1000000 },
		                             { "s", 1000000000 } };

	if (time_ns > -1000 && time_ns < 1000) {
		ra_util_text_put_time(text, time_ns);
	} else {
		put_scaled(text, time_ns, units, sizeof(units) / sizeof(units[0]), true);
	}
}

static void put_bytes(struct ra_util_text *text, int64_t bytes)
{
	static const struct unit units[] = { { "kB", 1000 },
		                             { "MB", 1000000 },
		                             { "GB", 1000000000 },
		                             { "TB", 1000000000000 },
		                             { "PB", 1000000000000000 } };

	if (bytes > -10000 && bytes < 10000) {
		ra_util_text_put_bytes(text, bytes);
	} else {
		put_scaled(text, bytes, units, sizeof(units) / sizeof(units[0]), false);
	}
}

/* Appends a real number. Integers are written unchanged. */
static void put_real(struct ra_util_text *text, const struct ra_table_column *column,
                     const struct ra_table_cell *cell)
{
	const double size = fabs(cell->u.real);

	if (size == trunc(size) || !isfinite(size)) {
		ra_table_layout_put_cell(text, column, cell, RA_TEXT_TERMINAL);
	} else if (size >= 1000 && size < 0x1p53) {
		ra_util_text_put_int(text, llround(cell->u.real));
	} else {
		ra_util_text_format(text, "%.4g", cell->u.real);
	}
}

bool ra_table_brief_has(const struct ra_table_column *column)
{
	return column->kind == RA_TABLE_TIME || column->kind == RA_TABLE_REAL ||
	       column->kind == RA_TABLE_SIZE ||
	       (column->kind == RA_TABLE_COUNT && ra_table_layout_is_bytes(column));
}

void ra_table_brief_put_cell(struct ra_util_text *text, const struct ra_table_column *column,
                             const struct ra_table_cell *cell)
{
	if (!cell->has_value || !ra_table_brief_has(column)) {
		ra_table_layout_put_cell(text, column, cell, RA_TEXT_TERMINAL);
	} else if (column->kind == RA_TABLE_TIME) {
		put_time(text, cell->u.number);
	} else if (column->kind == RA_TABLE_REAL) {
		put_real(text, column, cell);
	} else {
		put_bytes(text,
		          column->kind == RA_TABLE_SIZE ? llround(cell->u.real) : cell->u.number);
	}
}
