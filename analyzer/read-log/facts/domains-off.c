/* SPDX-License-Identifier: MIT */
/* Lists the domains that a capture did not record. */
#include "analyzer/read-log/facts/domains-off.h"

#include "format/wire.h"

const struct rlog_string *ra_domains_off_next(const struct rlog_reader *reader, size_t *at)
{
	static const struct rlog_string lost = { .bytes = "(name lost)", .length = 11 };
	size_t count;
	size_t string_count;
	const struct rlog_def *defs = rlog_reader_borrow_defs(reader, &count);
	const struct rlog_string *strings = rlog_reader_borrow_strings(reader, &string_count);

	while (*at < count) {
		const struct rlog_def *def = &defs[(*at)++];

		if (def->kind == RLOG_DEF_DOMAIN_OFF) {
			return def->string < string_count && strings[def->string].bytes != NULL
			               ? &strings[def->string]
			               : &lost;
		}
	}
	return NULL;
}
