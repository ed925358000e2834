/* SPDX-License-Identifier: MIT */
/* Ranges by path, as flame graphs are made of: what is theirs alone on the CPU and on GPUs. */
#ifndef RA_STACKS_H
#define RA_STACKS_H

#include "analyzer/figures/ranges/metrics.h"
#include "analyzer/names/labels.h"

/* Frames of a path, without the one for what is deeper. */
#define RA_STACKS_DEPTH 512

struct ra_stacks_node {
	uint32_t parent;         /* index, smaller than this one's; RA_NONE: it is outermost */
	struct rlog_string name; /* borrowed from the stacks */
	uint32_t frame;          /* nodes of one name have one, counted from 0 */
	uint64_t calls;          /* 0: it is no range */
	int64_t cpu_ns;          /* self CPU time, its sum that of the report `ranges` */
	int64_t gpu_ns;          /* self GPU time, its sum all GPU time, as in the footer */
};

struct ra_stacks {
	struct ra_stacks_node *nodes; /* owned */
	size_t count;
	size_t frame_count;
	size_t depth;              /* the most nodes that a path has */
	struct ra_labels labels;   /* owned, as all below: what texts live in */
	struct ra_metrics metrics; /* by path */
	struct ra_util_text texts; /* of names that are no range's */
};

/*
 * Of PyTorch's backward pass, GPU work that is shown apart stands below its range in "backward of
 * NAME"; what belongs to no range is "(outside any range)". What lies deeper than RA_STACKS_DEPTH
 * frames is one frame "(deeper)" there, so that paths together grow with the number of ranges only.
 */
void ra_stacks_init(struct ra_stacks *stacks, const struct ra_model *model,
                    const struct ra_labels_options *names);
void ra_stacks_fini(struct ra_stacks *stacks);

/* The nodes from the outermost down to `node`; at most `capacity` are stored, the number is told.
 */
size_t ra_stacks_find_path(const struct ra_stacks *stacks, uint32_t node, uint32_t *path,
                           size_t capacity);

#endif
