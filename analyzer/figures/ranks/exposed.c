/* SPDX-License-Identifier: MIT */
/* Finds why communication is exposed: what the device's next work waits for at that time. */
#include "analyzer/figures/ranks/exposed.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/search.h"
#include "analyzer/base/util.h"
#include "analyzer/figures/gpu/gpu-gaps.h"

const char ra_exposed_note[] =
	"CPU late: the next kernel is not launched yet, or was less than 30us before it begins. "
	"CPU waits: it is not launched, as a call waits for a collective. Launched: it was, and "
	"waits. Unknown: its launch is not recorded, or there is none";

void ra_exposed_find(struct ra_intervals *exposed, const struct ra_exposed_query *query)
{
	const struct ra_gpu *gpu = &query->model->gpu;
	struct ra_intervals talk = { 0 };
	struct ra_intervals other = { 0 };
	struct ra_intervals hidden = { 0 };

	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];
		const int64_t end_ns = ra_util_add_time(op->start_ns, op->dur_ns);
		unsigned kind;

		if (gpu->queues[op->queue].device != query->device) {
			continue;
		}
		kind = ra_rank_gpu_kind(op);
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
	uint32_t op;
};

/* The work of the device. */
struct device {
	struct work *works; /* owned; sorted by start */
	size_t work_count;
	int64_t *ends; /* owned: ends of collectives, in order */
	size_t end_count;
	struct ra_intervals held; /* times in which calls of any thread wait for the end of a
	                             collective */
};

static int compare_works(const void *a, const void *b)
{
	const struct work *left = a;
	const struct work *right = b;
	const int order = RA_ORDER_UP(left, right, start_ns);

	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, op));
}

static void collect(struct device *device, const struct ra_exposed_query *query)
{
	const struct ra_gpu *gpu = &query->model->gpu;

	device->works = ra_alloc_zeros(gpu->op_count + 1, sizeof(*device->works));
	device->ends = ra_alloc_zeros(gpu->op_count + 1, sizeof(*device->ends));
	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];
		unsigned kind;

		if (gpu->queues[op->queue].device != query->device) {
			continue;
		}
		kind = ra_rank_gpu_kind(op);
		if (kind == RA_RANK_COMMUNICATION) {
			device->ends[device->end_count++] =
				ra_util_add_time(op->start_ns, op->dur_ns);
		} else if ((kind & query->kinds) != 0) {
			device->works[device->work_count++] =
				(struct work){ op->start_ns, op->api, (uint32_t) i };
		}
	}
	RA_SORT(device->works, device->work_count, compare_works);
	RA_SORT(device->ends, device->end_count, ra_order_int64);
}

/* If a collective ends during a call, the collective held the call until then. */
static void find_held(struct device *device, const struct ra_gpu *gpu)
{
	for (size_t i = 0; i < gpu->api_count; i++) {
		const struct ra_gpu_api *api = &gpu->apis[i];
		const int64_t end_ns = ra_util_add_time(api->start_ns, api->dur_ns);
		struct ra_search at = ra_search_in(0, device->end_count);

		while (ra_search_next(&at)) { /* the first collective that ends after the call */
			ra_search_tell(&at, device->ends[at.middle] <= end_ns);
		}
		if (at.low > 0 && device->ends[at.low - 1] > api->start_ns) {
			ra_intervals_add(&device->held, api->start_ns, device->ends[at.low - 1]);
		}
	}
	ra_intervals_unite(&device->held);
}

/* Finds the operation that the device runs next. Return: NULL if there is none. */
static const struct work *find_next(const struct device *device, int64_t end_ns)
{
	struct ra_search at = ra_search_in(0, device->work_count);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, device->works[at.middle].start_ns < end_ns);
	}
	return at.low == device->work_count ? NULL : &device->works[at.low];
}

/* Splits a time among the parts of *out. Return: how long the next work was launched and waited. */
static int64_t split(struct ra_exposed *out, const struct device *device, const struct ra_gpu *gpu,
                     const struct ra_interval *time)
{
	const struct work *next = find_next(device, time->end_ns);
	int64_t launch_ns;
	int64_t held_ns;
	int64_t wait_ns = 0;

	if (next == NULL || next->api == RA_NONE) {
		out->none_ns = ra_util_add_time(out->none_ns, time->end_ns - time->start_ns);
		return 0;
	}
	launch_ns = gpu->apis[next->api].start_ns;
	if (ra_util_add_time(next->start_ns, -RA_GPU_GAPS_SHORT_NS) >= launch_ns) {
		wait_ns = time->end_ns - (launch_ns > time->start_ns ? launch_ns : time->start_ns);
		wait_ns = wait_ns > 0 ? wait_ns : 0;
	}
	launch_ns = launch_ns < time->start_ns ? time->start_ns : launch_ns;
	launch_ns = launch_ns > time->end_ns ? time->end_ns : launch_ns;
	held_ns = ra_intervals_cover(&device->held, time->start_ns, launch_ns);
	out->held_ns = ra_util_add_time(out->held_ns, held_ns);
	out->late_ns =
		ra_util_add_time(out->late_ns, time->end_ns - time->start_ns - held_ns - wait_ns);
	out->queued_ns = ra_util_add_time(out->queued_ns, wait_ns);
	return wait_ns;
}

static void init_device(struct device *device, const struct ra_exposed_query *query)
{
	*device = (struct device){ 0 };
	collect(device, query);
	find_held(device, &query->model->gpu);
}

static void fini_device(struct device *device)
{
	free(device->works);
	free(device->ends);
	ra_intervals_fini(&device->held);
}

void ra_exposed_split(struct ra_exposed *out, const struct ra_exposed_query *query,
                      const struct ra_intervals *exposed)
{
	struct device device;

	*out = (struct ra_exposed){ 0 };
	init_device(&device, query);
	for (size_t i = 0; i < exposed->count; i++) {
		(void) split(out, &device, &query->model->gpu, &exposed->rows[i]);
	}
	fini_device(&device);
}

/* The result while it is filled. */
struct parts {
	struct ra_exposed_calls *exposed; /* borrowed */
	size_t capacity;                  /* of exposed->parts */
};

/* A collective; these are sorted by begin. */
struct begin {
	int64_t start_ns;
	uint32_t device;
	uint32_t op;
	size_t call; /* index of the collective */
};

static int compare_begins(const void *a, const void *b)
{
	const struct begin *left = a;
	const struct begin *right = b;
	int order = RA_ORDER_UP(left, right, device);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(left, right, start_ns));
	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, op));
}

/* The data needed to divide the time of a device's collectives. */
struct sharing {
	const struct ra_model *model;
	struct parts *parts; /* borrowed */
	struct device device;
	struct ra_intervals exposed;
	size_t at;       /* exposed times before this index end before the next collective begins */
	int64_t used_ns; /* the time until then belongs to collectives that began before */
};

/* Adds a part of a collective's exposed time. */
static void add_part(struct sharing *sharing, size_t call, const struct ra_interval *time)
{
	struct ra_exposed_calls *exposed = sharing->parts->exposed;
	const struct work *next = find_next(&sharing->device, time->end_ns);
	const int64_t wait_ns =
		split(&exposed->causes[call], &sharing->device, &sharing->model->gpu, time);

	if (next != NULL) {
		ra_util_grow(&exposed->parts, &sharing->parts->capacity, exposed->part_count + 1,
		             sizeof(*exposed->parts));
		exposed->parts[exposed->part_count++] = (struct ra_exposed_part){
			.call = call,
			.next = next->op,
			.exposed_ns = time->end_ns - time->start_ns,
			.wait_ns = next->api == RA_NONE ? -1 : wait_ns,
		};
	}
}

/* Gives a collective its exposed time, without the time in which a collective that began before it
 * still runs. */
static void share(struct sharing *sharing, const struct ra_collective *call, size_t number)
{
	const int64_t end_ns = ra_util_add_time(call->start_ns, call->dur_ns);
	const int64_t from_ns =
		call->start_ns > sharing->used_ns ? call->start_ns : sharing->used_ns;
	const struct ra_interval *rows = sharing->exposed.rows;

	while (sharing->at < sharing->exposed.count && rows[sharing->at].end_ns <= from_ns) {
		sharing->at++;
	}
	for (size_t i = sharing->at; i < sharing->exposed.count && rows[i].start_ns < end_ns; i++) {
		const struct ra_interval part = {
			rows[i].start_ns > from_ns ? rows[i].start_ns : from_ns,
			rows[i].end_ns < end_ns ? rows[i].end_ns : end_ns,
		};

		if (part.start_ns < part.end_ns) {
			add_part(sharing, number, &part);
		}
	}
	sharing->used_ns = end_ns > sharing->used_ns ? end_ns : sharing->used_ns;
}

/* Divides the time of one device among its collectives, which come next in the array. Return:
 * number of these collectives. */
static size_t share_device(struct parts *parts, const struct ra_model *model,
                           const struct ra_collective *calls, const struct begin *begins,
                           size_t count)
{
	const struct ra_exposed_query query = { model, begins[0].device, RA_RANK_COMPUTATION };
	struct sharing sharing = { .model = model, .parts = parts, .used_ns = INT64_MIN };
	size_t i;

	init_device(&sharing.device, &query);
	ra_exposed_find(&sharing.exposed, &query);
	for (i = 0; i < count && begins[i].device == query.device; i++) {
		share(&sharing, &calls[begins[i].call], begins[i].call);
	}
	ra_intervals_fini(&sharing.exposed);
	fini_device(&sharing.device);
	return i;
}

static int compare_parts(const void *a, const void *b)
{
	const struct ra_exposed_part *left = a;
	const struct ra_exposed_part *right = b;

	return RA_ORDER_UP(left, right, call);
}

void ra_exposed_calls_init(struct ra_exposed_calls *exposed, const struct ra_model *model,
                           const struct ra_collective *calls, size_t count)
{
	struct begin *begins = ra_alloc_zeros(count + 1, sizeof(*begins));
	struct parts parts = { .exposed = exposed };

	*exposed = (struct ra_exposed_calls){ 0 };
	exposed->causes = ra_alloc_zeros(count + 1, sizeof(*exposed->causes));
	for (size_t i = 0; i < count; i++) {
		const uint32_t queue = model->gpu.ops[calls[i].op].queue;

		begins[i] = (struct begin){ calls[i].start_ns, model->gpu.queues[queue].device,
			                    calls[i].op, i };
	}
	RA_SORT(begins, count, compare_begins);
	for (size_t first = 0; first < count;) {
		first += share_device(&parts, model, calls, &begins[first], count - first);
	}
	RA_SORT(exposed->parts, exposed->part_count, compare_parts);
	free(begins);
}

void ra_exposed_calls_fini(struct ra_exposed_calls *exposed)
{
	free(exposed->causes);
	free(exposed->parts);
}
