/* SPDX-License-Identifier: MIT */
/* Tells names apart that look the same when shortened. */
#ifndef RA_TABLE_APART_H
#define RA_TABLE_APART_H

#include "analyzer/table/table.h"

/* A column that is too narrow for some of its names. */
struct ra_table_apart {
	const struct ra_table *table;
	size_t column;
	size_t width;
	uint32_t *numbers; /* by row, zeros at first: gets the numbers behind names */
	char **cuts; /* by row, NULLs at first: gets names that are cut in another way; the caller
	                frees each */
};

/*
 * Finds different names that look the same. Cuts them so that the difference is shown after "...",
 * or gives them numbers if there is no room for that.
 */
void ra_table_apart_tell(const struct ra_table_apart *apart);

#endif
