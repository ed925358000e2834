/* SPDX-License-Identifier: MIT */
/* Finds which range encloses which, among ranges that have ended. */
#include "analyzer/base/util.h"
#include "analyzer/model/build/builder.h"

static int64_t find_end(const struct ra_slices *s, uint32_t slice)
{
	return s->start_ns[slice] + s->dur_ns[slice];
}

void ra_builder_nest(struct ra_model *model, const struct ra_track *track, uint32_t **stack,
                     size_t *capacity)
{
	struct ra_slices *s = &model->slices;
	size_t depth = 0;

	for (size_t n = 0; n < track->slice_count; n++) {
		const uint32_t i = (uint32_t) (track->first_slice + n);

		while (depth > 0 && find_end(s, (*stack)[depth - 1]) <= s->start_ns[i]) {
			depth--;
		}
		s->parent[i] = depth > 0 ? (*stack)[depth - 1] : RA_NONE;
		if (depth > 0 && find_end(s, i) > find_end(s, s->parent[i])) {
			s->parent[i] = RA_NONE;
			s->flags[i] |= RA_SLICE_CROSSING;
			model->quality.crossing_ranges++;
			continue;
		}
		ra_util_grow(stack, capacity, depth + 1, sizeof(**stack));
		(*stack)[depth++] = i;
	}
}
