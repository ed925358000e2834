/* SPDX-License-Identifier: MIT */
/* Start/end ranges, which any thread may end, seen from outside. */
#include "libranges/launcher/top/ranges-sight-started.h"

#include <string.h>

static struct rcap_ranges_started_end *place_of(struct rcap_ranges_started *started, uint64_t id)
{
	return &started->ends[(id * UINT64_C(0x9E3779B97F4A7C15) >> 32) % RCAP_RANGES_STARTED_ENDS];
}

/* Finds an open range. Searches the newest ones first, because mostly these end first. Return: its
 * index in `open`, or `count`. */
static uint32_t find_open(const struct rcap_ranges_started *started, uint64_t id)
{
	for (uint32_t i = started->count; i-- > 0;) {
		if (started->open[i].range.id == id) {
			return i;
		}
	}
	return started->count;
}

static void remove_open(struct rcap_ranges_started *started, uint32_t i)
{
	memmove(&started->open[i], &started->open[i + 1],
	        (started->count - i - 1) * sizeof(started->open[0]));
	started->count--;
}

static void add_open(struct rcap_ranges_started *started, const struct rcap_open_range *range,
                     bool is_drained)
{
	if (started->count < RCAP_RANGES_STARTED_OPEN) {
		started->open[started->count++] =
			(struct rcap_ranges_started_range){ *range, is_drained };
		started->has_adopted |= is_drained;
	}
}

void rcap_ranges_started_begin(struct rcap_ranges_started *started,
                               const struct rcap_ranges_peek *peek, uint64_t now_ticks,
                               uint64_t old_ticks)
{
	struct rcap_live_started *const drained = &started->drained;
	/* In the first readings the drain may pass rows that we have not counted yet. */
	const bool is_fresh = started->readings < 2;

	/* If the drain's ranges change during all tries, the last copy is used. */
	if (rcap_ranges_peek_started(peek, &started->copy)) {
		*drained = started->copy;
	}
	if (is_fresh) {
		started->fresh_ticks = now_ticks;
		started->readings++;
	}
	started->more = drained->more;
	for (uint32_t i = 0; i < drained->count; i++) {
		const struct rcap_open_range *range = &drained->ranges[i];
		const uint32_t at = find_open(started, range->id);

		if (at < started->count) {
			started->open[at].is_drained = true;
		} else if (place_of(started, range->id)->id != range->id &&
		           (is_fresh || range->ticks < started->fresh_ticks ||
		            range->ticks < old_ticks)) {
			add_open(started, range, true);
		}
	}
}

static bool has_drained(const struct rcap_live_started *drained, uint64_t id)
{
	for (uint32_t i = drained->count; i-- > 0;) {
		if (drained->ranges[i].id == id) {
			return true;
		}
	}
	return false;
}

void rcap_ranges_started_finish(struct rcap_ranges_started *started)
{
	for (uint32_t i = started->count; i-- > 0;) {
		if (started->open[i].is_drained &&
		    !has_drained(&started->drained, started->open[i].range.id)) {
			remove_open(started, i);
		}
	}
	started->has_adopted &= started->count > 0;
}

void rcap_ranges_started_forget(struct rcap_ranges_started *started)
{
	started->count = 0;
	started->has_adopted = false;
	started->readings = 0;
	for (uint32_t i = 0; i < started->drained.count; i++) {
		const struct rcap_open_range *range = &started->drained.ranges[i];

		if (place_of(started, range->id)->id != range->id) {
			add_open(started, range, true);
		}
	}
}

bool rcap_ranges_started_start(struct rcap_ranges_started *started,
                               const struct rcap_open_range *range, uint64_t *end_ticks)
{
	struct rcap_ranges_started_end *const end = place_of(started, range->id);
	uint32_t at;

	if (end->id == range->id) {
		started->unmatched -= end->is_waiting;
		end->is_waiting = false;
		*end_ticks = end->ticks;
		return true;
	}
	at = started->has_adopted ? find_open(started, range->id) : started->count;
	if (at == started->count) {
		add_open(started, range, false);
	}
	return false;
}

bool rcap_ranges_started_end(struct rcap_ranges_started *started, uint64_t id, uint64_t ticks,
                             struct rcap_open_range *range)
{
	const uint32_t at = find_open(started, id);

	*place_of(started, id) =
		(struct rcap_ranges_started_end){ id, ticks, at == started->count };
	if (at == started->count) {
		started->unmatched++;
		return false;
	}
	*range = started->open[at].range;
	remove_open(started, at);
	return true;
}
