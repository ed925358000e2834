/* SPDX-License-Identifier: MIT */
/* The ranges that are open at the drain's position, kept in the spool for processes that look from
 * outside. */
#ifndef RCAP_LIVE_H
#define RCAP_LIVE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "libranges/spool/spool.h"

/* If more ranges are open, only so many of them are kept: the innermost. */
#define RCAP_LIVE_DEPTH 61u

struct rcap_live_range {
	uint64_t ticks; /* time at which the range was opened */
	uint32_t name;
	uint32_t domain;
};

/*
 * The ranges that are open at a place in a thread's queue. The drain writes this struct. A reader
 * copies it, and copies it again if `sequence` was odd, or has changed during the copy. So `ranges`
 * can show the open ranges of a job that has written nothing for hours, without its log.
 */
struct rcap_live_stack {
	_Atomic uint32_t sequence; /* odd while the struct is being changed; stored with release
	                            * after the other members */
	uint32_t stream;           /* id of the stream; 0: not used */
	uint32_t block;            /* block of the place, and its slot */
	uint32_t slot;
	uint64_t events; /* number of the stream's events before the place */
	/* Number of open ranges. Range i, counted from the outermost, has the index i %
	 * RCAP_LIVE_DEPTH. */
	uint32_t depth;
	uint32_t lowest; /* number of the outermost range that is kept; there was no room for those
	                  * outside it */
	uint32_t is_cut; /* 1 if ranges were lost or dropped that may be open */
	uint32_t pad[3];
	struct rcap_live_range ranges[RCAP_LIVE_DEPTH];
};

/* Number of stacks in a block. */
#define RCAP_LIVE_BLOCK (RCAP_BLOCK_BYTES / (uint32_t) sizeof(struct rcap_live_stack))

_Static_assert(sizeof(struct rcap_live_stack) == 1024 &&
                       RCAP_LIVE_BLOCK * RCAP_LIVE_BLOCKS ==
                               RCAP_STREAM_BLOCKS * RCAP_STREAMS_BLOCK,
               "one for each stream");

/* An open range, with its id. */
struct rcap_open_range {
	uint64_t ticks; /* time at which the range was opened */
	uint64_t id;    /* 0 for a push/pop range */
	uint32_t name;
	uint32_t domain;
};

/* At most this many open start/end ranges are kept, and this many ends that came before their
 * starts. */
#define RCAP_LIVE_STARTED 512u
#define RCAP_LIVE_EARLY   64u

/*
 * The open start/end ranges of a process. A thread may end a range of another thread. If the drain
 * takes the events of the ending thread first, the end comes before the start. The struct is
 * written and read like a stack of open ranges.
 */
struct rcap_live_started {
	_Atomic uint32_t sequence;
	uint32_t count;
	uint32_t more;        /* number of open ranges for which there is no room in `ranges` */
	uint32_t early_count; /* number of ends whose start has not come yet */
	uint32_t early_next;
	uint32_t pad;
	uint64_t early[RCAP_LIVE_EARLY];                  /* ids of these ends; 0: empty */
	struct rcap_open_range ranges[RCAP_LIVE_STARTED]; /* in the order of their starts */
};

_Static_assert(sizeof(struct rcap_live_started) <= RCAP_BLOCK_BYTES, "it has a block");

/* Handles a start/end range that starts. */
void rcap_live_start(struct rcap_live_started *started, const struct rcap_open_range *range);

/* Handles the end of a range. @range: gets the range. Return: false if the range is not known. */
bool rcap_live_end(struct rcap_live_started *started, uint64_t id, struct rcap_open_range *range);

/* Forgets all started ranges. */
void rcap_live_forget_started(struct rcap_live_started *started);

/* True if the stack has range number i. */
static inline bool rcap_live_has(const struct rcap_live_stack *stack, uint32_t i)
{
	return i < stack->depth && i >= stack->lowest;
}

static inline struct rcap_live_range *rcap_live_at(struct rcap_live_stack *stack, uint32_t i)
{
	return &stack->ranges[i % RCAP_LIVE_DEPTH];
}

/* Handles a range that opens. */
void rcap_live_push(struct rcap_live_stack *stack, uint64_t ticks, uint32_t name, uint32_t domain);

/* Closes a range. @range: gets the range. Return: false if the range is not known. */
bool rcap_live_pop(struct rcap_live_stack *stack, uint32_t domain, struct rcap_live_range *range);

/* Forgets the open ranges. */
void rcap_live_forget(struct rcap_live_stack *stack);

#endif
