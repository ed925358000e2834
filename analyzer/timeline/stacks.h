/* SPDX-License-Identifier: MIT */
/* Ranges by path, for flame graphs: self times on the CPU and on GPUs. */
#ifndef RA_STACKS_H
#define RA_STACKS_H

#include "analyzer/figures/ranges/metrics.h"
#include "analyzer/names/labels.h"

/* Most frames of a path, without the one for deeper ranges. */
#define RA_STACKS_DEPTH 512

struct ra_stacks_node {
	uint32_t parent;         /* index, below this one's; RA_NONE: it is outermost */
	struct rlog_string name; /* borrowed from the stacks */
	uint32_t frame;          /* number of the name, from 0; nodes with the same name share it */
	uint64_t calls;          /* 0: it is not a range */
	int64_t cpu_ns;          /* self CPU time; the sum is that of the report `ranges` */
	int64_t gpu_ns;          /* self GPU time; the sum is all GPU time, as in the footer */
};

struct ra_stacks {
	struct ra_stacks_node *nodes; /* owned */
	size_t count;
	size_t frame_count;
	size_t depth;              /* nodes in the longest path */
	struct ra_labels labels;   /* owned, as all below: they own the texts */
	struct ra_metrics metrics; /* by path */
	struct ra_util_text texts; /* names that are not a range's */
};

/*
 * GPU work of PyTorch's backward pass that is shown separately is below its range, in "backward of
 * NAME". Work in no range is "(outside any range)". Ranges deeper than RA_STACKS_DEPTH frames are
 * one frame "(deeper)", so that the total length of paths is proportional to the number of ranges.
 */
void ra_stacks_init(struct ra_stacks *stacks, const struct ra_model *model,
                    const struct ra_labels_options *names);
void ra_stacks_fini(struct ra_stacks *stacks);

/* The nodes from the outermost down to `node`. At most `capacity` of them are stored. Return: their
 * number. */
size_t ra_stacks_find_path(const struct ra_stacks *stacks, uint32_t node, uint32_t *path,
                           size_t capacity);

#endif
