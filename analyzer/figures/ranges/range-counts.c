/* SPDX-License-Identifier: MIT */
/* Sums counter values of threads within ranges by group. */
#include "analyzer/figures/ranges/range-counts.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"

size_t ra_range_counts_find(const struct ra_model *model, enum ra_count_kind kind)
{
	size_t i = 0;

	while (i < RA_COUNTS && model->count_kinds[i] != kind) {
		i++;
	}
	return i;
}

/* The end of the time on the current thread for which a group's sums are complete. */
struct reach {
	size_t track; /* number of the thread + 1 */
	int64_t end_ns;
};

/* The sums already include a range that is inside another range of its group. */
static bool is_inside(struct reach *reach, const struct ra_slices *slices, uint32_t slice,
                      size_t track)
{
	const int64_t end_ns = slices->start_ns[slice] + slices->dur_ns[slice];

	if (reach->track == track + 1 && end_ns <= reach->end_ns) {
		return true;
	}
	*reach = (struct reach){ track + 1, end_ns };
	return false;
}

void ra_range_counts_add(struct ra_metrics *metrics, const struct ra_model *model,
                         const struct ra_group *group)
{
	struct reach *reaches;
	size_t track = 0;

	if (model->slice_count_count == 0) {
		return;
	}
	reaches = ra_alloc_zeros(group->count + 1, sizeof(*reaches));
	for (size_t i = 0; i < model->slice_count_count; i++) {
		const struct ra_slice_count *count = &model->slice_counts[i];
		const uint32_t of = group->of_slice[count->slice];
		struct ra_metrics_row *row = &metrics->rows[of];

		while (track + 1 < model->track_count &&
		       model->tracks[track + 1].first_slice <= count->slice) {
			track++;
		}
		if (is_inside(&reaches[of], &model->slices, count->slice, track)) {
			continue;
		}
		for (size_t c = 0; c < RA_COUNTS; c++) {
			if ((count->known & 1u << c) != 0) {
				row->has_counts |= (uint8_t) (1u << c);
				row->counts[c] = ra_util_add(row->counts[c], count->value[c]);
			}
		}
	}
	free(reaches);
}
