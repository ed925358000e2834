/* SPDX-License-Identifier: MIT */
/* Fills a part's ranges with counter values of their threads instead of times. */
#include "analyzer/summary-file/build/sum-counts.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/figures/ranges/range-counts.h"

/* Marks a range whose counter value is unknown. */
#define UNKNOWN (-1)

int64_t *ra_sum_counts_find(const struct ra_model *model, enum ra_count_kind kind)
{
	const size_t which = ra_range_counts_find(model, kind);
	int64_t *values = ra_alloc_bytes((model->slices.count + 1) * sizeof(*values));

	for (size_t i = 0; i < model->slices.count; i++) {
		values[i] = UNKNOWN;
	}
	for (size_t i = 0; i < model->slice_count_count && which < RA_COUNTS; i++) {
		const struct ra_slice_count *count = &model->slice_counts[i];

		if ((count->known & 1u << which) != 0) {
			values[count->slice] = count->value[which] > INT64_MAX
			                               ? INT64_MAX
			                               : (int64_t) count->value[which];
		}
	}
	return values;
}

/* Sums counter values. The self value is that of a range without the ranges inside it. */
void ra_sum_counts_put(struct ra_sum_part *part, const struct ra_slices *slices,
                       const struct ra_group *group, const int64_t *values)
{
	for (size_t i = 0; i < part->row_count; i++) {
		struct ra_sum_row *row = &part->rows[i];

		row->total_ns = row->self_ns = row->gpu_self_ns = row->gpu_total_ns = 0;
	}
	for (size_t i = 0; i < slices->count; i++) {
		const uint32_t parent = slices->parent[i];
		struct ra_sum_row *row = &part->rows[group->of_slice[i]];

		if (values[i] == UNKNOWN) {
			continue;
		}
		ra_sum_stat_add(&row->stat, values[i], slices->start_ns[i]);
		row->total_ns = ra_util_add_time(row->total_ns, values[i]);
		row->self_ns = ra_util_add_time(row->self_ns, values[i]);
		if (parent != RA_NONE && values[parent] != UNKNOWN) {
			struct ra_sum_row *around = &part->rows[group->of_slice[parent]];

			/* In a faulty log, an inner range may have a larger value than the range
			 * around it. */
			around->self_ns =
				around->self_ns > values[i] ? around->self_ns - values[i] : 0;
		}
	}
}

void ra_sum_counts_drop_empty(struct ra_sum_part *part)
{
	size_t kept = 0;

	for (size_t i = 0; i < part->row_count; i++) {
		if (part->rows[i].stat.count > 0) {
			part->rows[kept++] = part->rows[i];
		} else {
			ra_sum_stat_fini(&part->rows[i].stat);
		}
	}
	part->row_count = kept;
}
