/* SPDX-License-Identifier: MIT */
/* Start/end ranges, which any thread may end, as they are seen from outside. */
#ifndef RCAP_RANGES_SIGHT_STARTED_H
#define RCAP_RANGES_SIGHT_STARTED_H

#include <stdbool.h>
#include <stdint.h>

#include "libranges/launcher/top/ranges-peek.h"
#include "libranges/spool/live.h"

#define RCAP_RANGES_STARTED_OPEN 1024u /* ranges that are followed at a time */
#define RCAP_RANGES_STARTED_ENDS 16384u

/* A range that is open. */
struct rcap_ranges_started_range {
	struct rcap_open_range range;
	bool is_drained; /* the drain knows it, too */
};

/* An end that was read. Its start may come yet: of another thread. */
struct rcap_ranges_started_end {
	uint64_t id;
	uint64_t ticks;
	bool is_waiting; /* its start was not read, or found no room */
};

/*
 * What is open is what was read to start, and what the drain knows from before that. The drain's
 * word is behind by what waits in the spool, and by that it is known which of its ranges have
 * ended.
 */
struct rcap_ranges_started {
	struct rcap_live_started drained; /* as the drain had it, when the reading began */
	struct rcap_live_started copy;    /* the same, while it is taken */
	struct rcap_ranges_started_range open[RCAP_RANGES_STARTED_OPEN];
	struct rcap_ranges_started_end ends[RCAP_RANGES_STARTED_ENDS]; /* by id; later ones win */
	uint32_t count;
	uint32_t more;        /* open besides those */
	uint64_t unmatched;   /* ends that wait for a start, or waited in vain: calls that are not
	                         counted */
	bool has_adopted;     /* some of them are known by the drain's word alone */
	uint32_t readings;    /* since nothing was known; 2: or more */
	uint64_t fresh_ticks; /* what began later was read */
};

/* A reading begins, before the streams are read. @old_ticks: what began before that and is open by
 * the drain's word is open, whether or not its start was read. */
void rcap_ranges_started_begin(struct rcap_ranges_started *started,
                               const struct rcap_ranges_peek *peek, uint64_t now_ticks,
                               uint64_t old_ticks);

/* All streams were read, and nothing was missed: the end of what the drain does not have any more
 * would have been read. */
void rcap_ranges_started_finish(struct rcap_ranges_started *started);

/* What is open is the drain's word again. */
void rcap_ranges_started_forget(struct rcap_ranges_started *started);

/* A range begins. Return: true if its end was read before; @end_ticks gets when. */
bool rcap_ranges_started_start(struct rcap_ranges_started *started,
                               const struct rcap_open_range *range, uint64_t *end_ticks);

/* One ends. @range: gets it. Return: false if its start is not known. */
bool rcap_ranges_started_end(struct rcap_ranges_started *started, uint64_t id, uint64_t ticks,
                             struct rcap_open_range *range);

#endif
