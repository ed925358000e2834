/* SPDX-License-Identifier: MIT */
/* Writes tables for programs: CSV, TSV, JSON and SQL, with full names, times in ns and shares of
 * 1. */
#include "analyzer/table/forms/table-data.h"

#include <math.h>
#include <string.h>

static void put_value(struct ra_util_text *text, const struct ra_table_column *column,
                      const struct ra_table_cell *cell, enum ra_util_text_target target)
{
	switch (column->kind) {
	case RA_TABLE_TEXT:
		ra_util_text_put_name(text, cell->u.text, target);
		break;
	case RA_TABLE_COUNT:
	case RA_TABLE_CHIP:
	case RA_TABLE_TIME:
		ra_util_text_put_int(text, cell->u.number);
		break;
	case RA_TABLE_SHARE:
	case RA_TABLE_RATIO:
		ra_util_text_put_ratio(text, cell->u.share.part, cell->u.share.whole,
		                       RA_TABLE_DATA_SHARE_DIGITS);
		break;
	case RA_TABLE_FLAG:
		ra_util_text_format(text, cell->u.number != 0 ? "true" : "false");
		break;
	case RA_TABLE_VALUE:
		ra_table_put_value(text, cell);
		break;
	case RA_TABLE_PART:
	case RA_TABLE_SIZE:
	case RA_TABLE_FLOPS:
	case RA_TABLE_FLOP_RATE:
	case RA_TABLE_BYTE_RATE:
	/* with 17 digits, every double can be read back exactly; JSON has no infinity */
	case RA_TABLE_REAL:
		if (target == RA_TEXT_JSON && !isfinite(cell->u.real)) {
			ra_util_text_format(text, "null");
		} else {
			ra_util_text_format(text, "%.17g", cell->u.real);
		}
		break;
	}
}

static void put_lines(struct ra_util_text *text, const struct ra_table *table, char separator,
                      enum ra_util_text_target target)
{
	const size_t width = table->column_count;
	size_t last = width - 1;

	while (ra_table_is_hidden(table, last)) {
		last--;
	}
	for (size_t c = 0; c < width; c++) {
		if (!ra_table_is_hidden(table, c)) {
			ra_util_text_put(text, table->columns[c].key,
			                 strlen(table->columns[c].key));
			ra_util_text_put_char(text, c == last ? '\n' : separator);
		}
	}
	for (size_t r = 0; r < table->row_count; r++) {
		for (size_t c = 0; c < width; c++) {
			const struct ra_table_cell *cell = &table->cells[r * width + c];

			if (ra_table_is_hidden(table, c)) {
				continue;
			}
			if (cell->has_value) {
				put_value(text, &table->columns[c], cell, target);
			}
			ra_util_text_put_char(text, c == last ? '\n' : separator);
		}
		ra_util_text_drain(text);
	}
}

void ra_table_data_put_csv(struct ra_util_text *text, const struct ra_table *table)
{
	put_lines(text, table, ',', RA_TEXT_CSV);
}

void ra_table_data_put_tsv(struct ra_util_text *text, const struct ra_table *table)
{
	put_lines(text, table, '\t', RA_TEXT_TSV);
}

/* Writes a row as an object. @name: name of the report, added as a member; NULL: no such member. */
static void put_object(struct ra_util_text *text, const struct ra_table *table,
                       const struct ra_table_cell *row, const char *name)
{
	bool is_first = name == NULL;

	if (name != NULL) {
		ra_util_text_format(text, "{\"report\":\"%s\"", name);
	}
	for (size_t c = 0; c < table->column_count; c++) {
		const bool is_text = table->columns[c].kind == RA_TABLE_TEXT ||
		                     table->columns[c].kind == RA_TABLE_VALUE;

		if (ra_table_is_hidden(table, c)) {
			continue;
		}
		ra_util_text_format(text, "%s\"%s\":", is_first ? "{" : ",", table->columns[c].key);
		is_first = false;
		if (!row[c].has_value) {
			ra_util_text_put(text, "null", 4);
			continue;
		}
		ra_util_text_put(text, "\"", is_text ? 1 : 0);
		put_value(text, &table->columns[c], &row[c], RA_TEXT_JSON);
		ra_util_text_put(text, "\"", is_text ? 1 : 0);
	}
	ra_util_text_put_char(text, '}');
}

void ra_table_data_put_json(struct ra_util_text *text, const struct ra_table *table)
{
	ra_util_text_put_char(text, '[');
	for (size_t r = 0; r < table->row_count; r++) {
		ra_util_text_put(text, ",\n", r == 0 ? 0 : 2);
		put_object(text, table, table->cells + r * table->column_count, NULL);
		ra_util_text_drain(text);
	}
	ra_util_text_put_char(text, ']');
}

void ra_table_data_put_jsonl(struct ra_util_text *text, const struct ra_table *table)
{
	for (size_t r = 0; r < table->row_count; r++) {
		put_object(text, table, table->cells + r * table->column_count, table->name);
		ra_util_text_put_char(text, '\n');
		ra_util_text_drain(text);
	}
}

/* Columns of numbers have a numeric type in SQL, too. */
static const char *name_sql_type(enum ra_table_kind kind)
{
	switch (kind) {
	case RA_TABLE_TEXT:
	case RA_TABLE_VALUE:
		return "TEXT";
	case RA_TABLE_COUNT:
	case RA_TABLE_CHIP:
	case RA_TABLE_TIME:
	case RA_TABLE_FLAG:
		return "INTEGER";
	default:
		return "REAL";
	}
}

static void put_sql_cell(struct ra_util_text *text, const struct ra_table_column *column,
                         const struct ra_table_cell *cell)
{
	struct ra_util_text word = { 0 };

	if (!cell->has_value) {
		ra_util_text_put(text, "NULL", 4);
		return;
	}
	if (column->kind != RA_TABLE_TEXT && column->kind != RA_TABLE_VALUE) {
		put_value(text, column, cell, RA_TEXT_JSON);
		return;
	}
	put_value(&word, column, cell, RA_TEXT_TERMINAL);
	ra_util_text_put_char(text, '\'');
	for (size_t i = 0; i < word.length; i++) {
		ra_util_text_put(text, "''", word.bytes[i] == '\'' ? 1 : 0);
		ra_util_text_put_char(text, word.bytes[i]);
	}
	ra_util_text_put_char(text, '\'');
	ra_util_text_free(&word);
}

void ra_table_data_put_sql(struct ra_util_text *text, const struct ra_table *table)
{
	const char *before = "";

	ra_util_text_format(text, "BEGIN;\nDROP TABLE IF EXISTS \"%s\";\nCREATE TABLE \"%s\"(",
	                    table->name, table->name);
	for (size_t c = 0; c < table->column_count; c++) {
		if (!ra_table_is_hidden(table, c)) {
			ra_util_text_format(text, "%s\"%s\" %s", before, table->columns[c].key,
			                    name_sql_type(table->columns[c].kind));
			before = ", ";
		}
	}
	ra_util_text_format(text, ");\n");
	for (size_t r = 0; r < table->row_count; r++) {
		ra_util_text_format(text, "INSERT INTO \"%s\" VALUES(", table->name);
		before = "";
		for (size_t c = 0; c < table->column_count; c++) {
			if (!ra_table_is_hidden(table, c)) {
				ra_util_text_format(text, "%s", before);
				put_sql_cell(text, &table->columns[c],
				             &table->cells[r * table->column_count + c]);
				before = ",";
			}
		}
		ra_util_text_format(text, ");\n");
		ra_util_text_drain(text);
	}
	ra_util_text_format(text, "COMMIT;\n");
}

void ra_table_data_put_cell(struct ra_util_text *text, const struct ra_table_column *column,
                            const struct ra_table_cell *cell)
{
	put_value(text, column, cell, RA_TEXT_JSON);
}
