/* SPDX-License-Identifier: MIT */
/* Sums the ranges of a model that has a walk (walk.h), for the report "operators". */
#ifndef RA_OPERATORS_WALK_H
#define RA_OPERATORS_WALK_H

#include "analyzer/names/labels.h"

/* Sums over the ranges of threads that have one label. */
struct ra_operators_walk_row {
	uint32_t label;
	uint64_t calls;
	uint64_t self_ns; /* time of the ranges without the ranges inside them */
	/* time of the ranges that are in no other range with the label; UINT64_MAX: it is larger */
	uint64_t total_ns;
	uint64_t open; /* number of these ranges that are around the current range */
};

/* The sums. Zero-initialise. */
struct ra_operators_walk {
	struct ra_operators_walk_row *rows; /* owned; in the order in which labels first come */
	size_t count;
	size_t capacity;
};

/* Fills the rows. @labels: NULL: names are used as labels. Memory, besides the rows: 4 bytes for
 * each range that is open at the same time. */
void ra_operators_walk_fill(struct ra_operators_walk *walk, const struct ra_model *model,
                            struct ra_labels *labels);
void ra_operators_walk_fini(struct ra_operators_walk *walk);

#endif
