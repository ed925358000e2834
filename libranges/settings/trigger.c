/* SPDX-License-Identifier: MIT */
/* Parses RANGES_WHEN: when a capture that keeps its last part writes a snapshot. */
#include "libranges/settings/trigger.h"

#include <string.h>

#include "libranges/base/log.h"

/* A part of a text, without the blanks around it. */
struct piece {
	const char *at;
	size_t length;
};

static struct piece trim(const char *at, size_t length)
{
	while (length > 0 && *at == ' ') {
		at++;
		length--;
	}
	while (length > 0 && at[length - 1] == ' ') {
		length--;
	}
	return (struct piece){ at, length };
}

static bool is_word(struct piece piece, const char *word)
{
	return piece.length == strlen(word) && memcmp(piece.at, word, piece.length) == 0;
}

/* Parses a number with at most three decimals, in thousandths. Return: length of the number; 0 if
 * there is none. */
static size_t read_thousandths(struct piece piece, uint64_t *out)
{
	size_t i = 0;
	int decimals = -1;

	*out = 0;
	for (; i < piece.length && i < 15 && decimals < 3; i++) {
		if (piece.at[i] == '.' && decimals < 0 && i > 0) {
			decimals = 0;
			continue;
		}
		if (piece.at[i] < '0' || piece.at[i] > '9') {
			break;
		}
		*out = *out * 10 + (uint64_t) (piece.at[i] - '0');
		decimals += decimals >= 0;
	}
	if (i == 0 || piece.at[i - 1] == '.') {
		return 0;
	}
	for (int d = decimals < 0 ? 0 : decimals; d < 3; d++) {
		*out *= 10;
	}
	return i;
}

/* Parses a limit: a time, such as "20ms", or "3 * median". */
static bool read_limit(struct piece piece, struct rcap_trigger *out)
{
	static const struct {
		const char *name;
		uint64_t ns_thousandth;
	} units[] = { { "us", 1 },
		      { "ms", 1000 },
		      { "s", 1000000 },
		      { "m", 60000000 },
		      { "h", UINT64_C(3600000000) } };
	uint64_t value;
	const size_t used = read_thousandths(piece, &value);
	const struct piece unit = trim(piece.at + used, piece.length - used);
	struct piece word;

	if (used == 0 || value == 0) {
		return false;
	}
	if (unit.length > 0 && unit.at[0] == '*') {
		word = trim(unit.at + 1, unit.length - 1);
		out->thousandths = value;
		return is_word(word, "median") && out->kind != RCAP_TRIGGER_GAP;
	}
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (is_word(unit, units[i].name)) {
			out->limit_ns = value > UINT64_MAX / 2 / units[i].ns_thousandth
			                        ? UINT64_MAX / 2
			                        : value * units[i].ns_thousandth;
			return true;
		}
	}
	return false;
}

/* Parses a number, which may be negative. */
static bool read_value(struct piece piece, double *out)
{
	const bool is_negative = piece.length > 0 && piece.at[0] == '-';
	uint64_t value;

	piece.at += is_negative;
	piece.length -= is_negative;
	if (read_thousandths(piece, &value) != piece.length || piece.length == 0) {
		return false;
	}
	*out = (double) value / 1000 * (is_negative ? -1 : 1);
	return true;
}

static bool read_kind(struct piece word, struct rcap_trigger *out)
{
	static const char *const words[] = { "step", "range", "counter", "gap" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (is_word(word, words[i])) {
			out->kind = (enum rcap_trigger_kind) i;
			return true;
		}
	}
	return false;
}

/* Finds the comparison sign. It is the last one in the text, because names may contain such
 * signs. */
static const char *find_sign(struct piece piece, bool is_counter)
{
	const char *const above = memrchr(piece.at, '>', piece.length);
	const char *const below = is_counter ? memrchr(piece.at, '<', piece.length) : NULL;

	return below && (!above || below > above) ? below : above;
}

/* Skips the word "range" in "gap range NAME", which is the same as "gap NAME". Users write it,
 * because "range NAME" is also a condition. */
static struct piece skip_range(struct piece name)
{
	static const char word[] = "range ";
	const size_t length = sizeof(word) - 1;

	if (name.length > length && memcmp(name.at, word, length) == 0) {
		return trim(name.at + length, name.length - length);
	}
	return name;
}

static bool read_name(struct piece name, struct rcap_trigger *out, char *why, size_t size)
{
	static const struct piece torch = { "ProfilerStep#N", 14 };

	if (out->kind == RCAP_TRIGGER_STEP ||
	    (out->kind == RCAP_TRIGGER_GAP && is_word(name, "step"))) {
		out->is_step = true;
		if (out->kind == RCAP_TRIGGER_STEP && name.length > 0) {
			rcap_log_format(why, size,
			                "\"step\" has no name, but \"%.*s\" follows it; "
			                "\"range NAME\" has one",
			                (int) name.length, name.at);
			return false;
		}
		name = torch;
	} else if (out->kind == RCAP_TRIGGER_GAP) {
		name = skip_range(name);
	}
	return rcap_schedule_read_name(name.at, name.length, &out->name, why, size);
}

/* Parses one condition. */
static bool read_one(struct piece text, struct rcap_trigger *out, char *why, size_t size)
{
	const char *sign;
	size_t word = 0;
	struct piece limit;
	bool is_good;

	memset(out, 0, sizeof(*out));
	out->text = text.at;
	out->length = text.length;
	while (word < text.length && !strchr(" <>", text.at[word])) {
		word++;
	}
	if (!read_kind((struct piece){ text.at, word }, out)) {
		rcap_log_format(why, size,
		                "\"%.*s\": expected step, range NAME, counter NAME or gap NAME, "
		                "then > and a limit",
		                (int) (text.length < 40 ? text.length : 40), text.at);
		return false;
	}
	sign = find_sign(text, out->kind == RCAP_TRIGGER_COUNTER);
	if (!sign) {
		rcap_log_format(why, size, "\"%.*s\": expected > and a limit after it",
		                (int) (text.length < 40 ? text.length : 40), text.at);
		return false;
	}
	out->is_below = *sign == '<';
	if (!read_name(trim(text.at + word, (size_t) (sign - text.at) - word), out, why, size)) {
		return false;
	}
	limit = trim(sign + 1, (size_t) (text.at + text.length - sign - 1));
	is_good = out->kind == RCAP_TRIGGER_COUNTER ? read_value(limit, &out->value)
	                                            : read_limit(limit, out);
	if (!is_good) {
		rcap_log_format(why, size, "\"%.*s\": expected %s", (int) limit.length, limit.at,
		                out->kind == RCAP_TRIGGER_COUNTER ? "a number"
		                : out->kind == RCAP_TRIGGER_GAP
		                        ? "a time such as 1s or 500ms"
		                        : "a time such as 20ms, or 3 * median");
	}
	return is_good;
}

size_t rcap_trigger_parse(const char *text, struct rcap_trigger *out, char *why, size_t size)
{
	struct rcap_trigger alone;
	size_t count = 0;

	while (*text != '\0') {
		const size_t length = strcspn(text, ";");
		const struct piece piece = trim(text, length);

		if (piece.length > 0) {
			if (count == RCAP_TRIGGERS) {
				rcap_log_format(why, size, "more than %u conditions",
				                RCAP_TRIGGERS);
				return 0;
			}
			if (!read_one(piece, out ? &out[count] : &alone, why, size)) {
				return 0;
			}
			count++;
		}
		text += length + (text[length] == ';');
	}
	if (count == 0) {
		rcap_log_format(why, size, "expected a condition such as step > 3 * median");
	}
	return count;
}
