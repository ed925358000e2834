/* SPDX-License-Identifier: MIT */
/* Finds the median duration of view operators over all threads. */
#include "analyzer/figures/view-time.h"

#include <stdlib.h>

#include "analyzer/base/order/median.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"
#include "analyzer/names/name-tests.h"

#define LEAST_COUNT 100
#define LEAST_NS    8000

static bool is_view(struct rlog_string name)
{
	return ra_util_string_is(name, "aten::view") || ra_util_string_is(name, "aten::as_strided");
}

int64_t ra_view_time_find_slow(const struct ra_model *model)
{
	const struct ra_slices *slices = &model->slices;
	struct ra_name_tests are_views = { 0 };
	uint32_t *durations = NULL;
	size_t count = 0;
	size_t capacity = 0;
	int64_t median_ns = 0;

	ra_name_tests_init(&are_views, model, is_view);
	for (uint32_t t = 0; t < model->track_count; t++) {
		const struct ra_track *track = &model->tracks[t];

		for (size_t i = track->first_slice; i < track->first_slice + track->slice_count;
		     i++) {
			const int64_t dur_ns = slices->dur_ns[i];

			if (dur_ns >= 0 && ra_name_tests_ask(&are_views, slices->name[i])) {
				RA_UTIL_APPEND(durations, count, capacity,
				               dur_ns < UINT32_MAX ? (uint32_t) dur_ns
				                                   : UINT32_MAX);
			}
		}
	}
	ra_name_tests_fini(&are_views);
	if (count >= LEAST_COUNT) {
		median_ns = ra_median_select(durations, count, 0, UINT32_MAX).lower;
	}
	free(durations);
	return median_ns >= LEAST_NS ? median_ns : 0;
}
