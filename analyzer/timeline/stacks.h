/* SPDX-License-Identifier: MIT */
/* Sums ranges by path, for flame graphs: self times on the CPU and on GPUs. */
#ifndef RA_STACKS_H
#define RA_STACKS_H

#include "analyzer/figures/ranges/metrics.h"
#include "analyzer/names/labels.h"

/* Most frames of a path. Deeper ranges share one more frame, "(deeper)". */
#define RA_STACKS_DEPTH 512

struct ra_stacks_node {
	uint32_t parent; /* index, less than that of this node; RA_NONE: the node is outermost */
	struct rlog_string name; /* borrowed from the stacks */
	/* number of the name, from 0; nodes with the same name have the same number */
	uint32_t frame;
	uint64_t calls; /* 0: the node is no range */
	/* self CPU time; the sum over all nodes is the total of the report `ranges` */
	int64_t cpu_ns;
	/* self GPU time; the sum over all nodes is all GPU time, as in the footer */
	int64_t gpu_ns;
};

struct ra_stacks {
	struct ra_stacks_node *nodes; /* owned */
	size_t count;
	size_t frame_count;
	size_t depth; /* number of nodes in the longest path */
	/* owned, like all below, because the texts of names are in these */
	struct ra_labels labels;
	struct ra_metrics metrics; /* by path */
	struct ra_util_text texts; /* names of the nodes that are no ranges */
};

/*
 * Sums a model's ranges by path. If GPU work of PyTorch's backward pass is shown separately, it is
 * in a node "backward of NAME" below its range. Work in no range is in the node "(outside any
 * range)". Ranges deeper than RA_STACKS_DEPTH frames share the node "(deeper)", so the total length
 * of paths is proportional to the number of ranges.
 */
void ra_stacks_init(struct ra_stacks *stacks, const struct ra_model *model,
                    const struct ra_labels_options *names);
void ra_stacks_fini(struct ra_stacks *stacks);

/* Finds the nodes on the path from the outermost one to `node`. Stores at most `capacity` of them.
 * Return: their number. */
size_t ra_stacks_find_path(const struct ra_stacks *stacks, uint32_t node, uint32_t *path,
                           size_t capacity);

#endif
