/* SPDX-License-Identifier: MIT */
/* Finds which ranges are open at a place in a log: those that the rows before that place leave
 * open. */
#ifndef RA_PART_STATE_H
#define RA_PART_STATE_H

#include "format/batch.h"

struct ra_part_range {
	uint64_t ticks; /* when the range began */
	uint64_t id;    /* id of a start/end range; 0: it is a push/pop range */
	uint32_t name;
	uint32_t domain;
};

/* The open push/pop ranges of a thread, outermost first. All zero: no range. */
struct ra_part_stack {
	struct ra_part_range *ranges; /* owned */
	size_t count;
	size_t capacity;
	uint64_t loss_end; /* end of the latest loss, in ticks */
	uint64_t unknown;  /* ranges that losses have opened so far; limited, because a forged log
	                      may have any number */
};

/* A start/end range and the stream in which it began. */
struct ra_part_span {
	struct ra_part_range range;
	uint32_t stream;
};

/* The starts and ends of a process's start/end ranges; an end may come before its start. All zero:
 * none. */
struct ra_part_spans {
	struct ra_part_span *started; /* owned */
	size_t count;
	size_t capacity;
	uint64_t *ended; /* owned: ids of ends */
	size_t ended_count;
	size_t ended_capacity;
	size_t enough; /* number of starts and ends at which it pays to remove pairs */
};

void ra_part_stack_fini(struct ra_part_stack *stack);
void ra_part_spans_fini(struct ra_part_spans *spans);

/* Sets the stack to the ranges that the chunk lists as open before its row 0. */
void ra_part_stack_seed(struct ra_part_stack *stack, const struct rlog_batch *batch);

/* Updates the stack by the rows first … end-1 of a thread. */
void ra_part_stack_follow(struct ra_part_stack *stack, const struct rlog_batch *batch, size_t first,
                          size_t end);

/* Updates the start/end ranges by rows. Streams may come in any order. */
void ra_part_spans_follow(struct ra_part_spans *spans, const struct rlog_batch *batch, size_t first,
                          size_t end);

/* Keeps the ranges that did not end, ordered by stream and begin. Call it after the last rows. */
void ra_part_spans_finish(struct ra_part_spans *spans);

/* The value of an attribute in a row; 0: the row has no such attribute. */
uint64_t ra_part_find_attr(const struct rlog_batch *batch, enum rlog_attr attr, size_t row);

#endif
