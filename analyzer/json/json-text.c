/* SPDX-License-Identifier: MIT */
/* Decodes strings and bare words: escapes, UTF-8, numbers in odd forms. */
#include "analyzer/json/json-text.h"

#include <string.h>
#include <strings.h>

#define ESCAPE_BYTES 6u /* length of \uD83D; a surrogate pair has two of them */
#define REPLACEMENT  0xFFFDu

/* The number in a \uXXXX; -1: the text is no such escape. */
static int read_escape(const char *text, size_t length)
{
	int value = 0;

	if (length < ESCAPE_BYTES || text[0] != '\\' || text[1] != 'u') {
		return -1;
	}
	for (unsigned i = 2; i < ESCAPE_BYTES; i++) {
		const int digit = (unsigned char) text[i];
		const int letter = digit | 0x20;

		if (digit >= '0' && digit <= '9') {
			value = value << 4 | (digit - '0');
		} else if (letter >= 'a' && letter <= 'f') {
			value = value << 4 | (letter - 'a' + 10);
		} else {
			return -1;
		}
	}
	return value;
}

static char *put_character(char *to, uint32_t c)
{
	if (c < 0x80) {
		*to++ = (char) c;
		return to;
	}
	if (c < 0x800) {
		*to++ = (char) (0xC0 | c >> 6);
	} else if (c < 0x10000) {
		*to++ = (char) (0xE0 | c >> 12);
		*to++ = (char) (0x80 | (c >> 6 & 0x3F));
	} else {
		*to++ = (char) (0xF0 | c >> 18);
		*to++ = (char) (0x80 | (c >> 12 & 0x3F));
		*to++ = (char) (0x80 | (c >> 6 & 0x3F));
	}
	*to++ = (char) (0x80 | (c & 0x3F));
	return to;
}

/* Decodes \u…. Return: the length of the escape, or of both escapes of a pair. */
static size_t decode_number(char **to, const char *at, size_t left, struct ra_json_text_odd *odd)
{
	const int first = read_escape(at, left);
	int second;

	if (first < 0) {
		odd->escapes++;
		*(*to)++ = '\\';
		return 1;
	}
	if (first < 0xD800 || first > 0xDFFF) {
		*to = put_character(*to, (uint32_t) first);
		return ESCAPE_BYTES;
	}
	second = read_escape(at + ESCAPE_BYTES, left - ESCAPE_BYTES);
	if (first > 0xDBFF || second < 0xDC00 || second > 0xDFFF) {
		odd->surrogates++;
		*to = put_character(*to, REPLACEMENT);
		return ESCAPE_BYTES;
	}
	*to = put_character(*to, 0x10000u + ((uint32_t) (first - 0xD800) << 10) +
	                                 (uint32_t) (second - 0xDC00));
	return 2 * (size_t) ESCAPE_BYTES;
}

size_t ra_json_text_decode(char *to, const char *text, size_t length, struct ra_json_text_odd *odd)
{
	static const char letters[] = "\"\\/bfnrt";
	static const char meanings[] = "\"\\/\b\f\n\r\t";
	const char *const begin = to;
	const char *const end = text + length;
	const char *at = text;

	while (at < end) {
		const char *next = memchr(at, '\\', (size_t) (end - at));
		const size_t plain = (size_t) ((next != NULL ? next : end) - at);
		const char *letter;

		memmove(to, at, plain);
		to += plain;
		at += plain;
		if (next == NULL) {
			break;
		}
		letter = end - at > 1 && at[1] != '\0' ? strchr(letters, at[1]) : NULL;
		if (letter != NULL) {
			*to++ = meanings[letter - letters];
			at += 2;
		} else {
			at += decode_number(&to, at, (size_t) (end - at), odd);
		}
	}
	return (size_t) (to - begin);
}

/* The length of the UTF-8 character that begins here; 0: the bytes are no UTF-8. */
static size_t measure_character(const unsigned char *at, size_t left)
{
	const size_t count = *at < 0x80 ? 1 : *at < 0xE0 ? 2 : *at < 0xF0 ? 3 : 4;

	if (count == 1) {
		return 1;
	}
	if (*at < 0xC2 || *at > 0xF4 || left < count) {
		return 0;
	}
	for (size_t i = 1; i < count; i++) {
		if ((at[i] & 0xC0) != 0x80) {
			return 0;
		}
	}
	/* Refuses codes that are overlong, half of a surrogate pair, or beyond Unicode. */
	if ((*at == 0xE0 && at[1] < 0xA0) || (*at == 0xED && at[1] > 0x9F) ||
	    (*at == 0xF0 && at[1] < 0x90) || (*at == 0xF4 && at[1] > 0x8F)) {
		return 0;
	}
	return count;
}

bool ra_json_text_is_utf8(const char *text, size_t length)
{
	const unsigned char *at = (const unsigned char *) text;

	while (length > 0) {
		const size_t count = measure_character(at, length);

		if (count == 0) {
			return false;
		}
		at += count;
		length -= count;
	}
	return true;
}

bool ra_json_text_is_word(const char *text, size_t length)
{
	static const char *const words[] = { "nan", "inf", "infinity", "n/a", "none" };
	const bool has_sign = length > 0 && (*text == '-' || *text == '+');

	text += has_sign;
	length -= has_sign;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i]) == length && strncasecmp(words[i], text, length) == 0) {
			return true;
		}
	}
	return false;
}

static size_t count_digits(const char *at, const char *end)
{
	const char *const first = at;

	while (at < end && *at >= '0' && *at <= '9') {
		at++;
	}
	return (size_t) (at - first);
}

/* Return: the place after the exponent, or `at` if there is no exponent; NULL: the exponent has no
 * digits. */
static const char *skip_exponent(const char *at, const char *end)
{
	size_t digits;

	if (at == end || (*at != 'e' && *at != 'E')) {
		return at;
	}
	at++;
	at += at < end && (*at == '+' || *at == '-');
	digits = count_digits(at, end);
	return digits > 0 ? at + digits : NULL;
}

bool ra_json_text_is_number(const char *text, size_t length)
{
	const char *const end = text + length;
	const char *at = text + (length > 0 && *text == '-');
	size_t digits = count_digits(at, end);

	if (digits == 0 || (digits > 1 && *at == '0')) {
		return false;
	}
	at += digits;
	if (at < end && *at == '.') {
		digits = count_digits(++at, end);
		if (digits == 0) {
			return false;
		}
		at += digits;
	}
	return skip_exponent(at, end) == end;
}

size_t ra_json_text_mend_number(char *to, const char *text, size_t length)
{
	const char *const end = text + length;
	const char *at = text + (length > 0 && (*text == '-' || *text == '+'));
	char *place = to;
	size_t whole = count_digits(at, end);
	size_t part = 0;
	const char *rest = at + whole;

	if (rest < end && *rest == '.') {
		part = count_digits(rest + 1, end);
		rest += 1 + part;
	}
	if (whole + part == 0 || skip_exponent(rest, end) != end) {
		return 0;
	}
	if (*text == '-') {
		*place++ = '-';
	}
	while (whole > 1 && *at == '0') {
		at++;
		whole--;
	}
	if (whole == 0) {
		*place++ = '0';
	}
	memcpy(place, at, whole);
	place += whole;
	if (part > 0) {
		memcpy(place, at + whole, part + 1);
		place += part + 1;
	}
	memcpy(place, rest, (size_t) (end - rest));
	return (size_t) (place - to) + (size_t) (end - rest);
}
