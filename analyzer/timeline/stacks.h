/* SPDX-License-Identifier: MIT */
/* Sums ranges by path, for flame graphs: self times on the CPU and on GPUs. */
#ifndef RA_STACKS_H
#define RA_STACKS_H

#include "analyzer/figures/ranges/metrics.h"
#include "analyzer/names/labels.h"

/* Most frames of a path. Deeper ranges become one more frame, "(deeper)". */
#define RA_STACKS_DEPTH 512

struct ra_stacks_node {
	uint32_t parent;         /* index, smaller than that of this node; RA_NONE: the node is
	                            outermost */
	struct rlog_string name; /* borrowed from the stacks */
	uint32_t frame;          /* number of the name, from 0; nodes with the same name share it */
	uint64_t calls;          /* 0: it is not a range */
	int64_t cpu_ns;          /* self CPU time; all nodes together give the total of the report
	                            `ranges` */
	int64_t gpu_ns;          /* self GPU time; all nodes together give all GPU time, as in the
	                            footer */
};

struct ra_stacks {
	struct ra_stacks_node *nodes; /* owned */
	size_t count;
	size_t frame_count;
	size_t depth;              /* nodes in the longest path */
	struct ra_labels labels;   /* owned, as all below: they own the texts */
	struct ra_metrics metrics; /* by path */
	struct ra_util_text texts; /* names of nodes that are not a range's */
};

/*
 * Sums a model's ranges by path. If GPU work of PyTorch's backward pass is shown separately, it is
 * below its range, in "backward of NAME". Work in no range is "(outside any range)". Ranges deeper
 * than RA_STACKS_DEPTH frames become one frame "(deeper)", so the total length of paths is
 * proportional to the number of ranges.
 */
void ra_stacks_init(struct ra_stacks *stacks, const struct ra_model *model,
                    const struct ra_labels_options *names);
void ra_stacks_fini(struct ra_stacks *stacks);

/* Finds the nodes from the outermost down to `node`. Stores at most `capacity` of them. Return:
 * their number. */
size_t ra_stacks_find_path(const struct ra_stacks *stacks, uint32_t node, uint32_t *path,
                           size_t capacity);

#endif
