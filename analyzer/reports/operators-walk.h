/* SPDX-License-Identifier: MIT */
/* Sums the ranges of a model that has a walk (walk.h), for the report "operators". */
#ifndef RA_OPERATORS_WALK_H
#define RA_OPERATORS_WALK_H

#include "analyzer/names/labels.h"

/* The ranges of threads of a label. */
struct ra_operators_walk_row {
	uint32_t label;
	uint64_t calls;
	uint64_t self_ns;  /* without ranges inside them */
	uint64_t total_ns; /* without those inside others of the label; UINT64_MAX: or more */
	uint64_t open;     /* those around the current one */
};

/* Zero-initialise. */
struct ra_operators_walk {
	struct ra_operators_walk_row *rows; /* owned; in the order in which labels first come */
	size_t count;
	size_t capacity;
};

/* Fills in the rows. @labels: NULL: a name is a label. Memory: besides, 4 bytes for each range that
 * is open at a time. */
void ra_operators_walk_fill(struct ra_operators_walk *walk, const struct ra_model *model,
                            struct ra_labels *labels);
void ra_operators_walk_fini(struct ra_operators_walk *walk);

#endif
