/* SPDX-License-Identifier: MIT */
/* Times in which a device did little: long gaps, and windows of low utilization. */
#include "analyzer/advice/advice.h"

#include "analyzer/figures/gpu/gpu-meanwhile.h"
#include "analyzer/figures/gpu/gpu-order.h"
#include "analyzer/report/op-names.h"
#include "analyzer/base/util.h"
#include "format/error.h"

#define LONG_GAP_NS INT64_C(500000000)
#define WINDOWS     30
#define LEAST_BUSY  0.5
#define TOLD        3 /* regions whose place is told */

/* What a device did, in order and apart from each other. */
struct busy {
	struct ra_stretches work; /* operations */
	struct ra_stretches all;  /* and what CUPTI took for itself: the program cannot help that */
};

static int find_busy(struct busy *busy, const struct ra_advice *advice,
                     const struct ra_gpu_order *order, const struct ra_gpu_order_device *device)
{
	const struct ra_gpu *gpu = &advice->model->gpu;
	int rc = 0;

	busy->work.count = 0;
	busy->all.count = 0;
	for (size_t i = 0; i < device->count && rc == 0; i++) {
		const struct ra_gpu_order_op *op = &order->ops[device->first + i];

		rc = ra_stretches_add(&busy->work, (double) op->start_ns, (double) op->end_ns, 0);
	}
	ra_stretches_merge(&busy->work);
	for (size_t i = 0; i < busy->work.count && rc == 0; i++) {
		rc = ra_stretches_add(&busy->all, busy->work.rows[i].start, busy->work.rows[i].end,
		                      0);
	}
	for (size_t i = 0; i < gpu->overhead_count && rc == 0; i++) {
		const struct ra_gpu_overhead *overhead = &gpu->overheads[i];

		rc = ra_stretches_add(
			&busy->all, (double) overhead->start_ns,
			(double) ra_util_add_time(overhead->start_ns, overhead->dur_ns), 0);
	}
	ra_stretches_merge(&busy->all);
	return rc;
}

/* From the first operation of a device to the end of its last, as far as that is in the steps. */
static bool find_bounds(const struct ra_advice *advice, const struct ra_gpu_order *order,
                        const struct ra_gpu_order_device *device, struct ra_stretch *bounds)
{
	*bounds = (struct ra_stretch){ (double) advice->end_ns, (double) advice->start_ns, 0 };
	for (size_t i = 0; i < device->count; i++) {
		const struct ra_gpu_order_op *op = &order->ops[device->first + i];
		const double start = (double) op->start_ns;
		const double end = (double) op->end_ns;

		bounds->start = start < bounds->start ? start : bounds->start;
		bounds->end = end > bounds->end ? end : bounds->end;
	}
	bounds->start = bounds->start > (double) advice->start_ns ? bounds->start
	                                                          : (double) advice->start_ns;
	bounds->end = bounds->end < (double) advice->end_ns ? bounds->end : (double) advice->end_ns;
	return bounds->start < bounds->end;
}

/* The first operation that begins then or later: one does. */
static const struct ra_gpu_order_op *find_next(const struct ra_gpu_order *order,
                                               const struct ra_gpu_order_device *device,
                                               int64_t time_ns)
{
	const struct ra_gpu_order_op *op = &order->ops[device->first];
	const struct ra_gpu_order_op *last = op + device->count - 1;

	while (op < last && op->start_ns < time_ns) {
		op++;
	}
	return op;
}

/* The thread that launched it; RA_NONE: not known. */
static uint32_t find_launcher(const struct ra_advice *advice, const struct ra_gpu_order_op *op)
{
	const struct ra_gpu *gpu = &advice->model->gpu;
	const uint32_t api = gpu->ops[op->op].api;

	return api == RA_NONE ? RA_NONE : gpu->apis[api].track;
}

/* What the thread that launched the work behind the gap did in it. */
static int put_meanwhile(const struct ra_advice *advice, const struct ra_advice_event *gap,
                         int64_t end_ns, struct ra_util_text *words)
{
	struct ra_gpu_meanwhile meanwhile;
	struct rlog_string name;
	int rc;

	if (gap->track == RA_NONE) {
		return 0;
	}
	rc = ra_gpu_meanwhile_find(&meanwhile, advice->model, gap->track, gap->start_ns, end_ns);
	if (rc != 0) {
		return rc;
	}
	if (meanwhile.api != RA_NONE) {
		name = ra_model_string(advice->model, meanwhile.api);
		ra_util_text_format(words, "CPU was in ");
		ra_util_text_put(words, name.bytes, name.length);
		ra_util_text_format(words, " for ");
		ra_util_text_put_time(words, meanwhile.api_ns);
	}
	if (meanwhile.range != RA_NONE) {
		rc = ra_op_names_label(advice->input, meanwhile.range, &name);
		ra_util_text_format(words, "%sin range ", words->length > 0 ? ", " : "CPU was ");
		ra_util_text_put(words, name.bytes, name.length);
		ra_util_text_format(words, " for ");
		ra_util_text_put_time(words, meanwhile.range_ns);
	}
	if (words->length == 0) {
		ra_util_text_format(words, "CPU was in no range and no call of CUDA");
	}
	return rc;
}

/* Gaps between operations, each without what CUPTI took in it. */
static int note_gaps(struct ra_advice_evidence *evidence, const struct ra_advice *advice,
                     const struct busy *busy, int64_t device)
{
	const struct ra_stretches *work = &busy->work;
	size_t at = 0;
	int rc = 0;

	for (size_t i = 1; i < work->count && rc == 0; i++) {
		const double start = work->rows[i - 1].end;
		const double end = work->rows[i].start;
		double gap_ns = end - start;

		while (at < busy->all.count && busy->all.rows[at].start < end) {
			const struct ra_stretch *row = &busy->all.rows[at++];
			const double from = row->start > start ? row->start : start;
			const double to = row->end < end ? row->end : end;

			gap_ns -= to > from ? to - from : 0;
		}
		/* The last one may reach into the next gap. */
		at -= at > 0;
		if (gap_ns > (double) LONG_GAP_NS && end <= (double) advice->end_ns) {
			const struct ra_advice_event gap = { .start_ns = ra_advice_ns(start),
				                             .dur_ns = ra_advice_ns(gap_ns),
				                             .track = RA_NONE,
				                             .device = device };

			rc = ra_advice_note(evidence, advice, &gap);
		}
	}
	return rc;
}

static int advise_gaps(const struct ra_advice *advice, const struct ra_gpu_order *order,
                       const struct ra_gpu_order_device *device, const struct busy *busy)
{
	struct ra_advice_rule rule = {
		"gpu_gaps", 0, (double) LONG_GAP_NS / 1e9, "s",
		"the GPU waited for long: see what the CPU did then (gaps)"
	};
	struct ra_advice_evidence evidence = { 0 };
	struct ra_util_text words = { 0 };
	int rc = note_gaps(&evidence, advice, busy, device->id);

	if (rc == 0 && evidence.count > 0) {
		struct ra_advice_event *longest = &evidence.longest;
		const struct ra_gpu_order_op *next =
			find_next(order, device, longest->start_ns + longest->dur_ns);

		longest->track = find_launcher(advice, next);
		rule.value = (double) longest->dur_ns / 1e9;
		rc = put_meanwhile(advice, longest, next->start_ns, &words);
		if (rc == 0) {
			rc = ra_advice_add(advice, &rule, &evidence, &words);
		}
	}
	ra_util_text_free(&words);
	ra_advice_evidence_fini(&evidence);
	return rc;
}

/* Neighbouring windows that are all below the limit. */
struct region {
	double start;
	double end;
	double busy;
};

struct regions {
	struct region rows[WINDOWS];
	size_t count;
};

/* Cuts the time into equal windows, and sums the busy time of each in one pass. */
static void find_regions(struct regions *regions, const struct ra_stretches *busy,
                         const struct ra_stretch *bounds)
{
	const double step = (bounds->end - bounds->start) / WINDOWS;
	size_t at = 0;
	bool is_open = false;

	regions->count = 0;
	for (int w = 0; w < WINDOWS; w++) {
		const struct region window = {
			.start = bounds->start + w * step,
			.end = w + 1 == WINDOWS ? bounds->end : bounds->start + (w + 1) * step,
		};
		struct region *region = &regions->rows[regions->count];
		double sum = 0;

		while (at < busy->count && busy->rows[at].end <= window.start) {
			at++;
		}
		for (size_t i = at; i < busy->count && busy->rows[i].start < window.end; i++) {
			const struct ra_stretch *row = &busy->rows[i];

			sum += (row->end < window.end ? row->end : window.end) -
			       (row->start > window.start ? row->start : window.start);
		}
		if (sum >= LEAST_BUSY * (window.end - window.start)) {
			is_open = false;
			continue;
		}
		if (!is_open) {
			*region = window;
			regions->count++;
			is_open = true;
		} else {
			region = &regions->rows[regions->count - 1];
			region->end = window.end;
		}
		region->busy += sum;
	}
}

/* "0.00% from 1.000s to 1.500s, …": the first few, in order of time. */
static void put_regions(struct ra_util_text *words, const struct regions *regions)
{
	for (size_t i = 0; i < regions->count && i < TOLD; i++) {
		const struct region *region = &regions->rows[i];

		ra_util_text_format(words, "%s%.2f%% from ", i == 0 ? "" : ", ",
		                    100 * region->busy / (region->end - region->start));
		ra_util_text_put_time(words, ra_advice_ns(region->start));
		ra_util_text_format(words, " to ");
		ra_util_text_put_time(words, ra_advice_ns(region->end));
	}
	if (regions->count > TOLD) {
		ra_util_text_format(words, ", %zu more", regions->count - TOLD);
	}
}

static int advise_windows(const struct ra_advice *advice, const struct ra_gpu_order *order,
                          const struct ra_gpu_order_device *device, const struct busy *busy)
{
	struct ra_advice_rule rule = {
		"gpu_time_util", 1, LEAST_BUSY, "of region",
		"the GPU had little to do for a while: see gaps there, or the timeline"
	};
	struct ra_advice_evidence evidence = { 0 };
	struct ra_util_text words = { 0 };
	struct regions regions = { 0 };
	struct ra_stretch bounds;
	int rc = 0;

	if (!find_bounds(advice, order, device, &bounds)) {
		return 0;
	}
	find_regions(&regions, &busy->all, &bounds);
	for (size_t i = 0; i < regions.count && rc == 0; i++) {
		const struct region *region = &regions.rows[i];
		const struct ra_advice_event event = {
			.start_ns = ra_advice_ns(region->start),
			.dur_ns = ra_advice_ns(region->end) - ra_advice_ns(region->start),
			.track = RA_NONE,
			.device = device->id,
		};

		rc = ra_advice_note(&evidence, advice, &event);
		if (evidence.longest.start_ns == event.start_ns) {
			rule.value = region->busy / (region->end - region->start);
		}
	}
	put_regions(&words, &regions);
	if (rc == 0 && evidence.count > 0) {
		evidence.longest.track =
			find_launcher(advice, find_next(order, device, evidence.longest.start_ns));
		rc = ra_advice_add(advice, &rule, &evidence, &words);
	}
	ra_util_text_free(&words);
	ra_advice_evidence_fini(&evidence);
	return rc;
}

int ra_advice_idle_apply(const struct ra_advice *advice)
{
	struct busy busy = { 0 };
	struct ra_gpu_order order;
	int rc = ra_gpu_order_init(&order, advice->model);

	for (size_t d = 0; d < order.device_count && rc == 0; d++) {
		rc = find_busy(&busy, advice, &order, &order.devices[d]);
		if (rc == 0 && order.devices[d].count > 0) {
			rc = advise_gaps(advice, &order, &order.devices[d], &busy);
		}
		if (rc == 0 && order.devices[d].count > 0) {
			rc = advise_windows(advice, &order, &order.devices[d], &busy);
		}
	}
	ra_stretches_fini(&busy.work);
	ra_stretches_fini(&busy.all);
	ra_gpu_order_fini(&order);
	return rc;
}
