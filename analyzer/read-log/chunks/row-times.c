/* SPDX-License-Identifier: MIT */
/* The times of a batch's rows. */
#include "analyzer/read-log/chunks/row-times.h"

#include <stdlib.h>

#include "analyzer/base/util.h"

void ra_row_times_fini(struct ra_row_times *times)
{
	free(times->ns);
	*times = (struct ra_row_times){ 0 };
}

void ra_row_times_convert(struct ra_row_times *times, const struct ra_clock *clock, int64_t zero_ns,
                          const struct rlog_batch *batch, size_t first, size_t *segment)
{
	const uint64_t *ticks = batch->ticks;
	int64_t previous = INT64_MIN;
	bool is_sorted = true;
	int64_t *ns;

	ra_util_grow(&times->ns, &times->capacity, batch->count, sizeof(*times->ns));
	ns = times->ns;
	for (size_t i = first; i < batch->count;) {
		/* Most rows are near the same clock point, which then stays in registers. */
		const struct ra_clock_segment near = clock->segments[*segment];

		for (; i < batch->count && ticks[i] - near.ticks < near.reach; i++) {
			const int64_t time_ns =
				ra_clock_convert_near(&near, ticks[i] - near.ticks) - zero_ns;

			is_sorted &= time_ns >= previous;
			previous = time_ns;
			ns[i] = time_ns;
		}
		if (i < batch->count) {
			ns[i] = ra_clock_convert(clock, ticks[i], segment) - zero_ns;
			is_sorted &= ns[i] >= previous;
			previous = ns[i];
			i++;
		}
	}
	times->is_sorted = is_sorted;
}
