/* SPDX-License-Identifier: MIT */
/* Redraws a trace in JSON: all of its events, placed so that nothing overlaps, and additions. */
#include "config.h"

#include "analyzer/timeline/kineto/kineto-export.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/util.h"
#include "analyzer/io/jsonw.h"
#include "analyzer/read-json/kineto-timeline.h"
#include "analyzer/timeline/kineto/kineto-write.h"

/* Perfetto's times are exact for 50 days. All ranks of a run get the same time 0, because users
 * compare their times. */
#define EXACT_NS (INT64_C(1000) << 42)
#define GRID_NS  (INT64_C(30) * 24 * 3600 * 1000000000)

struct exporting {
	struct ra_kineto_write write;
	bool is_extended;  /* additions are allowed */
	bool has_base;     /* baseTimeNanoseconds is among the facts */
	size_t last_added; /* index of the last fact named "libranges" */
	uint32_t added; /* string id of the file's own value of that key as JSON text, which lists
	                   earlier additions; 0: none */
	struct ra_outbuf *out; /* for the text around the events; NULL: the output is not JSON */
};

static bool is_fact(const struct ra_kineto *k, size_t fact, const char *key)
{
	return ra_kineto_is_text(k, k->facts[fact].key, key);
}

/* True if baseTimeNanoseconds is missing or a plain number; only then it can be changed. */
static bool has_good_base(struct exporting *exporting)
{
	const struct ra_kineto *k = exporting->write.kineto;
	bool is_good = true;

	for (size_t i = 0; i < k->fact_count; i++) {
		if (is_fact(k, i, "baseTimeNanoseconds")) {
			const struct rlog_string text = ra_kineto_string(k, k->facts[i].json);
			char own[24];
			const char *end = ra_outbuf_signed(own, k->base_ns);

			is_good = is_good && !exporting->has_base && k->base_ns > 0 &&
			          k->base_ns < INT64_MAX / 2 &&
			          text.length == (uint32_t) (end - own) &&
			          memcmp(text.bytes, own, text.length) == 0;
			exporting->has_base = true;
		}
	}
	return is_good;
}

/* Perfetto reads times as doubles of µs, which may round them. */
static bool is_read_well(int64_t ns)
{
	return ns <= EXACT_NS || llround(ra_kineto_us(ns) * 1000.0) == ns;
}

/* Chooses by how much times are shifted. Shifts only if Perfetto would read a time wrongly: other
 * tools read doubles, too, and would round shifted times differently. */
static void choose_shift(struct exporting *exporting)
{
	struct ra_kineto_write *write = &exporting->write;
	const struct ra_kineto *k = write->kineto;
	const bool is_far = k->zero_ns > GRID_NS && k->zero_ns < INT64_MAX / 2 && k->has_ts_point;
	bool is_exact = true;

	for (size_t i = 0; i < k->count && is_far && is_exact; i++) {
		is_exact =
			ra_kineto_get_phase(k, i) != 'X' ||
			(is_read_well(ra_kineto_ts(k, i)) &&
		         (ra_kineto_dur(k, i) <= 0 ||
		          is_read_well(ra_util_add_time(ra_kineto_ts(k, i), ra_kineto_dur(k, i)))));
	}
	if (has_good_base(exporting) && !is_exact && k->oddities.rounded_times == 0) {
		write->shift_ns = k->zero_ns / GRID_NS * GRID_NS;
	}
}

static void put_text(struct ra_outbuf *out, struct rlog_string text)
{
	ra_outbuf_put(out, text.bytes, text.length);
}

static void put_string(struct ra_outbuf *out, struct rlog_string text)
{
	ra_outbuf_put(out, "\"", 1);
	ra_jsonw_put_escaped(out, text.bytes, text.length);
	ra_outbuf_put(out, "\"", 1);
}

/* Writes the rows whose numbers differ from those in the trace, with the old and the new
 * numbers. */
static void put_rows(const struct exporting *exporting, const char *key,
                     enum ra_kineto_draw_class of)
{
	const struct ra_kineto_write *write = &exporting->write;
	const struct ra_kineto *k = write->kineto;
	struct ra_outbuf *out = exporting->out;
	bool has_first = false;

	ra_outbuf_printf(out, ",\"%s\":[", key);
	for (size_t i = 0; i < write->draw.row_count; i++) {
		const struct ra_kineto_draw_row *row = &write->draw.rows[i];
		const uint32_t was = ra_kineto_draw_find_was(&write->draw, row, of);

		if (was == RA_KINETO_NONE) {
			continue;
		}
		ra_outbuf_printf(out, "%s\n\"%" PRIu32 "\",\"%" PRIu32 "\",", has_first ? "," : "",
		                 row->pid, row->tid);
		put_string(out, ra_kineto_string(k, k->threads[was].pid));
		ra_outbuf_text(out, ",");
		put_string(out, ra_kineto_string(k, k->threads[was].tid));
		has_first = true;
	}
	ra_outbuf_text(out, "]");
}

/* Writes what a reader needs to restore the original rows. This comes before the events, so that
 * the reader has it in time. */
static void put_timeline(struct exporting *exporting)
{
	const struct ra_kineto_write *write = &exporting->write;
	struct ra_outbuf *out = exporting->out;

	ra_outbuf_printf(out, "\"" RA_KINETO_TIMELINE_KEY "\":{\"version\":\"%s\"",
	                 PACKAGE_VERSION);
	if (write->shift_ns != 0) {
		ra_outbuf_printf(out, ",\"shift_us\":%" PRId64 ",\"adds_base\":%s",
		                 write->shift_ns / 1000, exporting->has_base ? "false" : "true");
	}
	put_rows(exporting, "rows", RA_KINETO_DRAW_SLICES);
	put_rows(exporting, "arrows", RA_KINETO_DRAW_ARROWS);
	put_rows(exporting, "marks", RA_KINETO_DRAW_MARKS);
	ra_outbuf_text(out, "},\n");
}

/* HolisticTraceAnalysis searches for the text of the rank's key with a blank after it. */
static void put_distributed(struct ra_outbuf *out, struct rlog_string json)
{
	static const char key[] = "\"rank\":";
	const size_t length = sizeof(key) - 1;
	const char *at = json.length > length ? memmem(json.bytes, json.length, key, length) : NULL;

	if (at != NULL) {
		const size_t before = (size_t) (at - json.bytes) + length;

		ra_outbuf_put(out, json.bytes, before);
		ra_outbuf_text(out, " ");
		json.bytes += before;
		json.length -= (uint32_t) before;
	}
	put_text(out, json);
}

static void put_fact(struct exporting *exporting, size_t fact)
{
	struct ra_kineto_write *write = &exporting->write;
	const struct ra_kineto *k = write->kineto;
	const struct rlog_string json = ra_kineto_string(k, k->facts[fact].json);

	put_string(exporting->out, ra_kineto_string(k, k->facts[fact].key));
	ra_outbuf_put(exporting->out, ":", 1);
	if (write->shift_ns != 0 && is_fact(k, fact, "baseTimeNanoseconds")) {
		ra_outbuf_put_signed(exporting->out, k->base_ns + write->shift_ns);
	} else if (is_fact(k, fact, "distributedInfo")) {
		put_distributed(exporting->out, json);
	} else {
		put_text(exporting->out, json);
	}
	ra_outbuf_text(exporting->out, ",\n");
}

/* True for facts that are not written at their place. The last key "libranges" is written at the
 * end, where it was. A log embedded in the trace is dropped, because it would not match the redrawn
 * trace. */
static bool is_moved(const struct exporting *exporting, size_t fact)
{
	const struct ra_kineto *k = exporting->write.kineto;

	return is_fact(k, fact, "libranges") && (fact == exporting->last_added || k->is_ours);
}

static void look_at_facts(struct exporting *exporting)
{
	const struct ra_kineto *k = exporting->write.kineto;

	for (size_t i = 0; i < k->fact_count; i++) {
		if (is_fact(k, i, "libranges")) {
			exporting->is_extended = false;
			exporting->last_added = i;
			exporting->added = k->is_ours ? 0 : k->facts[i].json;
		}
	}
}

/* The CLOCK_REALTIME of time 0, as readers find it: the last number with that key. */
static int64_t find_base(const struct exporting *exporting)
{
	const struct ra_kineto *k = exporting->write.kineto;
	int64_t base_ns = exporting->has_base ? 0 : exporting->write.shift_ns;

	for (size_t i = 0; i < k->fact_count; i++) {
		const struct rlog_string json = ra_kineto_string(k, k->facts[i].json);

		if (is_fact(k, i, "baseTimeNanoseconds") && json.length > 0 &&
		    (json.bytes[0] == '-' || (json.bytes[0] >= '0' && json.bytes[0] <= '9'))) {
			char digits[24] = { 0 };

			memcpy(digits, json.bytes,
			       json.length < sizeof(digits) ? json.length : sizeof(digits) - 1);
			base_ns = exporting->write.shift_ns != 0
			                  ? k->base_ns + exporting->write.shift_ns
			                  : strtoll(digits, NULL, 10);
		}
	}
	return base_ns;
}

static struct rlog_string find_name(void *context, enum ra_pen_table table, uint32_t id)
{
	const struct exporting *exporting = context;

	(void) table;
	return ra_kineto_string(exporting->write.kineto, id);
}

static struct ra_pen_copy look_at(void *context, uint32_t number)
{
	const struct exporting *exporting = context;

	return ra_kineto_write_times(&exporting->write, number);
}

static void redraw(void *context, uint32_t number)
{
	struct exporting *exporting = context;

	ra_kineto_write_event(&exporting->write, number);
}

static void put_facts(struct exporting *exporting)
{
	struct ra_kineto_write *write = &exporting->write;
	const struct ra_kineto *k = write->kineto;

	ra_outbuf_text(exporting->out, "{");
	put_timeline(exporting);
	if (write->shift_ns != 0 && !exporting->has_base) {
		ra_outbuf_printf(exporting->out, "\"baseTimeNanoseconds\":%" PRId64 ",\n",
		                 write->shift_ns);
	}
	for (size_t i = 0; i < k->fact_count; i++) {
		if (!is_moved(exporting, i)) {
			put_fact(exporting, i);
		}
	}
	ra_outbuf_text(exporting->out, "\"traceEvents\":[");
}

static void put_added(struct exporting *exporting)
{
	struct ra_kineto_write *write = &exporting->write;

	ra_kineto_added_names(write);
	if (!exporting->is_extended) {
		return;
	}
	if (write->kineto->kind_count[RA_KINETO_FLOW_START] == 0) {
		ra_kineto_added_arrows(write);
	}
	ra_kineto_added_counters(write);
}

static void put_end(const struct exporting *exporting)
{
	struct ra_outbuf *out = exporting->out;

	ra_outbuf_text(out, exporting->write.has_first ? "\n]" : "\n\n]");
	if (exporting->added != 0) {
		ra_outbuf_text(out, ",\n\"libranges\":");
		put_text(out, ra_kineto_string(exporting->write.kineto, exporting->added));
	}
	ra_outbuf_text(out, "}\n");
}

static void put_events(struct ra_kineto_write *write)
{
	const struct ra_kineto *k = write->kineto;

	for (size_t i = 0; i < k->count; i++) {
		ra_kineto_write_moved(write, i);
		/* In a view of chosen steps, events that do not belong to these have no kind
		 * (select.h). */
		if (ra_kineto_draw_has(&write->draw, i)) {
			ra_kineto_write_event(write, (uint32_t) i);
		}
	}
	ra_kineto_write_moved(write, k->count);
}

void ra_kineto_export_draw(const struct ra_model *model, const struct ra_out_options *options,
                           struct ra_pen *pen, struct ra_outbuf *out, struct ra_out_report *report)
{
	const struct ra_kineto *k = model->kineto;
	struct exporting exporting = {
		.write = { .model = model,
		           .kineto = k,
		           .pen = pen,
		           .has_labels = !options->names.is_raw },
		.is_extended = !k->is_ours,
		.out = out,
	};
	struct ra_kineto_write *write = &exporting.write;
	const struct ra_pen_names names = {
		.counts = { k->string_count, k->string_count },
		.is_once = true,
		.find = find_name,
		.look = look_at,
		.redraw = redraw,
		.context = &exporting,
	};

	if (write->has_labels) {
		ra_labels_init(&write->labels, model, &options->names);
	}
	*report = (struct ra_out_report){ .written = k->count };
	ra_kineto_draw_init(&write->draw, k, model->is_view);
	choose_shift(&exporting);
	look_at_facts(&exporting);
	if (out != NULL) {
		put_facts(&exporting);
	}
	pen->begin(pen, &names);
	pen->clock(pen, find_base(&exporting));
	put_events(write);
	put_added(&exporting);
	pen->finish(pen);
	if (out != NULL) {
		put_end(&exporting);
	}
	if (write->has_labels) {
		ra_labels_fini(&write->labels);
	}
	ra_kineto_draw_fini(&write->draw);
}
