/* SPDX-License-Identifier: MIT */
/* What a string of a log or trace is, begins and ends with. */
#ifndef RA_UTIL_STRING_H
#define RA_UTIL_STRING_H

#include <stdbool.h>

#include "format/tables.h"

bool ra_util_string_is(struct rlog_string text, const char *word);
bool ra_util_string_has_prefix(struct rlog_string text, const char *prefix);
bool ra_util_string_has_suffix(struct rlog_string text, const char *suffix);

#endif
