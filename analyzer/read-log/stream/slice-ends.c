/* SPDX-License-Identifier: MIT */
/* Predicts how open slices will end, for a walk that shows slices during its first pass. */
#include "analyzer/read-log/stream/slice-ends.h"

#include "analyzer/base/util.h"
#include "analyzer/read-log/stream/slice-window-impl.h"

/* Checks that slices which were shown while open have ended as shown. If not, the window is
 * lost. */
static void check_closed(struct ra_slice_window *window)
{
	const struct ra_slices *s = &window->model->slices;

	for (size_t i = 0; i < window->kept; i++) {
		const struct ra_slice_late_row *row = &window->late->rows[window->late_of[i]];

		if (s->dur_ns[i] != RA_SLICE_SINK_OPEN &&
		    (s->dur_ns[i] != row->dur_ns || s->flags[i] != row->flags)) {
			window->is_lost = true;
		}
	}
}

static uint32_t find_slice(const struct ra_slice_window *window, size_t position)
{
	const struct ra_stack *stack = window->stack;

	return stack->nodes[stack->order[position]].slice;
}

void ra_slice_ends_foresee(struct ra_slice_window *window, size_t open)
{
	const struct ra_slices *s = &window->model->slices;
	size_t known = 0;

	check_closed(window);
	if (window->stack->depth != open) { /* some slices cross others */
		window->is_lost = true;
		return;
	}
	while (known < open && find_slice(window, known) < window->kept) {
		known++;
	}
	if (known == open || window->is_lost) {
		return;
	}
	ra_util_grow(&window->foreseen, &window->foreseen_capacity, open,
	             sizeof(*window->foreseen));
	if (!window->ends->find(window->ends->context, open, known, window->foreseen)) {
		window->is_lost = true;
		return;
	}
	for (size_t i = known; i < open; i++) {
		const struct ra_slice_end *end = &window->foreseen[i];
		const uint32_t slice = find_slice(window, i);
		const size_t row = ra_slice_late_add(window->late);

		window->late->rows[row] = (struct ra_slice_late_row){
			.dur_ns = end->end_ns > s->start_ns[slice]
			                  ? end->end_ns - s->start_ns[slice]
			                  : 0,
			.flags = s->flags[slice] | end->flags,
		};
	}
}
