/* SPDX-License-Identifier: MIT */
/* What is open where the drain stands, kept in the spool for who looks from outside. */
#ifndef RCAP_LIVE_H
#define RCAP_LIVE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "libranges/spool/spool.h"

/* Of a deeper stack the innermost ranges are kept. */
#define RCAP_LIVE_DEPTH 61u

struct rcap_live_range {
	uint64_t ticks; /* when it was opened */
	uint32_t name;
	uint32_t domain;
};

/*
 * The ranges that a thread has open, as of a place in its queue. The drain writes; who reads takes
 * a copy, and takes it again if `sequence` was odd or is another one afterwards. So a job that has
 * written nothing for hours can be asked what it is in, without its log.
 */
struct rcap_live_stack {
	_Atomic uint32_t sequence; /* odd while it is changed. Release behind what it covers */
	uint32_t stream;           /* its id; 0: nobody's */
	uint32_t block;            /* the next slot to come */
	uint32_t slot;
	uint64_t events; /* of the stream up to there, whatever became of them */
	uint32_t depth;  /* number i of the open ranges, from the outermost, is at place i %
	                    RCAP_LIVE_DEPTH */
	uint32_t lowest; /* the outermost that is there; those before it were too many */
	uint32_t is_cut; /* 1: ranges were lost, or dropped, that may be open */
	uint32_t pad[3];
	struct rcap_live_range ranges[RCAP_LIVE_DEPTH];
};

/* Stacks in a block. */
#define RCAP_LIVE_BLOCK (RCAP_BLOCK_BYTES / (uint32_t) sizeof(struct rcap_live_stack))

_Static_assert(sizeof(struct rcap_live_stack) == 1024 &&
                       RCAP_LIVE_BLOCK * RCAP_LIVE_BLOCKS ==
                               RCAP_STREAM_BLOCKS * RCAP_STREAMS_BLOCK,
               "one for each stream");

/* A range that is open, with all that is known of it. */
struct rcap_open_range {
	uint64_t ticks; /* when it was opened */
	uint64_t id;    /* 0: push/pop */
	uint32_t name;
	uint32_t domain;
};

/* Start/end ranges that are followed, and ends that came before their starts. */
#define RCAP_LIVE_STARTED 512u
#define RCAP_LIVE_EARLY   64u

/*
 * The start/end ranges of a process that are open: another thread may end them. Where the drain
 * takes that thread's events first, the end comes before the start. In the spool it is written and
 * read as a stack is.
 */
struct rcap_live_started {
	_Atomic uint32_t sequence;
	uint32_t count;
	uint32_t more;        /* open besides those */
	uint32_t early_count; /* ends without a start, and that were not met by one since */
	uint32_t early_next;
	uint32_t pad;
	uint64_t early[RCAP_LIVE_EARLY];                  /* their ids; 0: none */
	struct rcap_open_range ranges[RCAP_LIVE_STARTED]; /* as they were started */
};

_Static_assert(sizeof(struct rcap_live_started) <= RCAP_BLOCK_BYTES, "it has a block");

/* A start/end range begins, or ends. */
void rcap_live_start(struct rcap_live_started *started, const struct rcap_open_range *range);

/* @range: gets what ended. Return: false if that is not known. */
bool rcap_live_end(struct rcap_live_started *started, uint64_t id, struct rcap_open_range *range);

/* What was started is not known any more. */
void rcap_live_forget_started(struct rcap_live_started *started);

/* True if range number i of an open stack is there. */
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

/* @range: gets what was closed. Return: false if that is not known. */
bool rcap_live_pop(struct rcap_live_stack *stack, uint32_t domain, struct rcap_live_range *range);

/* What was open is not known any more. */
void rcap_live_forget(struct rcap_live_stack *stack);

#endif
