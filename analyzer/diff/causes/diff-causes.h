/* SPDX-License-Identifier: MIT */
/* Finds what the change of a step is made of: causes that exclude each other, so that they add up
 * to it. */
#ifndef RA_DIFF_CAUSES_H
#define RA_DIFF_CAUSES_H

#include "analyzer/diff/diff.h"

/* The longest call of something. */
struct ra_diff_longest {
	int64_t dur_ns; /* of a range: by itself, as in_ns; 0: not known */
	int64_t in_ns;  /* time that the call takes of steps */
	int64_t at_ns;  /* start */
};

/* The time that one thing takes of steps, below one path of ranges. */
struct ra_diff_cost {
	uint32_t role;           /* enum ra_role, below RA_ROLE_OTHER */
	struct rlog_string item; /* the operation or call; empty: a range. Borrowed from the sets,
	                            as all names here */
	struct rlog_string path; /* names of the ranges around it, with RA_SUM_BETWEEN between */
	int64_t time_ns[2];      /* time of steps, in all units of a side */
	int64_t total_ns[2]; /* durations of GPU work, and of ranges in a DataLoader's range, in all
	                        units of a side */
	int64_t fill_ns[2];  /* part of time_ns while first steps fill the GPU's queue */
	uint64_t calls[2];   /* calls in all units of a side */
	struct ra_diff_longest longest[2];
};

/* All costs of both sides. Zero-initialise. */
struct ra_diff_costs {
	struct ra_diff_cost *rows; /* owned; ordered by role, path, item; each once */
	size_t count;
	size_t capacity;
	bool has; /* all inputs of both sides were read one by one: summaries have no costs */
};

void ra_diff_costs_init(struct ra_diff_costs *costs, const struct ra_diff *diff);
void ra_diff_costs_fini(struct ra_diff_costs *costs);

/* A cause: everything that has one name and changed in one direction. */
struct ra_diff_cause {
	uint32_t role; /* enum ra_role; OTHER: nothing ran; TOTAL: the first step fills the GPU's
	                  queue, after its range */
	struct rlog_string name;     /* of the innermost range, call or operation */
	bool is_kernel;              /* the name is a kernel's: no range launched it */
	struct rlog_string path;     /* what all its places have around it; may be empty */
	size_t places;               /* number of paths */
	struct rlog_string new_name; /* of a DataLoader's range that replaced it; empty: none */
	int64_t time_ns[2];          /* per unit */
	struct ra_diff_longest longest[2];
};

struct ra_diff_causes {
	struct ra_diff_cause *rows; /* owned; the largest change first */
	size_t count;
	size_t capacity;
	char *names;         /* owned: of causes that stand for several; NULL: none do */
	int64_t whole_ns[2]; /* a step, as in the parts; the causes add up to it, but for a ns
	                        each */
};

/* Finds the causes. None if there are no costs. */
void ra_diff_causes_init(struct ra_diff_causes *causes, const struct ra_diff *diff,
                         const struct ra_diff_costs *costs);
void ra_diff_causes_fini(struct ra_diff_causes *causes);

/* Joins causes of ranges into one, such as "layer # × 12", if their names differ only by a number
 * and they moved the same way. Used for tables that users read. */
void ra_diff_causes_fold(struct ra_diff_causes *causes);

/* The change of a cause in ns. */
static inline int64_t ra_diff_cause_change(const struct ra_diff_cause *cause)
{
	return cause->time_ns[1] - cause->time_ns[0];
}

/*
 * Finds the one call that makes up half or more of a cause's change: by how much it takes longer
 * than the mean of the other side's units.
 *
 * Return: the side that has the call; 2: no single call does, or that is not known.
 */
size_t ra_diff_causes_find_call(const struct ra_diff_cause *cause, const struct ra_diff *diff);

/* The last name of a path; *around: the rest. */
struct rlog_string ra_diff_causes_last(struct rlog_string path, struct rlog_string *around);

#endif
