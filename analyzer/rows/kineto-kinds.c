/* SPDX-License-Identifier: MIT */
/* Finds the kind of an event of a Chrome trace by its phase (ph). */
#include "analyzer/rows/kineto-kinds.h"

#include <string.h>
#include <strings.h>

#include "analyzer/rows/kineto-store.h"

static bool is_word(struct rlog_string text, const char *word)
{
	return strlen(word) == text.length && strncasecmp(text.bytes, word, text.length) == 0;
}

enum ra_kineto_kind ra_kineto_kinds_of_phase(uint8_t phase, enum ra_kineto_kind complete,
                                             struct rlog_string name)
{
	switch (phase) {
	case 'X':
		return complete;
	case 'i':
	case 'I':
	case 'R':
		return is_word(name, "[memory]") ? RA_KINETO_MEMORY : RA_KINETO_INSTANT;
	case 'C':
		return RA_KINETO_COUNTER;
	case 'B':
		return RA_KINETO_BEGIN;
	case 'E':
		return RA_KINETO_END;
	case 's':
		return RA_KINETO_FLOW_START;
	case 't':
		return RA_KINETO_FLOW_STEP;
	case 'f':
		return RA_KINETO_FLOW_END;
	case 'b':
	case 'S':
		return RA_KINETO_ASYNC_BEGIN;
	case 'n':
	case 'T':
	case 'p':
		return RA_KINETO_ASYNC_STEP;
	case 'e':
	case 'F':
		return RA_KINETO_ASYNC_END;
	case 'M':
		return RA_KINETO_METADATA;
	default:
		return RA_KINETO_UNKNOWN;
	}
}

bool ra_kineto_kinds_lacks_time(const struct ra_kineto_row *row)
{
	const struct rlog_string none = { 0 };
	enum ra_kineto_kind kind;

	if ((row->flags & RA_KINETO_HAS_TS) != 0) {
		return false;
	}
	kind = ra_kineto_kinds_of_phase(row->phase, RA_KINETO_OTHER, none);
	return kind != RA_KINETO_METADATA && kind != RA_KINETO_UNKNOWN;
}
