/* SPDX-License-Identifier: MIT */
/* Decides which domains are recorded: the syntax and the effect of RANGES_DOMAINS. */
#include "libranges/settings/filter.h"

#include "libranges/base/log.h"

/* A message shows at most this many bytes of an entry. */
#define SHOWN_BYTES 60

/* An entry of the list. Its name is the bytes from pattern to end, including escapes. */
struct entry {
	bool takes_in;
	bool has_sign;
	bool ends_early; /* the name ends with a backslash that escapes nothing */
	const char *start;
	const char *pattern;
	const char *end;
};

/* Reads an entry. Return: the place after it: a comma, or the end of the list. */
static const char *read_entry(const char *at, struct entry *out)
{
	bool is_escaped = false;

	while (*at == ' ') {
		at++;
	}
	out->start = at;
	out->has_sign = *at == '+' || *at == '-';
	out->takes_in = *at != '-';
	at += out->has_sign;
	while (*at == ' ') {
		at++;
	}
	out->pattern = at;
	out->end = at;
	for (; *at != '\0' && (is_escaped || *at != ','); at++) {
		if (is_escaped || *at != ' ') {
			out->end = at + 1;
		}
		is_escaped = !is_escaped && *at == '\\';
	}
	out->ends_early = is_escaped;
	return at;
}

/* A star first matches nothing. Each time the rest does not match, it matches one byte more. */
static bool does_match(const struct entry *entry, const char *name, const char *name_end)
{
	const char *pattern = entry->pattern;
	const char *star = NULL; /* the place after the last star */
	const char *retry = NULL;

	for (;;) {
		const bool is_escaped = pattern + 1 < entry->end && *pattern == '\\';

		if (pattern < entry->end && *pattern == '*') {
			star = ++pattern;
			retry = name;
		} else if (pattern == entry->end && name == name_end) {
			return true;
		} else if (pattern < entry->end && name < name_end &&
		           pattern[is_escaped] == *name) {
			pattern += 1 + is_escaped;
			name++;
		} else if (star != NULL && retry < name_end) {
			pattern = star;
			name = ++retry;
		} else {
			return false;
		}
	}
}

/* Says what is wrong with an entry, which ends at `end`. */
static bool is_entry_valid(const struct entry *entry, int number, const char *end, char *why,
                           size_t size)
{
	const long bytes = end - entry->start < SHOWN_BYTES ? end - entry->start : SHOWN_BYTES;

	if (entry->ends_early) {
		rcap_log_format(why, size, "entry %d, \"%.*s\", ends with a backslash", number,
		                (int) bytes, entry->start);
	} else if (entry->pattern == entry->end && entry->has_sign) {
		rcap_log_format(why, size, "entry %d, \"%c\", has no name", number, *entry->start);
	} else if (entry->pattern == entry->end) {
		rcap_log_format(why, size, "entry %d is empty", number);
	} else {
		return true;
	}
	return false;
}

bool rcap_filter_is_valid(const char *list, char *why, size_t size)
{
	struct entry entry;

	for (int number = 1; *list != '\0'; number++) {
		list = read_entry(list, &entry);
		if (!is_entry_valid(&entry, number, list, why, size)) {
			return false;
		}
		if (*list == ',' && *++list == '\0') {
			rcap_log_format(why, size, "entry %d is empty", number + 1);
			return false;
		}
	}
	return true;
}

bool rcap_filter_is_on(const char *list, const char *name, size_t length)
{
	bool takes_any_in = false;
	bool has_match = false;
	bool is_on = true;
	struct entry entry;

	while (*list != '\0') {
		list = read_entry(list, &entry);
		takes_any_in |= entry.takes_in;
		if (does_match(&entry, name, name + length)) {
			has_match = true;
			is_on = entry.takes_in;
		}
		list += *list == ',';
	}
	return has_match ? is_on : !takes_any_in;
}
