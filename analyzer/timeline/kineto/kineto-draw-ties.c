/* SPDX-License-Identifier: MIT */
/* Binds arrows of a trace in JSON to slices, where several slices begin at the same time. */
#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"
#include "analyzer/timeline/kineto/kineto-draw.h"

/* At most this many events of the same time are looked at, so that a hostile trace does not take
 * quadratic time. All further ones are ignored; no real program has so many. */
#define MAX_LOOKED_AT 64

bool ra_kineto_draw_ties_is_late(const struct ra_kineto *k, uint32_t event)
{
	return ra_kineto_get_phase(k, event) != 'X' || ra_kineto_dur(k, event) <= 0;
}

/* Returns the slice to which an arrow's end belongs: the one with the end's correlation. If there
 * is none, the slice written just before the end; if that does not exist, the last one to begin. */
static uint32_t find_owner(const struct ra_kineto_draw *draw, const uint32_t *slices, size_t count,
                           uint32_t half)
{
	const struct ra_kineto *k = draw->kineto;
	uint32_t owner = slices[count - 1];

	for (size_t i = 0; i < count && i < MAX_LOOKED_AT; i++) {
		const uint32_t event = slices[count - 1 - i];

		if (k->corr[event] != RA_KINETO_NONE && k->corr[event] == k->corr[half]) {
			return event;
		}
		owner = event + 1 == half ? event : owner;
	}
	return owner;
}

void ra_kineto_draw_ties_own(struct ra_kineto_draw *draw, const struct ra_kineto_draw_tie *tie)
{
	for (size_t i = 0; i < tie->half_count; i++) {
		const uint32_t half = tie->halves[i];

		draw->owner[half] = tie->slice_count == 0
		                            ? RA_KINETO_NONE
		                            : find_owner(draw, tie->slices, tie->slice_count, half);
		if (draw->owner[half] != RA_KINETO_NONE && !ra_kineto_draw_lacks_end(draw, half)) {
			draw->owner[draw->owner[half]] = half;
		}
	}
}

/* Finds where to write an arrow's end so that Perfetto binds it to the right slice. RA_KINETO_NONE:
 * at its place in the file. @late: the events that begin at that time on the row, in the file's
 * order. */
static uint32_t find_place(const struct ra_kineto_draw *draw, const uint32_t *late, size_t count,
                           uint32_t half)
{
	const uint32_t owner = draw->owner[half];
	const bool is_late = ra_kineto_draw_ties_is_late(draw->kineto, owner);
	uint32_t first = RA_KINETO_NONE;
	uint32_t last = RA_KINETO_NONE;

	for (size_t i = 0; i < count && i < MAX_LOOKED_AT; i++) {
		if (draw->row_of[late[i]] != draw->row_of[owner]) {
			continue;
		}
		first = late[i] < first ? late[i] : first;
		if (late[i] < half && (last == RA_KINETO_NONE || late[i] > last)) {
			last = late[i];
		}
	}
	if (is_late) {
		return last == owner ? RA_KINETO_NONE : owner + 1;
	}
	return last == RA_KINETO_NONE ? RA_KINETO_NONE : first;
}

void ra_kineto_draw_ties_move(struct ra_kineto_draw *draw, const struct ra_kineto_draw_tie *tie)
{
	for (size_t i = 0; i < tie->half_count; i++) {
		const uint32_t half = tie->halves[i];
		uint32_t place;

		if (draw->owner[half] == RA_KINETO_NONE || ra_kineto_draw_lacks_end(draw, half)) {
			continue;
		}
		place = find_place(draw, tie->late, tie->late_count, half);
		if (place != RA_KINETO_NONE) {
			draw->row_of[half] |= RA_KINETO_DRAW_MOVED;
			RA_UTIL_APPEND(draw->moves, draw->move_count, draw->move_capacity,
			               (struct ra_kineto_draw_move){ place, half });
		}
	}
}

static int compare_moves(const void *left, const void *right)
{
	const struct ra_kineto_draw_move *a = left;
	const struct ra_kineto_draw_move *b = right;

	return RA_ORDER_THEN(RA_ORDER_UP(a, b, before), RA_ORDER_UP(a, b, half));
}

void ra_kineto_draw_ties_sort(struct ra_kineto_draw *draw)
{
	RA_SORT(draw->moves, draw->move_count, compare_moves);
}
