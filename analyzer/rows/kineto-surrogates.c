/* SPDX-License-Identifier: MIT */
/* Halves of surrogate pairs in the escapes of JSON, which stand for no character. */
#include "analyzer/rows/kineto-surrogates.h"

#include <string.h>

#define ESCAPE_BYTES 6 /* of \uD83D; a pair is two of them */

/* U+FFFD: a character that could not be read. */
static const char replacement[ESCAPE_BYTES] = { '\\', 'u', 'f', 'f', 'f', 'd' };

/* The number that \uXXXX stands for; -1: it is no such escape. */
static int read_escape(const char *text)
{
	int value = 0;

	if (text[0] != '\\' || text[1] != 'u') {
		return -1;
	}
	for (int i = 2; i < ESCAPE_BYTES; i++) {
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

/* True if these bytes may be the beginning of an escape of the second half of a pair. */
static bool may_go_on(const char *text, size_t count)
{
	return (count < 1 || text[0] == '\\') && (count < 2 || text[1] == 'u');
}

size_t ra_kineto_surrogates_repair(char *text, size_t count, bool is_end, uint64_t *repaired)
{
	char *const end = text + count;
	char *at = text;

	while ((at = memchr(at, '\\', (size_t) (end - at))) != NULL) {
		const size_t left = (size_t) (end - at);
		int value;

		if (left < 2 || (at[1] == 'u' && left < ESCAPE_BYTES)) {
			return is_end ? count : (size_t) (at - text);
		}
		value = read_escape(at[1] == 'u' ? at : "      ");
		if (value < 0xD800 || value > 0xDFFF) {
			at += value < 0 ? 2 : ESCAPE_BYTES;
			continue;
		}
		if (value < 0xDC00 && left >= 2 * (size_t) ESCAPE_BYTES) {
			const int second = read_escape(at + ESCAPE_BYTES);

			if (second >= 0xDC00 && second <= 0xDFFF) {
				at += 2 * (size_t) ESCAPE_BYTES;
				continue;
			}
		} else if (value < 0xDC00 && !is_end &&
		           may_go_on(at + ESCAPE_BYTES, left - ESCAPE_BYTES)) {
			return (size_t) (at - text);
		}
		memcpy(at, replacement, sizeof(replacement));
		(*repaired)++;
		at += ESCAPE_BYTES;
	}
	return count;
}
