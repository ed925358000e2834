/* SPDX-License-Identifier: MIT */
/* Implements --unit: the units, and tables in which times are texts in one unit. */
#include "analyzer/commands/search/search-units.h"

#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/commands/shared/cmd.h"

static const struct ra_search_unit units[] = {
	{ "ns", 1, 0 }, { "us", 1000, 3 }, { "ms", 1000000, 6 }, { "s", 1000000000, 9 }
};

#define UNITS (sizeof(units) / sizeof(units[0]))

int ra_search_unit_take(const char *word, const struct ra_search_unit **unit)
{
	for (size_t i = 0; i < UNITS; i++) {
		if (strcmp(units[i].name, word) == 0) {
			*unit = &units[i];
			return 0;
		}
	}
	return ra_cmd_usage("--unit: \"%s\" is not one of ns, us, ms, s", word);
}

void ra_search_unit_put(struct ra_util_text *text, int64_t time_ns,
                        const struct ra_search_unit *unit)
{
	const int64_t ns = time_ns < 0 ? -time_ns : time_ns;

	if (unit == NULL) {
		ra_util_text_put_time(text, time_ns);
	} else if (unit->digits == 0) {
		ra_util_text_format(text, "%lldns", (long long) time_ns);
	} else {
		ra_util_text_format(text, "%s%lld.%0*lld%s", time_ns < 0 ? "-" : "",
		                    (long long) (ns / unit->ns), unit->digits,
		                    (long long) (ns % unit->ns), unit->name);
	}
}

/* Turns a column of times into texts, aligned at their decimal points. */
static void turn_column(struct ra_table *table, size_t column, const struct ra_search_unit *unit)
{
	size_t width = strlen(table->columns[column].title);

	for (int pass = 0; pass < 2; pass++) {
		for (size_t row = 0; row < table->row_count; row++) {
			struct ra_table_cell *cell =
				&table->cells[row * table->column_count + column];
			struct ra_util_text time = { 0 };
			struct ra_util_text text = { 0 };

			if (!cell->has_value) {
				continue;
			}
			ra_search_unit_put(&time, cell->u.number, unit);
			width = time.length > width ? time.length : width;
			if (pass == 1) {
				ra_util_text_format(&text, "%*s%.*s", (int) (width - time.length),
				                    "", (int) time.length, time.bytes);
				*cell = ra_table_make_text(ra_table_take_text(table, &text));
			}
			ra_util_text_free(&time);
		}
	}
}

void ra_search_unit_copy(struct ra_table *table)
{
	const size_t size = table->column_count * sizeof(*table->cells);
	struct ra_table_cell *cells = ra_alloc_zeros(table->row_count + 1, size);

	memcpy(cells, table->cells, table->row_count * size);
	table->cells = cells;
	table->blocks = NULL;
	table->weight = 0; /* texts have no sum */
}

void ra_search_unit_turn(struct ra_table *table, struct ra_table_column *columns,
                         const struct ra_search_unit *unit)
{
	for (size_t c = 0; c < table->column_count; c++) {
		columns[c] = table->columns[c];
		if (columns[c].kind == RA_TABLE_TIME) {
			turn_column(table, c, unit);
			columns[c].kind = RA_TABLE_TEXT;
		}
	}
	table->columns = columns;
}
