/* SPDX-License-Identifier: MIT */
/* Orders the rows of a comparison: sure ones first, then those whose time changed most. */
#include "analyzer/diff/diff-order.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/text/util-text.h"
#include "analyzer/names/op-kinds.h"

/* At most this many rows that one side lacks are matched with similar ones, because matching takes
 * quadratic time. No user reads more. */
#define MOST_LIKE 4096

/* At most this many rows that changed alike are moved before the range around them. */
#define MOST_WHY 16

bool ra_diff_order_is_sure(const struct ra_diff_row *row)
{
	return ra_diff_verdict_is_call(row->verdict) || row->stats[0] == NULL ||
	       row->stats[1] == NULL;
}

int ra_diff_order_compare_keys(const struct ra_diff_row *a, const struct ra_diff_row *b)
{
	int order = RA_ORDER_UP(a, b, table);

	order = RA_ORDER_THEN(order, ra_util_string_compare(a->name, b->name));
	order = RA_ORDER_THEN(order, ra_util_string_compare(a->domain, b->domain));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, kind));
}

static int64_t find_change(const struct ra_diff_row *row)
{
	return llabs(row->total_ns[1] - row->total_ns[0]);
}

static int compare_rows(const void *a, const void *b)
{
	int order = RA_ORDER(ra_diff_order_is_sure(b), ra_diff_order_is_sure(a));

	order = RA_ORDER_THEN(order, RA_ORDER(find_change(b), find_change(a)));
	return RA_ORDER_THEN(order, ra_diff_order_compare_keys(a, b));
}

/* True of a range that changed because of the ranges or work inside it, not by itself. */
static bool is_around(const struct ra_diff_row *row)
{
	const int64_t self_ns = llabs(row->self_ns[1] - row->self_ns[0]);

	return row->table == RA_SUM_RANGES && self_ns < find_change(row) / 4;
}

/* True if a row's time changed as much as that of the range listed before it, up to a tenth less.
 * Then the row is likely the cause. */
static bool is_why(const struct ra_diff_row *row, const struct ra_diff_row *around)
{
	return !is_around(row) && ra_diff_order_is_sure(row) == ra_diff_order_is_sure(around) &&
	       find_change(row) >= find_change(around) - find_change(around) / 10 &&
	       (row->total_ns[1] > row->total_ns[0]) == (around->total_ns[1] > around->total_ns[0]);
}

/* Moves ranges behind the rows inside them that are likely the cause of their change. */
static void put_why_first(struct ra_diff_row *rows, size_t count)
{
	for (size_t i = count; i-- > 0;) {
		if (!is_around(&rows[i])) {
			continue;
		}
		for (size_t at = i;
		     at + 1 < count && at < i + MOST_WHY && is_why(&rows[at + 1], &rows[at]);
		     at++) {
			const struct ra_diff_row row = rows[at];

			rows[at] = rows[at + 1];
			rows[at + 1] = row;
		}
	}
}

/* Hashes a name without digits, without a DataLoader's class, and without the text in <> and ().
 * Return: 0 if nothing is left of the name. */
static uint64_t hash_stem(struct rlog_string name, struct ra_util_text *scratch)
{
	const struct rlog_string class = ra_op_kinds_loader_class(name);
	const size_t skipped = (size_t) (class.length > 0 ? class.bytes - name.bytes : 0);
	size_t depth = 0;

	ra_util_text_clear(scratch);
	for (size_t i = 0; i < name.length; i++) {
		if (class.length > 0 && i >= skipped && i < skipped + class.length) {
			continue;
		}

		const char byte = name.bytes[i];

		if (byte == '<' || byte == '(') {
			depth++;
		} else if (byte == '>' || byte == ')') {
			depth -= depth > 0;
		} else if (depth == 0 && (byte < '0' || byte > '9')) {
			ra_util_text_put_char(scratch, byte);
		}
	}
	return scratch->length == 0 ? 0 : ra_util_string_hash(scratch->bytes, scratch->length);
}

/* A row that one side lacks. */
struct lone {
	uint64_t stem;
	size_t row;
	size_t like; /* the row that replaces it; its own index: no row does */
};

static bool is_like(const struct ra_diff_row *rows, const struct lone *a, const struct lone *b)
{
	const struct ra_diff_row *left = &rows[a->row];
	const struct ra_diff_row *right = &rows[b->row];

	return b->like == b->row && a->stem == b->stem && a->stem != 0 &&
	       left->table == right->table && left->kind == right->kind &&
	       (left->stats[0] == NULL) != (right->stats[0] == NULL) &&
	       ra_util_string_is_same(left->domain, right->domain);
}

/* Lists the rows that one side lacks. Return: how many there are. */
static size_t list_lone(struct lone *lone, const struct ra_diff_row *rows, size_t count)
{
	struct ra_util_text scratch = { 0 };
	size_t found = 0;

	for (size_t i = 0; i < count && found < MOST_LIKE; i++) {
		if (rows[i].stats[0] == NULL || rows[i].stats[1] == NULL) {
			lone[found++] = (struct lone){ hash_stem(rows[i].name, &scratch), i, i };
		}
	}
	ra_util_text_free(&scratch);
	return found;
}

/* Puts the second row of each pair after the first. @order: gets the rows in their new order. */
static void put_pairs(struct ra_diff_row *order, struct ra_diff_row *rows, size_t count,
                      const size_t *like_of)
{
	size_t put = 0;

	for (size_t i = 0; i < count; i++) {
		const size_t like = like_of[i];

		if (like < i) {
			continue; /* it comes after the other row of its pair */
		}
		order[put++] = rows[i];
		if (like > i) {
			order[put - 1].like = RA_DIFF_LIKE_NEXT;
			order[put] = rows[like];
			order[put++].like = RA_DIFF_LIKE_BEFORE;
		}
	}
	memcpy(rows, order, count * sizeof(*rows));
}

static void pair_rows(struct ra_diff_row *rows, size_t count)
{
	struct lone *lone = ra_alloc_zeros(MOST_LIKE, sizeof(*lone));
	size_t *like_of = ra_alloc_zeros(count + 1, sizeof(*like_of));
	struct ra_diff_row *order = ra_alloc_zeros(count + 1, sizeof(*order));
	const size_t found = list_lone(lone, rows, count);

	for (size_t i = 0; i < count; i++) {
		like_of[i] = i;
	}
	for (size_t i = 0; i < found; i++) {
		for (size_t j = i + 1; j < found && lone[i].like == lone[i].row; j++) {
			if (is_like(rows, &lone[i], &lone[j])) {
				lone[i].like = lone[j].row;
				lone[j].like = lone[i].row;
				like_of[lone[i].row] = lone[j].row;
				like_of[lone[j].row] = lone[i].row;
			}
		}
	}
	put_pairs(order, rows, count, like_of);
	free(lone);
	free(like_of);
	free(order);
}

void ra_diff_order_rows(struct ra_diff_row *rows, size_t count)
{
	if (count == 0) {
		return; /* if it is 0, there is no array either */
	}
	for (size_t i = 0; i < count; i++) {
		rows[i].like = RA_DIFF_LIKE_NONE;
	}
	RA_SORT(rows, count, compare_rows);
	put_why_first(rows, count);
	pair_rows(rows, count);
}
