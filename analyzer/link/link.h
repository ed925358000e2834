/* SPDX-License-Identifier: MIT */
/* Links each GPU operation to the API call that launched it, and both to a range. */
#ifndef RA_LINK_H
#define RA_LINK_H

#include "analyzer/model/model.h"

/* Rules that are applied only if the caller asks for them. */
struct ra_link_options {
	bool with_sequence;
	bool with_process;
	bool with_own; /* without the rule `helper`: only ranges of the launching thread, or handed
	                  to it */
	bool with_origin; /* operations of CUDA graphs belong to the range where their node was made
	                   */
	bool with_backward_rows; /* reports show separately what `sequence` moved; sets the same
	                            flag in model->gpu */
	/*
	 * For the rule `sequence`, by slice: the range on another thread that caused the slice;
	 * RA_NONE: none. Borrowed. NULL: causes are found by PyTorch's names (link-sequence.c).
	 */
	const uint32_t *causes;
};

/*
 * Sets the call, range and rule of all operations, the range of all API calls, the sections of
 * kernels, and the counters of model->gpu (doc/metrics.md, sections 6 and 17).
 *
 * @options: NULL applies none of these rules. Time: O(n log n).
 */
void ra_link_build(struct ra_model *model, const struct ra_link_options *options);

/*
 * For operations of CUDA graphs: finds the range that was open when the node was made, on the
 * thread that made it. Follows clones, updates and graphs inside graphs.
 *
 * @slices: gets the range by operation; RA_NONE if the operation is not of a graph, or the log
 * lacks the making of its node. Time: O(n log n).
 * Return: the GPU time in ns of nodes whose making the log lacks.
 */
int64_t ra_link_find_origins(const struct ra_model *model, uint32_t *slices);

#endif
