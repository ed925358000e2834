/* SPDX-License-Identifier: MIT */
/* `analyzer search --unit`: shows times to users in one unit. */
#ifndef RA_SEARCH_UNITS_H
#define RA_SEARCH_UNITS_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/table/table.h"

struct ra_search_unit {
	const char *name;
	int64_t ns;
	int digits; /* digits after the decimal point */
};

/* Reads a unit: ns, us, ms or s. Return: 0, RA_CMD_USAGE with a line on stderr. */
int ra_search_unit_take(const char *word, const struct ra_search_unit **unit);

/* Writes a time such as "183104.500us" in one unit, exact to 1 ns. @unit: NULL: a unit that suits
 * the time. */
void ra_search_unit_put(struct ra_util_text *text, int64_t time_ns,
                        const struct ra_search_unit *unit);

/* Gives a copy of a table its own cells. Texts that are added to the copy are freed with it. */
void ra_search_unit_copy(struct ra_table *table);

/* Turns the times of a table into texts in a unit. @columns: room for all columns; the table
 * borrows them. */
void ra_search_unit_turn(struct ra_table *table, struct ra_table_column *columns,
                         const struct ra_search_unit *unit);

#endif
