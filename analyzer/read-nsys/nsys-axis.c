/* SPDX-License-Identifier: MIT */
/* Reads an export of nsys: sets where time begins. */
#include "analyzer/read-nsys/nsys.h"

#define EACH(array, count, field)                         \
	for (size_t i = 0; i < (count); i++) {            \
		visit(&(array)[i].field, context, shift); \
	}

/* Handles one time: subtracts *first_ns if is_shift, or else lowers *first_ns to it. */
static void visit(int64_t *time_ns, int64_t *first_ns, bool is_shift)
{
	if (is_shift) {
		*time_ns -= *first_ns;
	} else if (*time_ns < *first_ns) {
		*first_ns = *time_ns;
	}
}

static void visit_gpu(struct ra_gpu *gpu, int64_t *context, bool shift)
{
	EACH(gpu->ops, gpu->op_count, start_ns)
	EACH(gpu->apis, gpu->api_count, start_ns)
	EACH(gpu->syncs, gpu->sync_count, start_ns)
	EACH(gpu->overheads, gpu->overhead_count, start_ns)
	EACH(gpu->memories, gpu->memory_count, time_ns)
}

void ra_nsys_axis_shift(struct ra_nsys *nsys, struct ra_nsys_events *events)
{
	struct ra_model *m = nsys->model;
	int64_t first_ns = INT64_MAX;

	ra_nsys_ranges_find_first(events, &first_ns);
	visit_gpu(&m->gpu, &first_ns, false);
	if (nsys->has_own_axis) { /* the capture may begin before or after the first event */
		first_ns = nsys->own_axis_ns[0];
		m->end_ns = nsys->own_axis_ns[1] > m->end_ns ? nsys->own_axis_ns[1] : m->end_ns;
	} else if (first_ns == INT64_MAX) {
		return; /* there is no event */
	}
	ra_nsys_ranges_shift(events, first_ns);
	visit_gpu(&m->gpu, &first_ns, true);
	m->end_ns = m->end_ns > first_ns ? m->end_ns - first_ns : 0;
	m->origin_ns = -first_ns;
	if (__builtin_add_overflow(m->zero_ns, first_ns, &m->zero_ns) ||
	    __builtin_add_overflow(m->zero_real_ns, first_ns, &m->zero_real_ns)) {
		m->zero_ns = 0;
		m->zero_real_ns = 0;
	}
}
