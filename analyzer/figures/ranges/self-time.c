/* SPDX-License-Identifier: MIT */
/* Finds the self time of ranges that are streamed past. */
#include "analyzer/figures/ranges/self-time.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/util.h"

/* Begins a stretch. The ranges that were open at the end of the last stretch come first in it, in
 * the same order. */
static int64_t *begin_stretch(struct ra_self_time *self, size_t count)
{
	int64_t *inner_ns;

	ra_util_grow(&self->inner_ns, &self->capacity, count, sizeof(*self->inner_ns));
	inner_ns = self->inner_ns;
	for (size_t i = 0; i < self->open_count; i++) {
		inner_ns[i] = self->open_ns[self->open_count - 1 - i];
	}
	if (count > self->open_count) { /* there may be no array yet */
		memset(inner_ns + self->open_count, 0,
		       (count - self->open_count) * sizeof(*inner_ns));
	}
	self->open_count = 0;
	return inner_ns;
}

/* Children come after their parents. In this backward loop a range's sum is complete when its turn
 * comes. */
const int64_t *ra_self_time_take(struct ra_self_time *self, const struct ra_slices *slices)
{
	int64_t *inner_ns = begin_stretch(self, slices->count);

	for (size_t i = slices->count; i-- > 0;) {
		const uint32_t parent = slices->parent[i];
		const bool is_open = slices->dur_ns[i] == RA_SLICE_SINK_OPEN;
		/* A crossing range has no children: ranges in it belong to the range around it.
		 * Only now it may have become known that it crosses. */
		const bool is_crossing = (slices->flags[i] & RA_SLICE_CROSSING) != 0;
		const int64_t more_ns = is_crossing ? inner_ns[i] : is_open ? 0 : slices->dur_ns[i];

		if (parent != RA_NONE) {
			inner_ns[parent] = ra_util_add_wrapped(inner_ns[parent], more_ns);
		}
		if (is_crossing) {
			inner_ns[i] = 0;
		}
		if (is_open) {
			RA_UTIL_APPEND(self->open_ns, self->open_count, self->open_capacity,
			               inner_ns[i]);
		}
	}
	return inner_ns;
}

void ra_self_time_fini(struct ra_self_time *self)
{
	free(self->inner_ns);
	free(self->open_ns);
	*self = (struct ra_self_time){ 0 };
}
