/* SPDX-License-Identifier: MIT */
/* Linking: each GPU operation to the API call that launched it, and both to a range. */
#ifndef RA_LINK_H
#define RA_LINK_H

#include "analyzer/model/model.h"

/* The rules that are not used unless somebody asks for them. */
struct ra_link_options {
	bool with_sequence;
	bool with_process;
	bool with_origin;        /* work of CUDA graphs: where its nodes were made */
	bool with_backward_rows; /* reports show what `sequence` moved apart; model->gpu says so */
	/*
	 * For the rule `sequence`: the range that caused a range on another thread, RA_NONE for
	 * none, by slice. Borrowed. NULL: PyTorch's names tell (link-sequence.c).
	 */
	const uint32_t *causes;
};

/*
 * Sets api, slice and rule of all operations and slice of all API calls, the sections of kernels,
 * and the counters of model->gpu (doc/metrics.md, sections 6 and 17).
 *
 * @options: NULL for none of them. Time: O(n log n).
 */
void ra_link_build(struct ra_model *model, const struct ra_link_options *options);

/*
 * For work of CUDA graphs: the range that was open where its node was made, on the thread that made
 * it. Clones, updates and graphs inside of others are followed.
 *
 * @slices: gets it by operation, RA_NONE for what is of no graph, or of one whose making is not in
 * the log. Time: O(n log n).
 * Return: time, ns, of nodes of whose making the log does not tell.
 */
int64_t ra_link_find_origins(const struct ra_model *model, uint32_t *slices);

#endif
