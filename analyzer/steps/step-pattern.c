/* SPDX-License-Identifier: MIT */
/* Matches ranges with the user's pattern for steps: NAME[@DOMAIN], with wildcards in the name. */
#include "analyzer/steps/step-pattern.h"

#include <string.h>

#include "analyzer/base/text/util-string.h"

struct ra_step_pattern ra_step_pattern_make(const char *range)
{
	const char *at = strrchr(range, '@');
	const size_t length = at == NULL || at == range ? strlen(range) : (size_t) (at - range);
	struct ra_step_pattern pattern = {
		.name = { range, (uint32_t) length, (uint32_t) length },
		.has_domain = range[length] == '@',
	};

	if (pattern.has_domain) {
		const uint32_t rest = (uint32_t) strlen(range + length + 1);

		pattern.domain = (struct rlog_string){ range + length + 1, rest, rest };
	}
	return pattern;
}

bool ra_step_pattern_has_wildcard(const struct ra_step_pattern *pattern)
{
	const char *bytes = pattern->name.bytes;

	for (uint32_t i = 0; i < pattern->name.length; i++) {
		if (bytes[i] == '*' || bytes[i] == '#') {
			return true;
		}
		i += bytes[i] == '\\';
	}
	return false;
}

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

/* How far the pattern and the name have been compared. */
struct walk {
	struct rlog_string pattern;
	struct rlog_string name;
	uint32_t at;     /* index in the pattern */
	uint32_t from;   /* index in the name */
	uint32_t first;  /* index of the first # in the pattern; the pattern's length: none yet */
	uint32_t digits; /* where the number for that # begins in the name … */
	uint32_t past;   /* … and where it ends */
};

/* Matches the next part of the pattern, which is not a star. */
static bool step(struct walk *walk)
{
	const char *bytes = walk->name.bytes;
	uint32_t at = walk->at;
	uint32_t past = walk->from;
	char byte;

	if (at >= walk->pattern.length || past >= walk->name.length) {
		return false;
	}
	byte = walk->pattern.bytes[at];
	if (byte == '#') {
		while (past < walk->name.length && is_digit(bytes[past])) {
			past++;
		}
		if (past == walk->from || (walk->from > 0 && is_digit(bytes[walk->from - 1]))) {
			return false;
		}
		if (at <= walk->first) {
			walk->first = at;
			walk->digits = walk->from;
			walk->past = past;
		}
	} else {
		if (byte == '\\' && at + 1 < walk->pattern.length) {
			byte = walk->pattern.bytes[++at];
		}
		if (bytes[past++] != byte) {
			return false;
		}
	}
	walk->at = at + 1;
	walk->from = past;
	return true;
}

/* Compares the whole. A star matches as little as possible. If the text after the last star does
 * not match, it is tried again one byte later. The pattern before that star need not be tried
 * again, since no other match of it ends earlier. */
static bool compare(struct walk *walk)
{
	/* index in the pattern after the last star; UINT32_MAX: no star yet */
	uint32_t star = UINT32_MAX;
	uint32_t taken = 0; /* index in the name where the text after that star begins */

	while (walk->from < walk->name.length || walk->at < walk->pattern.length) {
		if (walk->at < walk->pattern.length && walk->pattern.bytes[walk->at] == '*') {
			star = ++walk->at;
			taken = walk->from;
		} else if (step(walk)) {
			continue;
		} else if (star == UINT32_MAX || taken >= walk->name.length) {
			return false;
		} else {
			walk->at = star;
			walk->from = ++taken;
		}
	}
	return true;
}

bool ra_step_pattern_matches(const struct ra_step_pattern *pattern, struct rlog_string name,
                             struct rlog_string domain, struct rlog_string *number)
{
	struct walk walk = { .pattern = pattern->name,
		             .name = name,
		             .first = pattern->name.length };
	const bool is_same = ra_util_string_is_same(name, pattern->name);

	if (number != NULL) {
		*number = (struct rlog_string){ "", 0, 0 };
	}
	if ((pattern->has_domain && !ra_util_string_is_same(domain, pattern->domain)) ||
	    (!is_same && !compare(&walk))) {
		return false;
	}
	if (number != NULL && !is_same && walk.first < pattern->name.length) {
		while (walk.digits + 1 < walk.past && name.bytes[walk.digits] == '0') {
			walk.digits++;
		}
		*number = (struct rlog_string){ name.bytes + walk.digits, walk.past - walk.digits,
			                        walk.past - walk.digits };
	}
	return true;
}
