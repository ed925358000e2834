/* SPDX-License-Identifier: MIT */
/* HTA's tables by name: kernels and annotations; and launches by correlation. */
#include "analyzer/hta-kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/describe.h"
#include "analyzer/numpy-sort.h"
#include "analyzer/util-map.h"
#include "analyzer/util.h"
#include "format/error.h"

/* A join of calls and operations can be as large as the square of the rows: a hostile trace's, no
 * other's. */
#define MOST_PER_ROW 2

/* A duration and whose it is. */
struct item {
	struct rlog_string name;
	double us;
};

struct items {
	struct item *items; /* owned */
	size_t count;
	size_t capacity;
};

static int compare_names(struct rlog_string a, struct rlog_string b)
{
	const size_t common = a.length < b.length ? a.length : b.length;
	const int order = memcmp(a.bytes, b.bytes, common);

	return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

static int compare_items(const void *a, const void *b)
{
	return compare_names(((const struct item *) a)->name, ((const struct item *) b)->name);
}

static int add_item(struct items *items, struct rlog_string name, double us)
{
	const int rc = ra_util_grow(&items->items, &items->capacity, items->count + 1,
	                            sizeof(*items->items));

	if (rc == 0) {
		items->items[items->count++] = (struct item){ name, us };
	}
	return rc;
}

static void describe(struct ra_hta_kernel *row, const struct item *items, double *values,
                     size_t count)
{
	struct ra_describe stats;

	for (size_t i = 0; i < count; i++) {
		values[i] = items[i].us;
	}
	ra_describe_values(&stats, values, count);
	*row = (struct ra_hta_kernel){
		.name = items[0].name,
		.sum_us = stats.sum,
		.max_us = stats.max,
		.min_us = stats.min,
		.deviation_us = count > 1 ? stats.deviation : 0,
		.mean_us = stats.mean,
	};
}

/* A row for each name, ordered by name. */
static int group(struct ra_hta_kernels *out, struct items *items)
{
	double *values = calloc(items->count + 1, sizeof(*values));

	free(out->rows);
	out->count = 0;
	out->rows = malloc(items->count * sizeof(*out->rows) + 1);
	if (values == NULL || out->rows == NULL) {
		free(values);
		return -RLOG_E_NO_MEMORY;
	}
	if (items->count > 0) {
		qsort(items->items, items->count, sizeof(*items->items), compare_items);
	}
	for (size_t i = 0; i < items->count;) {
		const size_t first = i;

		while (i < items->count &&
		       compare_items(&items->items[first], &items->items[i]) == 0) {
			i++;
		}
		describe(&out->rows[out->count++], items->items + first, values, i - first);
	}
	free(values);
	return 0;
}

/* Names behind the limit become "others"; the figures of all are then those of the sums by name,
 * not of single kernels. */
static int shorten(struct ra_hta_kernels *out, const struct ra_hta_choice *choice)
{
	struct items items = { 0 };
	uint32_t *order = malloc(out->count * sizeof(*order) + 1);
	double *sums = calloc(out->count + 1, sizeof(*sums));
	double *running = calloc(out->count + 1, sizeof(*running));
	int rc = -RLOG_E_NO_MEMORY;

	if (order != NULL && sums != NULL && running != NULL) {
		for (size_t i = 0; i < out->count; i++) {
			sums[i] = out->rows[i].sum_us;
		}
		rc = ra_numpy_sort_descending(order, sums, out->count);
	}
	for (size_t i = 0; i < out->count && rc == 0; i++) {
		running[i] = (i == 0 ? 0 : running[i - 1]) + sums[order[i]];
	}
	for (size_t i = 0; i < out->count && rc == 0; i++) {
		const struct ra_hta_kernel *row = &out->rows[order[i]];
		const bool is_rest =
			i >= choice->limit ||
			running[i] > ra_describe_quantile(running, out->count, choice->share);
		const struct rlog_string others = { "others", 6, 6 };

		rc = add_item(&items, is_rest ? others : row->name, row->sum_us);
	}
	if (rc == 0) {
		rc = group(out, &items);
	}
	free(items.items);
	free(order);
	free(sums);
	free(running);
	return rc;
}

static bool is_chosen(const struct ra_hta_rank *rank, const struct ra_hta_row *row,
                      const struct ra_hta_choice *choice)
{
	const struct ra_kineto *k = rank->kineto;

	if (choice->category == NULL) {
		return row->stream != -1 && row->kind == choice->kind;
	}
	return ra_kineto_is_text(k, k->categories[k->category[row->event]].name, choice->category);
}

int ra_hta_kernels_sum(struct ra_hta_kernels *out, const struct ra_hta_rank *rank,
                       const struct ra_hta_choice *choice)
{
	struct items items = { 0 };
	int rc = 0;

	*out = (struct ra_hta_kernels){ 0 };
	for (size_t i = 0; i < rank->count && rc == 0; i++) {
		if (is_chosen(rank, &rank->rows[i], choice)) {
			rc = add_item(&items, ra_hta_name(rank, &rank->rows[i]),
			              rank->rows[i].dur_us);
		}
	}
	if (rc == 0) {
		rc = group(out, &items);
	}
	if (rc == 0 && out->count > choice->limit) {
		rc = shorten(out, choice);
	}
	free(items.items);
	return rc;
}

/* Correlations of launches, each with the first GPU row that has it. */
struct launched {
	struct ra_util_map first;
	uint32_t *next; /* owned: row → next row of the same correlation */
};

static int index_launched(struct launched *launched, const struct ra_hta_rank *rank,
                          bool with_memory)
{
	static const char *const kernels[] = { "cudaLaunchKernel", "cudaLaunchKernelExC", NULL };
	static const char *const copies[] = { "cudaMemcpyAsync", "cudaMemsetAsync", NULL };
	struct ra_util_map wanted = { 0 };
	int rc = 0;

	launched->next = malloc(rank->count * sizeof(*launched->next) + 1);
	rc = launched->next == NULL ? -RLOG_E_NO_MEMORY : 0;
	for (size_t i = 0; i < rank->count && rc == 0; i++) {
		const struct ra_hta_row *row = &rank->rows[i];

		if (row->corr >= 0 && (ra_hta_is_named(rank, row, kernels) ||
		                       (with_memory && ra_hta_is_named(rank, row, copies)))) {
			rc = ra_util_map_put(&wanted, (uint64_t) row->corr, 1);
		}
	}
	for (size_t i = rank->count; i-- > 0 && rc == 0;) {
		const struct ra_hta_row *row = &rank->rows[i];

		if (row->stream != -1 &&
		    ra_util_map_find(&wanted, (uint64_t) row->corr) != RA_UTIL_MAP_NONE) {
			launched->next[i] =
				ra_util_map_find(&launched->first, (uint64_t) row->corr);
			rc = ra_util_map_put(&launched->first, (uint64_t) row->corr, (uint32_t) i);
		}
	}
	ra_util_map_free(&wanted);
	return rc;
}

static int add_launch(struct ra_hta_launches *out, const struct ra_hta_row *call,
                      const struct ra_hta_row *op)
{
	const int rc = ra_util_grow(&out->rows, &out->capacity, out->count + 1, sizeof(*out->rows));

	if (rc == 0) {
		out->rows[out->count++] = (struct ra_hta_launch){
			.corr = call->corr,
			.call = call,
			.op = op,
			.delay_us = fmax(0, op->ts_us - call->ts_us - call->dur_us),
		};
	}
	return rc;
}

/* Those of one correlation stay in the order of the file. */
static int compare_launches(const void *a, const void *b)
{
	const struct ra_hta_launch *left = a;
	const struct ra_hta_launch *right = b;

	if (left->corr != right->corr) {
		return left->corr < right->corr ? -1 : 1;
	}
	if (left->call != right->call) {
		return left->call < right->call ? -1 : 1;
	}
	return left->op < right->op ? -1 : left->op > right->op;
}

int ra_hta_kernels_launches(struct ra_hta_launches *out, const struct ra_hta_rank *rank,
                            bool with_memory)
{
	const size_t most = MOST_PER_ROW * rank->count;
	struct launched launched = { 0 };
	int rc = index_launched(&launched, rank, with_memory);

	*out = (struct ra_hta_launches){ 0 };
	for (size_t i = 0; i < rank->count && rc == 0; i++) {
		const struct ra_hta_row *row = &rank->rows[i];
		uint32_t op;

		if (row->stream != -1 || row->corr < 0) {
			continue;
		}
		op = ra_util_map_find(&launched.first, (uint64_t) row->corr);
		for (; op != RA_NONE && rc == 0 && out->count < most; op = launched.next[op]) {
			rc = add_launch(out, row, &rank->rows[op]);
		}
	}
	if (out->count > 0) {
		qsort(out->rows, out->count, sizeof(*out->rows), compare_launches);
	}
	ra_util_map_free(&launched.first);
	free(launched.next);
	return rc;
}
