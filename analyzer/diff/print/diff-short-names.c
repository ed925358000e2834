/* SPDX-License-Identifier: MIT */
/* Shortens names of kernels. If full names share a short name, adds the parts in which they
 * differ. */
#include "analyzer/diff/print/diff-short-names.h"

#include <ctype.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/diff/print/diff-loader-words.h"
#include "analyzer/names/kernel-name.h"

/* The differing parts get this many columns. */
#define DIFFERENCE 28

struct name {
	struct rlog_string brief;
	struct rlog_string full;
	size_t row;
};

static int compare_names(const void *a, const void *b)
{
	const struct name *left = a;
	const struct name *right = b;
	int order = ra_util_string_compare(left->brief, right->brief);

	order = RA_ORDER_THEN(order, ra_util_string_compare(left->full, right->full));
	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, row));
}

/* Returns a name without its parameters. */
static struct rlog_string without_parameters(struct rlog_string name)
{
	size_t depth = 0;
	size_t end = name.length;

	while (end > 0 && (depth > 0 || name.bytes[end - 1] == ')')) {
		end--;
		depth += name.bytes[end] == ')';
		depth -= name.bytes[end] == '(';
		if (depth == 0) {
			break;
		}
	}
	return (struct rlog_string){ name.bytes, (uint32_t) end, 0 };
}

/* Leaves out the parameters, unless names differ only in them. */
static void leave_out_parameters(struct name *names, size_t count)
{
	bool differ = true;

	for (size_t i = 1; i < count && differ; i++) {
		differ = ra_util_string_is_same(names[i - 1].full, names[i].full) ||
		         !ra_util_string_is_same(without_parameters(names[i - 1].full),
		                                 without_parameters(names[i].full));
	}
	for (size_t i = 0; i < count && differ; i++) {
		names[i].full = without_parameters(names[i].full);
	}
}

static bool is_of_word(char byte)
{
	return isalnum((unsigned char) byte) != 0 || byte == '_';
}

/* Returns the length of the common prefix of all names, in bytes, up to a whole word. The names are
 * sorted. */
static size_t find_head(const struct name *names, size_t count)
{
	const struct rlog_string first = names[0].full;
	const struct rlog_string last = names[count - 1].full;
	size_t head = 0;

	while (head < first.length && head < last.length && first.bytes[head] == last.bytes[head]) {
		head++;
	}
	while (head > 0 && is_of_word(first.bytes[head - 1])) {
		head--;
	}
	return head;
}

/* Returns the length of the common suffix of all names, in bytes, from a whole word on. It does not
 * overlap the common prefix. */
static size_t find_tail(const struct name *names, size_t count, size_t head)
{
	const struct rlog_string first = names[0].full;
	size_t tail = first.length - head;

	for (size_t i = 1; i < count; i++) {
		const struct rlog_string full = names[i].full;
		size_t same = 0;

		while (same < tail && same < full.length - head &&
		       full.bytes[full.length - 1 - same] == first.bytes[first.length - 1 - same]) {
			same++;
		}
		tail = same;
	}
	while (tail > 0 && is_of_word(first.bytes[first.length - tail])) {
		tail--;
	}
	return tail;
}

static void put_difference(struct ra_util_text *text, const char *bytes, size_t length)
{
	const size_t width = ra_util_text_width(bytes, length);

	ra_util_text_put_fitted(text, bytes, length, width < DIFFERENCE ? width : DIFFERENCE);
}

static void put_differences(struct ra_table *table, size_t column, struct name *names, size_t count)
{
	size_t head;
	size_t tail;

	leave_out_parameters(names, count);
	head = find_head(names, count);
	tail = find_tail(names, count, head);
	for (size_t i = 0; i < count; i++) {
		struct ra_util_text text = { 0 };

		ra_util_text_put(&text, names[i].brief.bytes, names[i].brief.length);
		ra_util_text_format(&text, " [");
		put_difference(&text, names[i].full.bytes + head,
		               names[i].full.length - head - tail);
		ra_util_text_put_char(&text, ']');
		table->cells[names[i].row * table->column_count + column] =
			ra_table_make_text(ra_table_take_text(table, &text));
	}
}

/* Finds the kernels and the names that they get. Return: the number of kernels. */
static size_t shorten(struct ra_table *table, size_t what, size_t name, struct name *names)
{
	size_t count = 0;

	for (size_t row = 0; row < table->row_count; row++) {
		struct ra_table_cell *cells = &table->cells[row * table->column_count];
		struct ra_util_text text = { 0 };

		if (ra_util_string_is(cells[what].u.text, "kernel") ||
		    ra_util_string_is(cells[what].u.text, "collective")) {
			names[count].full = cells[name].u.text;
			names[count].row = row;
			ra_kernel_name_put(&text, cells[name].u.text, RA_KERNEL_SHORT);
			cells[name] = ra_table_make_text(ra_table_take_text(table, &text));
			names[count++].brief = cells[name].u.text;
		} else if (ra_util_string_is(cells[what].u.text, "range") &&
		           ra_diff_loader_words_put_short(&text, cells[name].u.text)) {
			cells[name] = ra_table_make_text(ra_table_take_text(table, &text));
		}
	}
	return count;
}

void ra_diff_short_names_put(struct ra_table *table)
{
	const size_t what = ra_table_find_column(table->columns, table->column_count, "what");
	const size_t name = ra_table_find_column(table->columns, table->column_count, "name");
	struct name *names = ra_alloc_zeros(table->row_count + 1, sizeof(*names));
	const size_t count = what < table->column_count ? shorten(table, what, name, names) : 0;

	RA_SORT(names, count, compare_names);
	for (size_t i = 0, end; i < count; i = end) {
		end = i + 1;
		while (end < count && ra_util_string_is_same(names[i].brief, names[end].brief)) {
			end++;
		}
		if (!ra_util_string_is_same(names[i].full, names[end - 1].full)) {
			put_differences(table, name, &names[i], end - i);
		}
	}
	free(names);
}
