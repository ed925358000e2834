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
	struct ra_python_stacks_call *calls; /* owned; sorted by thread, then start, longer first */
	size_t count;
	uint32_t *node_of; /* owned; for each call; only after ra_python_stacks_init() */
	struct ra_python_stacks_node
		*nodes; /* owned; distinct stacks: a function and the stack that called it */
	size_t node_count;
	struct ra_python_stacks_place *newest; /* owned; where the last search ended */
};

/* @model: a model without rows has no stacks. O(n log n) in the number of Python functions. Needs
 * 12 bytes for each, and up to 12 more during the call. */
void ra_python_stacks_init(struct ra_python_stacks *stacks, const struct ra_model *model);

/* Prepares only for ra_python_stacks_function_in(), which takes half of the time. */
void ra_python_stacks_init_calls(struct ra_python_stacks *stacks, const struct ra_model *model);

void ra_python_stacks_fini(struct ra_python_stacks *stacks);

/*
 * Returns a number that all events with the same stack share; 0: no stack. The stack is the arg
 * "Call stack" or, without it, the Python functions that are open on the event's thread when the
 * event begins. The stack of a Python function does not contain that function; RA_KINETO_NONE has
 * no stack. O(log n) if called in order of each thread's times, else O(log n + depth).
 */
uint32_t ra_python_stacks_find(const struct ra_python_stacks *stacks, uint32_t event);

/*
 * Finds the innermost function of the program itself, as "train.py(12): step", that was open for
 * half of a time or longer on an event's thread. The program's functions have a file that is not
 * PyTorch's. If all files are PyTorch's, finds the innermost function with a file. Times are the
 * trace's. Empty if none of the 256 innermost functions at the middle of that time qualifies. Equal
 * names have equal addresses.
 */
struct rlog_string ra_python_stacks_function_in(const struct ra_python_stacks *stacks,
                                                uint32_t event, int64_t start_ns, int64_t end_ns);

/* Does the same for a thread of the model, in the model's times; also "" if the thread has no
 * event. */
struct rlog_string ra_python_stacks_function_on(const struct ra_python_stacks *stacks,
                                                const struct ra_model *model, uint32_t track,
                                                int64_t start_ns, int64_t end_ns);

/*
 * Returns the text of the stack with a number: functions from the innermost outwards, separated by
 * ";". If there are more than 256, or the text exceeds 16 KiB, "..." replaces the outermost
 * functions. @table: owns the text.
 */
struct rlog_string ra_python_stacks_text(const struct ra_python_stacks *stacks, uint32_t number,
                                         struct ra_table *table);

#endif
