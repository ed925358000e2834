/* SPDX-License-Identifier: MIT */
/* Draws the counter tracks of GPUs. */
#include "analyzer/base/order/search.h"
#include "analyzer/figures/gpu/gpu-series.h"
#include "analyzer/timeline/pens/counter-names.h"
#include "analyzer/timeline/perfetto/out-perfetto-gpu.h"

struct counters {
	struct ra_out_perfetto_gpu *gpu;
	uint32_t pid;
	struct ra_gpu_series last; /* the previous value of the same series */
	bool has_last;
	struct ra_counter_names names;
};

static void put_value(void *context, const struct ra_gpu_series *series, int64_t time_ns,
                      double value)
{
	struct counters *counters = context;
	struct ra_out_perfetto *perfetto = counters->gpu->perfetto;
	const struct ra_pen_value real = { .type = RA_PEN_REAL, .real = value, .digits = 9 };
	struct ra_pen_event event = {
		.category = "counter",
		.pid = counters->pid,
		.start_ns = time_ns - perfetto->zero_ns,
		.args = RA_PEN_HAS_ARGS,
		.is_name_last = true,
	};

	if (!counters->has_last || !ra_gpu_series_is_same(series, &counters->last)) {
		counters->has_last = true;
		counters->last = *series;
		perfetto->sampled += series->is_sampled && series->kind > RA_GPU_SERIES_SM;
		ra_counter_names_find(&counters->names, perfetto->model, series);
	}
	if (time_ns < perfetto->zero_ns) {
		return; /* the operations or waits that this value counts are left out, too */
	}
	event.name = counters->names.name;
	perfetto->pen->counter(perfetto->pen, &event);
	perfetto->pen->argument(perfetto->pen, &counters->names.key, &real);
	perfetto->pen->end(perfetto->pen);
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
	ra_util_text_free(&counters.names.text);
}
