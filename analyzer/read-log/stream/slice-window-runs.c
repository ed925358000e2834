/* SPDX-License-Identifier: MIT */
/* Gives runs to a sink: consecutive rows of which no slices are made. */
#include "analyzer/read-log/stream/slice-window-impl.h"

#include "analyzer/base/util.h"

bool ra_slice_window_takes_runs(const struct ra_slice_window *window)
{
	return window->sink != NULL && window->sink->take_run != NULL && window->late == NULL;
}

bool ra_slice_window_begin_run(struct ra_slice_window *window, int64_t now_ns)
{
	const struct ra_slices *s = &window->model->slices;

	if (window->is_lost) {
		return false;
	}
	if (s->count != window->stack->depth || s->count != window->kept) {
		ra_slice_window_drop_details(window);
		if (window->is_lost) {
			return false;
		}
		ra_slice_window_pass(window, now_ns);
	}
	return s->count == window->stack->depth; /* if no slice crosses others */
}

/* The time for which some range that was open before the run stayed open in the run, which is that
 * of the outermost one. */
static int64_t cover_before(const struct ra_slice_window *window, const struct ra_slice_run *run)
{
	int64_t end_ns = window->until_ns;

	if (run->open_before > 0) {
		end_ns = run->open_count > 0 && run->open[0] == 0 ? run->times[run->rows - 1]
		                                                  : run->times[run->ranges[0].pop];
	}
	return end_ns > window->until_ns ? end_ns - window->until_ns : 0;
}

void ra_slice_window_take_run(struct ra_slice_window *window, const struct ra_slice_run *run)
{
	struct ra_totals_track *totals = &window->model->totals->tracks[window->track];
	const int64_t now_ns = run->times[run->rows - 1];
	int64_t covered_ns = window->sink->take_run(window->sink->context, run);

	covered_ns += cover_before(window, run);
	if (run->open_count > 0 && run->open[0] >= run->open_before) {
		covered_ns += now_ns - run->times[run->ranges[run->open[0]].push];
	}
	totals->ranges += run->count - run->open_count;
	totals->covered_ns = ra_util_add_wrapped(totals->covered_ns, covered_ns);
	window->until_ns = now_ns;
	window->kept = run->open_count;
}
