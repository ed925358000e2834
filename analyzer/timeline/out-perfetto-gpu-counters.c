/* SPDX-License-Identifier: MIT */
/* Counter tracks of GPUs in Perfetto JSON. */
#include <inttypes.h>

#include "analyzer/base/search.h"
#include "analyzer/figures/gpu/gpu-series.h"
#include "analyzer/timeline/out-perfetto-gpu.h"

struct counters {
	struct ra_out_perfetto_gpu *gpu;
	uint32_t pid;
	struct ra_gpu_series last; /* of the series before this value */
	bool has_last;
};

/* Perfetto shows name, a space and the series' key, which is the unit or the stream. */
static void put_names(struct counters *counters, const struct ra_gpu_series *series)
{
	struct ra_out_perfetto *perfetto = counters->gpu->perfetto;
	struct ra_outbuf *out = perfetto->out;
	const struct ra_gpu_queue *queue;

	switch (series->kind) {
	case RA_GPU_SERIES_UTILIZATION:
		ra_outbuf_text(out, "GPU utilization\",\"args\":{\"%\":");
		break;
	case RA_GPU_SERIES_SM:
		ra_outbuf_text(out, "Est. SM efficiency\",\"args\":{\"%\":");
		break;
	case RA_GPU_SERIES_COPY:
		ra_outbuf_text(out, series->op_kind == RA_GPU_SET
		                            ? "Memset"
		                            : ra_gpu_copy_name(series->copy_kind));
		ra_outbuf_text(out, " bandwidth\",\"args\":{\"GB/s\":");
		break;
	case RA_GPU_SERIES_QUEUE:
		queue = &perfetto->model->gpu.queues[series->queue];
		ra_outbuf_printf(out, "Queue length\",\"args\":{\"stream %" PRIu32, queue->stream);
		if (queue->name != 0) {
			const struct ra_out_perfetto_text name =
				ra_out_perfetto_name(&perfetto->names, queue->name);

			ra_outbuf_text(out, " (");
			ra_outbuf_put(out, name.bytes, name.length);
			ra_outbuf_text(out, ")");
		}
		if (series->has_contexts) {
			ra_outbuf_printf(out, " context %" PRIu32, queue->context);
		}
		ra_outbuf_text(out, "\":");
		break;
	}
}

static bool is_same(const struct ra_gpu_series *a, const struct ra_gpu_series *b)
{
	return a->kind == b->kind && a->op_kind == b->op_kind && a->copy_kind == b->copy_kind &&
	       a->queue == b->queue;
}

static void put_value(void *context, const struct ra_gpu_series *series, int64_t time_ns,
                      double value)
{
	struct counters *counters = context;
	struct ra_out_perfetto *perfetto = counters->gpu->perfetto;
	struct ra_outbuf *out = perfetto->out;

	if (!counters->has_last || !is_same(series, &counters->last)) {
		counters->has_last = true;
		counters->last = *series;
		perfetto->sampled += series->is_sampled && series->kind > RA_GPU_SERIES_SM;
	}
	if (time_ns < perfetto->zero_ns) {
		return; /* as what it counts */
	}
	ra_outbuf_printf(out, ",\n{\"ph\":\"C\",\"cat\":\"counter\",\"pid\":%" PRIu32 ",\"ts\":",
	                 counters->pid);
	ra_outbuf_commit(out, ra_outbuf_micros(ra_outbuf_reserve(out, RA_MICROS_BYTES),
	                                       time_ns - perfetto->zero_ns));
	ra_outbuf_text(out, ",\"name\":\"");
	put_names(counters, series);
	ra_outbuf_printf(out, "%.9g}}", value);
	perfetto->written++;
}

int ra_out_perfetto_gpu_counters_put(struct ra_out_perfetto_gpu *gpu, uint32_t device, uint32_t pid)
{
	struct counters counters = { .gpu = gpu, .pid = pid };

	struct ra_search at = ra_search_in(0, gpu->order.device_count);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, gpu->order.devices[at.middle].id < device);
	}
	if (at.low == gpu->order.device_count || gpu->order.devices[at.low].id != device) {
		return 0;
	}
	return ra_gpu_series_walk(gpu->perfetto->model, &gpu->order, at.low, put_value, &counters);
}
