/* SPDX-License-Identifier: MIT */
/* Parses RANGES_KEEP: how much a capture keeps. */
#include "libranges/settings/keep-text.h"

#include <string.h>

#include "libranges/base/log.h"

#define NS_PER_MS UINT64_C(1000000)
#define MIB       (UINT64_C(1) << 20)
/* The least values. With smaller ones the 16 pieces would be mostly overhead. */
#define LEAST_BYTES MIB
#define LEAST_NS    (100 * NS_PER_MS)
#define MOST_NS     (UINT64_C(366) * 24 * 3600 * 1000 * NS_PER_MS)
#define MOST_BYTES  (MIB * 1024 * 1024)

static const struct {
	const char *name;
	uint64_t factor;
	bool is_time;
} units[] = {
	{ "ms", NS_PER_MS, true },
	{ "s", 1000 * NS_PER_MS, true },
	{ "m", 60000 * NS_PER_MS, true },
	{ "h", 3600000 * NS_PER_MS, true },
	{ "K", 1024, false },
	{ "M", MIB, false },
	{ "G", UINT64_C(1024) * MIB, false },
};

/* Returns the value in a unit of the digits after a decimal point. Digits after the sixth are
 * ignored. */
static uint64_t measure_fraction(const char *digits, size_t count, uint64_t factor)
{
	uint64_t number = 0;
	uint64_t whole = 1;

	for (size_t i = 0; i < count && i < 6; i++) {
		number = number * 10 + (uint64_t) (digits[i] - '0');
		whole *= 10;
	}
	return number * factor / whole; /* no overflow: below 10^6 × 3.6 × 10^12 */
}

/* Says what is wrong with a bound that has a value and a unit. */
static const char *explain_value(bool is_time, bool is_less)
{
	if (is_time) {
		return is_less ? "expected a time of 100ms or more"
		               : "expected a time of 366 days (8784h) or less";
	}
	return is_less ? "expected a size of 1M or more"
	               : "expected a size of 1048576M (1 TiB) or less";
}

/* Parses one bound. *at: gets the place after it. Return: false if there is no bound. Then *fault
 * says why, if that is known. */
static bool take(const char **at, struct rcap_keep_text *out, const char **fault)
{
	static const char decimal[] = "0123456789";
	const size_t digits = strspn(*at, decimal);
	const size_t point = (*at)[digits] == '.';
	const char *const fraction = *at + digits + point;
	const size_t places = point ? strspn(fraction, decimal) : 0;
	const size_t letters = strspn(fraction + places, "hmsKMG");
	uint64_t value = 0;

	if (digits == 0 || digits > 9 || (point && places == 0)) {
		return false;
	}
	for (size_t i = 0; i < digits; i++) {
		value = value * 10 + (uint64_t) ((*at)[i] - '0');
	}
	*at = fraction + places;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		const bool is_time = units[i].is_time;
		const uint64_t least = is_time ? LEAST_NS : LEAST_BYTES;
		uint64_t *const bound = is_time ? &out->ns : &out->bytes;

		if (strlen(units[i].name) == letters && strncmp(units[i].name, *at, letters) == 0) {
			*at += letters;
			value *= units[i].factor; /* no overflow: below 10^9 × 3.6 × 10^12 */
			value += measure_fraction(fraction, places, units[i].factor);
			if (*bound != 0) {
				return false;
			}
			if (value < least || value > (is_time ? MOST_NS : MOST_BYTES)) {
				*fault = explain_value(is_time, value < least);
				return false;
			}
			*bound = value;
			return true;
		}
	}
	return false;
}

bool rcap_keep_text_parse(const char *text, struct rcap_keep_text *out, char *why, size_t size)
{
	const char *at = text;
	const char *fault = NULL;
	bool is_good;

	memset(out, 0, sizeof(*out));
	is_good = take(&at, out, &fault);
	if (is_good && *at == ',') {
		at++;
		is_good = take(&at, out, &fault);
	}
	if (fault) {
		rcap_log_format(why, size, "%s", fault);
		return false;
	}
	if (!is_good || *at != '\0') {
		rcap_log_format(why, size,
		                "expected a time of 100ms or more such as 30s, a size of 1M or "
		                "more such as 64M, or both with a comma between");
		return false;
	}
	return true;
}
