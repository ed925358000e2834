/* SPDX-License-Identifier: MIT */
/* Computes metrics: calls and times of groups of ranges, in two passes over the slices and one over
 * the durations. */
#include "analyzer/figures/ranges/metrics.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/figures/gpu/gpu-metrics.h"
#include "analyzer/figures/ranges/range-counts.h"
#include "analyzer/figures/ranges/range-sums.h"
#include "analyzer/figures/ranges/self-time.h"
#include "analyzer/base/order/median.h"
#include "analyzer/base/util.h"

/* Adds up self and total time of one thread's ranges (doc/metrics.md, section 3). */
static void sum_thread(struct ra_range_sum *sums, const struct ra_model *model,
                       const struct ra_group *group, size_t track)
{
	const struct ra_slices *s = &model->slices;
	const size_t first = model->tracks[track].first_slice;
	const size_t end = first + model->tracks[track].slice_count;

	for (size_t i = first; i < end; i++) {
		struct ra_range_sum *sum = &sums[group->of_slice[i]];
		const int64_t dur_ns = s->dur_ns[i];
		const uint32_t parent = s->parent[i];

		ra_range_sum_add_call(sum, dur_ns);
		ra_range_sum_add_coverage(sum, track, s->start_ns[i], s->start_ns[i] + dur_ns);
		ra_self_time_add(&sum->self_ns,
		                 parent != RA_NONE ? &sums[group->of_slice[parent]].self_ns : NULL,
		                 dur_ns);
	}
}

static void sum_spans(struct ra_range_sum *sums, const struct ra_model *model,
                      const struct ra_group *group, size_t track)
{
	const struct ra_slices *s = &model->slices;
	const size_t first = model->tracks[track].first_slice;
	const size_t end = first + model->tracks[track].slice_count;

	for (size_t i = first; i < end; i++) {
		struct ra_range_sum *sum = &sums[group->of_slice[i]];

		ra_range_sum_add_call(sum, s->dur_ns[i]);
		ra_range_sum_add_total(sum, s->dur_ns[i]);
	}
}

/* Finds the median of int64 times; sorts them. */
static int64_t find_middle(int64_t *times, size_t count)
{
	int64_t lower;
	int64_t upper;

	RA_SORT(times, count, ra_order_int64);
	lower = times[(count - 1) / 2];
	upper = times[count / 2];
	return lower + (upper - lower) / 2;
}

/*
 * Finds the medians of groups whose middle exceeds 32 bits of ns, because most of their calls took
 * over 4 seconds. Push/pop ranges can't have many such calls, start/end ranges can.
 *
 * @ends: for each such group, the place in an array of `count` where its times begin; 0 for other
 * groups. On return: where they end.
 */
static void find_long_medians(struct ra_metrics *metrics, const struct ra_model *model,
                              const struct ra_group *group, size_t *ends, size_t count)
{
	int64_t *times = ra_alloc_zeros(count + 1, sizeof(*times));

	for (size_t i = 0; i < model->slices.count; i++) {
		size_t *end = &ends[group->of_slice[i]];

		if (*end != 0) {
			times[(*end)++] = model->slices.dur_ns[i];
		}
	}
	for (size_t g = 0; g < group->count; g++) {
		struct ra_metrics_row *row = &metrics->rows[g];

		if (ends[g] != 0) {
			row->median_ns =
				find_middle(times + ends[g] - row->calls, (size_t) row->calls);
		}
	}
	free(times);
}

static uint32_t clip_time(int64_t time_ns)
{
	return time_ns < UINT32_MAX ? (uint32_t) time_ns : UINT32_MAX;
}

/* Sorts the durations into one array, one group after the other, and finds the middle of each
 * group's part. */
static void find_medians(struct ra_metrics *metrics, const struct ra_model *model,
                         const struct ra_group *group)
{
	const size_t slices = model->slices.count;
	uint32_t *times = NULL;
	size_t *ends = ra_alloc_zeros(group->count + 1, sizeof(*ends));
	size_t long_count = 1; /* place 0 means "not long" */
	size_t sum = 0;

	ra_util_resize(&times, slices + 1, sizeof(*times));
	for (size_t g = 0; g < group->count; g++) {
		ends[g] = sum; /* start of the group's part; advances to its end */
		sum += metrics->rows[g].calls;
	}
	for (size_t i = 0; i < slices; i++) {
		times[ends[group->of_slice[i]]++] = clip_time(model->slices.dur_ns[i]);
	}
	for (size_t g = 0; g < group->count; g++) {
		struct ra_metrics_row *row = &metrics->rows[g];
		const struct ra_median median =
			ra_median_select(times + ends[g] - row->calls, row->calls,
		                         clip_time(row->min_ns), clip_time(row->max_ns));

		row->median_ns = ((int64_t) median.lower + median.upper) / 2;
		ends[g] = median.upper == UINT32_MAX ? long_count : 0;
		long_count += median.upper == UINT32_MAX ? (size_t) row->calls : 0;
	}
	if (long_count > 1) {
		find_long_medians(metrics, model, group, ends, long_count);
	}
	free(ends);
	free(times);
}

/* Returns the mean of `count` times, rounded half up. */
static int64_t find_mean(uint64_t sum_ns, uint64_t count)
{
	return count == 0 ? 0 : (int64_t) ((sum_ns + count / 2) / count);
}

void ra_range_sums_saturate(struct ra_range_sum *sum)
{
	sum->rest_ns += (uint64_t) sum->total_ns - (uint64_t) INT64_MAX;
	sum->total_ns = INT64_MAX;
}

void ra_range_sums_make_rows(struct ra_metrics *metrics, const struct ra_range_sum *sums,
                             const struct ra_group_key *keys, size_t count)
{
	metrics->rows = ra_alloc_zeros(count + 1, sizeof(*metrics->rows));
	metrics->count = count;
	for (size_t g = 0; g < count; g++) {
		const int64_t self_ns = (int64_t) sums[g].self_ns;

		metrics->rows[g] = (struct ra_metrics_row){
			.key = keys[g],
			.calls = sums[g].calls,
			.total_ns = sums[g].total_ns,
			.self_ns = self_ns < 0 ? INT64_MAX : self_ns,
			.min_ns = sums[g].min_ns,
			.max_ns = sums[g].max_ns,
			.mean_ns = find_mean(ra_range_sum_durations(&sums[g]), sums[g].calls),
		};
		metrics->self_sum_ns =
			ra_util_add_time(metrics->self_sum_ns, metrics->rows[g].self_ns);
	}
}

static void add_gpu(struct ra_metrics *metrics, const struct ra_model *model,
                    const struct ra_group *group)
{
	struct ra_gpu_metrics_sum *sums;

	if (model->gpu.op_count == 0) {
		return;
	}
	sums = ra_alloc_zeros(group->count + 1, sizeof(*sums));
	ra_gpu_metrics_sum_groups(model, group, false, sums);
	for (size_t g = 0; g < group->count; g++) {
		metrics->rows[g].gpu_self_ns = sums[g].self_ns;
		metrics->rows[g].gpu_total_ns = sums[g].total_ns;
		metrics->rows[g].gpu_mean_ns =
			find_mean((uint64_t) sums[g].calls_ns, metrics->rows[g].calls);
	}
	metrics->gpu_sum_ns = ra_gpu_metrics_total(model);
	free(sums);
}

static void add_backward(struct ra_metrics *metrics, const struct ra_model *model,
                         const struct ra_group *group)
{
	struct ra_gpu_metrics_sum *sums;

	if (!model->gpu.has_backward_rows) {
		return;
	}
	sums = ra_alloc_zeros(group->count + 1, sizeof(*sums));
	metrics->backwards = ra_alloc_zeros(group->count + 1, sizeof(*metrics->backwards));
	ra_gpu_metrics_sum_groups(model, group, true, sums);
	for (size_t g = 0; g < group->count; g++) {
		if (sums[g].ops > 0) {
			metrics->backwards[metrics->backward_count++] =
				(struct ra_metrics_backward){ (uint32_t) g, sums[g].ranges,
				                              sums[g].self_ns, sums[g].total_ns };
		}
	}
	free(sums);
}

void ra_metrics_init(struct ra_metrics *metrics, const struct ra_model *model, unsigned by,
                     struct ra_labels *labels)
{
	struct ra_group group;
	struct ra_range_sum *sums;

	memset(metrics, 0, sizeof(*metrics));
	ra_group_init(&group, model, by, labels);
	sums = ra_alloc_zeros(group.count + 1, sizeof(*sums));
	for (size_t g = 0; g < group.count; g++) {
		sums[g].min_ns = INT64_MAX;
	}
	for (size_t t = 0; t < model->track_count; t++) {
		if (model->tracks[t].kind == RA_TRACK_THREAD) {
			sum_thread(sums, model, &group, t);
		} else {
			sum_spans(sums, model, &group, t);
		}
	}
	ra_range_sums_make_rows(metrics, sums, group.keys, group.count);
	find_medians(metrics, model, &group);
	add_gpu(metrics, model, &group);
	add_backward(metrics, model, &group);
	ra_range_counts_add(metrics, model, &group);
	metrics->paths = group.paths;
	group.paths = NULL;
	free(sums);
	ra_group_fini(&group);
}

void ra_metrics_fini(struct ra_metrics *metrics)
{
	free(metrics->rows);
	free(metrics->backwards);
	free(metrics->paths);
	memset(metrics, 0, sizeof(*metrics));
}
