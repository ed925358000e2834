/* SPDX-License-Identifier: MIT */
/* Writes JSON text: escaped strings, numbers, and the commas between them. */
#include "analyzer/io/jsonw.h"

#include <math.h>

/* The smallest and largest second byte that a first byte allows (Unicode 15, table 3-7), and the
 * length. */
struct lead {
	unsigned char low;
	unsigned char high;
	unsigned char length;
};

static struct lead classify_lead(unsigned char first)
{
	if (first < 0xC2 || first > 0xF4) {
		return (struct lead){ 0, 0, 0 };
	}
	if (first < 0xE0) {
		return (struct lead){ 0x80, 0xBF, 2 };
	}
	if (first < 0xF0) {
		return (struct lead){ first == 0xE0 ? 0xA0 : 0x80, first == 0xED ? 0x9F : 0xBF, 3 };
	}
	return (struct lead){ first == 0xF0 ? 0x90 : 0x80, first == 0xF4 ? 0x8F : 0xBF, 4 };
}

size_t ra_jsonw_utf8_length(const char *bytes, size_t count, size_t *bad)
{
	const unsigned char *text = (const unsigned char *) bytes;

	*bad = 1;
	if (text[0] < 0x80) {
		return 1;
	}
	const struct lead lead = classify_lead(text[0]);

	if (lead.length == 0 || count < 2 || text[1] < lead.low || text[1] > lead.high) {
		return 0;
	}
	for (size_t i = 2; i < lead.length; i++) {
		if (i >= count || (text[i] & 0xC0) != 0x80) {
			*bad = i; /* the longest part that could have begun a character */
			return 0;
		}
	}
	return lead.length;
}

static char *escape_ascii(char *place, unsigned char byte)
{
	static const char hex[] = "0123456789abcdef";
	static const char letters[] = "\bb\ff\nn\rr\tt\"\"\\\\";

	if (byte >= 0x20 && byte != '"' && byte != '\\') {
		*place = (char) byte;
		return place + 1;
	}
	for (size_t i = 0; i + 1 < sizeof(letters); i += 2) {
		if (byte == (unsigned char) letters[i]) {
			place[0] = '\\';
			place[1] = letters[i + 1];
			return place + 2;
		}
	}
	place = ra_outbuf_copy(place, "\\u00", 4);
	place[0] = hex[byte >> 4];
	place[1] = hex[byte & 15];
	return place + 2;
}

char *ra_jsonw_escape(char *place, const char *bytes, size_t count)
{
	size_t i = 0;

	while (i < count) {
		const unsigned char byte = (unsigned char) bytes[i];

		if (byte < 0x80) {
			place = escape_ascii(place, byte);
			i++;
			continue;
		}
		size_t bad = 0;
		const size_t length = ra_jsonw_utf8_length(bytes + i, count - i, &bad);

		if (length > 0) {
			place = ra_outbuf_copy(place, bytes + i, length);
			i += length;
		} else {
			place = ra_outbuf_copy(place, "\xEF\xBF\xBD", 3);
			i += bad;
		}
	}
	return place;
}

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

/* Pieces end between characters, so that each can be escaped alone. */
static size_t find_piece_end(const char *bytes, size_t count)
{
	size_t end = RA_OUTBUF_RESERVE_BYTES / RA_JSONW_GROWTH;

	if (count <= end) {
		return count;
	}
	for (int back = 0; back < 3 && ((unsigned char) bytes[end] & 0xC0) == 0x80; back++) {
		end--;
	}
	return end;
}

static void put_string(struct ra_outbuf *out, const char *bytes, size_t count)
{
	ra_outbuf_put(out, "\"", 1);
	while (count > 0) {
		const size_t piece = find_piece_end(bytes, count);
		char *place = ra_outbuf_reserve(out, RA_OUTBUF_RESERVE_BYTES);

		ra_outbuf_commit(out, ra_jsonw_escape(place, bytes, piece));
		bytes += piece;
		count -= piece;
	}
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
		ra_jsonw_null(json); /* JSON has no word for it */
		return;
	}
	begin_value(json);
	ra_outbuf_printf(json->out, "%.4f", value);
}

void ra_jsonw_newline(struct ra_jsonw *json)
{
	ra_outbuf_put(json->out, "\n", 1);
}
