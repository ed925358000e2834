/* SPDX-License-Identifier: MIT */
/* Tells names apart that look the same when shortened. */
#ifndef RA_TABLE_APART_H
#define RA_TABLE_APART_H

#include "analyzer/table/table.h"

/* A column whose width does not do for all its names. */
struct ra_table_apart {
	const struct ra_table *table;
	size_t column;
	size_t width;
	uint32_t *numbers; /* by row, zeros: gets those of names that have one behind them */
	char **cuts;       /* by row, NULLs: gets names that are cut otherwise, each the caller's */
};

/*
 * Different names that look the same get a cut that shows what they differ in, behind "...", or a
 * number where there is no room for that.
 */
void ra_table_apart_tell(const struct ra_table_apart *apart);

#endif
