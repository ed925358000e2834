/* SPDX-License-Identifier: MIT */
/* A trace in JSON written again: all that was in it, drawn so that nothing is in the way of
 * something else, and what it lacked. */
#include "config.h"

#include "analyzer/timeline/kineto-export.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analyzer/base/util.h"
#include "analyzer/read-json/kineto-timeline.h"
#include "analyzer/timeline/kineto-write.h"

/* Perfetto's times are exact for 50 days; ranks of a run, which are compared, have one zero. */
#define EXACT_NS (INT64_C(1000) << 42)
#define GRID_NS  (INT64_C(30) * 24 * 3600 * 1000000000)

struct exporting {
	struct ra_kineto_write write;
	bool is_extended; /* things may be added */
	bool has_base;    /* baseTimeNanoseconds is among the facts */
	uint32_t added;   /* what the file says was added: string id of JSON text, 0 none */
};

static bool is_fact(const struct ra_kineto *k, size_t fact, const char *key)
{
	return ra_kineto_is_text(k, k->facts[fact].key, key);
}

/* A base that is no plain number can't be moved. */
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

/* Perfetto reads times as doubles of µs. */
static bool is_read_well(int64_t ns)
{
	return ns <= EXACT_NS || llround(ra_kineto_us(ns) * 1000.0) == ns;
}

/* Only where a nanosecond would be read wrongly: other tools read doubles, too, and round other
 * times otherwise. */
static void choose_shift(struct exporting *exporting)
{
	struct ra_kineto_write *write = &exporting->write;
	const struct ra_kineto *k = write->kineto;
	const bool is_far = k->zero_ns > GRID_NS && k->zero_ns < INT64_MAX / 2 && k->has_ts_point;
	bool is_exact = true;

	for (size_t i = 0; i < k->count && is_far && is_exact; i++) {
		is_exact = k->phase[i] != 'X' ||
		           (is_read_well(k->ts_ns[i]) &&
		            (k->dur_ns[i] <= 0 ||
		             is_read_well(ra_util_add_time(k->ts_ns[i], k->dur_ns[i]))));
	}
	if (has_good_base(exporting) && !is_exact && k->oddities.rounded_times == 0) {
		write->shift_ns = k->zero_ns / GRID_NS * GRID_NS;
	}
}

/* Rows whose numbers are not those of the trace, with these. */
static void put_rows(const struct ra_kineto_write *write, const char *key,
                     enum ra_kineto_draw_class of)
{
	const struct ra_kineto *k = write->kineto;
	struct ra_outbuf *out = write->out;
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
		ra_kineto_write_string(out, ra_kineto_string(k, k->threads[was].pid));
		ra_outbuf_text(out, ",");
		ra_kineto_write_string(out, ra_kineto_string(k, k->threads[was].tid));
		has_first = true;
	}
	ra_outbuf_text(out, "]");
}

/* Before the events, so that who reads them knows. */
static void put_timeline(struct exporting *exporting)
{
	const struct ra_kineto_write *write = &exporting->write;
	struct ra_outbuf *out = write->out;

	ra_outbuf_printf(out, "\"" RA_KINETO_TIMELINE_KEY "\":{\"version\":\"%s\"",
	                 PACKAGE_VERSION);
	if (write->shift_ns != 0) {
		ra_outbuf_printf(out, ",\"shift_us\":%" PRId64 ",\"adds_base\":%s",
		                 write->shift_ns / 1000, exporting->has_base ? "false" : "true");
	}
	put_rows(write, "rows", RA_KINETO_DRAW_SLICES);
	put_rows(write, "arrows", RA_KINETO_DRAW_ARROWS);
	put_rows(write, "marks", RA_KINETO_DRAW_MARKS);
	ra_outbuf_text(out, "},\n");
}

/* HolisticTraceAnalysis finds a rank in the text by the blank behind its key. */
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
	ra_kineto_write_text(out, json);
}

static void put_fact(struct exporting *exporting, size_t fact)
{
	struct ra_kineto_write *write = &exporting->write;
	const struct ra_kineto *k = write->kineto;
	const struct rlog_string json = ra_kineto_string(k, k->facts[fact].json);

	ra_kineto_write_string(write->out, ra_kineto_string(k, k->facts[fact].key));
	ra_outbuf_put(write->out, ":", 1);
	if (write->shift_ns != 0 && is_fact(k, fact, "baseTimeNanoseconds")) {
		ra_outbuf_put_signed(write->out, k->base_ns + write->shift_ns);
	} else if (is_fact(k, fact, "distributedInfo")) {
		put_distributed(write->out, json);
	} else {
		ra_kineto_write_text(write->out, json);
	}
	ra_outbuf_text(write->out, ",\n");
}

static void put_facts(struct exporting *exporting)
{
	struct ra_kineto_write *write = &exporting->write;
	const struct ra_kineto *k = write->kineto;
	size_t last = k->fact_count;

	for (size_t i = 0; i < k->fact_count; i++) {
		last = is_fact(k, i, "libranges") ? i : last;
	}
	ra_outbuf_text(write->out, "{");
	put_timeline(exporting);
	if (write->shift_ns != 0 && !exporting->has_base) {
		ra_outbuf_printf(write->out, "\"baseTimeNanoseconds\":%" PRId64 ",\n",
		                 write->shift_ns);
	}
	for (size_t i = 0; i < k->fact_count; i++) {
		if (is_fact(k, i, "libranges") && (i == last || k->is_ours)) {
			exporting->is_extended = false;
			/* At the end, as at first; others of that name stay where they are. A log
			 * that is left alone is not the log of what is written. */
			exporting->added = k->is_ours ? 0 : k->facts[i].json;
			continue;
		}
		put_fact(exporting, i);
	}
	ra_outbuf_text(write->out, "\"traceEvents\":[\n");
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

void ra_kineto_export_write(const struct ra_model *model, const struct ra_out_options *options,
                            struct ra_outbuf *out, struct ra_out_report *report)
{
	const struct ra_kineto *k = model->kineto;
	struct exporting exporting = {
		.write = { .model = model,
		           .kineto = k,
		           .out = out,
		           .has_labels = !options->names.is_raw },
		.is_extended = !k->is_ours,
	};
	struct ra_kineto_write *write = &exporting.write;

	if (write->has_labels) {
		ra_labels_init(&write->labels, model, &options->names);
	}
	*report = (struct ra_out_report){ .written = k->count };
	ra_kineto_draw_init(&write->draw, k, k->ts_ns, model->is_view);
	choose_shift(&exporting);
	put_facts(&exporting);
	for (size_t i = 0; i < k->count; i++) {
		ra_kineto_write_moved(write, i);
		/* Of chosen steps, others' events have lost their kind (select.h). */
		if (ra_kineto_draw_has(&write->draw, i)) {
			ra_kineto_write_event(write, (uint32_t) i);
		}
	}
	ra_kineto_write_moved(write, k->count);
	put_added(&exporting);
	ra_outbuf_text(out, "\n]");
	if (exporting.added != 0) {
		ra_outbuf_text(out, ",\n\"libranges\":");
		ra_kineto_write_text(out, ra_kineto_string(k, exporting.added));
	}
	ra_outbuf_text(out, "}\n");
	if (write->has_labels) {
		ra_labels_fini(&write->labels);
	}
	ra_kineto_draw_fini(&write->draw);
}
