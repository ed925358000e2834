/* SPDX-License-Identifier: MIT */
/* Counter tracks of GPUs in Perfetto JSON. */
#include <inttypes.h>

#include "analyzer/base/search.h"
#include "analyzer/figures/gpu/gpu-series.h"
#include "analyzer/timeline/counter-names.h"
#include "analyzer/timeline/out-perfetto-gpu.h"

struct counters {
	struct ra_out_perfetto_gpu *gpu;
	uint32_t pid;
	struct ra_gpu_series last; /* of the series before this value */
	bool has_last;
};

static void put_value(void *context, const struct ra_gpu_series *series, int64_t time_ns,
                      double value)
{
	struct counters *counters = context;
	struct ra_out_perfetto *perfetto = counters->gpu->perfetto;
	struct ra_outbuf *out = perfetto->out;

	if (!counters->has_last || !ra_gpu_series_is_same(series, &counters->last)) {
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
	ra_counter_names_put(out, perfetto->model, series);
	ra_outbuf_printf(out, "%.9g}}", value);
	perfetto->written++;
}

void ra_out_perfetto_gpu_counters_put(struct ra_out_perfetto_gpu *gpu, uint32_t device,
                                      uint32_t pid)
{
	struct counters counters = { .gpu = gpu, .pid = pid };

	struct ra_search at = ra_search_in(0, gpu->order.device_count);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, gpu->order.devices[at.middle].id < device);
	}
	if (at.low == gpu->order.device_count || gpu->order.devices[at.low].id != device) {
		return;
	}
	ra_gpu_series_walk(gpu->perfetto->model, &gpu->order, at.low, put_value, &counters);
}
