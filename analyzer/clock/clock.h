/* SPDX-License-Identifier: MIT */
/* The clock: raw ticks of a producer become ns of CLOCK_MONOTONIC, exactly (doc/format.md, section
 * 7). */
#ifndef RA_CLOCK_H
#define RA_CLOCK_H

#include <stdint.h>

#include "format/tables.h"

/*
 * From ticks on, mono_ns + floor(d * numerator / denominator) with d = ticks since. The quotient is
 * computed as d * whole + d * rest / denominator, the latter by a 2^-64 reciprocal and one
 * correction, so it is exact.
 */
struct ra_clock_segment {
	uint64_t ticks;
	uint64_t reach; /* d below this needs no care about other segments or overflow */
	int64_t mono_ns;
	uint64_t whole; /* numerator / denominator */
	uint64_t rest;  /* numerator % denominator */
	uint64_t denominator;
	uint64_t reciprocal; /* floor(rest * 2^64 / denominator) */
};

struct ra_clock {
	struct ra_clock_segment *segments; /* owned; at least one, in order of ticks */
	size_t count;
};

/* What the conversion needs to know about a capture. */
struct ra_clock_source {
	const struct rlog_clock_point *points; /* in order of ticks */
	size_t count;
	uint64_t ticks_per_s;  /* 0: unknown, 1e9 is assumed */
	int ticks_are_ns;      /* the clock is CLOCK_MONOTONIC itself */
	uint64_t origin_ticks; /* used only without points: these ticks … */
	uint64_t origin_ns;    /* … are this time */
};

/*
 * Makes the segments. Points that would make time stand still or go backwards, and points less than
 * 1 ms behind the one before, are passed over.
 */
void ra_clock_init(struct ra_clock *clock, const struct ra_clock_source *source);
void ra_clock_fini(struct ra_clock *clock);

/* Any ticks; results saturate at ± 2^60. */
int64_t ra_clock_convert_slowly(const struct ra_clock *clock, uint64_t ticks, size_t *segment);

/* Ticks that are d < s->reach behind a segment's. */
static inline int64_t ra_clock_convert_near(const struct ra_clock_segment *s, uint64_t d)
{
	uint64_t quotient = (uint64_t) (((unsigned __int128) d * s->reciprocal) >> 64);
	/* modulo 2^64: below 2 * denominator */
	const uint64_t remainder = d * s->rest - quotient * s->denominator;

	quotient += remainder >= s->denominator;
	return s->mono_ns + (int64_t) (d * s->whole + quotient);
}

/*
 * Converts ticks.
 *
 * @segment: a cursor of the caller, 0 at first; makes neighbouring times cheap.
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
