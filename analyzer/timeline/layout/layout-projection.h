/* SPDX-License-Identifier: MIT */
/* Places on rows the ranges that have work on one stream of a GPU. */
#ifndef RA_LAYOUT_PROJECTION_H
#define RA_LAYOUT_PROJECTION_H

#include "analyzer/timeline/layout/layout-gpu.h"

struct ra_layout_projection {
	struct ra_layout *layout; /* borrowed, like `model` and `projection` */
	const struct ra_layout_gpu_visitor *visitor;
	struct ra_projection *projection; /* projection onto the operations of one stream */
	struct ra_layout_gpu_row row;     /* what all these rows share */
	uint32_t device;
	uint32_t rank; /* rank of the next row; increased for each row */
};

/*
 * Places all ranges. Ranges of one thread nest on a row if their GPU work nests. Each thread has
 * rows of its own. Ranges that overlap without nesting are put on further rows.
 */
void ra_layout_projection_walk(struct ra_layout_projection *walk);

#endif
