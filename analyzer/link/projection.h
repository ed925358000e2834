/* SPDX-License-Identifier: MIT */
/* GPU projection: when the GPU work of each range ran (doc/metrics.md, section 6). */
#ifndef RA_PROJECTION_H
#define RA_PROJECTION_H

#include "analyzer/model/model.h"

/* One row: the operations added so far that belong to a range or to ranges inside it. */
struct ra_projection_row {
	int64_t start_ns; /* the first start … */
	int64_t end_ns;   /* … and the last end */
	int64_t busy_ns;  /* the time in which at least one operation ran */
	uint64_t ops;     /* number of operations */
	uint32_t slice;
};

/*
 * Projects ranges onto chosen operations, such as those of a stream or device. Use: call init; then
 * for each choice add the operations, call finish, read the rows, call clear.
 */
struct ra_projection {
	const struct ra_model *model;
	struct ra_projection_row *rows; /* owned */
	size_t count;
	size_t capacity;
	uint32_t *row_of; /* owned; by slice: index + 1 of its row, 0: none */
};

/* Memory: 4 bytes per slice, 40 per row. */
void ra_projection_init(struct ra_projection *projection, const struct ra_model *model);
void ra_projection_fini(struct ra_projection *projection);

/* Adds an operation. Add them in order of start. O(depth of its range). */
void ra_projection_add(struct ra_projection *projection, const struct ra_gpu_op *op);

/* Sorts the rows by slice, so that outer ranges come before inner ones. */
void ra_projection_finish(struct ra_projection *projection);

/* Forgets all operations. */
void ra_projection_clear(struct ra_projection *projection);

#endif
