/* SPDX-License-Identifier: MIT */
/*
 * The counters below the timeline: GPU activity, memory, and the program's own.
 *
 * "counters":[{"name":…, "points":[time, least, most, last, …]}, …], "has_more_counters":false
 *
 * Each time is relative to the point before; the first is relative to 0. A value is valid until the
 * next point. A point summarises the values of up to a 400th of the capture's time, so that the
 * page's size is bounded and no peak is lost.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/util.h"
#include "analyzer/figures/gpu/gpu-series.h"
#include "analyzer/figures/memory.h"
#include "analyzer/page/page-html.h"
#include "analyzer/page/page-parts.h"
#include "analyzer/payload/series.h"

#define COUNTERS   24
#define POINTS     400
#define NAME_WIDTH 100

struct point {
	int64_t time_ns;
	double least;
	double most;
	double last;
};

struct counter {
	struct ra_util_text name; /* owned */
	struct point *points;     /* owned */
	size_t count;
	size_t capacity;
};

struct counters {
	const struct ra_model *model;
	struct counter each[COUNTERS];
	size_t count;
	bool has_more;            /* there were more counters than are shown */
	struct counter *at;       /* the counter that gets the next value; NULL: the value is left
	                             out */
	struct ra_util_text name; /* owned: name of that counter */
	struct ra_gpu_series series;
	uint32_t device;
	bool has_series;
	int64_t stretch_ns;
};

/* Selects the counter named counters->name. */
static void choose(struct counters *counters)
{
	const struct ra_util_text *name = &counters->name;

	counters->at = NULL;
	for (size_t i = counters->count; i > 0 && counters->at == NULL; i--) {
		const struct ra_util_text *other = &counters->each[i - 1].name;

		if (other->length == name->length &&
		    memcmp(other->bytes, name->bytes, name->length) == 0) {
			counters->at = &counters->each[i - 1];
		}
	}
	if (counters->at == NULL && counters->count < COUNTERS) {
		counters->at = &counters->each[counters->count++];
		ra_util_text_put(&counters->at->name, name->bytes, name->length);
	} else if (counters->at == NULL) {
		counters->has_more = true;
	}
}

static void add_value(struct counters *counters, int64_t time_ns, double value)
{
	struct counter *counter = counters->at;
	struct point *point;

	if (counter == NULL || !isfinite(value)) {
		return;
	}
	point = counter->count > 0 ? &counter->points[counter->count - 1] : NULL;
	if (point != NULL &&
	    time_ns / counters->stretch_ns == point->time_ns / counters->stretch_ns) {
		point->least = fmin(point->least, value);
		point->most = fmax(point->most, value);
		point->last = value;
		return;
	}
	RA_UTIL_APPEND(counter->points, counter->count, counter->capacity,
	               (struct point){ time_ns, value, value, value });
}

static void name_series(struct counters *counters, const struct ra_gpu_series *series)
{
	const struct ra_gpu_queue *queue;
	struct ra_util_text *name = &counters->name;

	ra_util_text_clear(name);
	ra_util_text_put_name(name, ra_model_device_word(counters->model, counters->device),
	                      RA_TEXT_TERMINAL);
	ra_util_text_format(name, " %u ", counters->device);
	switch (series->kind) {
	case RA_GPU_SERIES_UTILIZATION:
		ra_util_text_format(name, "utilization, %%");
		break;
	case RA_GPU_SERIES_SM:
		ra_util_text_format(name, "est. SM efficiency, %%");
		break;
	case RA_GPU_SERIES_COPY:
		ra_util_text_format(name, "%s bandwidth, GB/s",
		                    series->op_kind == RA_GPU_SET
		                            ? "Memset"
		                            : ra_gpu_copy_name(series->copy_kind));
		break;
	case RA_GPU_SERIES_QUEUE:
		queue = &counters->model->gpu.queues[series->queue];
		ra_util_text_format(name, "queue length, stream %u", queue->stream);
		if (series->has_contexts) {
			ra_util_text_format(name, " of context %u", queue->context);
		}
		break;
	}
}

static void add_gpu(void *context, const struct ra_gpu_series *series, int64_t time_ns,
                    double value)
{
	struct counters *counters = context;

	if (!counters->has_series || !ra_gpu_series_is_same(series, &counters->series)) {
		counters->series = *series;
		counters->has_series = true;
		name_series(counters, series);
		choose(counters);
	}
	add_value(counters, time_ns, value);
}

static void add_gpus(struct counters *counters)
{
	struct ra_gpu_order order;

	ra_gpu_order_init(&order, counters->model);
	for (size_t i = 0; i < order.device_count; i++) {
		counters->device = order.devices[i].id;
		counters->has_series = false;
		if (order.devices[i].count > 0) {
			ra_gpu_series_walk(counters->model, &order, i, add_gpu, counters);
		}
	}
	ra_gpu_order_fini(&order);
}

static void add_record(void *context, const struct ra_memory_record *record)
{
	add_value(context, record->time_ns, (double) record->allocated);
}

static void add_memory(struct counters *counters)
{
	struct ra_memory memory;

	ra_memory_init(&memory, counters->model);
	for (uint32_t i = 0; i < memory.pool_count; i++) {
		char name[RA_MEMORY_NAME_BYTES];

		(void) ra_memory_name(&memory.pools[i], name);
		ra_util_text_clear(&counters->name);
		ra_util_text_format(&counters->name, "%s memory allocated, bytes", name);
		choose(counters);
		ra_memory_walk(&memory, i, RA_MEMORY_DRAWN, add_record, counters);
	}
	ra_memory_fini(&memory);
}

static void add_own(void *context, const struct ra_series_value *value)
{
	struct counters *counters = context;
	const struct ra_counter *counter = &counters->model->counters[value->counter];
	struct ra_util_text *name = &counters->name;

	ra_util_text_clear(name);
	if (counter->name != 0) {
		const struct rlog_string text = ra_model_string(counters->model, counter->name);

		ra_util_text_put(name, text.bytes, text.length);
	} else {
		ra_util_text_format(name, "counter %llu", (unsigned long long) counter->id);
	}
	if (value->field.bytes != NULL) {
		ra_util_text_format(name, ": ");
		ra_util_text_put(name, value->field.bytes, value->field.length);
	}
	if (value->unit.bytes != NULL) {
		ra_util_text_format(name, ", ");
		ra_util_text_put(name, value->unit.bytes, value->unit.length);
	}
	choose(counters);
	add_value(counters, value->time_ns, value->value);
}

static void put_counter(struct ra_util_text *json, const struct counter *counter)
{
	const struct rlog_string name = { counter->name.bytes, (uint32_t) counter->name.length, 0 };
	struct ra_util_text safe = { 0 };
	int64_t before_ns = 0;

	ra_page_html_shorten(&safe, name, NAME_WIDTH);
	ra_util_text_format(json, "{\"name\":\"");
	ra_util_text_put_name(json, (struct rlog_string){ safe.bytes, (uint32_t) safe.length, 0 },
	                      RA_TEXT_JSON);
	ra_util_text_format(json, "\",\"points\":[");
	for (size_t i = 0; i < counter->count; i++) {
		const struct point *point = &counter->points[i];

		ra_util_text_format(json, "%s%lld,%.12g,%.12g,%.12g", i == 0 ? "" : ",",
		                    (long long) (point->time_ns - before_ns), point->least,
		                    point->most, point->last);
		before_ns = point->time_ns;
	}
	ra_util_text_format(json, "]}");
	ra_util_text_free(&safe);
}

void ra_page_counters_put(const struct ra_model *model, struct ra_util_text *json)
{
	struct counters counters = { .model = model, .stretch_ns = model->end_ns / POINTS + 1 };

	if (model->gpu.op_count > 0) {
		add_gpus(&counters);
	}
	if (ra_memory_has(model)) {
		add_memory(&counters);
	}
	if (model->sample_count > 0) {
		ra_series_walk(model, add_own, &counters);
	}
	ra_util_text_format(json, "\"counters\":[");
	for (size_t i = 0; i < counters.count; i++) {
		ra_util_text_format(json, i == 0 ? "" : ",\n");
		put_counter(json, &counters.each[i]);
		ra_util_text_free(&counters.each[i].name);
		free(counters.each[i].points);
	}
	ra_util_text_format(json, "],\"has_more_counters\":%s,\n",
	                    counters.has_more ? "true" : "false");
	ra_util_text_free(&counters.name);
}
