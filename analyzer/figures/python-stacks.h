/* SPDX-License-Identifier: MIT */
/* Call stacks of a trace of PyTorch: as its args say, else by the Python functions around. */
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
	uint32_t *node_of; /* owned; by call; only of ra_python_stacks_init() */
	struct ra_python_stacks_node
		*nodes; /* owned; distinct stacks: a function and what called it */
	size_t node_count;
	struct ra_python_stacks_place *newest; /* owned; where the newest search ended */
};

/*
 * @model: without rows it has none. O(n log n) of Python functions, 12 bytes each and up to 12 more
 * while it works.
 */
void ra_python_stacks_init(struct ra_python_stacks *stacks, const struct ra_model *model);

/* The same for ra_python_stacks_function_in() alone: half of the work. */
void ra_python_stacks_init_calls(struct ra_python_stacks *stacks, const struct ra_model *model);

void ra_python_stacks_fini(struct ra_python_stacks *stacks);

/*
 * A number that events with the same stack share, 0 for none: that of the arg "Call stack", else of
 * the Python functions that are open on the event's thread when it begins. A Python function is not
 * in its own stack, and RA_KINETO_NONE has none. O(log n) if asked in the order of each thread's
 * times, else O(log n + depth).
 */
uint32_t ra_python_stacks_find(const struct ra_python_stacks *stacks, uint32_t event);

/*
 * The innermost of the program's own functions that was open for half of a time or longer, on the
 * thread of an event, as "train.py(12): step": one that has a file which is not PyTorch's; if all
 * are PyTorch's, the innermost with a file. Times are the trace's. Empty: none among the innermost
 * 256 at its middle. One address for one name.
 */
struct rlog_string ra_python_stacks_function_in(const struct ra_python_stacks *stacks,
                                                uint32_t event, int64_t start_ns, int64_t end_ns);

/* The same of a thread of the model, in its times: "" also where no event of it is known. */
struct rlog_string ra_python_stacks_function_on(const struct ra_python_stacks *stacks,
                                                const struct ra_model *model, uint32_t track,
                                                int64_t start_ns, int64_t end_ns);

/*
 * The text of such a number: the innermost function first, a ; between. Of deeper stacks than 256,
 * or of a longer text than 16 KiB, the outermost are left out, as ... tells.
 *
 * @table: keeps it.
 */
struct rlog_string ra_python_stacks_text(const struct ra_python_stacks *stacks, uint32_t number,
                                         struct ra_table *table);

#endif
