/* SPDX-License-Identifier: MIT */
/* Makes HTA's tables by name, of kernels and of annotations, and its table of launches by
 * correlation. */
#include "analyzer/compat/hta/kernels.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/order/describe.h"
#include "analyzer/compat/hta/filter.h"
#include "analyzer/base/order/numpy-sort.h"
#include "analyzer/base/order/util-sort.h"
#include "analyzer/base/util.h"

/* The most rows from joining calls and operations. In a hostile trace their number could be the
 * square of the number of rows. No real trace has this many. */
#define MOST_PER_ROW 2

/* A duration, and its name. */
struct item {
	struct rlog_string name; /* the first member, because rows are sorted by it */
	double us;
};

struct items {
	struct item *items; /* owned */
	size_t count;
	size_t capacity;
};

static void add_item(struct items *items, struct rlog_string name, double us)
{
	RA_UTIL_APPEND(items->items, items->count, items->capacity, (struct item){ name, us });
}

static void describe(struct ra_hta_kernel *row, struct rlog_string name, double *values,
                     size_t count)
{
	struct ra_describe stats;

	ra_describe_values(&stats, values, count);
	*row = (struct ra_hta_kernel){
		.name = name,
		.sum_us = stats.sum,
		.max_us = stats.max,
		.min_us = stats.min,
		.deviation_us = count > 1 ? stats.deviation : 0,
		.mean_us = stats.mean,
	};
}

/* Makes one row for each name, sorted by name. */
static void group(struct ra_hta_kernels *out, struct items *items)
{
	double *values = ra_alloc_zeros(items->count + 1, sizeof(*values));

	free(out->rows);
	out->count = 0;
	out->rows = ra_alloc_bytes(items->count * sizeof(*out->rows) + 1);
	RA_SORT(items->items, items->count, ra_util_string_compare_first);
	for (size_t i = 0; i < items->count;) {
		const size_t first = i;

		while (i < items->count &&
		       ra_util_string_is_same(items->items[first].name, items->items[i].name)) {
			values[i - first] = items->items[i].us;
			i++;
		}
		describe(&out->rows[out->count++], items->items[first].name, values, i - first);
	}
	free(values);
}

/* Joins the names after the limit into "others". Its figures are over the sums of these names, not
 * over single kernels. */
static void shorten(struct ra_hta_kernels *out, const struct ra_hta_choice *choice)
{
	struct items items = { 0 };
	uint32_t *order = ra_alloc_bytes(out->count * sizeof(*order) + 1);
	double *sums = ra_alloc_zeros(out->count + 1, sizeof(*sums));
	double *running = ra_alloc_zeros(out->count + 1, sizeof(*running));

	for (size_t i = 0; i < out->count; i++) {
		sums[i] = out->rows[i].sum_us;
	}
	ra_numpy_sort_descending(order, sums, out->count);
	for (size_t i = 0; i < out->count; i++) {
		running[i] = (i == 0 ? 0 : running[i - 1]) + sums[order[i]];
	}
	for (size_t i = 0; i < out->count; i++) {
		const struct ra_hta_kernel *row = &out->rows[order[i]];
		const bool is_rest =
			i >= choice->limit ||
			running[i] > ra_describe_quantile(running, out->count, choice->share);
		const struct rlog_string others = { "others", 6, 6 };

		add_item(&items, is_rest ? others : row->name, row->sum_us);
	}
	group(out, &items);
	free(items.items);
	free(order);
	free(sums);
	free(running);
}

/* Rows to sort, with the string id of the name as key. Tag 0: the index is one into linked; 1: it
 * is an event. */
struct chosen {
	struct ra_util_sort_entry *rows; /* owned */
	size_t count;
};

static void choose_kind(struct chosen *chosen, const struct ra_hta_rank *rank, unsigned kind)
{
	chosen->rows = ra_alloc_bytes(rank->gpu_count * sizeof(*chosen->rows) + 1);
	for (size_t i = 0; i < rank->gpu_count; i++) {
		const struct ra_hta_row *row = &rank->linked[rank->gpu[i]];

		if (row->kind == kind) {
			chosen->rows[chosen->count++] =
				(struct ra_util_sort_entry){ rank->kineto->name[row->event],
				                             rank->gpu[i], 0 };
		}
	}
}

static void choose_category(struct chosen *chosen, const struct ra_hta_rank *rank,
                            uint32_t category)
{
	const struct ra_kineto *k = rank->kineto;
	size_t count = 0;

	for (uint32_t i = 0; i < k->count; i++) {
		count += ra_kineto_get_category(k, i) == category ? ra_hta_copies(rank, i) : 0;
	}
	chosen->rows = ra_alloc_bytes(count * sizeof(*chosen->rows) + 1);
	for (uint32_t i = 0; i < k->count && chosen->count < count; i++) {
		unsigned copies =
			ra_kineto_get_category(k, i) == category ? ra_hta_copies(rank, i) : 0;

		for (; copies > 0; copies--) {
			chosen->rows[chosen->count++] =
				(struct ra_util_sort_entry){ k->name[i], i, 1 };
		}
	}
}

static void choose(struct chosen *chosen, const struct ra_hta_rank *rank,
                   const struct ra_hta_choice *choice)
{
	const struct ra_kineto *k = rank->kineto;

	if (choice->category == NULL) {
		choose_kind(chosen, rank, choice->kind);
		return;
	}
	for (uint32_t c = 0; c < k->category_count; c++) {
		if (ra_kineto_is_text(k, k->categories[c].name, choice->category)) {
			choose_category(chosen, rank, c);
			return;
		}
	}
}

/* Makes one row for each name, sorted by name. The input must be sorted by the ids of names. */
static void sum_chosen(struct ra_hta_kernels *out, const struct ra_hta_rank *rank,
                       const struct chosen *chosen)
{
	const struct ra_util_sort_entry *rows = chosen->rows;
	double *values = ra_alloc_zeros(chosen->count + 1, sizeof(*values));
	size_t names = 0;

	for (size_t i = 0; i < chosen->count; i++) {
		names += i == 0 || rows[i].key != rows[i - 1].key;
	}
	out->rows = ra_alloc_bytes(names * sizeof(*out->rows) + 1);
	for (size_t i = 0; i < chosen->count;) {
		const uint64_t name = rows[i].key;
		const size_t first = i;

		for (; i < chosen->count && rows[i].key == name; i++) {
			values[i - first] = rows[i].tag == 0 ? rank->linked[rows[i].index].dur_us
			                                     : ra_hta_dur(rank, rows[i].index);
		}
		describe(&out->rows[out->count++], ra_kineto_string(rank->kineto, (uint32_t) name),
		         values, i - first);
	}
	free(values);
	RA_SORT(out->rows, out->count, ra_util_string_compare_first);
}

void ra_hta_kernels_sum(struct ra_hta_kernels *out, const struct ra_hta_rank *rank,
                        const struct ra_hta_choice *choice)
{
	struct chosen chosen = { 0 };

	choose(&chosen, rank, choice);
	*out = (struct ra_hta_kernels){ 0 };
	if (chosen.count > 0) {
		ra_util_sort(&chosen.rows, chosen.count);
		sum_chosen(out, rank, &chosen);
	}
	if (out->count > choice->limit) {
		shorten(out, choice);
	}
	free(chosen.rows);
}

/* The operations of one correlation. */
struct ops {
	uint32_t *rows; /* owned: indices into linked */
	size_t count;
	size_t capacity;
};

static void find_ops(struct ops *ops, const struct ra_hta_rank *rank, size_t first, size_t end)
{
	ops->count = 0;
	for (size_t i = first; i < end; i++) {
		if (rank->linked[rank->by_corr[i]].stream != -1) {
			RA_UTIL_APPEND(ops->rows, ops->count, ops->capacity, rank->by_corr[i]);
		}
	}
}

/* Joins the calls and operations of one correlation, from `first` up to but without `end`: each
 * call with each operation. */
static void join(struct ra_hta_launches *out, const struct ra_hta_rank *rank, struct ops *ops,
                 size_t first, size_t end)
{
	const size_t most = MOST_PER_ROW * rank->count;

	find_ops(ops, rank, first, end);
	for (size_t c = first; c < end; c++) {
		const struct ra_hta_row *call = &rank->linked[rank->by_corr[c]];
		const size_t count = call->stream == -1 ? ops->count : 0;

		for (size_t o = 0; o < count && out->count < most; o++) {
			RA_UTIL_APPEND(out->rows, out->count, out->capacity,
			               (struct ra_hta_launch){ call, &rank->linked[ops->rows[o]] });
		}
	}
}

void ra_hta_kernels_launches(struct ra_hta_launches *out, const struct ra_hta_rank *rank,
                             bool with_memory)
{
	const unsigned wanted = RA_HTA_CLASS_KERNEL | (with_memory ? RA_HTA_CLASS_COPY : 0u);
	struct ops ops = { 0 };

	*out = (struct ra_hta_launches){ 0 };
	for (size_t i = 0, end; i < rank->by_corr_count; i = end) {
		bool is_wanted = false;

		end = ra_hta_filter_find_end(rank, i);
		for (size_t j = i; j < end; j++) {
			const struct ra_hta_row *row = &rank->linked[rank->by_corr[j]];

			is_wanted |= (ra_hta_class(rank, row->event) & wanted) != 0;
		}
		if (is_wanted && rank->linked[rank->by_corr[i]].corr >= 0) {
			join(out, rank, &ops, i, end);
		}
	}
	free(ops.rows);
}
