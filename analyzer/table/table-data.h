/* SPDX-License-Identifier: MIT */
/* Tables for programs: CSV, TSV, JSON and SQL, with full names, times in ns and shares of 1. */
#ifndef RA_TABLE_DATA_H
#define RA_TABLE_DATA_H

#include "analyzer/table/table.h"

/* A line of keys, then a line per row. Failures stay in text. */
void ra_table_data_put_csv(struct ra_util_text *text, const struct ra_table *table);
void ra_table_data_put_tsv(struct ra_util_text *text, const struct ra_table *table);

/* An array of objects, without a newline behind. */
void ra_table_data_put_json(struct ra_util_text *text, const struct ra_table *table);

/* A line per row, an object each: of several tables in one file each line says which it is of. */
void ra_table_data_put_jsonl(struct ra_util_text *text, const struct ra_table *table);

/* Statements that make a table of the report's name, in place of one that is there. Texts as for
 * CSV, so without NUL bytes and the like. */
void ra_table_data_put_sql(struct ra_util_text *text, const struct ra_table *table);

/* One cell as JSON has it; texts without their quotes. */
void ra_table_data_put_cell(struct ra_util_text *text, const struct ra_table_column *column,
                            const struct ra_table_cell *cell);

/* Digits of a share in all three. */
#define RA_TABLE_DATA_SHARE_DIGITS 6

#endif
