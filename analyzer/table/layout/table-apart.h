/* SPDX-License-Identifier: MIT */
/* Makes shortened names distinct that look the same. */
#ifndef RA_TABLE_APART_H
#define RA_TABLE_APART_H

#include "analyzer/table/table.h"

/* A column that is too narrow for some of its names. */
struct ra_table_apart {
	const struct ra_table *table;
	size_t column;
	size_t width;
	uint32_t *numbers; /* by row, zeros at first: gets the number to write after the name */
	/* by row, NULL at first: gets the name cut in another way; the caller frees it */
	char **cuts;
};

/*
 * Finds different names that look the same. Cuts them so that the difference is shown after "...".
 * If there is no room for that, gives them numbers.
 */
void ra_table_apart_tell(const struct ra_table_apart *apart);

#endif
