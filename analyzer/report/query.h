/* SPDX-License-Identifier: MIT */
/* Applies the user's options to a report: grouping, order, number of rows. */
#ifndef RA_QUERY_H
#define RA_QUERY_H

#include "analyzer/names/group.h"
#include "analyzer/table/table.h"

struct ra_query {
	unsigned group_by; /* enum ra_group_by, or'ed */
	/* key of a column, after + for ascending or - for descending; NULL: the order of the
	 * report */
	const char *sort;
	size_t limit; /* number of rows; 0: all */
};

/* The words that --group-by takes; ends with NULL. */
extern const char *const ra_query_groupings[];

/* The meaning of the word with this index. Return: enum ra_group_by. */
unsigned ra_query_grouping(size_t index);

/*
 * Finds the column of a sort key.
 *
 * @is_descending: by default true for numbers and false for texts; + or - changes that. Return: the
 * column; column_count if no column has that name.
 */
size_t ra_query_find_sort(const char *sort, const struct ra_table_column *columns,
                          size_t column_count, bool *is_descending);

/* Sorts and cuts a table. @otherwise: the sort key to use if the query has none, or that of another
 * report; may be NULL. */
void ra_query_apply(const struct ra_query *query, const char *otherwise, struct ra_table *table);

#endif
