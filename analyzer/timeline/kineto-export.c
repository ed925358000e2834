/* SPDX-License-Identifier: MIT */
/* A trace in JSON written again: all that was in it, and what it lacked. */
#include "config.h"

#include "analyzer/timeline/kineto-export.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyzer/figures/gpu/gpu-series.h"
#include "analyzer/io/jsonw.h"
#include "analyzer/rows/kineto-number.h"
#include "analyzer/rows/kineto.h"
#include "analyzer/figures/memory.h"
#include "format/error.h"

struct exporting {
	const struct ra_model *model;
	const struct ra_kineto *kineto;
	struct ra_outbuf *out;
	struct ra_labels labels; /* owned */
	bool has_labels;
	bool is_extended; /* things may be added */
	bool has_first;   /* an event is there */
	uint64_t counters;
	uint64_t arrows;
	uint32_t added;  /* what the file says was added: string id of JSON text, 0 none */
	uint32_t device; /* whose counters are being written */
};

/* ---- texts and numbers ---- */

static void put_string(struct ra_outbuf *out, struct rlog_string text)
{
	const uint32_t part_bytes = RA_OUTBUF_RESERVE_BYTES / RA_UTIL_JSON_GROWTH - 1;

	ra_outbuf_put(out, "\"", 1);
	for (uint32_t at = 0; at < text.length;) {
		uint32_t part = text.length - at < part_bytes ? text.length - at : part_bytes;

		/* No character of UTF-8 is cut in two. */
		while (at + part < text.length && part > 1 &&
		       ((unsigned char) text.bytes[at + part] & 0xC0) == 0x80) {
			part--;
		}
		ra_outbuf_commit(
			out, ra_util_json_escape(
				     ra_outbuf_reserve(out, (size_t) part * RA_UTIL_JSON_GROWTH),
				     text.bytes + at, part));
		at += part;
	}
	ra_outbuf_put(out, "\"", 1);
}

static void put_text(struct ra_outbuf *out, struct rlog_string text)
{
	ra_outbuf_put(out, text.bytes, text.length);
}

/* µs, with a point if the file has one there. */
static void put_time(struct ra_outbuf *out, int64_t ns, bool has_point)
{
	if (!has_point && ns % 1000 == 0) {
		ra_outbuf_put_signed(out, ns / 1000);
	} else {
		ra_outbuf_commit(out,
		                 ra_outbuf_micros(ra_outbuf_reserve(out, RA_MICROS_BYTES), ns));
	}
}

static void put_value(struct exporting *exporting, const struct ra_kineto_value *value)
{
	struct ra_outbuf *out = exporting->out;

	switch (value->type) {
	case RA_KINETO_INT:
		if (value->text.length > 0) { /* -0 */
			put_text(out, value->text);
		} else {
			ra_outbuf_put_signed(out, value->integer);
		}
		break;
	case RA_KINETO_NUMBER:
		if (ra_kineto_number_is_word(value->text.bytes, value->text.length)) {
			put_string(out, value->text);
		} else {
			put_text(out, value->text);
		}
		break;
	case RA_KINETO_STRING:
		put_string(out, value->text);
		break;
	case RA_KINETO_JSON:
		put_text(out, value->text);
		break;
	case RA_KINETO_TRUE:
		ra_outbuf_text(out, "true");
		break;
	case RA_KINETO_FALSE:
		ra_outbuf_text(out, "false");
		break;
	case RA_KINETO_NULL:
	case RA_KINETO_ABSENT:
		ra_outbuf_text(out, "null");
		break;
	}
}

/* ---- events ---- */

static void begin_event(struct exporting *exporting)
{
	ra_outbuf_text(exporting->out, exporting->has_first ? ",\n{" : "{");
	exporting->has_first = true;
}

static void put_key(struct exporting *exporting, const char *key, bool *needs_comma)
{
	if (*needs_comma) {
		ra_outbuf_put(exporting->out, ",", 1);
	}
	*needs_comma = true;
	ra_outbuf_put(exporting->out, "\"", 1);
	ra_outbuf_text(exporting->out, key);
	ra_outbuf_put(exporting->out, "\":", 2);
}

static struct rlog_string find_name(struct exporting *exporting, uint32_t event)
{
	const struct ra_kineto *k = exporting->kineto;
	uint32_t label;

	/* Only what is a range or a mark has a name to be put in another form. */
	if (exporting->has_labels &&
	    (k->kind[event] <= RA_KINETO_USER_ANNOTATION || k->kind[event] == RA_KINETO_INSTANT) &&
	    ra_labels_find(&exporting->labels, k->name[event], &label) == 0) {
		return ra_labels_name(&exporting->labels, label);
	}
	return ra_kineto_string(k, k->name[event]);
}

/* Fields whose value is not of the usual type stand among the rest, where they are written. */
static void put_columns(struct exporting *exporting, uint32_t event, uint32_t in_rest,
                        bool *needs_comma)
{
	const struct ra_kineto *k = exporting->kineto;
	const struct ra_kineto_thread *thread = &k->threads[k->thread[event]];
	struct ra_outbuf *out = exporting->out;
	const char phase[2] = { (char) k->phase[event], '\0' };

	if (k->phase[event] != 0) {
		put_key(exporting, "ph", needs_comma);
		put_string(out, (struct rlog_string){ phase, 1, 1 });
	}
	if ((k->flags[event] & RA_KINETO_HAS_CAT) != 0) {
		put_key(exporting, "cat", needs_comma);
		put_string(out, ra_kineto_string(k, k->categories[k->category[event]].name));
	}
	if ((k->flags[event] & RA_KINETO_HAS_NAME) != 0) {
		put_key(exporting, "name", needs_comma);
		put_string(out, find_name(exporting, event));
	}
	if (thread->pid != 0) {
		put_key(exporting, "pid", needs_comma);
		put_text(out, ra_kineto_string(k, thread->pid));
	}
	if (thread->tid != 0) {
		put_key(exporting, "tid", needs_comma);
		put_text(out, ra_kineto_string(k, thread->tid));
	}
	if ((k->flags[event] & RA_KINETO_HAS_TS) != 0 && (in_rest & 1) == 0) {
		put_key(exporting, "ts", needs_comma);
		put_time(out, k->ts_ns[event], (k->flags[event] & RA_KINETO_TS_POINT) != 0);
	}
	if ((k->flags[event] & RA_KINETO_HAS_DUR) != 0 && (in_rest & 2) == 0) {
		put_key(exporting, "dur", needs_comma);
		put_time(out, k->dur_ns[event], (k->flags[event] & RA_KINETO_DUR_POINT) != 0);
	}
}

static void put_rest(struct exporting *exporting, uint32_t event, bool is_arg, bool *needs_comma)
{
	const struct ra_kineto *k = exporting->kineto;
	struct ra_kineto_rest rest;

	ra_kineto_rest_init(&rest, k, event);
	while (ra_kineto_rest_next(&rest, k)) {
		if (rest.is_arg != is_arg) {
			continue;
		}
		if (*needs_comma) {
			ra_outbuf_put(exporting->out, ",", 1);
		}
		*needs_comma = true;
		put_string(exporting->out, ra_kineto_string(k, rest.key));
		ra_outbuf_put(exporting->out, ":", 1);
		put_value(exporting, &rest.value);
	}
}

static void put_event(struct exporting *exporting, uint32_t event)
{
	const struct ra_kineto *k = exporting->kineto;
	struct ra_kineto_rest rest;
	uint32_t in_rest = 0;
	bool needs_comma = false;
	bool needs_arg_comma = false;

	ra_kineto_rest_init(&rest, k, event);
	for (uint32_t i = 0; i < rest.left; i++) {
		in_rest |= rest.keys[i] == RA_KINETO_ARG_TS << 1;
		in_rest |= rest.keys[i] == RA_KINETO_ARG_DUR << 1 ? 2 : 0;
	}
	begin_event(exporting);
	put_columns(exporting, event, in_rest, &needs_comma);
	put_rest(exporting, event, false, &needs_comma);
	if ((k->flags[event] & RA_KINETO_HAS_ARGS) != 0) {
		put_key(exporting, "args", &needs_comma);
		ra_outbuf_put(exporting->out, "{", 1);
		put_rest(exporting, event, true, &needs_arg_comma);
		ra_outbuf_put(exporting->out, "}", 1);
	}
	ra_outbuf_put(exporting->out, "}", 1);
}

/* ---- what is added ---- */

static void put_place(struct exporting *exporting, uint32_t event)
{
	const struct ra_kineto *k = exporting->kineto;
	const struct ra_kineto_thread *thread = &k->threads[k->thread[event]];

	ra_outbuf_text(exporting->out, "\"pid\":");
	put_text(exporting->out, thread->pid != 0 ? ra_kineto_string(k, thread->pid)
	                                          : (struct rlog_string){ "0", 1, 1 });
	ra_outbuf_text(exporting->out, ",\"tid\":");
	put_text(exporting->out, thread->tid != 0 ? ra_kineto_string(k, thread->tid)
	                                          : (struct rlog_string){ "0", 1, 1 });
	ra_outbuf_text(exporting->out, ",\"ts\":");
	put_time(exporting->out, k->ts_ns[event], (k->flags[event] & RA_KINETO_TS_POINT) != 0);
}

static void put_arrow(struct exporting *exporting, const char *head, uint32_t event,
                      const char *rest, uint32_t id)
{
	begin_event(exporting);
	ra_outbuf_text(exporting->out, head);
	put_place(exporting, event);
	ra_outbuf_printf(exporting->out, ",%s\"id\":%" PRIu32 "}", rest, id);
}

/* Kineto's form: one s at the call, an f at each operation. */
static int put_arrows(struct exporting *exporting)
{
	static const char start[] = "\"ph\":\"s\",\"cat\":\"ac2g\",\"name\":\"ac2g\",";
	static const char end[] = "\"ph\":\"f\",\"cat\":\"ac2g\",\"name\":\"ac2g\",";
	const struct ra_model *m = exporting->model;
	const struct ra_kineto *k = exporting->kineto;
	uint8_t *has_start = calloc(m->gpu.api_count + 1, 1);

	if (has_start == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	for (size_t i = 0; i < m->gpu.op_count; i++) {
		const struct ra_gpu_op *op = &m->gpu.ops[i];

		if (op->api == RA_NONE || op->start_ns < m->gpu.apis[op->api].start_ns) {
			continue;
		}
		if (!has_start[op->api]) {
			has_start[op->api] = 1;
			put_arrow(exporting, start, k->api_event[op->api], "", op->api + 1);
		}
		put_arrow(exporting, end, k->op_event[i], "\"bp\":\"e\",", op->api + 1);
		exporting->arrows++;
	}
	free(has_start);
	return 0;
}

/* Named as PyTorch's TensorBoard plugin and HolisticTraceAnalysis name them. */
static void put_sample_name(const struct exporting *exporting, const struct ra_gpu_series *series)
{
	struct ra_outbuf *out = exporting->out;

	switch (series->kind) {
	case RA_GPU_SERIES_UTILIZATION:
		ra_outbuf_printf(out, "GPU %" PRId32 " Utilization", (int32_t) exporting->device);
		break;
	case RA_GPU_SERIES_SM:
		ra_outbuf_printf(out, "GPU %" PRId32 " Est. SM Efficiency",
		                 (int32_t) exporting->device);
		break;
	case RA_GPU_SERIES_COPY:
		ra_outbuf_text(out, series->op_kind == RA_GPU_SET
		                            ? "Memset"
		                            : ra_gpu_copy_name(series->copy_kind));
		break;
	case RA_GPU_SERIES_QUEUE:
		ra_outbuf_text(out, "Queue Length");
		break;
	}
}

static void put_sample(void *context, const struct ra_gpu_series *series, int64_t time_ns,
                       double value)
{
	struct exporting *exporting = context;
	struct ra_outbuf *out = exporting->out;
	const struct ra_kineto *k = exporting->kineto;

	begin_event(exporting);
	ra_outbuf_text(out, "\"ph\":\"C\",\"name\":\"");
	put_sample_name(exporting, series);
	ra_outbuf_printf(out, "\",\"pid\":%" PRIu32 ",\"ts\":", exporting->device);
	put_time(out, time_ns + k->zero_ns, k->has_ts_point);
	switch (series->kind) {
	case RA_GPU_SERIES_UTILIZATION:
		ra_outbuf_printf(out, ",\"args\":{\"GPU Utilization\":%.9g}}", value / 100.0);
		break;
	case RA_GPU_SERIES_SM:
		ra_outbuf_printf(out, ",\"args\":{\"Est. SM Efficiency\":%.9g}}", value / 100.0);
		break;
	case RA_GPU_SERIES_COPY:
		ra_outbuf_printf(out, ",\"args\":{\"GB/s\":%.9g}}", value);
		break;
	case RA_GPU_SERIES_QUEUE:
		ra_outbuf_printf(out, ",\"args\":{\"%" PRId32 "\":%.9g}}",
		                 (int32_t) exporting->model->gpu.queues[series->queue].stream,
		                 value);
		break;
	}
	exporting->counters++;
}

static int put_counters(struct exporting *exporting)
{
	struct ra_gpu_order order;
	int rc = ra_gpu_order_init(&order, exporting->model);

	for (size_t d = 0; d < order.device_count && rc == 0; d++) {
		exporting->device = order.devices[d].id;
		if (order.devices[d].count > 0) {
			rc = ra_gpu_series_walk(exporting->model, &order, d, put_sample, exporting);
		}
	}
	ra_gpu_order_fini(&order);
	return rc;
}

struct curve {
	struct exporting *exporting;
	struct rlog_string pid; /* of the process whose memory it is */
	char name[RA_MEMORY_NAME_BYTES];
};

static int put_memory_record(void *context, const struct ra_memory_record *record)
{
	const struct curve *curve = context;
	struct exporting *exporting = curve->exporting;
	struct ra_outbuf *out = exporting->out;

	begin_event(exporting);
	ra_outbuf_printf(out, "\"ph\":\"C\",\"name\":\"Memory %s\",\"pid\":", curve->name);
	put_text(out, curve->pid);
	ra_outbuf_text(out, ",\"ts\":");
	put_time(out, record->time_ns + exporting->kineto->zero_ns,
	         exporting->kineto->has_ts_point);
	ra_outbuf_printf(out, ",\"args\":{\"allocated\":%lld", (long long) record->allocated);
	if (record->reserved >= 0) {
		ra_outbuf_printf(out, ",\"reserved\":%lld", (long long) record->reserved);
	}
	ra_outbuf_text(out, "}}");
	exporting->counters++;
	return 0;
}

static int put_memory(struct exporting *exporting)
{
	const struct ra_kineto *k = exporting->kineto;
	struct curve curve = { .exporting = exporting, .pid = { "0", 1, 1 } };
	struct ra_memory memory;
	int rc = ra_memory_init(&memory, exporting->model);

	for (size_t i = 0; i < k->count && memory.count > 0; i++) {
		const uint32_t pid = k->threads[k->thread[i]].pid;

		if (k->kind[i] == RA_KINETO_MEMORY && pid != 0) {
			curve.pid = ra_kineto_string(k, pid);
			break;
		}
	}
	for (uint32_t i = 0; i < memory.pool_count && rc == 0; i++) {
		(void) ra_memory_name(&memory.pools[i], curve.name);
		rc = ra_memory_walk(&memory, i, RA_MEMORY_DRAWN, put_memory_record, &curve);
	}
	ra_memory_fini(&memory);
	return rc;
}

/* ---- the whole ---- */

static void put_facts(struct exporting *exporting)
{
	const struct ra_kineto *k = exporting->kineto;
	size_t last = k->fact_count;

	for (size_t i = 0; i < k->fact_count; i++) {
		last = ra_kineto_is_text(k, k->facts[i].key, "libranges") ? i : last;
	}
	ra_outbuf_text(exporting->out, "{");
	for (size_t i = 0; i < k->fact_count; i++) {
		if (ra_kineto_is_text(k, k->facts[i].key, "libranges") &&
		    (i == last || k->is_ours)) {
			exporting->is_extended = false;
			/* At the end, as at first; others of that name stay where they are. A log
			 * that is left alone is not the log of what is written. */
			exporting->added = k->is_ours ? 0 : k->facts[i].json;
			continue;
		}
		put_string(exporting->out, ra_kineto_string(k, k->facts[i].key));
		ra_outbuf_put(exporting->out, ":", 1);
		put_text(exporting->out, ra_kineto_string(k, k->facts[i].json));
		ra_outbuf_text(exporting->out, ",\n");
	}
	ra_outbuf_text(exporting->out, "\"traceEvents\":[\n");
}

int ra_kineto_export_write(const struct ra_model *model, const struct ra_out_options *options,
                           struct ra_outbuf *out, struct ra_out_report *report)
{
	const struct ra_kineto *k = model->kineto;
	struct exporting exporting = {
		.model = model,
		.kineto = k,
		.out = out,
		.is_extended = !k->is_ours,
		.has_labels = !options->names.is_raw,
	};
	int rc = exporting.has_labels ? ra_labels_init(&exporting.labels, model, &options->names)
	                              : 0;

	*report = (struct ra_out_report){ .written = k->count };
	if (rc == 0) {
		put_facts(&exporting);
	}
	for (size_t i = 0; i < k->count && rc == 0; i++) {
		/* Of chosen steps, others' events have lost their kind (select.h). */
		if (!model->is_view || k->kind[i] != RA_KINETO_UNKNOWN) {
			put_event(&exporting, (uint32_t) i);
		}
	}
	if (rc == 0 && exporting.is_extended && k->kind_count[RA_KINETO_FLOW_START] == 0) {
		rc = put_arrows(&exporting);
	}
	if (rc == 0 && exporting.is_extended) {
		rc = put_counters(&exporting);
	}
	if (rc == 0 && exporting.is_extended) {
		rc = put_memory(&exporting);
	}
	ra_outbuf_text(out, "\n]");
	if (exporting.is_extended) {
		ra_outbuf_printf(out,
		                 ",\n\"libranges\":{\"version\":\"%s\",\"added_counters\":%" PRIu64
		                 ",\"added_arrows\":%" PRIu64 "}",
		                 PACKAGE_VERSION, exporting.counters, exporting.arrows);
	}
	if (exporting.added != 0) {
		ra_outbuf_text(out, ",\n\"libranges\":");
		put_text(out, ra_kineto_string(k, exporting.added));
	}
	ra_outbuf_text(out, "}\n");
	if (exporting.has_labels) {
		ra_labels_fini(&exporting.labels);
	}
	return rc;
}
