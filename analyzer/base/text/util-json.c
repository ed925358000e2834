/* SPDX-License-Identifier: MIT */
/* Escapes bytes for a JSON string. */
#include "analyzer/base/text/util-json.h"

#include <stdint.h>
#include <string.h>

#include "analyzer/base/text/util-code.h"

static char *put(char *place, const char *bytes, size_t count)
{
	memcpy(place, bytes, count);
	return place + count;
}

/* For a first byte: the smallest and largest second byte that it allows (Unicode 15, table 3-7),
 * and the length. */
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

size_t ra_util_json_utf8_length(const char *bytes, size_t count, size_t *bad)
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
			*bad = i; /* the longest prefix of the bytes that could begin a character */
			return 0;
		}
	}
	return lead.length;
}

static char *escape_code(char *place, uint32_t code)
{
	static const char hex[] = "0123456789abcdef";

	place = put(place, "\\u", 2);
	for (int shift = 12; shift >= 0; shift -= 4) {
		*place++ = hex[code >> shift & 15];
	}
	return place;
}

static char *escape_ascii(char *place, unsigned char byte)
{
	static const char letters[] = "\bb\ff\nn\rr\tt\"\"\\\\";

	if (byte >= 0x20 && byte != '"' && byte != '\\' && byte != 0x7F) {
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
	return escape_code(place, byte);
}

/* Controls up to U+FFFF are written as one escape. Higher ones would need two surrogates. */
static char *escape_wide(char *place, const char *bytes, size_t length)
{
	const uint32_t code = ra_util_code_read(bytes, length);

	return code <= 0xFFFF && ra_util_code_is_control(code) ? escape_code(place, code)
	                                                       : put(place, bytes, length);
}

char *ra_util_json_escape(char *place, const char *bytes, size_t count)
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
		const size_t length = ra_util_json_utf8_length(bytes + i, count - i, &bad);

		if (length > 0) {
			place = escape_wide(place, bytes + i, length);
			i += length;
		} else {
			place = put(place, "\xEF\xBF\xBD", 3);
			i += bad;
		}
	}
	return place;
}
