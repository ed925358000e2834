/* SPDX-License-Identifier: MIT */
/* Matches names with patterns: a star matches any text, a percent sign a number. */
#include "analyzer/producers/pattern.h"

#include <stddef.h>

#define MAX_DIGITS 9

/* The last star, where matching starts again if the text after it does not match. */
struct retry {
	const char *pattern; /* NULL: no star has come yet */
	uint32_t at;
	unsigned number_count;
};

/* Reads up to 9 digits. Return: their number. */
static uint32_t read_number(struct rlog_string text, uint32_t at, int64_t *number)
{
	uint32_t count = 0;

	*number = 0;
	while (at + count < text.length && count < MAX_DIGITS && text.bytes[at + count] >= '0' &&
	       text.bytes[at + count] <= '9') {
		*number = *number * 10 + (text.bytes[at + count] - '0');
		count++;
	}
	return count;
}

bool ra_pattern_match(const char *pattern, struct rlog_string text, struct ra_pattern_found *found)
{
	struct retry retry = { NULL, 0, 0 };
	unsigned number_count = 0;
	unsigned stars = 0;
	uint32_t word_at = 0;
	uint32_t at = 0;

	*found = (struct ra_pattern_found){ { "", 0, 0 }, { -1, -1 } };
	while (at < text.length || *pattern != '\0') {
		int64_t number = 0;
		const uint32_t digits = *pattern == '%' ? read_number(text, at, &number) : 0;

		if (*pattern == '*') {
			word_at = ++stars == 1 ? at : word_at;
			retry = (struct retry){ ++pattern, at, number_count };
		} else if (digits > 0) {
			if (number_count < 2) {
				found->numbers[number_count++] = number;
			}
			pattern++;
			at += digits;
		} else if (*pattern != '%' && *pattern != '\0' && at < text.length &&
		           *pattern == text.bytes[at]) { /* a text may contain a zero byte */
			pattern++;
			at++;
		} else if (retry.pattern == NULL || retry.at >= text.length) {
			return false;
		} else {
			at = ++retry.at;
			pattern = retry.pattern;
			number_count = retry.number_count;
		}
		if (stars == 1 && retry.pattern != NULL) {
			found->word =
				(struct rlog_string){ text.bytes + word_at, retry.at - word_at,
				                      retry.at - word_at };
		}
	}
	while (number_count < 2) {
		found->numbers[number_count++] = -1; /* removes what a failed attempt left */
	}
	return true;
}
