/* SPDX-License-Identifier: MIT */
/* The ranges that are open at the drain's position, kept in the spool for processes that look from
 * outside. */
#ifndef RCAP_LIVE_H
#define RCAP_LIVE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "libranges/spool/spool.h"

/* Of a deeper stack only the innermost ranges are kept. */
#define RCAP_LIVE_DEPTH 61u

struct rcap_live_range {
	uint64_t ticks; /* when it was opened */
	uint32_t name;
	uint32_t domain;
};

/*
 * The ranges that a thread has open at a place in its queue. The drain writes this struct. A reader
 * copies it, and copies again if `sequence` was odd or has changed afterwards. So `ranges` can show
 * the open ranges of a job that has written nothing for hours, without its log.
 */
struct rcap_live_stack {
	_Atomic uint32_t sequence; /* odd while the struct changes; stored with release after its
	                              contents */
	uint32_t stream;           /* its id; 0: unused */
	uint32_t block;            /* where the next slot is */
	uint32_t slot;
	uint64_t events; /* events of the stream up to there, kept or not */
	/* open range i, counted from the outermost, is at place i % RCAP_LIVE_DEPTH */
	uint32_t depth;
	uint32_t lowest; /* number of the outermost kept range; the ranges outside it did not fit */
	uint32_t is_cut; /* 1: ranges were lost or dropped that may be open */
	uint32_t pad[3];
	struct rcap_live_range ranges[RCAP_LIVE_DEPTH];
};

/* Stacks per block. */
#define RCAP_LIVE_BLOCK (RCAP_BLOCK_BYTES / (uint32_t) sizeof(struct rcap_live_stack))

_Static_assert(sizeof(struct rcap_live_stack) == 1024 &&
                       RCAP_LIVE_BLOCK * RCAP_LIVE_BLOCKS ==
                               RCAP_STREAM_BLOCKS * RCAP_STREAMS_BLOCK,
               "one for each stream");

/* An open range, with all that is known of it. */
struct rcap_open_range {
	uint64_t ticks; /* when it was opened */
	uint64_t id;    /* 0: push/pop */
	uint32_t name;
	uint32_t domain;
};

/* At most this many start/end ranges are followed, and this many ends that came before their
 * starts. */
#define RCAP_LIVE_STARTED 512u
#define RCAP_LIVE_EARLY   64u

/*
 * The open start/end ranges of a process. Another thread may end a range. If the drain takes that
 * thread's events first, the end comes before the start. Written and read as a stack is.
 */
struct rcap_live_started {
	_Atomic uint32_t sequence;
	uint32_t count;
	uint32_t more;        /* open, but not in `ranges` */
	uint32_t early_count; /* ends whose start has not come yet */
	uint32_t early_next;
	uint32_t pad;
	uint64_t early[RCAP_LIVE_EARLY];                  /* their ids; 0: none */
	struct rcap_open_range ranges[RCAP_LIVE_STARTED]; /* in the order of their starts */
};

_Static_assert(sizeof(struct rcap_live_started) <= RCAP_BLOCK_BYTES, "it has a block");

/* A start/end range starts, or ends. */
void rcap_live_start(struct rcap_live_started *started, const struct rcap_open_range *range);

/* Ends a range. @range: gets the range. Return: false if it is not known. */
bool rcap_live_end(struct rcap_live_started *started, uint64_t id, struct rcap_open_range *range);

/* Forgets the started ranges. */
void rcap_live_forget_started(struct rcap_live_started *started);

/* True if the stack still holds range number i. */
static inline bool rcap_live_has(const struct rcap_live_stack *stack, uint32_t i)
{
	return i < stack->depth && i >= stack->lowest;
}

static inline struct rcap_live_range *rcap_live_at(struct rcap_live_stack *stack, uint32_t i)
{
	return &stack->ranges[i % RCAP_LIVE_DEPTH];
}

/* A range opens, or the innermost one of the domain closes. */
void rcap_live_push(struct rcap_live_stack *stack, uint64_t ticks, uint32_t name, uint32_t domain);

/* Closes a range. @range: gets the range. Return: false if it is not known. */
bool rcap_live_pop(struct rcap_live_stack *stack, uint32_t domain, struct rcap_live_range *range);

/* Forgets the open ranges. */
void rcap_live_forget(struct rcap_live_stack *stack);

#endif
