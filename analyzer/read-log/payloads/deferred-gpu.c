/* SPDX-License-Identifier: MIT */
/*
 * Places deferred events that have times of a GPU's timer, by the kernels that ran.
 *
 * The GPU's timer and the log's clock differ by a number that drifts slowly. For each call that
 * submitted events, this finds the largest difference with which every event of the call is inside
 * a kernel. We take the largest difference because programs submit events soon after they happen.
 * It is limited, because no call can have submitted events before they were over.
 *
 * Then each call's difference is limited to what any other call found plus the possible drift
 * between the two calls: if the events of all calls were in kernels of the log, the true difference
 * is not larger than any that was found. If this leaves a call without a difference, that
 * assumption was wrong, and each call keeps the difference that it found first.
 */
#include "analyzer/read-log/payloads/deferred-gpu.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/search.h"
#include "analyzer/base/order/util-sort.h"
#include "analyzer/base/util.h"

/* Larger times make no sense. The sum of three smaller times does not overflow. */
#define MAX_TIME (INT64_C(1) << 61)

/* The two clocks may drift apart by one part in 20,000, which is 50 ppm. */
#define DRIFT 20000

/* Tolerance: the timer's step, up to 1 µs, and the error of CUPTI's time conversion. */
#define SLACK_NS INT64_C(1000)

/* The whole search takes at most this many steps per event and kernel. */
#define STEPS 1024

/* Limits are passed on between calls at most this many times; they usually stop changing
 * earlier. */
#define ROUNDS 8

#define NONE INT64_MIN

struct kernel {
	int64_t start_ns;
	int64_t end_ns;
	uint32_t last; /* index of the kernel that ends last, of this kernel and those before it */
};

/* The events that one call submitted. */
struct group {
	size_t first;
	size_t end;
	int64_t time_ns; /* time of the call */
	int64_t most;    /* upper limit of the difference */
	int64_t own;     /* the difference that fits the call's own events; NONE: there is none */
	int64_t fit;     /* the difference that fits the other calls as well */
};

struct placing {
	const struct ra_deferred_gpu_event *events;
	struct kernel *kernels; /* owned, as all arrays here; ordered by start */
	size_t kernel_count;
	struct group *groups; /* ordered by time */
	size_t group_count;
	int64_t slack_ns;
	uint64_t steps; /* number of steps that the search may still take */
};

bool ra_deferred_gpu_is_sound(const struct ra_deferred_gpu_event *event)
{
	return event->begin > -MAX_TIME && event->begin <= event->end && event->end < MAX_TIME;
}

void ra_deferred_gpu_add(struct ra_deferred_gpu *gpu, const struct ra_deferred_gpu_event *event)
{
	RA_UTIL_APPEND(gpu->events, gpu->count, gpu->capacity, *event);
}

void ra_deferred_gpu_fini(struct ra_deferred_gpu *gpu)
{
	free(gpu->events);
}

static bool has_kernels(const struct ra_gpu_op *op)
{
	return (op->kind == RA_GPU_KERNEL || op->kind == RA_GPU_GRAPH) && op->dur_ns >= 0 &&
	       op->start_ns > -MAX_TIME && op->start_ns < MAX_TIME && op->dur_ns < MAX_TIME;
}

/* Collects the kernels if all are of one device. With several devices, nobody knows whose timer the
 * events have. */
static void collect_kernels(struct placing *p, const struct ra_gpu *gpu)
{
	struct ra_util_sort_entry *order = ra_alloc_zeros(gpu->op_count + 1, sizeof(*order));
	bool is_one = true;
	size_t count = 0;

	p->kernels = ra_alloc_zeros(gpu->op_count + 1, sizeof(*p->kernels));
	for (size_t i = 0; i < gpu->op_count; i++) {
		if (has_kernels(&gpu->ops[i])) {
			order[count++] = (struct ra_util_sort_entry){
				(uint64_t) gpu->ops[i].start_ns + (UINT64_C(1) << 63), (uint32_t) i,
				gpu->queues[gpu->ops[i].queue].device
			};
			is_one &= order[count - 1].tag == order[0].tag;
		}
	}
	ra_util_sort(&order, count);
	for (size_t i = 0; i < count && is_one; i++) {
		const struct ra_gpu_op *op = &gpu->ops[order[i].index];
		struct kernel *kernel = &p->kernels[p->kernel_count++];

		*kernel = (struct kernel){ op->start_ns, op->start_ns + op->dur_ns, (uint32_t) i };
		if (i > 0 && p->kernels[kernel[-1].last].end_ns > kernel->end_ns) {
			kernel->last = kernel[-1].last;
		}
	}
	free(order);
}

static int compare_groups(const void *left, const void *right)
{
	const struct group *a = left;
	const struct group *b = right;

	return RA_ORDER_THEN(RA_ORDER_UP(a, b, time_ns), RA_ORDER_UP(a, b, first));
}

/* The largest possible difference at one call, given the difference at another call. */
static int64_t drift(int64_t difference, const struct group *from, const struct group *to)
{
	return difference + llabs(to->time_ns - from->time_ns) / DRIFT + SLACK_NS;
}

static void pass_on(const struct group *from, struct group *to)
{
	const int64_t most = drift(from->most, from, to);

	if (to->most > most) {
		to->most = most;
	}
}

static void collect_groups(struct placing *p, const struct ra_deferred_gpu *gpu,
                           const struct ra_model *model)
{
	p->groups = ra_alloc_zeros(gpu->count + 1, sizeof(*p->groups));
	for (size_t i = 0; i < gpu->count; i++) {
		const uint32_t call = gpu->events[i].call;
		const int64_t time_ns = model->calls[call].time_ns;
		struct group *group = &p->groups[p->group_count];

		if (i == 0 || gpu->events[i - 1].call != call) {
			*group = (struct group){ i, i, time_ns, INT64_MAX, NONE, NONE };
			p->group_count++;
		} else {
			group--;
		}
		group->end++;
		if (time_ns - gpu->events[i].end < group->most) {
			group->most = time_ns - gpu->events[i].end;
		}
	}
	RA_SORT(p->groups, p->group_count, compare_groups);
	for (size_t i = 1; i < p->group_count; i++) {
		pass_on(&p->groups[i - 1], &p->groups[i]);
	}
	for (size_t i = p->group_count; i > 1; i--) {
		pass_on(&p->groups[i - 1], &p->groups[i - 2]);
	}
}

/* The number of kernels that had begun at a time. */
static size_t count_begun(const struct placing *p, int64_t time_ns)
{
	struct ra_search at = ra_search_in(0, p->kernel_count);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, p->kernels[at.middle].start_ns - p->slack_ns <= time_ns);
	}
	return at.low;
}

/* The largest difference, at most `most`, with which the event is inside a kernel. Return: NONE:
 * there is none. */
static int64_t lower_to_fit(struct placing *p, const struct ra_deferred_gpu_event *event,
                            int64_t most)
{
	for (size_t i = count_begun(p, event->begin + most); i > 0 && p->steps > 0; i--) {
		const struct kernel *kernel = &p->kernels[i - 1];
		const int64_t start_ns = kernel->start_ns - p->slack_ns;
		const int64_t end_ns = p->kernels[kernel->last].end_ns + p->slack_ns;

		p->steps--;
		if (most > end_ns - event->end) {
			most = end_ns - event->end;
		}
		if (event->begin + most >= start_ns) {
			return most;
		}
	}
	return NONE;
}

/* The largest difference with which all events of a call are inside kernels. */
static int64_t fit(struct placing *p, const struct group *group, int64_t slack_ns)
{
	int64_t difference = group->most;
	bool is_settled;

	p->slack_ns = slack_ns;
	do {
		is_settled = true;
		for (size_t i = group->first; i < group->end; i++) {
			const int64_t lower = lower_to_fit(p, &p->events[i], difference);

			if (lower == NONE) {
				return NONE;
			}
			is_settled &= lower == difference;
			difference = lower;
		}
	} while (!is_settled);
	return difference;
}

/* Finds the difference of a call. If its events fit only with slack, the difference need not be the
 * largest that the slack allows: see add_range(). */
static int64_t fit_group(struct placing *p, const struct group *group)
{
	const int64_t loose = fit(p, group, SLACK_NS);
	const int64_t exact = loose != NONE ? fit(p, group, 0) : NONE;

	return exact != NONE && loose - exact <= 2 * SLACK_NS ? exact : loose;
}

/* Limits the difference of call `to` by that of call `from`. Return: false if no difference fits
 * any more. `changed` is set to true if a smaller one fits. */
static bool tighten(struct placing *p, const struct group *from, struct group *to, bool *changed)
{
	const int64_t most = drift(from->fit, from, to);

	if (most < to->fit) {
		to->most = most;
		to->fit = fit_group(p, to);
		*changed = true;
	}
	return to->fit != NONE;
}

/* Passes limits once through the calls that have a difference, forward or backward. Return: the
 * value of tighten(). */
static bool sweep(struct placing *p, bool is_forward, bool *changed)
{
	const struct group *last = NULL;
	bool is_sound = true;

	for (size_t i = 0; i < p->group_count && is_sound; i++) {
		struct group *group = &p->groups[is_forward ? i : p->group_count - 1 - i];

		if (group->own == NONE) {
			continue;
		}
		is_sound = last == NULL || tighten(p, last, group, changed);
		last = group;
	}
	return is_sound;
}

static void fit_groups(struct placing *p)
{
	bool is_changed = true;
	bool is_sound = true;

	for (size_t i = 0; i < p->group_count; i++) {
		struct group *group = &p->groups[i];

		group->own = group->fit = fit_group(p, group);
	}
	for (int round = 0; round < ROUNDS && is_changed && is_sound; round++) {
		is_changed = false;
		is_sound = sweep(p, true, &is_changed) && sweep(p, false, &is_changed);
	}
	for (size_t i = 0; i < p->group_count && !is_sound; i++) {
		p->groups[i].fit = p->groups[i].own;
	}
}

/* The kernel inside which an event is; without slack if possible. */
static const struct kernel *find_kernel(struct placing *p, int64_t begin_ns, int64_t end_ns)
{
	const struct kernel *kernel = p->kernels;

	for (p->slack_ns = 0; p->slack_ns <= SLACK_NS; p->slack_ns += SLACK_NS) {
		const size_t begun = count_begun(p, begin_ns);

		kernel = &p->kernels[begun > 0 ? p->kernels[begun - 1].last : 0];
		if (begun > 0 && kernel->end_ns >= end_ns) {
			break;
		}
	}
	return kernel;
}

static void add_range(struct placing *p, const struct ra_deferred_gpu_event *event,
                      int64_t difference, struct ra_spans *spans)
{
	int64_t begin_ns = event->begin + difference;
	int64_t end_ns = event->end + difference;
	const struct kernel *kernel = find_kernel(p, begin_ns, end_ns);
	struct ra_spans_begin begin = { .track = RA_NONE,
		                        .domain = event->domain,
		                        .data = event->data };

	/* The event ends at most the slack after the kernel. Its end is set to the kernel's end,
	 * the middle of the possible times. */
	if (end_ns > kernel->end_ns) {
		begin_ns -= end_ns - kernel->end_ns;
		end_ns = kernel->end_ns;
	}
	begin.time_ns = begin_ns > kernel->start_ns ? begin_ns : kernel->start_ns;
	ra_spans_add(spans, &begin, end_ns > begin.time_ns ? end_ns : begin.time_ns);
}

static void place_group(struct placing *p, const struct group *group, struct ra_model *model,
                        struct ra_spans *spans)
{
	if (group->fit == NONE) {
		model->quality.unplaced_events += group->end - group->first;
		return;
	}
	for (size_t i = group->first; i < group->end; i++) {
		add_range(p, &p->events[i], group->fit, spans);
	}
}

void ra_deferred_gpu_place(const struct ra_deferred_gpu *gpu, struct ra_model *model,
                           struct ra_spans *spans)
{
	struct placing p = { .events = gpu->events };

	collect_kernels(&p, &model->gpu);
	collect_groups(&p, gpu, model);
	p.steps = STEPS * (uint64_t) (gpu->count + p.kernel_count);
	fit_groups(&p);
	for (size_t i = 0; i < p.group_count; i++) {
		place_group(&p, &p.groups[i], model, spans);
	}
	free(p.kernels);
	free(p.groups);
}
