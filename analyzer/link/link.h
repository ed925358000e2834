/* SPDX-License-Identifier: MIT */
/* Links each GPU operation to the API call that launched it, and both to a range. */
#ifndef RA_LINK_H
#define RA_LINK_H

#include "analyzer/model/model.h"

/* Rules that are only used if asked for. */
struct ra_link_options {
	bool with_sequence;
	bool with_process;
	bool with_own; /* not even `helper`: only ranges of the launching thread or handed to it */
	bool with_origin; /* operations of CUDA graphs belong to the ranges where their nodes were
	                     made */
	bool with_backward_rows; /* reports show what `sequence` moved separately; model->gpu has
	                            the same flag */
	/*
	 * For the rule `sequence`: by slice, the range on another thread that caused it, RA_NONE
	 * for none. Borrowed. NULL: find causes by PyTorch's names (link-sequence.c).
	 */
	const uint32_t *causes;
};

/*
 * Sets api, slice and rule of all operations, slice of all API calls, the sections of kernels, and
 * the counters of model->gpu (doc/metrics.md, sections 6 and 17).
 *
 * @options: NULL for none of them. Time: O(n log n).
 */
void ra_link_build(struct ra_model *model, const struct ra_link_options *options);

/*
 * For operations of CUDA graphs: finds the range that was open when the node was made, on the
 * thread that made it. Follows clones, updates and graphs inside graphs.
 *
 * @slices: gets the range by operation; RA_NONE if it is not of a graph, or the log lacks the
 * making of the graph. Time: O(n log n).
 * Return: the time, ns, of nodes whose making the log lacks.
 */
int64_t ra_link_find_origins(const struct ra_model *model, uint32_t *slices);

#endif
