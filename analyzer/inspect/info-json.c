/* SPDX-License-Identifier: MIT */
/* Prints `analyzer info --format json`: the facts of `info` for scripts, in the form that all
 * reports have in JSON. */
#include "analyzer/read-log/facts/domains-off.h"
#include "analyzer/read-log/gpu/gpu-status.h"
#include "analyzer/inspect/info.h"
#include "analyzer/io/jsonw.h"
#include "analyzer/model/names.h"
#include "format/wire.h"

static void put_unsigned(struct ra_jsonw *json, const char *key, uint64_t value)
{
	ra_jsonw_key(json, key);
	ra_jsonw_unsigned(json, value);
}

static void begin_report(struct ra_jsonw *json, const char *name)
{
	ra_jsonw_key(json, name);
	ra_jsonw_open(json, '[');
}

static void put_text(struct ra_jsonw *json, const struct rlog_string *text)
{
	ra_jsonw_bytes(json, text->bytes, text->length);
}

static void put_fact(struct ra_jsonw *json, const struct rlog_fact *fact)
{
	ra_jsonw_key(json, fact->key);
	switch (fact->type) {
	case RLOG_FACT_U64:
		ra_jsonw_unsigned(json, fact->u64);
		break;
	case RLOG_FACT_I64:
		ra_jsonw_signed(json, fact->i64);
		break;
	case RLOG_FACT_BOOL:
		ra_jsonw_bool(json, fact->u64 != 0);
		break;
	case RLOG_FACT_TEXT:
		put_text(json, &fact->texts[0]);
		break;
	case RLOG_FACT_TEXTS:
		ra_jsonw_open(json, '[');
		for (size_t i = 0; i < fact->text_count; i++) {
			put_text(json, &fact->texts[i]);
		}
		ra_jsonw_close(json, ']');
		break;
	}
}

static void put_facts(struct ra_jsonw *json, const char *name, const struct rlog_fact *facts,
                      size_t count)
{
	begin_report(json, name);
	if (count > 0) {
		ra_jsonw_open(json, '{');
		for (size_t i = 0; i < count; i++) {
			put_fact(json, &facts[i]);
		}
		ra_jsonw_close(json, '}');
	}
	ra_jsonw_close(json, ']');
}

static void put_log(const struct ra_info *info, struct ra_jsonw *json)
{
	begin_report(json, "log");
	ra_jsonw_open(json, '{');
	put_unsigned(json, "size_bytes", rlog_reader_size_bytes(info->reader));
	put_unsigned(json, "events", info->events);
	put_unsigned(json, "streams", info->streams);
	ra_jsonw_key(json, "bytes_per_event");
	ra_jsonw_ratio(json, ra_info_bytes_per_event(info));
	put_unsigned(json, "first_ticks", info->first_ticks);
	put_unsigned(json, "last_ticks", info->last_ticks);
	put_unsigned(json, "clock_points", info->clock_points);
	put_unsigned(json, "clock_span_ns", info->clock_span_ns);
	put_unsigned(json, "clock_error_ns", info->clock_err_ns);
	ra_jsonw_key(json, "clock_ticks_per_s");
	ra_jsonw_ratio(json, info->clock_rate);
	ra_jsonw_close(json, '}');
	ra_jsonw_close(json, ']');
}

static void put_domains_off(const struct ra_info *info, struct ra_jsonw *json)
{
	const struct rlog_string *name;
	size_t at = 0;

	begin_report(json, "domains_off");
	while ((name = ra_domains_off_next(info->reader, &at)) != NULL) {
		ra_jsonw_open(json, '{');
		ra_jsonw_key(json, "name");
		put_text(json, name);
		ra_jsonw_close(json, '}');
	}
	ra_jsonw_close(json, ']');
}

static void put_gpu(const struct ra_info *info, struct ra_jsonw *json)
{
	struct ra_gpu_status status;
	size_t at = 0;

	begin_report(json, "gpu_status");
	while (ra_gpu_status_next(info->reader, &at, &status)) {
		ra_jsonw_open(json, '{');
		ra_jsonw_key(json, "text");
		put_text(json, &status.text);
		ra_jsonw_key(json, "result");
		ra_jsonw_signed(json, status.result);
		ra_jsonw_close(json, '}');
	}
	ra_jsonw_close(json, ']');
}

static void put_chunks(const struct ra_info *info, struct ra_jsonw *json)
{
	begin_report(json, "chunks");
	for (uint32_t type = 0; type < 256; type++) {
		const struct ra_info_chunks *sum = &info->by_type[type];
		const char *name = ra_names_chunk(type);

		if (sum->chunks == 0) {
			continue;
		}
		ra_jsonw_open(json, '{');
		put_unsigned(json, "type", type);
		ra_jsonw_key(json, "name");
		ra_jsonw_text(json, name != NULL ? name : "");
		put_unsigned(json, "chunks", sum->chunks);
		put_unsigned(json, "copies", sum->repeats);
		put_unsigned(json, "rows", sum->rows);
		put_unsigned(json, "raw_bytes", sum->raw_bytes);
		put_unsigned(json, "stored_bytes", sum->stored_bytes);
		ra_jsonw_close(json, '}');
	}
	ra_jsonw_close(json, ']');
}

static void put_losses(const struct ra_info *info, struct ra_jsonw *json)
{
	size_t count = 0;
	const struct rlog_loss *losses = rlog_reader_borrow_losses(info->reader, &count);

	begin_report(json, "losses");
	for (size_t i = 0; i < count; i++) {
		const char *cause = ra_names_cause(losses[i].cause);

		ra_jsonw_open(json, '{');
		put_unsigned(json, "stream", losses[i].stream);
		ra_jsonw_key(json, "cause");
		ra_jsonw_text(json, cause != NULL ? cause : "");
		put_unsigned(json, "cause_id", losses[i].cause);
		put_unsigned(json, "count", losses[i].count);
		ra_jsonw_close(json, '}');
	}
	ra_jsonw_close(json, ']');
}

/* Return: the number of stretches. */
static size_t put_damages(const struct ra_info *info, struct ra_jsonw *json)
{
	size_t count = 0;
	const struct rlog_damage *damages = rlog_reader_borrow_damages(info->reader, &count);

	begin_report(json, "damages");
	for (size_t i = 0; i < count; i++) {
		ra_jsonw_open(json, '{');
		put_unsigned(json, "offset", damages[i].offset);
		put_unsigned(json, "bytes", damages[i].bytes);
		put_unsigned(json, "rows", damages[i].rows);
		put_unsigned(json, "stream", damages[i].stream);
		ra_jsonw_key(json, "code");
		ra_jsonw_text(json, rlog_error_name(damages[i].code));
		ra_jsonw_key(json, "what");
		ra_jsonw_text(json, damages[i].what);
		ra_jsonw_close(json, '}');
	}
	ra_jsonw_close(json, ']');
	return count;
}

void ra_info_print_json(const struct ra_info *info, struct ra_outbuf *out)
{
	struct ra_jsonw json;
	size_t count = 0;
	const struct rlog_fact *facts;

	ra_jsonw_init(&json, out);
	ra_jsonw_open(&json, '{');
	ra_jsonw_key(&json, "input");
	ra_jsonw_text(&json, info->path);
	ra_jsonw_key(&json, "reports");
	ra_jsonw_open(&json, '{');
	put_log(info, &json);
	facts = rlog_reader_borrow_capture(info->reader, &count);
	put_facts(&json, "capture", facts, count);
	put_domains_off(info, &json);
	put_gpu(info, &json);
	facts = rlog_reader_borrow_end(info->reader, &count);
	put_facts(&json, "end", facts, count);
	put_chunks(info, &json);
	put_losses(info, &json);
	const size_t damages = put_damages(info, &json);

	ra_jsonw_close(&json, '}');
	ra_jsonw_key(&json, "footer");
	ra_jsonw_open(&json, '{');
	ra_jsonw_key(&json, "closed");
	ra_jsonw_bool(&json, rlog_reader_is_closed(info->reader));
	ra_jsonw_key(&json, "recovered");
	ra_jsonw_bool(&json, info->is_recovered);
	put_unsigned(&json, "missing_rows", rlog_reader_missing_rows(info->reader));
	put_unsigned(&json, "damaged_stretches", damages);
	ra_jsonw_close(&json, '}');
	ra_jsonw_close(&json, '}');
	ra_jsonw_newline(&json);
}
