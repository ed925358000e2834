/* SPDX-License-Identifier: MIT */
/* Tables in memory: typed cells that can be sorted and cut. */
#include "analyzer/table/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/model/names.h"
#include "analyzer/base/util.h"
#include "format/wire.h"

#define BLOCK_BYTES 65536

/* A block of memory for texts; the newest is the head of the list. */
struct ra_table_block {
	struct ra_table_block *older;
	size_t used;
	size_t size;
	char bytes[];
};

void ra_table_init(struct ra_table *table, const struct ra_table_column *columns,
                   size_t column_count)
{
	memset(table, 0, sizeof(*table));
	table->columns = columns;
	table->column_count = column_count;
}

void ra_table_fini(struct ra_table *table)
{
	struct ra_table_block *block = table->blocks;

	while (block != NULL) {
		struct ra_table_block *older = block->older;

		free(block);
		block = older;
	}
	free(table->cells);
	memset(table, 0, sizeof(*table));
}

struct ra_table_cell *ra_table_add_row(struct ra_table *table)
{
	const size_t first = table->row_count * table->column_count;
	struct ra_table_cell *row;

	ra_util_grow(&table->cells, &table->capacity, first + table->column_count,
	             sizeof(*table->cells));
	row = table->cells + first;
	table->row_count++;
	memset(row, 0, table->column_count * sizeof(*row));
	return row;
}

struct rlog_string ra_table_keep_text(struct ra_table *table, const char *bytes, size_t length)
{
	struct ra_table_block *block = table->blocks;
	struct rlog_string kept = { "", 0, 0 };

	if (block == NULL || block->size - block->used < length) {
		const size_t size = length > BLOCK_BYTES ? length : BLOCK_BYTES;

		block = ra_alloc_bytes(sizeof(*block) + size);
		block->older = table->blocks;
		block->used = 0;
		block->size = size;
		table->blocks = block;
	}
	if (length > 0) {
		memcpy(block->bytes + block->used, bytes, length);
	}
	kept.bytes = block->bytes + block->used;
	kept.length = (uint32_t) length;
	kept.full_length = (uint32_t) length;
	block->used += length;
	return kept;
}

struct rlog_string ra_table_take_text(struct ra_table *table, struct ra_util_text *text)
{
	const struct rlog_string kept = ra_table_keep_text(table, text->bytes, text->length);

	ra_util_text_free(text);
	return kept;
}

/* True if `key` is the key of the column without its unit. */
static bool is_key_of(const struct ra_table_column *column, const char *key)
{
	static const char *const units[] = { "_ns", "_us", "_share", "_bytes" };
	const size_t length = strlen(key);

	if (strncmp(column->key, key, length) != 0) {
		return false;
	}
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(column->key + length, units[i]) == 0) {
			return true;
		}
	}
	return false;
}

size_t ra_table_find_column(const struct ra_table_column *columns, size_t column_count,
                            const char *key)
{
	for (size_t i = 0; i < column_count; i++) {
		if (strcmp(columns[i].key, key) == 0) {
			return i;
		}
	}
	/* "self_cpu" means the time, not the share, so columns of times are searched first. */
	for (size_t i = 0; i < column_count; i++) {
		if (columns[i].kind != RA_TABLE_SHARE && is_key_of(&columns[i], key)) {
			return i;
		}
	}
	for (size_t i = 0; i < column_count; i++) {
		if (is_key_of(&columns[i], key)) {
			return i;
		}
	}
	return column_count;
}

struct order {
	const struct ra_table *table;
	size_t column;
	bool is_descending;
};

/* Finds where the number at the end of a text begins. Return: the text's length if there is
 * none. */
static uint32_t find_number(struct rlog_string text)
{
	uint32_t at = text.length;

	while (at > 0 && text.bytes[at - 1] >= '0' && text.bytes[at - 1] <= '9') {
		at--;
	}
	return at;
}

/* Compares texts so that "rank 2" comes before "rank 10". */
static int compare_ranks(struct rlog_string a, struct rlog_string b)
{
	const uint32_t a_at = find_number(a);
	const uint32_t b_at = find_number(b);
	int order = ra_util_string_compare((struct rlog_string){ a.bytes, a_at, a_at },
	                                   (struct rlog_string){ b.bytes, b_at, b_at });

	order = RA_ORDER_THEN(order, RA_ORDER(a.length - a_at, b.length - b_at));
	return RA_ORDER_THEN(order, ra_util_string_compare(a, b));
}

static int compare_shares(const struct ra_table_cell *a, const struct ra_table_cell *b)
{
	const __int128 left = (__int128) a->u.share.part * b->u.share.whole;
	const __int128 right = (__int128) b->u.share.part * a->u.share.whole;

	return RA_ORDER(left, right);
}

static bool is_real(uint32_t type)
{
	return type == RLOG_PAYLOAD_DOUBLE || type == RLOG_PAYLOAD_FLOAT;
}

static double read_real(uint64_t bits)
{
	double real;

	memcpy(&real, &bits, sizeof(real));
	return real;
}

/* The value as a number; exact if long double has a mantissa of 64 bits. NaN comes last. */
static long double read_value(const struct ra_table_cell *cell)
{
	const uint64_t bits = cell->u.value.bits;

	if (is_real(cell->u.value.type)) {
		const double real = read_real(bits);

		return isnan(real) ? (long double) INFINITY : real;
	}
	return cell->u.value.type == RLOG_PAYLOAD_I64 || cell->u.value.type == RLOG_PAYLOAD_I32
	               ? (long double) (int64_t) bits
	               : (long double) bits;
}

/* Compares by value, then by type, so that equal values of two types have an order, too. */
static int compare_values(const struct ra_table_cell *a, const struct ra_table_cell *b)
{
	const long double left = read_value(a);
	const long double right = read_value(b);

	return RA_ORDER_THEN(RA_ORDER(left, right), RA_ORDER_UP(a, b, u.value.type));
}

void ra_table_put_value(struct ra_util_text *text, const struct ra_table_cell *cell)
{
	const uint32_t type = cell->u.value.type;
	const char *word = ra_names_payload(type);

	if (word != NULL) {
		ra_util_text_format(text, "%s:", word);
	} else {
		ra_util_text_format(text, "%lu:", (unsigned long) type);
	}
	if (is_real(type)) {
		/* With 17 and 9 digits, every double and float can be read back exactly. */
		ra_util_text_format(text, "%.*g", type == RLOG_PAYLOAD_DOUBLE ? 17 : 9,
		                    read_real(cell->u.value.bits));
	} else if (type == RLOG_PAYLOAD_I64 || type == RLOG_PAYLOAD_I32) {
		ra_util_text_format(text, "%lld", (long long) cell->u.value.bits);
	} else {
		ra_util_text_format(text, "%llu", (unsigned long long) cell->u.value.bits);
	}
}

static int compare_cells(const struct ra_table_cell *a, const struct ra_table_cell *b,
                         enum ra_table_kind kind)
{
	switch (kind) {
	case RA_TABLE_TEXT:
		return ra_util_string_compare(a->u.text, b->u.text);
	case RA_TABLE_SHARE:
	case RA_TABLE_RATIO:
		return compare_shares(a, b);
	case RA_TABLE_VALUE:
		return compare_values(a, b);
	case RA_TABLE_REAL:
	case RA_TABLE_PART:
	case RA_TABLE_SIZE:
	case RA_TABLE_FLOPS:
	case RA_TABLE_FLOP_RATE:
	case RA_TABLE_BYTE_RATE:
		return RA_ORDER_UP(a, b, u.real);
	case RA_TABLE_COUNT:
	case RA_TABLE_TIME:
	case RA_TABLE_FLAG:
	case RA_TABLE_CHIP:
		break;
	}
	return RA_ORDER_UP(a, b, u.number);
}

bool ra_table_is_equal(const struct ra_table_column *column, const struct ra_table_cell *a,
                       const struct ra_table_cell *b)
{
	return compare_cells(a, b, column->kind) == 0;
}

static int compare_rows(const void *left, const void *right, void *context)
{
	const struct order *order = context;
	const struct ra_table *t = order->table;
	const size_t i = *(const size_t *) left;
	const size_t j = *(const size_t *) right;
	const struct ra_table_cell *a = &t->cells[i * t->column_count + order->column];
	const struct ra_table_cell *b = &t->cells[j * t->column_count + order->column];
	int result;

	if (!a->has_value || !b->has_value) {
		result = RA_ORDER_DOWN(a, b, has_value);
	} else {
		const struct ra_table_column *column = &t->columns[order->column];

		result = column->kind == RA_TABLE_TEXT && strcmp(column->key, "rank") == 0
		                 ? compare_ranks(a->u.text, b->u.text)
		                 : compare_cells(a, b, column->kind);
		result = order->is_descending ? -result : result;
	}
	return RA_ORDER_THEN(result, RA_ORDER(i, j));
}

void ra_table_sort(struct ra_table *table, size_t column, bool is_descending)
{
	struct order order = { table, column, is_descending };
	const size_t width = table->column_count;
	size_t *rows = ra_alloc_zeros(table->row_count + 1, sizeof(*rows));
	struct ra_table_cell *sorted =
		ra_alloc_zeros(table->row_count * width + 1, sizeof(*sorted));

	for (size_t i = 0; i < table->row_count; i++) {
		rows[i] = i;
	}
	RA_SORT_WITH(rows, table->row_count, compare_rows, &order);
	for (size_t i = 0; i < table->row_count; i++) {
		memcpy(sorted + i * width, table->cells + rows[i] * width, width * sizeof(*sorted));
	}
	free(rows);
	free(table->cells);
	table->cells = sorted;
	table->capacity = table->row_count * width + 1;
}

void ra_table_cut(struct ra_table *table, size_t limit)
{
	if (table->row_count > limit) {
		table->cut_count += table->row_count - limit;
		table->row_count = limit;
	}
}
