/* SPDX-License-Identifier: MIT */
/* The keys of END for counts of calls that made no sense. */
#include "format/oddity.h"

#include <stddef.h>

#include "format/wire.h"

const char *rlog_oddity_key(uint32_t oddity)
{
	static const char *const keys[RLOG_ODDITIES] = {
		[RLOG_ODDITY_WILD_HANDLE] = "odd_wild_handle",
		[RLOG_ODDITY_BAD_ATTRIBUTES] = "odd_bad_attributes",
		[RLOG_ODDITY_BAD_MESSAGE] = "odd_bad_message",
		[RLOG_ODDITY_BAD_PAYLOAD] = "odd_bad_payload",
		[RLOG_ODDITY_BAD_POINTER] = "odd_bad_pointer",
		[RLOG_ODDITY_NO_HANDLE] = "odd_no_handle",
		[RLOG_ODDITY_UNKNOWN_SCHEMA] = "odd_unknown_schema",
		[RLOG_ODDITY_BAD_SCHEMA] = "odd_bad_schema",
		[RLOG_ODDITY_CUT_PAYLOAD] = "odd_cut_payload",
		[RLOG_ODDITY_UNKNOWN_EXTENSION] = "odd_unknown_extension",
	};

	return oddity < RLOG_ODDITIES ? keys[oddity] : NULL;
}
