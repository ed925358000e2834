/* SPDX-License-Identifier: MIT */
/* Prints `analyzer info` as text for people. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/base/text/util-text.h"
#include "analyzer/base/util.h"
#include "analyzer/read-log/facts/domains-off.h"
#include "analyzer/inspect/dump-text.h"
#include "analyzer/read-log/gpu/gpu-status.h"
#include "analyzer/inspect/info.h"
#include "analyzer/model/names.h"
#include "format/wire.h"

static void put_label(struct ra_outbuf *out, const char *label)
{
	ra_outbuf_printf(out, "%-16s ", label);
}

/* A plain text is written as it is, any other text in quotes, so that each fact stays on one
 * line. */
static void put_text(struct ra_outbuf *out, const struct rlog_string *text)
{
	bool is_plain = text->length > 0;

	for (uint32_t i = 0; i < text->length && is_plain; i++) {
		is_plain = text->bytes[i] > ' ' && text->bytes[i] < 0x7F && text->bytes[i] != '"';
	}
	if (is_plain) {
		ra_outbuf_put(out, text->bytes, text->length);
	} else {
		ra_dump_text_quote(out, text->bytes, text->length);
	}
}

/* Writes one fact. @name: the fact's key in the log, or the name that this output gives it. */
static void put_fact(struct ra_outbuf *out, const struct rlog_fact *fact, const char *name)
{
	const struct rlog_string key = ra_util_string(name);

	put_text(out, &key);
	for (uint32_t i = key.length; i < 16; i++) {
		ra_outbuf_put(out, " ", 1);
	}
	switch (fact->type) {
	case RLOG_FACT_U64:
		ra_outbuf_printf(out, " %" PRIu64, fact->u64);
		break;
	case RLOG_FACT_I64:
		ra_outbuf_printf(out, " %" PRId64, fact->i64);
		break;
	case RLOG_FACT_BOOL:
		ra_outbuf_text(out, fact->u64 != 0 ? " yes" : " no");
		break;
	case RLOG_FACT_TEXT:
	case RLOG_FACT_TEXTS:
		for (size_t i = 0; i < fact->text_count; i++) {
			ra_outbuf_put(out, " ", 1);
			put_text(out, &fact->texts[i]);
		}
		break;
	}
	ra_outbuf_put(out, "\n", 1);
}

static void put_log(const struct ra_info *info, struct ra_outbuf *out)
{
	const uint64_t missing = rlog_reader_missing_rows(info->reader);

	put_label(out, "log");
	ra_dump_text_quote(out, info->path, strlen(info->path));
	ra_outbuf_text(out, "\n");
	put_label(out, "size");
	ra_outbuf_printf(out, "%" PRIu64 " bytes\n", rlog_reader_size_bytes(info->reader));
	put_label(out, "state");
	ra_outbuf_text(out, rlog_reader_is_closed(info->reader) ? "closed" : "not closed");
	ra_outbuf_text(out, info->is_recovered ? ", recovered: the program ended before all was "
	                                         "written (killed or _exit)\n"
	                                       : "\n");
	put_label(out, "events");
	ra_outbuf_printf(out, "%" PRIu64 " of %" PRIu32 " threads, %.2f bytes each\n", info->events,
	                 info->streams, ra_info_bytes_per_event(info));
	if (missing > 0) {
		put_label(out, "missing");
		ra_outbuf_printf(out, "%" PRIu64 " rows\n", missing);
	}
}

static void put_domains_off(const struct ra_info *info, struct ra_outbuf *out)
{
	const struct rlog_string *name;
	bool is_first = true;
	size_t at = 0;

	while ((name = ra_domains_off_next(info->reader, &at)) != NULL) {
		if (is_first) {
			put_label(out, "domains_off");
		} else {
			ra_outbuf_put(out, " ", 1);
		}
		put_text(out, name);
		is_first = false;
	}
	ra_outbuf_put(out, "\n", is_first ? 0 : 1);
}

static void put_gpu(const struct ra_info *info, struct ra_outbuf *out)
{
	struct ra_gpu_status status;
	size_t at = 0;

	while (ra_gpu_status_next(info->reader, &at, &status)) {
		put_label(out, "gpu");
		ra_dump_text_quote(out, status.text.bytes, status.text.length);
		if (status.result != 0) {
			ra_outbuf_printf(out, " (CUPTI %" PRId32 ")", status.result);
		}
		ra_outbuf_text(out, "\n");
	}
	if (ra_gpu_status_is_missing(info->reader)) {
		put_label(out, "gpu");
		ra_outbuf_text(out, "\"" RA_GPU_STATUS_MISSING "\"\n");
	} else if (ra_gpu_status_is_off(info->reader)) {
		put_label(out, "gpu");
		ra_outbuf_text(out, "\"" RA_GPU_STATUS_OFF "\"\n");
	}
}

static const struct rlog_fact *find_number(const struct rlog_fact *facts, size_t count,
                                           const char *key)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(facts[i].key, key) == 0 && facts[i].type == RLOG_FACT_U64 &&
		    facts[i].u64 < INT64_MAX) {
			return &facts[i];
		}
	}
	return NULL;
}

/* Tells how much of the capture is in the log, if the log has only the last part. */
static void put_window(const struct rlog_fact *facts, size_t count, struct ra_outbuf *out)
{
	const struct rlog_fact *start = find_number(facts, count, "start_mono_ns");
	const struct rlog_fact *from = find_number(facts, count, "window_mono_ns");
	const struct rlog_fact *to = find_number(facts, count, "taken_mono_ns");
	struct ra_util_text text = { 0 };

	if (!start || !from || !to) {
		return;
	}
	ra_util_text_put_time(&text, (int64_t) to->u64 - (int64_t) from->u64);
	ra_util_text_format(&text, ", from ");
	ra_util_text_put_time(&text, (int64_t) from->u64 - (int64_t) start->u64);
	ra_util_text_format(&text, " to ");
	ra_util_text_put_time(&text, (int64_t) to->u64 - (int64_t) start->u64);
	ra_util_text_format(&text, " after its start\n");
	put_label(out, "window");
	ra_outbuf_put(out, text.bytes, text.length);
	ra_util_text_free(&text);
}

static void put_facts(const struct ra_info *info, struct ra_outbuf *out)
{
	size_t count = 0;
	const struct rlog_fact *facts = rlog_reader_borrow_capture(info->reader, &count);

	ra_outbuf_text(out, "\nCapture\n");
	for (size_t i = 0; i < count; i++) {
		put_fact(out, &facts[i], facts[i].key);
	}
	if (count == 0) {
		ra_outbuf_text(out, "nothing is known of it\n");
	}
	put_window(facts, count, out);
	put_domains_off(info, out);
	put_gpu(info, out);
	facts = rlog_reader_borrow_end(info->reader, &count);
	if (count > 0) {
		ra_outbuf_text(out, "\nEnd\n");
	}
	for (size_t i = 0; i < count; i++) {
		/* The log's count includes remarks on losses; here only the program's events
		 * count. */
		put_fact(out, &facts[i],
		         strcmp(facts[i].key, "events") == 0 ? "rows" : facts[i].key);
	}
}

static void put_clock(const struct ra_info *info, struct ra_outbuf *out)
{
	ra_outbuf_text(out, "\nClock\n");
	put_label(out, "points");
	ra_outbuf_printf(out, "%zu\n", info->clock_points);
	if (info->clock_rate > 0) {
		put_label(out, "span");
		ra_outbuf_printf(out, "%" PRIu64 " ns\n", info->clock_span_ns);
		put_label(out, "rate");
		ra_outbuf_printf(out, "%.0f ticks/s\n", info->clock_rate);
	}
	put_label(out, "error");
	ra_outbuf_printf(out, "at most %" PRIu64 " ns\n", info->clock_err_ns);
	put_label(out, "events");
	ra_outbuf_printf(out, "from tick %" PRIu64 " to %" PRIu64 "\n", info->first_ticks,
	                 info->last_ticks);
}

static void put_chunks_line(struct ra_outbuf *out, const char *name,
                            const struct ra_info_chunks *sum)
{
	const double payload = (double) (sum->stored_bytes - sum->chunks * RLOG_HEADER_BYTES);

	ra_outbuf_printf(out,
	                 "%-10s %8" PRIu64 " %8" PRIu64 " %12" PRIu64 " %13" PRIu64 " %13" PRIu64
	                 " %6.2f\n",
	                 name, sum->chunks, sum->repeats, sum->rows, sum->raw_bytes,
	                 sum->stored_bytes, payload > 0 ? (double) sum->raw_bytes / payload : 0.0);
}

static void put_chunks(const struct ra_info *info, struct ra_outbuf *out)
{
	char number[16];

	ra_outbuf_printf(out, "\n%-10s %8s %8s %12s %13s %13s %6s\n", "Chunks", "count", "copies",
	                 "rows", "raw bytes", "stored bytes", "ratio");
	for (uint32_t type = 0; type < 256; type++) {
		const char *name = ra_names_chunk(type);

		if (info->by_type[type].chunks == 0) {
			continue;
		}
		if (name == NULL) {
			snprintf(number, sizeof(number), "type %" PRIu32, type);
			name = number;
		}
		put_chunks_line(out, name, &info->by_type[type]);
	}
	put_chunks_line(out, "all", &info->all);
}

static void put_losses(const struct ra_info *info, struct ra_outbuf *out)
{
	size_t count = 0;
	const struct rlog_loss *losses = rlog_reader_borrow_losses(info->reader, &count);

	ra_outbuf_text(out, "\nLosses\n");
	for (size_t i = 0; i < count; i++) {
		const char *cause = ra_names_cause(losses[i].cause);

		ra_outbuf_printf(out, "stream %-9" PRIu32 " %" PRIu64, losses[i].stream,
		                 losses[i].count);
		if (cause != NULL) {
			ra_outbuf_printf(out, " %s\n", cause);
		} else {
			ra_outbuf_printf(out, " cause %" PRIu32 "\n", losses[i].cause);
		}
	}
	if (count == 0) {
		ra_outbuf_text(out, "none\n");
	}
}

static void put_damages(const struct ra_info *info, struct ra_outbuf *out)
{
	size_t count = 0;
	const struct rlog_damage *damages = rlog_reader_borrow_damages(info->reader, &count);

	ra_outbuf_text(out, "\nDamage\n");
	for (size_t i = 0; i < count; i++) {
		ra_outbuf_printf(out, "offset %-9" PRIu64 " %" PRIu64 " bytes, %" PRIu64 " rows: ",
		                 damages[i].offset, damages[i].bytes, damages[i].rows);
		ra_outbuf_text(out, damages[i].what);
		ra_outbuf_text(out, "\n");
	}
	if (count == 0) {
		ra_outbuf_text(out, "none\n");
	}
}

void ra_info_print_text(const struct ra_info *info, struct ra_outbuf *out)
{
	put_log(info, out);
	put_facts(info, out);
	put_clock(info, out);
	put_chunks(info, out);
	put_losses(info, out);
	put_damages(info, out);
}
