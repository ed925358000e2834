/* SPDX-License-Identifier: MIT */
/* Finds the first start, the last end and the busy time of the GPU work of ranges. Goes from each
 * operation's range up to the outermost range. */
#include "analyzer/link/projection.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"

void ra_projection_init(struct ra_projection *projection, const struct ra_model *model)
{
	*projection = (struct ra_projection){ .model = model };
	projection->row_of = ra_alloc_zeros(model->slices.count + 1, sizeof(*projection->row_of));
}

void ra_projection_fini(struct ra_projection *projection)
{
	free(projection->rows);
	free(projection->row_of);
	*projection = (struct ra_projection){ 0 };
}

/* Operations come ordered by start, so all busy time counted so far is before the row's end. */
static void extend_row(struct ra_projection_row *row, int64_t start_ns, int64_t end_ns)
{
	if (end_ns > row->end_ns) {
		row->busy_ns += end_ns - (start_ns > row->end_ns ? start_ns : row->end_ns);
		row->end_ns = end_ns;
	}
	row->ops++;
}

void ra_projection_add(struct ra_projection *projection, const struct ra_gpu_op *op)
{
	const struct ra_slices *slices = &projection->model->slices;
	const int64_t end_ns = op->start_ns + op->dur_ns;

	for (uint32_t slice = op->slice; slice != RA_NONE; slice = slices->parent[slice]) {
		uint32_t *row = &projection->row_of[slice];

		if ((slices->flags[slice] & RA_SLICE_WAIT) != 0) {
			continue; /* the operation has no range */
		}
		if (*row == 0) {
			if (projection->count == UINT32_MAX) {
				ra_alloc_end();
			}
			RA_UTIL_APPEND(projection->rows, projection->count, projection->capacity,
			               (struct ra_projection_row){ .start_ns = op->start_ns,
			                                           .end_ns = op->start_ns,
			                                           .slice = slice });
			*row = (uint32_t) projection->count;
		}
		extend_row(&projection->rows[*row - 1], op->start_ns, end_ns);
	}
}

static int compare_rows(const void *left, const void *right)
{
	const struct ra_projection_row *a = left;
	const struct ra_projection_row *b = right;

	return RA_ORDER_UP(a, b, slice);
}

void ra_projection_finish(struct ra_projection *projection)
{
	RA_SORT(projection->rows, projection->count, compare_rows);
}

void ra_projection_clear(struct ra_projection *projection)
{
	for (size_t i = 0; i < projection->count; i++) {
		projection->row_of[projection->rows[i].slice] = 0;
	}
	projection->count = 0;
}
