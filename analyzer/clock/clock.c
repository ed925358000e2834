/* SPDX-License-Identifier: MIT */
/* Converts raw ticks to ns of CLOCK_MONOTONIC, linearly between the clock points. */
#include "analyzer/clock/clock.h"

#include <stdbool.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"

#define NS_PER_S        UINT64_C(1000000000)
#define MIN_DISTANCE_NS UINT64_C(1000000)
/* 36 years: times are limited to this, so that sums do not overflow */
#define MAX_NS    (INT64_C(1) << 60)
#define MAX_REACH (UINT64_C(1) << 63)

/* See struct ra_clock_segment. The sums do not overflow, as rest < denominator. */
static void set_fraction(struct ra_clock_segment *s)
{
	const unsigned __int128 two_64 = (unsigned __int128) UINT64_MAX + 1;
	const unsigned __int128 high = s->rest * two_64;
	const unsigned __int128 low = high % s->denominator * two_64;
	const unsigned __int128 fraction =
		high / s->denominator * two_64 + low / s->denominator + 1;

	s->fraction_high = (uint64_t) (fraction / two_64);
	s->fraction_low = (uint64_t) fraction;
	s->fraction = (uint64_t) (high / s->denominator) + 1;
}

static uint64_t find_divisor(uint64_t a, uint64_t b)
{
	while (b != 0) {
		const uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Makes the segment that begins at `point`: numerator / denominator ns per tick, for at most
 * `reach` ticks. */
static struct ra_clock_segment make_segment(uint64_t ticks, uint64_t mono_ns, uint64_t numerator,
                                            uint64_t denominator)
{
	const uint64_t divisor = find_divisor(numerator, denominator);
	struct ra_clock_segment s = {
		.ticks = ticks,
		.mono_ns = (int64_t) mono_ns,
		.whole = numerator / denominator,
		.rest = numerator % denominator / divisor,
		.denominator = denominator / divisor,
	};
	const unsigned __int128 room = (unsigned __int128) ((uint64_t) MAX_NS - mono_ns);
	const unsigned __int128 reach = room * denominator / numerator;

	set_fraction(&s);
	s.reach = reach < MAX_REACH ? (uint64_t) reach : MAX_REACH;
	return s;
}

/* True if a segment may go from point a to point b. */
static bool is_usable_step(const struct rlog_clock_point *a, const struct rlog_clock_point *b)
{
	return b->mono_ns < (uint64_t) MAX_NS && b->ticks > a->ticks &&
	       b->ticks - a->ticks < MAX_REACH && b->mono_ns > a->mono_ns &&
	       b->mono_ns - a->mono_ns >= MIN_DISTANCE_NS;
}

/* Makes the segments between usable points. Return: their number; 0 if there are fewer than two
 * points. */
static size_t connect_points(struct ra_clock_segment *segments,
                             const struct ra_clock_source *source)
{
	const struct rlog_clock_point *previous = NULL;
	size_t count = 0;

	for (size_t i = 0; i < source->count; i++) {
		const struct rlog_clock_point *p = &source->points[i];

		if (previous == NULL) {
			previous = p->mono_ns < (uint64_t) MAX_NS ? p : NULL;
			continue;
		}
		if (!is_usable_step(previous, p)) {
			continue;
		}
		segments[count] =
			make_segment(previous->ticks, previous->mono_ns,
		                     p->mono_ns - previous->mono_ns, p->ticks - previous->ticks);
		if (count > 0) {
			segments[count - 1].reach = previous->ticks - segments[count - 1].ticks;
		}
		count++;
		previous = p;
	}
	return count;
}

/* Makes the only segment of a capture that has fewer than two usable points. */
static struct ra_clock_segment make_single(const struct ra_clock_source *source)
{
	uint64_t rate = source->ticks_per_s;
	uint64_t ticks = source->origin_ticks;
	uint64_t ns = source->origin_ns;

	if (source->ticks_are_ns) {
		return make_segment(0, 0, 1, 1);
	}
	if (rate == 0 || rate >= MAX_REACH) {
		rate = NS_PER_S;
	}
	if (source->count > 0) {
		ticks = source->points[0].ticks;
		ns = source->points[0].mono_ns;
	}
	if (ns >= (uint64_t) MAX_NS) {
		ns = 0;
	}
	return make_segment(ticks, ns, NS_PER_S, rate);
}

void ra_clock_init(struct ra_clock *clock, const struct ra_clock_source *source)
{
	clock->count = 0;
	clock->segments = ra_alloc_zeros(source->count + 1, sizeof(*clock->segments));
	if (!source->ticks_are_ns) {
		clock->count = connect_points(clock->segments, source);
	}
	if (clock->count == 0) {
		clock->segments[0] = make_single(source);
		clock->count = 1;
	}
}

void ra_clock_fini(struct ra_clock *clock)
{
	free(clock->segments);
	clock->segments = NULL;
	clock->count = 0;
}

/* Finds the last segment that begins at or before these ticks; for earlier ticks, the first one. */
static size_t find_segment(const struct ra_clock *clock, uint64_t ticks)
{
	size_t low = 0;
	size_t high = clock->count;

	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;

		if (clock->segments[middle].ticks <= ticks) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return low;
}

int64_t ra_clock_convert_slowly(const struct ra_clock *clock, uint64_t ticks, size_t *segment)
{
	const struct ra_clock_segment *s;
	__int128 product;
	__int128 ns;

	*segment = find_segment(clock, ticks);
	s = &clock->segments[*segment];
	/* |d| < 2^64 and the numerator is at most 2^60: no overflow. */
	product = ((__int128) ticks - s->ticks) * ((__int128) s->whole * s->denominator + s->rest);
	ns = product / s->denominator;
	if (product < 0 && ns * s->denominator != product) {
		ns--; /* round down, as for positive distances */
	}
	ns += s->mono_ns;
	if (ns > MAX_NS) {
		return MAX_NS;
	}
	return ns < -MAX_NS ? -MAX_NS : (int64_t) ns;
}
