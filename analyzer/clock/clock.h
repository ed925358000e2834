/* SPDX-License-Identifier: MIT */
/* Converts a producer's raw ticks to ns of CLOCK_MONOTONIC, exactly (doc/format.md, section 7). */
#ifndef RA_CLOCK_H
#define RA_CLOCK_H

#include <stdint.h>

#include "format/tables.h"

/*
 * The time is mono_ns + floor(d * numerator / denominator), where d is the ticks since the
 * segment's begin. The product is computed as d * whole + d * rest / denominator. The division is
 * done as a multiplication by a fraction that exceeds rest / denominator by 2^-128 at most. So the
 * product is too high by less than d * 2^-128. That excess changes the result only if it is 1 /
 * denominator or more. Both d and the denominator are below 2^63, so the result is exact.
 */
struct ra_clock_segment {
	uint64_t ticks;
	uint64_t reach; /* if d is below this, nothing overflows and the next segment is not
	                   reached */
	int64_t mono_ns;
	uint64_t whole; /* numerator / denominator */
	uint64_t rest;  /* numerator % denominator */
	uint64_t denominator;
	uint64_t fraction_high; /* floor(rest * 2^128 / denominator) + 1: its high … */
	uint64_t fraction_low;  /* … and low 64 bits */
	uint64_t fraction;      /* floor(rest * 2^64 / denominator) + 1 */
};

struct ra_clock {
	struct ra_clock_segment *segments; /* owned; at least one, in order of ticks */
	size_t count;
};

/* The facts of a capture that the conversion needs. */
struct ra_clock_source {
	const struct rlog_clock_point *points; /* ordered by ticks */
	size_t count;
	uint64_t ticks_per_s;  /* 0: unknown, then 1e9 is assumed */
	int ticks_are_ns;      /* not 0: the clock is CLOCK_MONOTONIC itself */
	uint64_t origin_ticks; /* used only if there are no points: these ticks … */
	uint64_t origin_ns;    /* … are this time */
};

/*
 * Makes the segments. Skips points at which time would stand still or go backwards, and points less
 * than 1 ms after the point before.
 */
void ra_clock_init(struct ra_clock *clock, const struct ra_clock_source *source);
void ra_clock_fini(struct ra_clock *clock);

/* Converts any ticks to ns. The result is limited to ± 2^60 ns. @segment: as for
 * ra_clock_convert(). */
int64_t ra_clock_convert_slowly(const struct ra_clock *clock, uint64_t ticks, size_t *segment);

/* Converts ticks to ns. @d: the ticks since the segment's begin, less than s->reach. */
static inline int64_t ra_clock_convert_near(const struct ra_clock_segment *s, uint64_t d)
{
	const uint64_t carry = (uint64_t) (((unsigned __int128) d * s->fraction_low) >> 64);
	const uint64_t quotient =
		(uint64_t) (((unsigned __int128) d * s->fraction_high + carry) >> 64);

	return s->mono_ns + (int64_t) (d * s->whole + quotient);
}

/*
 * Converts ticks to ns.
 *
 * @segment: a cursor of the caller, 0 at first. It makes converting times near the previous one
 * cheap.
 */
static inline int64_t ra_clock_convert(const struct ra_clock *clock, uint64_t ticks,
                                       size_t *segment)
{
	const struct ra_clock_segment *s = &clock->segments[*segment];
	const uint64_t d = ticks - s->ticks;

	if (__builtin_expect(d >= s->reach, 0)) {
		return ra_clock_convert_slowly(clock, ticks, segment);
	}
	return ra_clock_convert_near(s, d);
}

#endif
