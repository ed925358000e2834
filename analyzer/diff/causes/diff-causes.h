/* SPDX-License-Identifier: MIT */
/* Finds the causes of a step's change. They exclude each other, so that they add up to the
 * change. */
#ifndef RA_DIFF_CAUSES_H
#define RA_DIFF_CAUSES_H

#include "analyzer/diff/diff.h"

/* The longest call that belongs to a cost or cause. */
struct ra_diff_longest {
	int64_t dur_ns; /* its duration; for a range without its children, as in_ns; 0: not known */
	int64_t in_ns;  /* the part of steps' time that the call takes */
	int64_t at_ns;  /* its start */
};

/* The time of steps that an operation, call or range takes below one path of ranges. */
struct ra_diff_cost {
	uint32_t role;           /* enum ra_role, below RA_ROLE_OTHER */
	struct rlog_string item; /* the operation or call; empty: it is a range. Borrowed from the
	                            sets, as all names here */
	struct rlog_string path; /* names of the ranges around it, separated by RA_SUM_BETWEEN */
	int64_t time_ns[2];      /* part of the steps' time, summed over all units of a side */
	int64_t total_ns[2]; /* durations of GPU work, and of ranges in a DataLoader's range, summed
	                        over all units of a side */
	int64_t fill_ns[2];  /* part of time_ns while first steps fill the GPU's queue */
	uint64_t calls[2];   /* number of calls in all units of a side */
	struct ra_diff_longest longest[2];
};

/* All costs of both sides. Zero-initialise. */
struct ra_diff_costs {
	struct ra_diff_cost *rows; /* owned; ordered by role, path, item, which differ in each
	                              row */
	size_t count;
	size_t capacity;
	bool has; /* no input of either side is a summary: summaries have no costs */
};

void ra_diff_costs_init(struct ra_diff_costs *costs, const struct ra_diff *diff);
void ra_diff_costs_fini(struct ra_diff_costs *costs);

/* A cause: all costs of one role that have the same name and changed in the same direction. */
struct ra_diff_cause {
	uint32_t role; /* enum ra_role; OTHER: nothing ran; TOTAL: the first step fills the GPU's
	                  queue after its range */
	struct rlog_string name;     /* name of the innermost range, or of the call or operation */
	bool is_kernel;              /* the name is a kernel's, because no range launched it */
	struct rlog_string path;     /* the outer part that the paths of all its places have in
	                                common; may be empty */
	size_t places;               /* number of paths at which it occurs */
	struct rlog_string new_name; /* name of a DataLoader's range that replaced this one; empty:
	                                none did */
	int64_t time_ns[2];          /* per unit */
	struct ra_diff_longest longest[2];
};

struct ra_diff_causes {
	struct ra_diff_cause *rows; /* owned; the largest change first */
	size_t count;
	size_t capacity;
	char *names;         /* owned: names of causes that stand for several; NULL: none do */
	int64_t whole_ns[2]; /* the length of a step; the causes add up to it, each with an error of
	                        up to 1 ns */
};

/* Finds the causes. There are none if there are no costs. */
void ra_diff_causes_init(struct ra_diff_causes *causes, const struct ra_diff *diff,
                         const struct ra_diff_costs *costs);
void ra_diff_causes_fini(struct ra_diff_causes *causes);

/* Joins causes of ranges into one, such as "layer # × 12", if their names differ only by a number
 * and they changed in the same direction. For tables that users read. */
void ra_diff_causes_fold(struct ra_diff_causes *causes);

/* Returns the change of a cause in ns. */
static inline int64_t ra_diff_cause_change(const struct ra_diff_cause *cause)
{
	return cause->time_ns[1] - cause->time_ns[0];
}

/*
 * Finds the single call that makes up half or more of a cause's change: the time by which it is
 * longer than the other side's mean per unit.
 *
 * Return: the side that has the call; 2: there is no such call, or it is not known.
 */
size_t ra_diff_causes_find_call(const struct ra_diff_cause *cause, const struct ra_diff *diff);

/* Returns the last name of a path. *around gets the names before it. */
struct rlog_string ra_diff_causes_last(struct rlog_string path, struct rlog_string *around);

#endif
