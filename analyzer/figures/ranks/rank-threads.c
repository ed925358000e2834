/* SPDX-License-Identifier: MIT */
/* Finds whether a slow rank loses its time on a single thread only, such as that of PyTorch's
 * backward pass. */
#include "analyzer/figures/ranks/rank-threads.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"
#include "analyzer/steps/steps.h"

/* A thread is as fast as another that takes less by less than 1/20. */
#define AS_FAST 20

/* Times of one rank, without waits for collectives. */
struct times {
	int64_t helper_ns; /* in ranges of the other thread that is busiest within the place; 0:
	                      none */
	int64_t helper_tid;
	int64_t rest_ns; /* in ranges of the place's thread outside of the place */
	int64_t rest_tid;
};

/* The data needed to measure one rank. */
struct rank {
	const struct ra_model *model;
	const struct ra_intervals *held;
	struct ra_steps steps;
	struct rlog_string place;
};

/* True if only steps are around the range. */
static bool is_outermost(const struct rank *rank, size_t slice)
{
	const uint32_t parent = rank->model->slices.parent[slice];

	return rank->steps.is_step[slice] == 0 &&
	       (parent == RA_NONE || rank->steps.is_step[parent] != 0);
}

static bool is_place(const struct rank *rank, size_t slice)
{
	const struct rlog_string name =
		ra_model_string(rank->model, rank->model->slices.name[slice]);

	return ra_util_string_compare(name, rank->place) == 0;
}

static int64_t find_end(const struct rank *rank, size_t slice)
{
	const struct ra_slices *slices = &rank->model->slices;

	return ra_util_add_time(slices->start_ns[slice], slices->dur_ns[slice]);
}

/* Finds the first thread that has the place as an outermost range. Return: the number of tracks if
 * there is no such thread. */
static size_t find_track(const struct rank *rank)
{
	const struct ra_model *model = rank->model;

	for (size_t t = 0; t < model->track_count; t++) {
		const struct ra_track *track = &model->tracks[t];

		for (size_t i = track->first_slice; i < track->first_slice + track->slice_count;
		     i++) {
			if (is_outermost(rank, i) && is_place(rank, i)) {
				return t;
			}
		}
	}
	return model->track_count;
}

/* Sums the time of a thread outside of the place, and adds the thread's time in the place to a
 * set. */
static int64_t sum_rest(const struct rank *rank, const struct ra_track *track,
                        struct ra_intervals *place)
{
	const struct ra_slices *slices = &rank->model->slices;
	int64_t rest_ns = 0;

	for (size_t i = track->first_slice; i < track->first_slice + track->slice_count; i++) {
		if (!is_outermost(rank, i)) {
			continue;
		}
		if (is_place(rank, i)) {
			ra_intervals_add(place, slices->start_ns[i], find_end(rank, i));
		} else {
			rest_ns = ra_util_add_time(
				rest_ns, slices->dur_ns[i] - ra_intervals_cover(rank->held,
			                                                        slices->start_ns[i],
			                                                        find_end(rank, i)));
		}
	}
	return rest_ns;
}

/* Returns the time of a thread within the place. */
static int64_t sum_within(const struct rank *rank, const struct ra_track *track,
                          const struct ra_intervals *place)
{
	const struct ra_slices *slices = &rank->model->slices;
	int64_t sum_ns = 0;

	for (size_t i = track->first_slice; i < track->first_slice + track->slice_count; i++) {
		if (is_outermost(rank, i)) {
			sum_ns = ra_util_add_time(
				sum_ns,
				ra_intervals_cover(place, slices->start_ns[i], find_end(rank, i)));
		}
	}
	return sum_ns;
}

static struct times measure(const struct rank *rank)
{
	const struct ra_model *model = rank->model;
	const size_t own = find_track(rank);
	struct times times = { 0 };
	struct ra_intervals whole = { 0 };
	struct ra_intervals held = { 0 };
	struct ra_intervals place = { 0 };

	if (own == model->track_count) {
		return times;
	}
	times.rest_tid = model->tracks[own].tid;
	times.rest_ns = sum_rest(rank, &model->tracks[own], &whole);
	ra_intervals_unite(&whole);
	ra_intervals_part(&whole, rank->held, &held, &place);
	for (size_t t = 0; t < model->track_count; t++) {
		const struct ra_track *track = &model->tracks[t];
		const int64_t time_ns = t != own && track->process == model->tracks[own].process
		                                ? sum_within(rank, track, &place)
		                                : 0;

		if (time_ns > times.helper_ns) {
			times.helper_ns = time_ns;
			times.helper_tid = track->tid;
		}
	}
	ra_intervals_fini(&whole);
	ra_intervals_fini(&held);
	ra_intervals_fini(&place);
	return times;
}

/* Measures all ranks within a place. */
static void measure_all(struct times *times, const struct ra_rank_delays *delays,
                        const struct ra_files *files, struct rlog_string place)
{
	static const struct ra_steps_options all = { 0 };

	for (size_t r = 0; r < delays->count; r++) {
		struct rank rank = { .model = ra_files_model(files, r),
			             .held = &delays->stretches[r].held,
			             .place = place };

		ra_steps_init(&rank.steps, rank.model, &all);
		times[r] = measure(&rank);
		ra_steps_fini(&rank.steps);
	}
}

/* Returns the middle one of all ranks' values; of an even number the lower one of the two in the
 * middle. */
static int64_t find_middle(const struct times *times, size_t count, bool of_rest)
{
	int64_t *values = ra_alloc_zeros(count + 1, sizeof(*values));
	int64_t middle;

	for (size_t r = 0; r < count; r++) {
		values[r] = of_rest ? times[r].rest_ns : times[r].helper_ns;
	}
	RA_SORT(values, count, ra_order_int64);
	middle = values[(count - 1) / 2];
	free(values);
	return middle;
}

static void set_helper(struct ra_rank_place *place, const struct times *times, int64_t usual_ns,
                       int64_t rest_usual_ns)
{
	const int64_t more_ns = times->helper_ns - usual_ns;
	const bool is_most = usual_ns > 0 && more_ns >= place->time_ns - place->usual_ns - more_ns;
	const bool is_as_fast =
		rest_usual_ns > 0 && times->rest_ns - rest_usual_ns < rest_usual_ns / AS_FAST;

	place->has_helper = is_most && is_as_fast;
	place->helper_tid = times->helper_tid;
	place->helper_ns = times->helper_ns;
	place->helper_usual_ns = usual_ns;
	place->own_tid = times->rest_tid;
}

void ra_rank_threads_find(struct ra_rank_place *places, const struct ra_rank_delays *delays,
                          const struct ra_files *files)
{
	struct times *times = ra_alloc_zeros(delays->count + 1, sizeof(*times));
	bool *is_done = ra_alloc_zeros(delays->count + 1, sizeof(*is_done));

	for (size_t r = 0; r < delays->count; r++) {
		const struct rlog_string name = places[r].name;

		if (is_done[r] || name.length == 0 || places[r].is_kernel) {
			continue;
		}
		measure_all(times, delays, files, name);
		for (size_t i = r; i < delays->count; i++) {
			if (!places[i].is_kernel &&
			    ra_util_string_compare(places[i].name, name) == 0) {
				set_helper(&places[i], &times[i],
				           find_middle(times, delays->count, false),
				           find_middle(times, delays->count, true));
				is_done[i] = true;
			}
		}
	}
	free(is_done);
	free(times);
}
