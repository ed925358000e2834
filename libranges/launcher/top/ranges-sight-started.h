/* SPDX-License-Identifier: MIT */
/* Start/end ranges, which any thread may end, seen from outside. */
#ifndef RCAP_RANGES_SIGHT_STARTED_H
#define RCAP_RANGES_SIGHT_STARTED_H

#include <stdbool.h>
#include <stdint.h>

#include "libranges/launcher/top/ranges-peek.h"
#include "libranges/spool/live.h"

#define RCAP_RANGES_STARTED_OPEN 1024u /* most ranges followed at a time */
#define RCAP_RANGES_STARTED_ENDS 16384u

/* An open range. */
struct rcap_ranges_started_range {
	struct rcap_open_range range;
	bool is_drained; /* the drain has it, too */
};

/* An end that was read. Its start may still come, from another thread. */
struct rcap_ranges_started_end {
	uint64_t id;
	uint64_t ticks;
	bool is_waiting; /* its start was not read, or did not fit */
};

/*
 * The open start/end ranges: those whose start was read, and those that were already open at the
 * drain's position. The drain has not yet seen the events that wait in the spool. These events show
 * which of the drain's ranges have ended.
 */
struct rcap_ranges_started {
	struct rcap_live_started drained; /* the drain's, when the reading began */
	struct rcap_live_started copy;    /* the same, while it is being copied */
	struct rcap_ranges_started_range open[RCAP_RANGES_STARTED_OPEN];
	/* by id; newer ones replace older ones */
	struct rcap_ranges_started_end ends[RCAP_RANGES_STARTED_ENDS];
	uint32_t count;
	uint32_t more; /* open ranges that did not fit in `open` */
	/* ends that wait for a start, or waited in vain; their calls are not counted */
	uint64_t unmatched;
	bool has_adopted;     /* some open ranges are known only from the drain */
	uint32_t readings;    /* readings since the last forget; 2 means two or more */
	uint64_t fresh_ticks; /* starts of ranges after this time were read */
};

/* Begins a reading, before the streams are read. @old_ticks: a range that began before this time is
 * open if the drain has it open, even if its start was not read. */
void rcap_ranges_started_begin(struct rcap_ranges_started *started,
                               const struct rcap_ranges_peek *peek, uint64_t now_ticks,
                               uint64_t old_ticks);

/* Ends a reading in which all streams were read and nothing was missed. Then the ends of all ranges
 * that the drain no longer has open were read, too. */
void rcap_ranges_started_finish(struct rcap_ranges_started *started);

/* Forgets the open ranges and starts again with the drain's. */
void rcap_ranges_started_forget(struct rcap_ranges_started *started);

/* Handles the start of a range. Return: true if its end was read before; @end_ticks gets the time
 * of the end. */
bool rcap_ranges_started_start(struct rcap_ranges_started *started,
                               const struct rcap_open_range *range, uint64_t *end_ticks);

/* Handles the end of a range. @range: gets the range. Return: false if its start is unknown. */
bool rcap_ranges_started_end(struct rcap_ranges_started *started, uint64_t id, uint64_t ticks,
                             struct rcap_open_range *range);

#endif
