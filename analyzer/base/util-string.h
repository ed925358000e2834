/* SPDX-License-Identifier: MIT */
/* What a string of a log or trace is, begins and ends with. */
#ifndef RA_UTIL_STRING_H
#define RA_UTIL_STRING_H

#include <stdbool.h>
#include <string.h>

#include "format/tables.h"

/* The string of a text that lives long enough. */
static inline struct rlog_string ra_util_string_make(const char *text)
{
	const uint32_t length = (uint32_t) strlen(text);

	return (struct rlog_string){ text, length, length };
}

bool ra_util_string_is(struct rlog_string text, const char *word);
bool ra_util_string_has_prefix(struct rlog_string text, const char *prefix);
bool ra_util_string_has_suffix(struct rlog_string text, const char *suffix);

#endif
