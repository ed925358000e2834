/* SPDX-License-Identifier: MIT */
/* Writes events of a redrawn trace as JSON, with the fields that they have in the trace. */
#include "analyzer/timeline/pens/pen-json.h"

static void put_key(struct ra_pen_json *json, const char *key)
{
	ra_outbuf_text(json->out, json->needs_comma ? ",\"" : "\"");
	json->needs_comma = true;
	ra_outbuf_text(json->out, key);
	ra_outbuf_put(json->out, "\":", 2);
}

static void put_json(struct ra_pen_json *json, const char *key, struct rlog_string text)
{
	if (text.length > 0) {
		put_key(json, key);
		ra_outbuf_put(json->out, text.bytes, text.length);
	}
}

static void put_string(struct ra_pen_json *json, const char *key, const struct ra_pen_text *text)
{
	if (text != NULL) {
		put_key(json, key);
		ra_pen_json_put_quoted(json, text);
	}
}

static void put_phase(struct ra_pen_json *json, const char *key, char phase)
{
	if (phase != '\0') {
		const struct ra_pen_text text = ra_pen_bytes((struct rlog_string){ &phase, 1, 1 });

		put_string(json, key, &text);
	}
}

/* Writes a time in µs. @has_point: the time has a decimal point in the trace. */
static void put_micros(struct ra_pen_json *json, const char *key, int64_t ns, bool has_point)
{
	put_key(json, key);
	if (!has_point && ns % 1000 == 0) {
		ra_outbuf_put_signed(json->out, ns / 1000);
	} else {
		ra_outbuf_commit(
			json->out,
			ra_outbuf_micros(ra_outbuf_reserve(json->out, RA_MICROS_BYTES), ns));
	}
}

void ra_pen_json_copy(struct ra_pen *pen, const struct ra_pen_copy *event)
{
	struct ra_pen_json *json = (struct ra_pen_json *) pen;

	ra_pen_json_put_begin(json, event->is_added);
	json->needs_comma = false;
	put_phase(json, "ph", event->phase);
	put_string(json, "cat", event->category);
	if (!event->is_name_last) {
		put_string(json, "name", event->name);
	}
	put_json(json, "pid", event->pid);
	put_json(json, "tid", event->tid);
	if (event->has_ts) {
		put_micros(json, "ts", event->ts_ns, event->has_ts_point);
	}
	if (event->has_dur) {
		put_micros(json, "dur", event->dur_ns, event->has_dur_point);
	}
	if (event->is_name_last) {
		put_string(json, "name", event->name);
	}
	put_phase(json, "was", event->was);
	json->has_args = false;
	json->is_first = true;
	json->args = event->has_args ? RA_PEN_ROOM_ARGS : RA_PEN_HAS_ARGS;
}
