/* SPDX-License-Identifier: MIT */
/* Places the ranges that have work on one stream of a GPU on rows. */
#ifndef RA_LAYOUT_PROJECTION_H
#define RA_LAYOUT_PROJECTION_H

#include "analyzer/timeline/layout/layout-gpu.h"

struct ra_layout_projection {
	struct ra_layout *layout; /* borrowed, as model and projection */
	const struct ra_layout_gpu_visitor *visitor;
	struct ra_projection *projection; /* of the operations of one stream */
	struct ra_layout_gpu_row row;     /* what all rows have in common */
	uint32_t device;
	uint32_t rank; /* of the next row; increased for each */
};

/*
 * Ranges of one thread nest on a row as far as their GPU work does. Each thread has rows of its
 * own. Ranges that overlap without nesting go on further rows.
 */
void ra_layout_projection_walk(struct ra_layout_projection *walk);

#endif
