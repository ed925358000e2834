/* SPDX-License-Identifier: MIT */
/* Finds the GPU work launched in each step that the program reported by ranges_step(). */
#include "analyzer/steps/step-work.h"

#include <stdlib.h>

#include "analyzer/base/order/order.h"
#include "analyzer/base/order/search.h"
#include "analyzer/base/util.h"
#include "analyzer/read-log/ranges/step-events.h"

static int compare_rows(const void *left, const void *right)
{
	const struct ra_step_work_row *a = left;
	const struct ra_step_work_row *b = right;

	return RA_ORDER_THEN(RA_ORDER_UP(a, b, start_ns), RA_ORDER_UP(a, b, slice));
}

static void list_steps(struct ra_step_work *work, const struct ra_model *model, uint32_t domain)
{
	const struct ra_slices *s = &model->slices;
	size_t capacity = 0;

	for (size_t i = 0; i < s->count; i++) {
		if (s->domain[i] == domain) {
			RA_UTIL_APPEND(
				work->rows, work->count, capacity,
				(struct ra_step_work_row){
					.start_ns = s->start_ns[i],
					.end_ns = ra_util_add_time(s->start_ns[i], s->dur_ns[i]),
					.slice = (uint32_t) i });
		}
	}
	RA_SORT(work->rows, work->count, compare_rows);
}

/* Finds the last step that had begun at a time; steps do not overlap. Return: NULL if it was not
 * open. */
static struct ra_step_work_row *find_step(const struct ra_step_work *work, int64_t time_ns)
{
	struct ra_search at = ra_search_in(0, work->count);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, work->rows[at.middle].start_ns <= time_ns);
	}
	return at.low > 0 && time_ns < work->rows[at.low - 1].end_ns ? &work->rows[at.low - 1]
	                                                             : NULL;
}

void ra_step_work_init(struct ra_step_work *work, const struct ra_model *model)
{
	const uint32_t domain = ra_step_events_find_domain(model);
	const struct ra_gpu *gpu = &model->gpu;

	*work = (struct ra_step_work){ 0 };
	if (domain != RA_STEP_EVENTS_NONE) {
		list_steps(work, model, domain);
	}
	for (size_t i = 0; i < gpu->op_count && work->count > 0; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];
		struct ra_step_work_row *row =
			op->api != RA_NONE ? find_step(work, gpu->apis[op->api].start_ns) : NULL;

		if (row != NULL) {
			row->gpu_ns = ra_util_add_time(row->gpu_ns, op->dur_ns);
			row->ops++;
		}
	}
}

void ra_step_work_fini(struct ra_step_work *work)
{
	free(work->rows);
	*work = (struct ra_step_work){ 0 };
}
