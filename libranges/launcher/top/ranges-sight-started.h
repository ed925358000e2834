/* SPDX-License-Identifier: MIT */
/* Start/end ranges, which any thread may end, seen from outside. */
#ifndef RCAP_RANGES_SIGHT_STARTED_H
#define RCAP_RANGES_SIGHT_STARTED_H

#include <stdbool.h>
#include <stdint.h>

#include "libranges/launcher/top/ranges-peek.h"
#include "libranges/spool/live.h"

#define RCAP_RANGES_STARTED_OPEN 1024u /* most open ranges that are followed at a time */
#define RCAP_RANGES_STARTED_ENDS 16384u

/* An open range. */
struct rcap_ranges_started_range {
	struct rcap_open_range range;
	bool is_drained; /* the drain also has it as open */
};

/* An end that was read. Its start may still come, from another thread. */
struct rcap_ranges_started_end {
	uint64_t id;
	uint64_t ticks;
	bool is_waiting; /* the start was not read, or did not fit */
};

/*
 * The open start/end ranges: those whose start was read, and those that are open at the drain's
 * position. The drain has not handled the events that wait in the spool. These events show which of
 * the drain's ranges have ended.
 */
struct rcap_ranges_started {
	struct rcap_live_started drained; /* the drain's open ranges when the reading began */
	struct rcap_live_started copy;    /* memory for the next copy of them */
	struct rcap_ranges_started_range open[RCAP_RANGES_STARTED_OPEN];
	/* by id; a newer end replaces an older one in its place */
	struct rcap_ranges_started_end ends[RCAP_RANGES_STARTED_ENDS];
	uint32_t count;
	uint32_t more; /* number of open ranges that did not fit in `open` */
	/* number of ends whose start was not read; their calls are not counted */
	uint64_t unmatched;
	bool has_adopted;     /* some open ranges are known only from the drain */
	uint32_t readings;    /* number of readings since the last forget; 2 means two or more */
	uint64_t fresh_ticks; /* ticks; the starts of all ranges after this time were read */
};

/* Begins a reading, before the streams are read. @old_ticks: if the drain has a range that began
 * before this time as open, it is taken as open, even if its start was not read. */
void rcap_ranges_started_begin(struct rcap_ranges_started *started,
                               const struct rcap_ranges_peek *peek, uint64_t now_ticks,
                               uint64_t old_ticks);

/* Ends a reading of all streams in which nothing was missed. So the ends of all ranges that the
 * drain no longer has as open were read, too. */
void rcap_ranges_started_finish(struct rcap_ranges_started *started);

/* Forgets the open ranges. Begins again with the ranges that the drain has as open. */
void rcap_ranges_started_forget(struct rcap_ranges_started *started);

/* Handles the start of a range. Return: true if the range's end was read before. @end_ticks: gets
 * the time of that end. */
bool rcap_ranges_started_start(struct rcap_ranges_started *started,
                               const struct rcap_open_range *range, uint64_t *end_ticks);

/* Handles the end of a range. @range: gets the range. Return: false if its start is unknown. */
bool rcap_ranges_started_end(struct rcap_ranges_started *started, uint64_t id, uint64_t ticks,
                             struct rcap_open_range *range);

#endif
