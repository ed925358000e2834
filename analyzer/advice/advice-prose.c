/* SPDX-License-Identifier: MIT */
/* Texts of findings for people: names that go on for lines are cut in the middle. */
#include <string.h>

#include "analyzer/advice/advice.h"

#define LONGEST_WORD 80 /* bytes: names of kernels go on for lines … */
#define TOLD_HEAD    60
#define TOLD_TAIL    16 /* … the end tells which of its kind it is */

static bool is_inside_character(const char *bytes, size_t at)
{
	return ((unsigned char) bytes[at] & 0xc0) == 0x80;
}

static void put_bytes(struct ra_util_text *text, const char *bytes, size_t length)
{
	ra_util_text_put_name(text, (struct rlog_string){ bytes, (uint32_t) length, 0 },
	                      RA_TEXT_TERMINAL);
}

/* Appends a word for people, long ones cut in the middle. */
static void put_word(struct ra_util_text *text, const char *bytes, size_t length)
{
	size_t head = TOLD_HEAD;
	size_t tail = length - TOLD_TAIL;

	if (length <= LONGEST_WORD) {
		put_bytes(text, bytes, length);
		return;
	}
	while (head > 0 && is_inside_character(bytes, head)) {
		head--;
	}
	while (tail < length && is_inside_character(bytes, tail)) {
		tail++;
	}
	put_bytes(text, bytes, head);
	ra_util_text_put(text, "...", 3);
	put_bytes(text, bytes + tail, length - tail);
}

void ra_advice_put_prose(struct ra_util_text *text, struct rlog_string prose)
{
	size_t at = 0;

	while (at < prose.length) {
		const char *blank = memchr(prose.bytes + at, ' ', prose.length - at);
		const size_t end = blank != NULL ? (size_t) (blank - prose.bytes) : prose.length;

		put_word(text, prose.bytes + at, end - at);
		ra_util_text_put(text, " ", blank != NULL);
		at = end + (blank != NULL);
	}
}
