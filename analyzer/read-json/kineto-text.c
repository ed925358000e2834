/* SPDX-License-Identifier: MIT */
/* Writes a parsed JSON value as JSON text again. */
#include "analyzer/read-json/kineto-text.h"

#include <string.h>

#include "analyzer/rows/kineto-number.h"

void ra_kineto_text_put(struct ra_util_text *to, enum ra_json_type type, const char *text,
                        size_t length)
{
	static const char *const words[] = { "null", "false", "true" };

	/* Words like NaN become strings, because JSON has no such words. */
	if (type == RA_JSON_NUMBER && !ra_kineto_number_is_word(text, length)) {
		ra_util_text_put(to, text, length);
	} else if (type == RA_JSON_STRING || type == RA_JSON_NUMBER) {
		ra_util_text_put_char(to, '"');
		ra_util_text_put_name(
			to, (struct rlog_string){ text, (uint32_t) length, (uint32_t) length },
			RA_TEXT_JSON);
		ra_util_text_put_char(to, '"');
	} else {
		ra_util_text_put(to, words[type], strlen(words[type]));
	}
}
