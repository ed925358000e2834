/* SPDX-License-Identifier: MIT */
/* Call stacks of a PyTorch trace: from an event's args, else from the Python functions around
 * it. */
#ifndef RA_PYTHON_STACKS_H
#define RA_PYTHON_STACKS_H

#include "analyzer/model/model-rows.h"
#include "analyzer/table/table.h"

struct ra_python_stacks_call;
struct ra_python_stacks_node;
struct ra_python_stacks_place;

struct ra_python_stacks {
	const struct ra_kineto *kineto;      /* borrowed; NULL: there are no stacks */
	struct ra_python_stacks_call *calls; /* owned; by thread, then start, longer first */
	size_t count;
	uint32_t *node_of; /* owned; by call; only after ra_python_stacks_init() */
	struct ra_python_stacks_node
		*nodes; /* owned; distinct stacks: a function and what called it */
	size_t node_count;
	struct ra_python_stacks_place *newest; /* owned; where the last search ended */
};

/* @model: without rows there are no stacks. O(n log n) of Python functions, 12 bytes each and up
 * to 12 more during the call. */
void ra_python_stacks_init(struct ra_python_stacks *stacks, const struct ra_model *model);

/* Prepares only for ra_python_stacks_function_in(), which is half of the work. */
void ra_python_stacks_init_calls(struct ra_python_stacks *stacks, const struct ra_model *model);

void ra_python_stacks_fini(struct ra_python_stacks *stacks);

/*
 * Returns a number that events with the same stack share; 0: no stack. The stack is that of the arg
 * "Call stack", or else the Python functions open on the event's thread when the event begins. A
 * Python function is not in its own stack; RA_KINETO_NONE has none. O(log n) if asked in order of
 * each thread's times, else O(log n + depth).
 */
uint32_t ra_python_stacks_find(const struct ra_python_stacks *stacks, uint32_t event);

/*
 * Finds the innermost function of the program itself that was open for half of a time or longer, on
 * an event's thread, as "train.py(12): step". Such a function has a file that is not PyTorch's. If
 * all files are PyTorch's, finds the innermost function with a file. Times are the trace's. Empty
 * if none of the 256 innermost functions at the middle of that time qualifies. Equal names have
 * equal addresses.
 */
struct rlog_string ra_python_stacks_function_in(const struct ra_python_stacks *stacks,
                                                uint32_t event, int64_t start_ns, int64_t end_ns);

/* Does so for a thread of the model, in its times; also "" if no event of the thread is known. */
struct rlog_string ra_python_stacks_function_on(const struct ra_python_stacks *stacks,
                                                const struct ra_model *model, uint32_t track,
                                                int64_t start_ns, int64_t end_ns);

/*
 * Returns the text of a stack's number: functions from the innermost outwards, separated by ";". If
 * there are more than 256, or the text exceeds 16 KiB, "..." replaces the outermost. @table: keeps
 * the text.
 */
struct rlog_string ra_python_stacks_text(const struct ra_python_stacks *stacks, uint32_t number,
                                         struct ra_table *table);

#endif
