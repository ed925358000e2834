/* SPDX-License-Identifier: MIT */
/* What a user asks of a report: grouping, order, number of rows. */
#include "analyzer/query.h"

const char *const ra_query_groupings[] = { "name",     "shape",   "path", "domain",
	                                   "category", "payload", NULL };

unsigned ra_query_grouping(size_t index)
{
	static const enum ra_group_by by[] = {
		RA_GROUP_BY_NAME,   RA_GROUP_BY_SHAPE,    RA_GROUP_BY_PATH,
		RA_GROUP_BY_DOMAIN, RA_GROUP_BY_CATEGORY, RA_GROUP_BY_PAYLOAD,
	};

	return by[index];
}

size_t ra_query_find_sort(const char *sort, const struct ra_table_column *columns,
                          size_t column_count, bool *is_descending)
{
	const bool has_sign = sort[0] == '+' || sort[0] == '-';
	const size_t column = ra_table_find_column(columns, column_count, sort + has_sign);

	if (has_sign) {
		*is_descending = sort[0] == '-';
	} else {
		*is_descending = column < column_count && columns[column].kind != RA_TABLE_TEXT;
	}
	return column;
}

int ra_query_apply(const struct ra_query *query, const char *otherwise, struct ra_table *table)
{
	bool is_descending = false;
	size_t column = table->column_count;
	int rc = 0;

	if (query->sort != NULL) {
		column = ra_query_find_sort(query->sort, table->columns, table->column_count,
		                            &is_descending);
	}
	if (column == table->column_count && otherwise != NULL) {
		column = ra_query_find_sort(otherwise, table->columns, table->column_count,
		                            &is_descending);
	}
	if (column < table->column_count) {
		rc = ra_table_sort(table, column, is_descending);
	}
	if (query->limit > 0) {
		ra_table_cut(table, query->limit);
	}
	return rc;
}
