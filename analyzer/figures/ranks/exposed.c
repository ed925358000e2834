/* SPDX-License-Identifier: MIT */
/* Why communication is exposed: what the device's next work waits for meanwhile. */
#include "analyzer/figures/ranks/exposed.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/search.h"
#include "analyzer/base/util.h"

void ra_exposed_find(struct ra_intervals *exposed, const struct ra_exposed_query *query)
{
	const struct ra_gpu *gpu = &query->model->gpu;
	struct ra_intervals talk = { 0 };
	struct ra_intervals other = { 0 };
	struct ra_intervals hidden = { 0 };

	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];
		const unsigned kind = ra_rank_gpu_kind(query->model, op);
		const int64_t end_ns = ra_util_add_time(op->start_ns, op->dur_ns);

		if (gpu->queues[op->queue].device != query->device) {
			continue;
		}
		if (kind == RA_RANK_COMMUNICATION) {
			ra_intervals_add(&talk, op->start_ns, end_ns);
		} else if ((kind & query->kinds) != 0) {
			ra_intervals_add(&other, op->start_ns, end_ns);
		}
	}
	ra_intervals_unite(&talk);
	ra_intervals_unite(&other);
	ra_intervals_part(&talk, &other, &hidden, exposed);
	ra_intervals_unite(exposed);
	ra_intervals_fini(&talk);
	ra_intervals_fini(&other);
	ra_intervals_fini(&hidden);
}

/* An operation that could run beside collectives. */
struct work {
	int64_t start_ns;
	uint32_t api;
};

/* What is on the device. */
struct device {
	struct work *works; /* owned; by start */
	size_t work_count;
	int64_t *ends; /* owned: of collectives, in order */
	size_t end_count;
	struct ra_intervals held; /* calls of any thread, up to the end of a collective in them */
};

static int compare_works(const void *a, const void *b)
{
	const struct work *left = a;
	const struct work *right = b;
	const int order = RA_ORDER_UP(left, right, start_ns);

	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, api));
}

static void collect(struct device *device, const struct ra_exposed_query *query)
{
	const struct ra_gpu *gpu = &query->model->gpu;

	device->works = ra_alloc_zeros(gpu->op_count + 1, sizeof(*device->works));
	device->ends = ra_alloc_zeros(gpu->op_count + 1, sizeof(*device->ends));
	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];
		const unsigned kind = ra_rank_gpu_kind(query->model, op);

		if (gpu->queues[op->queue].device != query->device) {
			continue;
		}
		if (kind == RA_RANK_COMMUNICATION) {
			device->ends[device->end_count++] =
				ra_util_add_time(op->start_ns, op->dur_ns);
		} else if ((kind & query->kinds) != 0) {
			device->works[device->work_count++] =
				(struct work){ op->start_ns, op->api };
		}
	}
	RA_SORT(device->works, device->work_count, compare_works);
	RA_SORT(device->ends, device->end_count, ra_order_int64);
}

/* A call in which a collective ends was held by it up to then. */
static void find_held(struct device *device, const struct ra_gpu *gpu)
{
	for (size_t i = 0; i < gpu->api_count; i++) {
		const struct ra_gpu_api *api = &gpu->apis[i];
		const int64_t end_ns = ra_util_add_time(api->start_ns, api->dur_ns);
		struct ra_search at = ra_search_in(0, device->end_count);

		while (ra_search_next(&at)) { /* the first that ends after the call */
			ra_search_tell(&at, device->ends[at.middle] <= end_ns);
		}
		if (at.low > 0 && device->ends[at.low - 1] > api->start_ns) {
			ra_intervals_add(&device->held, api->start_ns, device->ends[at.low - 1]);
		}
	}
	ra_intervals_unite(&device->held);
}

static void split(struct ra_exposed *out, const struct device *device, const struct ra_gpu *gpu,
                  const struct ra_interval *time)
{
	struct ra_search at = ra_search_in(0, device->work_count);
	int64_t launch_ns;
	int64_t held_ns;

	while (ra_search_next(&at)) {
		ra_search_tell(&at, device->works[at.middle].start_ns < time->end_ns);
	}
	if (at.low == device->work_count || device->works[at.low].api == RA_NONE) {
		out->none_ns = ra_util_add_time(out->none_ns, time->end_ns - time->start_ns);
		return;
	}
	launch_ns = gpu->apis[device->works[at.low].api].start_ns;
	launch_ns = launch_ns < time->start_ns ? time->start_ns : launch_ns;
	launch_ns = launch_ns > time->end_ns ? time->end_ns : launch_ns;
	held_ns = ra_intervals_cover(&device->held, time->start_ns, launch_ns);
	out->held_ns = ra_util_add_time(out->held_ns, held_ns);
	out->late_ns = ra_util_add_time(out->late_ns, launch_ns - time->start_ns - held_ns);
	out->queued_ns = ra_util_add_time(out->queued_ns, time->end_ns - launch_ns);
}

void ra_exposed_split(struct ra_exposed *out, const struct ra_exposed_query *query,
                      const struct ra_intervals *exposed)
{
	struct device device = { 0 };

	*out = (struct ra_exposed){ 0 };
	collect(&device, query);
	find_held(&device, &query->model->gpu);
	for (size_t i = 0; i < exposed->count; i++) {
		split(out, &device, &query->model->gpu, &exposed->rows[i]);
	}
	free(device.works);
	free(device.ends);
	ra_intervals_fini(&device.held);
}
