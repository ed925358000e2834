/* SPDX-License-Identifier: MIT */
/* What a string of a log or trace is, begins and ends with. */
#include "analyzer/base/util-string.h"

#include <string.h>

bool ra_util_string_is(struct rlog_string text, const char *word)
{
	const size_t length = strlen(word);

	return text.length == length && memcmp(text.bytes, word, length) == 0;
}

bool ra_util_string_has_prefix(struct rlog_string text, const char *prefix)
{
	const size_t length = strlen(prefix);

	return text.length >= length && memcmp(text.bytes, prefix, length) == 0;
}

bool ra_util_string_has_suffix(struct rlog_string text, const char *suffix)
{
	const size_t length = strlen(suffix);

	return text.length >= length &&
	       memcmp(text.bytes + text.length - length, suffix, length) == 0;
}
