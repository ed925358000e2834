/* SPDX-License-Identifier: MIT */
/* Rows for the ranges that have work on one stream of a GPU. */
#ifndef RA_LAYOUT_PROJECTION_H
#define RA_LAYOUT_PROJECTION_H

#include "analyzer/timeline/layout/layout-gpu.h"

struct ra_layout_projection {
	struct ra_layout *layout; /* borrowed, as the next two */
	const struct ra_layout_gpu_visitor *visitor;
	struct ra_projection *projection; /* of one stream's operations */
	struct ra_layout_gpu_row row;     /* what all rows have in common */
	uint32_t device;
	uint32_t rank; /* of the next row; moved on */
};

/*
 * Ranges of one thread nest in a row as far as their work does, those of others have rows of their
 * own; what overlaps without nesting lies on further rows.
 */
void ra_layout_projection_walk(struct ra_layout_projection *walk);

#endif
