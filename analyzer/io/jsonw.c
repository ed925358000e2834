/* SPDX-License-Identifier: MIT */
/* Writes JSON text: escaped strings, numbers, and the commas between them. */
#include "analyzer/io/jsonw.h"

#include <math.h>

void ra_jsonw_init(struct ra_jsonw *json, struct ra_outbuf *out)
{
	*json = (struct ra_jsonw){ .out = out, .is_first = true };
}

static void begin_value(struct ra_jsonw *json)
{
	if (!json->is_first) {
		ra_outbuf_put(json->out, ",", 1);
	}
	json->is_first = false;
}

void ra_jsonw_open(struct ra_jsonw *json, char bracket)
{
	begin_value(json);
	ra_outbuf_put(json->out, &bracket, 1);
	json->is_first = true;
}

void ra_jsonw_close(struct ra_jsonw *json, char bracket)
{
	ra_outbuf_put(json->out, &bracket, 1);
	json->is_first = false;
}

/* A piece ends between two characters, so that each piece can be escaped by itself. */
static size_t find_piece_end(const char *bytes, size_t count)
{
	size_t end = RA_OUTBUF_RESERVE_BYTES / RA_UTIL_JSON_GROWTH;

	if (count <= end) {
		return count;
	}
	for (int back = 0; back < 3 && ((unsigned char) bytes[end] & 0xC0) == 0x80; back++) {
		end--;
	}
	return end;
}

void ra_jsonw_put_escaped(struct ra_outbuf *out, const char *bytes, size_t count)
{
	while (count > 0) {
		const size_t piece = find_piece_end(bytes, count);
		char *place = ra_outbuf_reserve(out, RA_OUTBUF_RESERVE_BYTES);

		ra_outbuf_commit(out, ra_util_json_escape(place, bytes, piece));
		bytes += piece;
		count -= piece;
	}
}

static void put_string(struct ra_outbuf *out, const char *bytes, size_t count)
{
	ra_outbuf_put(out, "\"", 1);
	ra_jsonw_put_escaped(out, bytes, count);
	ra_outbuf_put(out, "\"", 1);
}

void ra_jsonw_key(struct ra_jsonw *json, const char *key)
{
	begin_value(json);
	put_string(json->out, key, strlen(key));
	ra_outbuf_put(json->out, ":", 1);
	json->is_first = true;
}

void ra_jsonw_bytes(struct ra_jsonw *json, const char *bytes, size_t count)
{
	begin_value(json);
	put_string(json->out, bytes, count);
}

void ra_jsonw_text(struct ra_jsonw *json, const char *text)
{
	ra_jsonw_bytes(json, text, strlen(text));
}

void ra_jsonw_unsigned(struct ra_jsonw *json, uint64_t value)
{
	begin_value(json);
	ra_outbuf_put_decimal(json->out, value);
}

void ra_jsonw_signed(struct ra_jsonw *json, int64_t value)
{
	begin_value(json);
	ra_outbuf_put_signed(json->out, value);
}

void ra_jsonw_bool(struct ra_jsonw *json, bool value)
{
	begin_value(json);
	ra_outbuf_text(json->out, value ? "true" : "false");
}

void ra_jsonw_null(struct ra_jsonw *json)
{
	begin_value(json);
	ra_outbuf_put(json->out, "null", 4);
}

void ra_jsonw_ratio(struct ra_jsonw *json, double value)
{
	if (!isfinite(value)) {
		ra_jsonw_null(json); /* JSON has no word for NaN or infinity */
		return;
	}
	begin_value(json);
	ra_outbuf_printf(json->out, "%.4f", value);
}

void ra_jsonw_newline(struct ra_jsonw *json)
{
	ra_outbuf_put(json->out, "\n", 1);
}
