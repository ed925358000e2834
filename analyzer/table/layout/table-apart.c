/* SPDX-License-Identifier: MIT */
/* Makes shortened names distinct that look the same: cuts them so that they show where they differ,
 * or adds a number. */
#include "analyzer/table/layout/table-apart.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"

#define NUMBER 3  /* width of the number after a name, " #1"; it may need more */
#define LEAST  16 /* width that a name needs if it is cut in two places */

/* A shortened name, and how it is shown. */
struct name {
	char *shown; /* owned */
	struct rlog_string full;
	size_t row;
};

static int compare_names(const void *left, const void *right)
{
	const struct name *a = left;
	const struct name *b = right;
	const int order = strcmp(a->shown, b->shown);

	return RA_ORDER_THEN(order, ra_util_string_compare(a->full, b->full));
}

static void shorten_name(struct name *name, size_t width, struct ra_util_text *scratch)
{
	struct ra_util_text fitted = { 0 };

	ra_util_text_clear(scratch);
	ra_util_text_put_name(scratch, name->full, RA_TEXT_TERMINAL);
	ra_util_text_put_fitted(&fitted, scratch->bytes, scratch->length, width);
	ra_util_text_put_char(&fitted, '\0');
	name->shown = fitted.bytes;
}

/* Lists the names of a column in the form in which they are shown at its width; equal ones come
 * together. If there are marks, lists only marked rows. */
static struct name *list_names(const struct ra_table_apart *apart, const uint32_t *marked,
                               size_t width, size_t *count)
{
	const struct ra_table *t = apart->table;
	struct name *names = ra_alloc_zeros(t->row_count + 1, sizeof(*names));
	struct ra_util_text scratch = { 0 };

	*count = 0;
	for (size_t r = 0; r < t->row_count; r++) {
		const struct ra_table_cell *cell = &t->cells[r * t->column_count + apart->column];
		struct name *name = &names[*count];

		if (!cell->has_value || (marked != NULL && marked[r] == 0)) {
			continue;
		}
		name->full = cell->u.text;
		name->row = r;
		(*count)++;
		shorten_name(name, width, &scratch);
	}
	ra_util_text_free(&scratch);
	RA_SORT(names, *count, compare_names);
	return names;
}

static void free_names(struct name *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(names[i].shown);
	}
	free(names);
}

/* Cuts a name after its first `head` bytes, which it shares with others, so that the text after
 * them is shown. Return: owned by the caller. */
static char *cut_behind(const struct ra_util_text *name, size_t head, size_t width)
{
	static const char dots[] = "...";
	const size_t gap = sizeof(dots) - 1;
	const char *rest = name->bytes + head;
	const size_t rest_bytes = name->length - head;
	const size_t rest_width = ra_util_text_width(rest, rest_bytes);
	const size_t least = (width - gap) / 3;
	size_t front = rest_width + gap + least <= width ? width - gap - rest_width : least;
	struct ra_util_text cut = { 0 };

	front = ra_util_text_fit(name->bytes, head, front);
	ra_util_text_put(&cut, name->bytes, front);
	if (front < head) {
		ra_util_text_put(&cut, dots, gap);
	}
	front = width - ra_util_text_width(cut.bytes, cut.length);
	if (rest_width <= front) {
		ra_util_text_put(&cut, rest, rest_bytes);
	} else {
		ra_util_text_put(&cut, rest, ra_util_text_fit(rest, rest_bytes, front - gap));
		ra_util_text_put(&cut, dots, gap);
	}
	ra_util_text_put_char(&cut, '\0');
	return cut.bytes;
}

/* The length in bytes of the prefix that all names share, up to a whole word. The names must be
 * sorted. */
static size_t find_head(const struct ra_util_text *first, const struct ra_util_text *last)
{
	size_t head = 0;

	while (head < first->length && head < last->length &&
	       first->bytes[head] == last->bytes[head]) {
		head++;
	}
	while (head > 0 && (isalnum((unsigned char) first->bytes[head - 1]) != 0 ||
	                    (first->bytes[head - 1] & 0x80) != 0)) {
		head--;
	}
	return head;
}

/* True if no two names become the same text. */
static bool are_apart(const struct name *names, size_t count, char *const *cuts)
{
	bool are = true;

	for (size_t i = 1; i < count && are; i++) {
		are = ra_util_string_is_same(names[i - 1].full, names[i].full) ||
		      strcmp(cuts[i - 1], cuts[i]) != 0;
	}
	return are;
}

/* Cuts names that look the same so that they show their difference. Return: false if there is no
 * room for that. */
static bool cut_apart(const struct ra_table_apart *apart, const struct name *names, size_t count)
{
	struct ra_util_text *texts = ra_alloc_zeros(count, sizeof(*texts));
	char **cuts = ra_alloc_zeros(count, sizeof(*cuts));
	const size_t width = apart->width;
	bool is_done = width >= LEAST;
	size_t head;

	for (size_t i = 0; i < count; i++) {
		ra_util_text_put_name(&texts[i], names[i].full, RA_TEXT_TERMINAL);
	}
	head = find_head(&texts[0], &texts[count - 1]);
	for (size_t i = 0; i < count && is_done; i++) {
		cuts[i] = cut_behind(&texts[i], head, width);
	}
	is_done = is_done && are_apart(names, count, cuts);
	for (size_t i = 0; i < count; i++) {
		if (is_done) {
			apart->cuts[names[i].row] = cuts[i];
		} else {
			free(cuts[i]);
		}
		ra_util_text_free(&texts[i]);
	}
	free(texts);
	free(cuts);
	return is_done;
}

/* Cuts different names that look the same in another way, so that they look different. Marks them
 * if that is not possible. Return: true if some are marked. */
static bool mark_equals(const struct ra_table_apart *apart, const struct name *names, size_t count)
{
	bool found = false;

	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && strcmp(names[i].shown, names[end].shown) == 0;
		     end++) {
		}
		if (ra_util_string_is_same(names[i].full, names[end - 1].full) ||
		    cut_apart(apart, &names[i], end - i)) {
			continue;
		}
		for (size_t j = i; j < end; j++) {
			apart->numbers[names[j].row] = 1;
		}
		found = true;
	}
	return found;
}

/* Numbers the marked names that look the same, from 1. They are compared without the room for the
 * number. */
static void number_equals(const struct name *names, size_t count, uint32_t *numbers)
{
	uint32_t number = 1;

	for (size_t i = 0; i < count; i++) {
		if (i > 0 && strcmp(names[i].shown, names[i - 1].shown) != 0) {
			number = 1;
		} else if (i > 0 && !ra_util_string_is_same(names[i].full, names[i - 1].full)) {
			number++;
		}
		numbers[names[i].row] = number;
	}
}

void ra_table_apart_tell(const struct ra_table_apart *apart)
{
	size_t count = 0;
	struct name *names = list_names(apart, NULL, apart->width, &count);
	const bool found = mark_equals(apart, names, count);

	free_names(names, count);
	if (found) {
		names = list_names(apart, apart->numbers, apart->width - NUMBER, &count);
		number_equals(names, count, apart->numbers);
		free_names(names, count);
	}
}
