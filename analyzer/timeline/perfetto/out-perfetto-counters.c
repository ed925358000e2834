/* SPDX-License-Identifier: MIT */
/* Draws counters: one track for each, or for each field of a group. */
#include <math.h>

#include "analyzer/base/text/util-text.h"
#include "analyzer/timeline/perfetto/out-perfetto.h"
#include "analyzer/report/report.h"
#include "analyzer/payload/series.h"

struct counters {
	struct ra_out_perfetto *perfetto;
	struct ra_util_text text; /* owned: scratch */
};

static void put_text(struct ra_util_text *text, struct rlog_string string)
{
	ra_util_text_put(text, string.bytes, string.length);
}

static struct ra_pen_text get_text(const struct ra_util_text *text, size_t from)
{
	const uint32_t length = (uint32_t) (text->length - from);

	return ra_pen_bytes((struct rlog_string){ text->bytes + from, length, length });
}

static void format_name(const struct ra_model *model, const struct ra_counter *counter,
                        struct ra_util_text *text)
{
	if (counter->domain != 0) {
		put_text(text, ra_report_name_domain(model, counter->domain));
		ra_util_text_put(text, ": ", 2);
	}
	if (counter->name != 0) {
		put_text(text, ra_model_string(model, counter->name));
	} else {
		ra_util_text_format(text, "counter %llu", (unsigned long long) counter->id);
	}
}

static void format_series(const struct ra_series_value *value, struct ra_util_text *text)
{
	if (value->field.bytes != NULL) {
		put_text(text, value->field);
		ra_util_text_put(text, " ", value->unit.bytes != NULL);
	}
	if (value->unit.bytes != NULL) {
		put_text(text, value->unit);
	} else if (value->field.bytes == NULL) {
		ra_util_text_put(text, "value", 5);
	}
}

/* Draws a value. Perfetto shows the name, a space, and the key of the series, so the unit becomes
 * that key. */
static void put_value(void *context, const struct ra_series_value *value)
{
	struct counters *counters = context;
	struct ra_out_perfetto *perfetto = counters->perfetto;
	struct ra_util_text *text = &counters->text;
	const struct ra_pen_value real = { .type = RA_PEN_REAL,
		                           .real = value->value,
		                           .digits = 17 };
	struct ra_pen_event event = {
		.category = "counter",
		.pid = perfetto->pid,
		.start_ns = value->time_ns - perfetto->zero_ns,
		.args = RA_PEN_HAS_ARGS,
	};
	struct ra_pen_text key;
	size_t length;

	if (!isfinite(value->value)) {
		return;
	}
	ra_util_text_clear(text);
	format_name(perfetto->model, &perfetto->model->counters[value->counter], text);
	length = text->length;
	format_series(value, text);
	key = get_text(text, length);
	text->length = length;
	event.name = get_text(text, 0);
	perfetto->pen->counter(perfetto->pen, &event);
	perfetto->pen->argument(perfetto->pen, &key, &real);
	perfetto->pen->end(perfetto->pen);
	perfetto->written++;
}

void ra_out_perfetto_counters_put(struct ra_out_perfetto *perfetto)
{
	struct counters counters = { .perfetto = perfetto };

	if (perfetto->model->sample_count == 0) {
		return;
	}
	perfetto->pid = ra_layout_find_pid(perfetto->layout, 0);
	ra_series_walk(perfetto->model, put_value, &counters);
	ra_util_text_free(&counters.text);
}
