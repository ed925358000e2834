/* SPDX-License-Identifier: MIT */
/* How much a capture keeps: the text of RANGES_KEEP. */
#include "libranges/base/keep-text.h"

#include <string.h>

#include "libranges/base/log.h"

#define NS_PER_MS UINT64_C(1000000)
#define MIB       (UINT64_C(1) << 20)
/* Less than 16 pieces of this, and most of it would be the pieces' own. */
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

/* What the digits behind a point are of a unit; those beyond six say nothing. */
static uint64_t measure_fraction(const char *digits, size_t count, uint64_t factor)
{
	uint64_t number = 0;
	uint64_t whole = 1;

	for (size_t i = 0; i < count && i < 6; i++) {
		number = number * 10 + (uint64_t) (digits[i] - '0');
		whole *= 10;
	}
	return number * factor / whole; /* below 10^6 × 3.6 × 10^12 */
}

/* One bound; *at ends behind it. */
static bool take(const char **at, struct rcap_keep_text *out)
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
		uint64_t *const bound = units[i].is_time ? &out->ns : &out->bytes;

		if (strlen(units[i].name) == letters && strncmp(units[i].name, *at, letters) == 0) {
			*at += letters;
			value *= units[i].factor; /* below 10^9 × 3.6 × 10^12 */
			value += measure_fraction(fraction, places, units[i].factor);
			if (*bound != 0 || value < (units[i].is_time ? LEAST_NS : LEAST_BYTES) ||
			    value > (units[i].is_time ? MOST_NS : MOST_BYTES)) {
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
	bool is_good;

	memset(out, 0, sizeof(*out));
	is_good = take(&at, out);
	if (is_good && *at == ',') {
		at++;
		is_good = take(&at, out);
	}
	if (!is_good || *at != '\0') {
		rcap_log_format(why, size,
		                "expected a time of 100ms or more such as 30s, a size of 1M or "
		                "more such as 64M, or both with a comma between");
		return false;
	}
	return true;
}
