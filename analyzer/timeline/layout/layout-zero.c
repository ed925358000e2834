/* SPDX-License-Identifier: MIT */
/* Finds the time that is time 0 in a drawing. */
#include "analyzer/timeline/layout/layout-zero.h"

#include "analyzer/timeline/layout/layout.h"

static int64_t earlier(int64_t a_ns, int64_t b_ns)
{
	return a_ns < b_ns ? a_ns : b_ns;
}

/* Only GPU records, deferred events and samples can be earlier than the capture. */
int64_t ra_layout_zero_find(const struct ra_model *model)
{
	const struct ra_gpu *gpu = &model->gpu;
	int64_t zero_ns = 0;

	for (size_t i = 0; i < model->track_count; i++) {
		const struct ra_track *track = &model->tracks[i];

		if (model->walk != NULL && track->kind == RA_TRACK_THREAD) {
			zero_ns = earlier(zero_ns, model->totals->first_ns);
			continue;
		}
		if (track->slice_count > 0) {
			zero_ns = earlier(zero_ns, model->slices.start_ns[track->first_slice]);
		}
		if (track->mark_count > 0) {
			zero_ns = earlier(zero_ns, model->marks[track->first_mark].time_ns);
		}
	}
	for (size_t i = 0; i < model->sample_count; i++) {
		zero_ns = earlier(zero_ns, model->samples[i].time_ns);
	}
	for (size_t i = 0; i < gpu->api_count; i++) {
		zero_ns = earlier(zero_ns, gpu->apis[i].start_ns);
	}
	for (size_t i = 0; i < gpu->queue_count; i++) {
		if (gpu->queues[i].op_count > 0) {
			zero_ns = earlier(zero_ns, gpu->ops[gpu->queues[i].first_op].start_ns);
		}
	}
	if (gpu->sync_count > 0) {
		zero_ns = earlier(zero_ns, gpu->syncs[0].start_ns);
	}
	if (gpu->overhead_count > 0) {
		zero_ns = earlier(zero_ns, gpu->overheads[0].start_ns);
	}
	return zero_ns > -RA_LAYOUT_MAX_EARLY_NS ? zero_ns : -RA_LAYOUT_MAX_EARLY_NS;
}
