/* SPDX-License-Identifier: MIT */
/* Applies the user's options to a report: grouping, order, number of rows. */
#include "analyzer/report/query.h"

#include <string.h>
#include <strings.h>

const char *const ra_query_groupings[] = { "name",    "shape", "path",  "domain", "category",
	                                   "payload", "stack", "dtype", NULL };

unsigned ra_query_grouping(size_t index)
{
	static const enum ra_group_by by[] = {
		RA_GROUP_BY_NAME,     RA_GROUP_BY_SHAPE,   RA_GROUP_BY_PATH,  RA_GROUP_BY_DOMAIN,
		RA_GROUP_BY_CATEGORY, RA_GROUP_BY_PAYLOAD, RA_GROUP_BY_STACK, RA_GROUP_BY_DTYPE,
	};

	return by[index];
}

/* Translates the names of sort columns that torch.profiler's table() has. */
static const char *translate(const char *key)
{
	static const char *const words[][2] = {
		{ "self_cpu_time_total", "self_cpu" },
		{ "cpu_time_total", "cpu_total" },
		{ "cpu_time", "cpu_time_avg" },
		{ "self_cuda_time_total", "self_cuda" },
		{ "self_device_time_total", "self_cuda" },
		{ "cuda_time_total", "cuda_total" },
		{ "device_time_total", "cuda_total" },
		{ "cuda_time", "cuda_time_avg" },
		{ "device_time", "cuda_time_avg" },
		{ "cpu_memory_usage", "cpu_mem" },
		{ "self_cpu_memory_usage", "self_cpu_mem" },
		{ "cuda_memory_usage", "cuda_mem" },
		{ "device_memory_usage", "cuda_mem" },
		{ "self_cuda_memory_usage", "self_cuda_mem" },
		{ "self_device_memory_usage", "self_cuda_mem" },
		{ "count", "calls" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(key, words[i][0]) == 0) {
			return words[i][1];
		}
	}
	return key;
}

/* Finds a column by its title in tables, in upper or lower case. */
static size_t find_title(const struct ra_table_column *columns, size_t column_count,
                         const char *title)
{
	size_t column = 0;

	while (column < column_count &&
	       (columns[column].title == NULL || strcasecmp(columns[column].title, title) != 0)) {
		column++;
	}
	return column;
}

size_t ra_query_find_sort(const char *sort, const struct ra_table_column *columns,
                          size_t column_count, bool *is_descending)
{
	const bool has_sign = sort[0] == '+' || sort[0] == '-';
	size_t column = ra_table_find_column(columns, column_count, sort + has_sign);

	if (column == column_count) {
		column = ra_table_find_column(columns, column_count, translate(sort + has_sign));
	}
	if (column == column_count) {
		column = find_title(columns, column_count, sort + has_sign);
	}
	if (has_sign) {
		*is_descending = sort[0] == '-';
	} else {
		*is_descending = column < column_count && columns[column].kind != RA_TABLE_TEXT;
	}
	return column;
}

void ra_query_apply(const struct ra_query *query, const char *otherwise, struct ra_table *table)
{
	bool is_descending = false;
	size_t column = table->column_count;

	if (query->sort != NULL) {
		column = ra_query_find_sort(query->sort, table->columns, table->column_count,
		                            &is_descending);
		table->sorted = column < table->column_count ? 1 + column : 0;
	}
	if (column == table->column_count && otherwise != NULL) {
		column = ra_query_find_sort(otherwise, table->columns, table->column_count,
		                            &is_descending);
	}
	if (column < table->column_count) {
		ra_table_sort(table, column, is_descending);
	}
	if (query->limit > 0) {
		ra_table_cut(table, query->limit);
	}
}
