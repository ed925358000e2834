/* SPDX-License-Identifier: MIT */
/* Counters in Perfetto JSON: a track for each, and for each field of a group. */
#include <math.h>

#include "analyzer/io/jsonw.h"
#include "analyzer/timeline/out-perfetto.h"
#include "analyzer/report/report.h"
#include "analyzer/payload/series.h"

static void put_text(struct ra_outbuf *out, struct rlog_string text)
{
	ra_jsonw_put_escaped(out, text.bytes, text.length);
}

/* Perfetto shows name, a space and the series' key; the unit has no other place. */
static void put_value(void *context, const struct ra_series_value *value)
{
	struct ra_out_perfetto *perfetto = context;
	struct ra_outbuf *out = perfetto->out;
	const struct ra_model *model = perfetto->model;
	const struct ra_counter *counter = &model->counters[value->counter];

	if (!isfinite(value->value)) {
		return;
	}
	ra_outbuf_text(out, ",\n{\"ph\":\"C\",\"cat\":\"counter\",\"name\":\"");
	if (counter->domain != 0) {
		put_text(out, ra_report_name_domain(model, counter->domain));
		ra_outbuf_put(out, ": ", 2);
	}
	if (counter->name != 0) {
		put_text(out, ra_model_string(model, counter->name));
	} else {
		ra_outbuf_printf(out, "counter %llu", (unsigned long long) counter->id);
	}
	ra_outbuf_printf(out, "\",\"pid\":%lu,\"ts\":", (unsigned long) perfetto->pid);
	ra_outbuf_commit(out, ra_outbuf_micros(ra_outbuf_reserve(out, RA_MICROS_BYTES),
	                                       value->time_ns - perfetto->zero_ns));
	ra_outbuf_text(out, ",\"args\":{\"");
	if (value->field.bytes != NULL) {
		put_text(out, value->field);
		ra_outbuf_put(out, " ", value->unit.bytes != NULL);
	}
	if (value->unit.bytes != NULL) {
		put_text(out, value->unit);
	} else if (value->field.bytes == NULL) {
		ra_outbuf_text(out, "value");
	}
	ra_outbuf_printf(out, "\":%.17g}}", value->value);
	perfetto->written++;
}

void ra_out_perfetto_counters_put(struct ra_out_perfetto *perfetto)
{
	if (perfetto->model->sample_count == 0) {
		return;
	}
	perfetto->pid = ra_layout_find_pid(perfetto->layout, 0);
	ra_series_walk(perfetto->model, put_value, perfetto);
}
