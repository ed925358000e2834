/* SPDX-License-Identifier: MIT */
/* Compares two traces as the TensorBoard plugin does: joins their operators into one tree of
 * matches. */
#ifndef RA_DIFF_TB_H
#define RA_DIFF_TB_H

#include "analyzer/compat/tb/tb.h"

/* One side of a row: adjacent nodes without a match, or one node that has a match. */
struct ra_diff_tb_part {
	size_t first; /* index in the side's list */
	size_t count; /* 0: only the other side has nodes here */
	double host;  /* us, as are device and total */
	double device;
	double total; /* sum over the nodes: the time on GPUs, or on the CPU if a node has none on
	                 GPUs */
};

struct ra_diff_tb_row {
	size_t parent; /* the root's parent is itself */
	size_t first_child;
	size_t child_count;
	struct ra_diff_tb_part parts[2];
	bool is_drawn;  /* it is a bar in the plugin's charts, not a group or an operator of ATen */
	double sums[2]; /* sums of the totals of its drawn siblings, up to and including this row */
	double sum_of_changes;
};

struct ra_diff_tb_side {
	const struct ra_tb_nodes *nodes; /* borrowed */
	uint32_t *list;                  /* owned; indices of nodes */
	size_t count;
	size_t capacity;
};

/* Zero-initialise. */
struct ra_diff_tb {
	struct ra_diff_tb_side sides[2]; /* the baseline and the experiment */
	struct ra_diff_tb_row *rows;     /* owned; the children of a row are adjacent, and come
	                                    after it */
	size_t count;
	size_t capacity;
};

/*
 * Matches the first threads of both traces: loaders, modules, backward passes, optimizers, by name
 * and order.
 *
 * Return: 0, -RLOG_E_ARGUMENT: a side has no operators. Call fini in any case.
 */
int ra_diff_tb_init(struct ra_diff_tb *diff, const struct ra_tb_nodes *baseline,
                    const struct ra_tb_nodes *experiment);
void ra_diff_tb_fini(struct ra_diff_tb *diff);

/* Returns the row after this one, parents before children; diff->count at the end. Begin with row
 * 0. */
size_t ra_diff_tb_next(const struct ra_diff_tb *diff, size_t row);

/* Returns the node of a part that has a single node; else NULL. */
const struct ra_tb_node *ra_diff_tb_node(const struct ra_diff_tb *diff, size_t row, int side);

#endif
