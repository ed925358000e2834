/* SPDX-License-Identifier: MIT */
/* Compares two traces as the TensorBoard plugin does: their operators as one tree of matches. */
#ifndef RA_DIFF_TB_H
#define RA_DIFF_TB_H

#include "analyzer/compat/tb/tb.h"

/* One side of a row: adjacent nodes without a match, or one that has a match. */
struct ra_diff_tb_part {
	size_t first; /* in the side's nodes */
	size_t count; /* 0: only the other side has something here */
	double host;  /* us; so are the next two */
	double device;
	double total; /* each node's time on GPUs, or on the CPU if it has none */
};

struct ra_diff_tb_row {
	size_t parent; /* the root's parent is itself */
	size_t first_child;
	size_t child_count;
	struct ra_diff_tb_part parts[2];
	bool is_drawn;  /* a bar in the plugin's charts, not a group or an operator of ATen */
	double sums[2]; /* running sums of the totals, up to this one, over its drawn siblings */
	double sum_of_changes;
};

struct ra_diff_tb_side {
	const struct ra_tb_nodes *nodes; /* borrowed */
	uint32_t *list;                  /* owned; of nodes */
	size_t count;
	size_t capacity;
};

/* Zero-initialise. */
struct ra_diff_tb {
	struct ra_diff_tb_side sides[2]; /* baseline, experiment */
	struct ra_diff_tb_row *rows;     /* owned; children of a row are adjacent, after it */
	size_t count;
	size_t capacity;
};

/*
 * Matches the first threads of both: loaders, modules, backward passes, optimizers, by name and
 * order.
 *
 * Return: 0, -RLOG_E_ARGUMENT: a side has no operators; fini in any case.
 */
int ra_diff_tb_init(struct ra_diff_tb *diff, const struct ra_tb_nodes *baseline,
                    const struct ra_tb_nodes *experiment);
void ra_diff_tb_fini(struct ra_diff_tb *diff);

/* The row after this one, parents before children; diff->count at the end. Begin with 0. */
size_t ra_diff_tb_next(const struct ra_diff_tb *diff, size_t row);

/* The single node of a part, or NULL. */
const struct ra_tb_node *ra_diff_tb_node(const struct ra_diff_tb *diff, size_t row, int side);

#endif
