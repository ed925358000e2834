/* SPDX-License-Identifier: MIT */
/* Finds which ranges are open at a place in a log: those that the rows before it leave open. */
#ifndef RA_PART_STATE_H
#define RA_PART_STATE_H

#include "format/batch.h"

struct ra_part_range {
	uint64_t ticks; /* when it began */
	uint64_t id;    /* 0: push/pop */
	uint32_t name;
	uint32_t domain;
};

/* The push/pop ranges of a thread, outermost first. Zero is an empty one. */
struct ra_part_stack {
	struct ra_part_range *ranges; /* owned */
	size_t count;
	size_t capacity;
	uint64_t loss_end; /* in ticks: end of the latest loss */
	uint64_t unknown;  /* ranges that losses have opened so far; limited, because a forged log
	                      may claim any number */
};

/* A start/end range and the stream in which it began. */
struct ra_part_span {
	struct ra_part_range range;
	uint32_t stream;
};

/* The start/end ranges of a process; an end may be met before its start. Zero is an empty one. */
struct ra_part_spans {
	struct ra_part_span *started; /* owned */
	size_t count;
	size_t capacity;
	uint64_t *ended; /* owned: ids */
	size_t ended_count;
	size_t ended_capacity;
	size_t enough; /* number of rows at which removing pairs pays */
};

void ra_part_stack_fini(struct ra_part_stack *stack);
void ra_part_spans_fini(struct ra_part_spans *spans);

/* Fills the stack with the ranges that the chunk lists as open before its row 0. */
void ra_part_stack_seed(struct ra_part_stack *stack, const struct rlog_batch *batch);

/* Takes rows first … end-1 of a thread. */
void ra_part_stack_follow(struct ra_part_stack *stack, const struct rlog_batch *batch, size_t first,
                          size_t end);

/* Does the same for start/end ranges. Streams may come in any order. */
void ra_part_spans_follow(struct ra_part_spans *spans, const struct rlog_batch *batch, size_t first,
                          size_t end);

/* Call it when all rows have been taken. Keeps the ranges that did not end, ordered by stream and
 * begin. */
void ra_part_spans_finish(struct ra_part_spans *spans);

/* An attribute's value in a row; 0 if it has none. */
uint64_t ra_part_find_attr(const struct rlog_batch *batch, enum rlog_attr attr, size_t row);

#endif
