/* SPDX-License-Identifier: MIT */
/* Tests that all ways to find the end of a text find the same end, and that texts are decoded by
 * the rules of JSON. */
#include <stdio.h>
#include <string.h>

#include "analyzer/json/json-scan.h"
#include "analyzer/json/json-text.h"
#include "tests/tap.h"

#define BYTES 200u

static uint64_t seed = 26;

static unsigned next_random(unsigned below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned) (seed >> 33) % below;
}

/* Mostly letters, so that some texts are long. */
static char make_byte(unsigned rare)
{
	static const char marks[] = { '"', '\\', '\n', 0x1F, ' ', '\x7F', '\x80', '\xFF' };

	return next_random(rare) == 0 ? marks[next_random(sizeof(marks))]
	                              : (char) ('a' + next_random(26));
}

static void check_ways(void)
{
	char text[BYTES + RA_JSON_SCAN_PAD];
	const char *name = "";
	unsigned differ = 0;
	unsigned tried = 0;
	unsigned last = 0;

	while (ra_json_scan_get(last + 1, NULL) != NULL) {
		last++;
	}
	for (unsigned round = 0; round < 2000; round++) {
		const unsigned length = next_random(BYTES);
		const unsigned rare = 1 + next_random(200);

		for (unsigned i = 0; i < sizeof(text); i++) {
			text[i] = i < length ? make_byte(rare) : (char) (i == length ? 0 : 0xFF);
		}
		for (unsigned from = 0; from <= length; from += 1 + next_random(16)) {
			bool expected_high = false;
			const char *expected =
				ra_json_scan_get(last, &name)(text + from, &expected_high);

			for (unsigned way = 0; way < last; way++) {
				bool has_high = false;
				const char *stop =
					ra_json_scan_get(way, NULL)(text + from, &has_high);

				differ += stop != expected || has_high != expected_high;
				tried++;
			}
		}
	}
	tap_ok(strcmp(name, "plain C") == 0, "the last way is in plain C");
	tap_is_uint(differ, 0, "the others find what it finds");
	tap_diag("%u texts, %u ways", tried, last + 1);
}

/* Whether a text is decoded so, and how many of its parts are odd. */
static void decodes(const char *text, const char *expected, uint64_t count)
{
	struct ra_json_text_odd odd = { 0 };
	char to[64];
	const size_t length = ra_json_text_decode(to, text, strlen(text), &odd);

	tap_ok(length == strlen(expected) && memcmp(to, expected, length) == 0 &&
	               odd.escapes + odd.surrogates == count,
	       "%s is decoded", text);
}

static void mends(const char *text, const char *expected)
{
	char to[64] = "";
	const size_t length = ra_json_text_mend_number(to, text, strlen(text));

	tap_ok(length == strlen(expected) && memcmp(to, expected, length) == 0, "%s is \"%s\"",
	       text, expected);
}

int main(void)
{
	check_ways();
	decodes("a\\n\\/\\\"\\\\b", "a\n/\"\\b", 0);
	decodes("\\u00e4\\u20AC\\ud83d\\ude00", "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80", 0);
	decodes("C:\\dir\\q", "C:\\dir\\q", 2);
	decodes("\\u12", "\\u12", 1);
	decodes("\\ud83dx\\ude00", "\xEF\xBF\xBDx\xEF\xBF\xBD", 2);
	decodes("\\ud83d\\ud83d\\ude00", "\xEF\xBF\xBD\xF0\x9F\x98\x80", 1);
	tap_ok(ra_json_text_is_utf8("\xC3\xA4\xF0\x9F\x98\x80", 6), "UTF-8 is known");
	tap_ok(!ra_json_text_is_utf8("\xED\xA0\xBD", 3), "half of a surrogate pair is none");
	tap_ok(!ra_json_text_is_utf8("\xC0\x80", 2), "nor is an over-long NUL");
	tap_ok(!ra_json_text_is_utf8("\xE2\x82", 2), "nor is half a character");
	mends("+2", "2");
	mends(".5", "0.5");
	mends("-.5e3", "-0.5e3");
	mends("5.", "5");
	mends("01000", "1000");
	mends("000", "0");
	mends("+", "");
	mends("1e", "");
	mends("0x10", "");
	tap_ok(ra_json_text_is_number("-0.5e-3", 7) && !ra_json_text_is_number("01", 2) &&
	               !ra_json_text_is_number("1.", 2) && !ra_json_text_is_number("-", 1),
	       "numbers are told by JSON's grammar");
	return tap_done();
}
