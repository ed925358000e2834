/* SPDX-License-Identifier: MIT */
/* Names counters in timelines. */
#include "analyzer/timeline/pens/counter-names.h"

#include <inttypes.h>
#include <stdio.h>

#include "analyzer/model/names.h"

static void format_queue(struct ra_util_text *text, const struct ra_model *model,
                         const struct ra_gpu_series *series)
{
	const struct ra_gpu_queue *queue = &model->gpu.queues[series->queue];

	ra_util_text_format(text, "stream %" PRId32, (int32_t) queue->stream);
	if (queue->name != 0) { /* the program or the system gave the queue a name */
		const struct rlog_string own = ra_model_string(model, queue->name);

		ra_util_text_put(text, " (", 2);
		ra_util_text_put(text, own.bytes, own.length);
		ra_util_text_put(text, ")", 1);
	}
	if (series->has_contexts) {
		ra_util_text_format(text, " context %" PRIu32, queue->context);
	}
}

static struct ra_pen_text get_text(const struct ra_util_text *text)
{
	const uint32_t length = (uint32_t) text->length;

	return ra_pen_bytes((struct rlog_string){ text->bytes, length, length });
}

void ra_counter_names_find(struct ra_counter_names *names, const struct ra_model *model,
                           const struct ra_gpu_series *series)
{
	ra_util_text_clear(&names->text);
	switch (series->kind) {
	case RA_GPU_SERIES_UTILIZATION:
		names->name = ra_pen_words("GPU utilization");
		names->key = ra_pen_words("%");
		break;
	case RA_GPU_SERIES_SM:
		names->name = ra_pen_words("Est. SM efficiency");
		names->key = ra_pen_words("%");
		break;
	case RA_GPU_SERIES_COPY:
		ra_util_text_format(&names->text, "%s bandwidth",
		                    series->op_kind == RA_GPU_SET
		                            ? "Memset"
		                            : ra_gpu_copy_name(series->copy_kind));
		names->name = get_text(&names->text);
		names->key = ra_pen_words("GB/s");
		break;
	case RA_GPU_SERIES_QUEUE:
		names->name = ra_pen_words("Queue length");
		format_queue(&names->text, model, series);
		names->key = get_text(&names->text);
		break;
	}
}

struct rlog_string ra_counter_names_of_pool(const struct ra_memory_pool *pool,
                                            char name[RA_COUNTER_NAMES_MEMORY_BYTES])
{
	uint32_t length;

	char own[RA_MEMORY_NAME_BYTES];

	(void) ra_memory_name(pool, own);
	length = (uint32_t) snprintf(name, RA_COUNTER_NAMES_MEMORY_BYTES, "Memory %s", own);
	return (struct rlog_string){ name, length, length };
}

void ra_counter_names_put_memory(struct ra_pen *pen, const struct ra_memory_record *record)
{
	ra_pen_put_int(pen, "allocated", record->allocated);
	if (record->reserved >= 0) {
		ra_pen_put_int(pen, "reserved", record->reserved);
	}
	pen->end(pen);
}
