/* SPDX-License-Identifier: MIT */
/* Joins rows whose names differ only by a number and that changed alike into one. */
#include "analyzer/diff/print/diff-fold.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"
#include "analyzer/diff/print/diff-table.h"
#include "format/options/numbers.h"

/* A row that may be joined with others. */
struct foldable {
	const struct ra_diff_row *row;
	struct rlog_string pattern; /* its name with # for each number; a text owns the bytes */
	uint32_t at;                /* index of the row */
	int way;                    /* -1 if the time got shorter, 1 if longer */
};

static int compare_kinds(const struct foldable *a, const struct foldable *b)
{
	int order = RA_ORDER_UP(a->row, b->row, table);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a->row, b->row, kind));
	order = RA_ORDER_THEN(order, RA_ORDER_UP(a->row, b->row, verdict));
	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, way));
	order = RA_ORDER_THEN(order, ra_util_string_compare(a->row->domain, b->row->domain));
	return RA_ORDER_THEN(order, ra_util_string_compare(a->pattern, b->pattern));
}

static int compare(const void *left, const void *right)
{
	const struct foldable *a = left;
	const struct foldable *b = right;

	return RA_ORDER_THEN(compare_kinds(a, b), RA_ORDER_UP(a, b, at));
}

/* True if a row may be folded. Numbers in ranges' names come from users; numbers in kernels' names
 * are parameters. */
static bool may_fold(const struct ra_diff_row *row)
{
	return row->table == RA_SUM_RANGES && row->like == RA_DIFF_LIKE_NONE &&
	       ra_diff_table_has_row(row);
}

/* Collects the rows that may be joined with others. Return: how many there are. */
static size_t collect(struct foldable *rows, const struct ra_diff *diff, char *bytes)
{
	size_t count = 0;

	for (size_t i = 0; i < diff->count; i++) {
		const struct ra_diff_row *row = &diff->rows[i];
		size_t written;

		if (may_fold(row) &&
		    rlog_numbers_replace(row->name.bytes, row->name.length, bytes, &written)) {
			rows[count++] = (struct foldable){
				.row = row,
				.pattern = { bytes, (uint32_t) written, (uint32_t) written },
				.at = (uint32_t) i,
				.way = RA_ORDER(row->total_ns[1], row->total_ns[0]),
			};
			bytes += written;
		}
	}
	return count;
}

void ra_diff_fold_init(struct ra_diff_folds *folds, const struct ra_diff *diff)
{
	struct foldable *rows = ra_alloc_zeros(diff->count + 1, sizeof(*rows));
	size_t length = 1;
	size_t count;
	char *bytes;

	*folds = (struct ra_diff_folds){
		.next = ra_alloc_zeros(diff->count + 1, sizeof(*folds->next)),
		.counts = ra_alloc_zeros(diff->count + 1, sizeof(*folds->counts)),
	};
	for (size_t i = 0; i < diff->count; i++) {
		folds->next[i] = RA_NONE;
		folds->counts[i] = 1;
		length += diff->rows[i].name.length;
	}
	bytes = ra_alloc_bytes(length);
	count = collect(rows, diff, bytes);
	RA_SORT(rows, count, compare);
	for (size_t i = 1, first = 0; i < count; i++) {
		if (compare_kinds(&rows[first], &rows[i]) == 0) {
			folds->next[rows[i - 1].at] = rows[i].at;
			folds->counts[rows[i].at] = 0;
			folds->counts[rows[first].at]++;
		} else {
			first = i;
		}
	}
	free(bytes);
	free(rows);
}

void ra_diff_fold_fini(struct ra_diff_folds *folds)
{
	free(folds->next);
	free(folds->counts);
	*folds = (struct ra_diff_folds){ .next = NULL };
}

static void add(struct ra_diff_row *to, const struct ra_diff_row *from)
{
	struct ra_diff_evidence *evidence = &to->evidence;

	for (size_t side = 0; side < 2; side++) {
		to->calls[side] = ra_util_add(to->calls[side], from->calls[side]);
		to->total_ns[side] = ra_util_add_time(to->total_ns[side], from->total_ns[side]);
		to->self_ns[side] = ra_util_add_time(to->self_ns[side], from->self_ns[side]);
		to->gpu_ns[side] = ra_util_add_time(to->gpu_ns[side], from->gpu_ns[side]);
	}
	evidence->has = evidence->has && from->evidence.has;
	evidence->change += from->evidence.change;
	evidence->low = fmin(evidence->low, from->evidence.low);
	evidence->high = fmax(evidence->high, from->evidence.high);
	evidence->chance = fmax(evidence->chance, from->evidence.chance);
	evidence->more =
		from->evidence.more > evidence->more ? from->evidence.more : evidence->more;
	if (from->evidence.doubt != evidence->doubt) {
		evidence->doubt = RA_DIFF_DOUBT_WIDE; /* several reasons */
	}
}

struct ra_diff_row ra_diff_fold_make(const struct ra_diff_folds *folds, const struct ra_diff *diff,
                                     size_t first, struct ra_util_text *name)
{
	struct ra_diff_row row = diff->rows[first];
	const size_t start = name->length;
	size_t written;

	for (uint32_t i = folds->next[first]; i != RA_NONE; i = folds->next[i]) {
		add(&row, &diff->rows[i]);
	}
	row.evidence.change /= (double) folds->counts[first];
	ra_util_text_fill(name, '#', row.name.length); /* the room for the row's name */
	(void) rlog_numbers_replace(row.name.bytes, row.name.length, name->bytes + start, &written);
	name->length = start + written;
	ra_util_text_format(name, " × %zu", folds->counts[first]);
	row.name = (struct rlog_string){ name->bytes + start, (uint32_t) (name->length - start),
		                         (uint32_t) (name->length - start) };
	return row;
}
