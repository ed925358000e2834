/* SPDX-License-Identifier: MIT */
/* Writes tables for programs: CSV, TSV, JSON and SQL, with full names, times in ns and shares of
 * 1. */
#ifndef RA_TABLE_DATA_H
#define RA_TABLE_DATA_H

#include "analyzer/table/table.h"

/* Appends a line of keys, then one line for each row. */
void ra_table_data_put_csv(struct ra_util_text *text, const struct ra_table *table);
void ra_table_data_put_tsv(struct ra_util_text *text, const struct ra_table *table);

/* Appends an array of objects, without a newline at the end. */
void ra_table_data_put_json(struct ra_util_text *text, const struct ra_table *table);

/* Appends one object for each row, each on its own line. If several tables share a file, each line
 * names its table. */
void ra_table_data_put_jsonl(struct ra_util_text *text, const struct ra_table *table);

/* Appends statements that make a table with the report's name. They replace a table of that name.
 * Texts are escaped as for CSV, so they have no NUL and no other control characters. */
void ra_table_data_put_sql(struct ra_util_text *text, const struct ra_table *table);

/* Appends one cell in the form of JSON, but texts without quotes. */
void ra_table_data_put_cell(struct ra_util_text *text, const struct ra_table_column *column,
                            const struct ra_table_cell *cell);

/* Number of digits of a share in all of these formats. */
#define RA_TABLE_DATA_SHARE_DIGITS 6

#endif
