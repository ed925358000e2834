/* SPDX-License-Identifier: MIT */
/* The clock for GPU records that CUPTI (before CUDA 11.6) timed by CLOCK_REALTIME. */
#include "analyzer/clock/gpu-clock.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "format/read/reader.h"

void ra_gpu_clock_init(struct ra_clock *clock, const struct ra_model *model)
{
	struct ra_clock_source source = {
		.ticks_are_ns = 0,
		.ticks_per_s = 1000000000,
		.origin_ticks = (uint64_t) model->zero_real_ns,
		.origin_ns = (uint64_t) model->zero_ns,
	};
	size_t count = 0;
	const struct rlog_clock_point *points = rlog_reader_borrow_clock(model->reader, &count);
	struct rlog_clock_point *reals = ra_alloc_zeros(count + 1, sizeof(*reals));

	for (size_t i = 0; i < count; i++) {
		if (source.count == 0 || points[i].real_ns > reals[source.count - 1].ticks) {
			reals[source.count] = points[i];
			reals[source.count++].ticks = points[i].real_ns;
		}
	}
	source.points = reals;
	ra_clock_init(clock, &source);
	free(reals);
}
