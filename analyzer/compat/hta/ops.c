/* SPDX-License-Identifier: MIT */
/* Counts the events of a rank in some steps by name, as HTA's TraceDiff does. */
#include "analyzer/compat/hta/ops.h"

#include <stdio.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/compat/hta/shared.h"
#include "analyzer/steps/steps.h"
#include "format/error.h"

struct counting {
	const struct ra_hta_rank *rank;
	const bool *is_chosen; /* indexed by step */
	struct ra_hta_op *ops; /* indexed by string id */
};

static void count_row(void *context, const struct ra_hta_steps_row *row)
{
	const struct counting *counting = context;
	struct ra_hta_op *op = &counting->ops[counting->rank->kineto->name[row->event]];

	if (counting->is_chosen[row->place]) {
		op->name = ra_hta_name(counting->rank, row->event);
		op->count++;
		op->total_us += row->dur_us;
	}
}

/* Marks the chosen steps. Return: how many were chosen. */
static size_t choose(const struct ra_hta_steps *steps, const char *only, bool *is_chosen)
{
	size_t count = 0;

	for (size_t i = 0; i < steps->count; i++) {
		char digits[24];
		const int length = snprintf(digits, sizeof(digits), "%lld",
		                            (long long) steps->steps[i].number);
		const struct rlog_string name = { digits, (uint32_t) length, (uint32_t) length };

		is_chosen[i] = only == NULL ? i == 0 : ra_steps_is_chosen(name, only);
		count += is_chosen[i];
	}
	return count;
}

int ra_hta_ops_init(struct ra_hta_ops *ops, struct ra_hta_rank *rank, const char *only)
{
	const struct ra_hta_steps *steps;
	struct counting counting = { .rank = rank };
	bool *is_chosen;
	size_t chosen;

	*ops = (struct ra_hta_ops){ 0 };
	if (rank->kineto == NULL) {
		return -RLOG_E_ARGUMENT;
	}
	steps = ra_hta_shared_steps(rank);
	is_chosen = ra_alloc_zeros(steps->count + 1, sizeof(*is_chosen));
	ops->rows = ra_alloc_zeros(rank->kineto->string_count + 1, sizeof(*ops->rows));
	chosen = choose(steps, only, is_chosen);
	if (chosen > 0) {
		counting.is_chosen = is_chosen;
		counting.ops = ops->rows;
		ra_hta_steps_walk(steps, rank, count_row, &counting);
		for (size_t i = 0; i < rank->kineto->string_count; i++) {
			if (ops->rows[i].count > 0) {
				ops->rows[ops->count++] = ops->rows[i];
			}
		}
		RA_SORT(ops->rows, ops->count, ra_util_string_compare_first);
	}
	free(is_chosen);
	return chosen > 0 ? 0 : -RLOG_E_ARGUMENT;
}

void ra_hta_ops_fini(struct ra_hta_ops *ops)
{
	free(ops->rows);
	*ops = (struct ra_hta_ops){ 0 };
}
