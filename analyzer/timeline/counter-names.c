/* SPDX-License-Identifier: MIT */
/* What counters of GPUs are called in timelines. */
#include "analyzer/timeline/counter-names.h"

#include <inttypes.h>

#include "analyzer/io/jsonw.h"
#include "analyzer/model/names.h"

/* Of the program's or the machine's. */
static void put_own_name(struct ra_outbuf *out, struct rlog_string name)
{
	ra_outbuf_text(out, " (");
	ra_jsonw_put_escaped(out, name.bytes, name.length);
	ra_outbuf_text(out, ")");
}

void ra_counter_names_put(struct ra_outbuf *out, const struct ra_model *model,
                          const struct ra_gpu_series *series)
{
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
		queue = &model->gpu.queues[series->queue];
		ra_outbuf_printf(out, "Queue length\",\"args\":{\"stream %" PRId32,
		                 (int32_t) queue->stream);
		if (queue->name != 0) {
			put_own_name(out, ra_model_string(model, queue->name));
		}
		if (series->has_contexts) {
			ra_outbuf_printf(out, " context %" PRIu32, queue->context);
		}
		ra_outbuf_text(out, "\":");
		break;
	}
}
