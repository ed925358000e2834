/* SPDX-License-Identifier: MIT */
/* Writes findings as prose for users. Very long names are shortened in the middle. */
#include <string.h>

#include "analyzer/advice/advice.h"

#define LONGEST_WORD 60 /* columns */

/* Appends a word for users. A long word loses its namespaces and, if still too long, its middle. */
static void put_word(struct ra_util_text *text, const char *bytes, size_t length)
{
	struct ra_util_text word = { 0 };

	ra_util_text_put_name(&word, (struct rlog_string){ bytes, (uint32_t) length, 0 },
	                      RA_TEXT_TERMINAL);
	if (ra_util_text_width(word.bytes, word.length) <= LONGEST_WORD) {
		ra_util_text_put(text, word.bytes, word.length);
	} else {
		ra_util_text_put_fitted(text, word.bytes, word.length, LONGEST_WORD);
		while (text->bytes[text->length - 1] == ' ') { /* without its namespaces the name is
			                                          short enough */
			text->length--;
		}
	}
	ra_util_text_free(&word);
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
