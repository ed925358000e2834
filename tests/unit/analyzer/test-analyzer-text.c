/* SPDX-License-Identifier: MIT */
/* Tests that names are made harmless for each target; also tests units, and the forms of a
 * table. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/base/text/util-string.h"
#include "analyzer/table/forms/table-data.h"
#include "analyzer/table/forms/table-text.h"
#include "tests/tap.h"

static const char *finish(struct ra_util_text *text)
{
	ra_util_text_put_char(text, '\0');
	return text->bytes;
}

static void check_name(const char *name, enum ra_util_text_target target, const char *wanted,
                       const char *sentence)
{
	const struct rlog_string string = { name, (uint32_t) strlen(name), 0 };
	struct ra_util_text text = { 0 };

	ra_util_text_put_name(&text, string, target);
	tap_is_text(finish(&text), wanted, "%s", sentence);
	ra_util_text_free(&text);
}

static void test_names(void)
{
	check_name("na\xC3\xAFve", RA_TEXT_TERMINAL, "na\xC3\xAFve", "UTF-8 stays");
	check_name("\x1B[31m\x07", RA_TEXT_TERMINAL, "\\x1b[31m\\x07", "escape codes are shown");
	check_name("a\nb\tc\rd\x7F", RA_TEXT_TERMINAL, "a\\nb\\tc\\rd\\x7f",
	           "so are other controls");
	check_name("\xC2\x9B\xE2\x80\xAEx\xEF\xBB\xBF", RA_TEXT_TERMINAL,
	           "\\u{009b}\\u{202e}x\\u{feff}", "so are C1, bidi and invisible controls");
	check_name("\xFF\xC0\xAF\xE2\x82", RA_TEXT_TERMINAL, "\\xff\\xc0\\xaf\\xe2\\x82",
	           "bytes that are no UTF-8 are shown");
	check_name("plain", RA_TEXT_CSV, "plain", "CSV quotes only where needed");
	check_name("a,\"b\"", RA_TEXT_CSV, "\"a,\"\"b\"\"\"", "CSV doubles quotes");
	check_name("=1+2", RA_TEXT_CSV, "\"'=1+2\"", "CSV disarms formulas");
	check_name("@x", RA_TEXT_CSV, "\"'@x\"", "of all four kinds");
	check_name("a\tb", RA_TEXT_TSV, "a\\tb", "TSV has no tabs inside cells");
	check_name("a|b`<c>", RA_TEXT_MARKDOWN, "a\\|b\\`\\<c>", "Markdown's signs are escaped");
	check_name("q\"\\\n\x01\xFF", RA_TEXT_JSON, "q\\\"\\\\\\n\\u0001\xEF\xBF\xBD",
	           "JSON strings are valid");
}

static void check_time(int64_t ns, const char *wanted)
{
	struct ra_util_text text = { 0 };

	ra_util_text_put_time(&text, ns);
	tap_is_text(finish(&text), wanted, "%lld ns are shown as %s", (long long) ns, wanted);
	ra_util_text_free(&text);
}

static void check_ratio(int64_t part, int64_t whole, unsigned digits, const char *wanted)
{
	struct ra_util_text text = { 0 };

	ra_util_text_put_ratio(&text, part, whole, digits);
	tap_is_text(finish(&text), wanted, "%lld of %lld is %s", (long long) part,
	            (long long) whole, wanted);
	ra_util_text_free(&text);
}

static void test_numbers(void)
{
	struct ra_util_text text = { 0 };

	check_time(0, "0ns");
	check_time(999, "999ns");
	check_time(1000, "1.000us");
	check_time(999999, "999.999us");
	check_time(1000000, "1.000ms");
	check_time(1234500, "1.235ms");
	check_time(999999499, "999.999ms");
	check_time(999999500, "1.000s");
	check_time(INT64_C(3600000000000), "3600.000s");
	check_time(-1500, "-1.500us");
	check_time(INT64_MIN, "-9223372036.855s");
	check_ratio(1, 3, 6, "0.333333");
	check_ratio(2, 3, 6, "0.666667");
	check_ratio(1, 2, 0, "1");
	check_ratio(0, 0, 3, "0.000");
	check_ratio(INT64_MAX, 1, 3, "9223372036854775807.000");
	ra_util_text_put_count(&text, 1234567);
	ra_util_text_put(&text, " ", 1);
	ra_util_text_put_count(&text, 12);
	tap_is_text(finish(&text), "1,234,567 12", "counts have commas");
	ra_util_text_free(&text);
}

static void check_fit(const char *name, size_t width, const char *wanted)
{
	struct ra_util_text text = { 0 };

	ra_util_text_put_fitted(&text, name, strlen(name), width);
	tap_is_text(finish(&text), wanted, "\"%s\" in %zu columns", name, width);
	tap_is_uint(ra_util_text_width(text.bytes, text.length - 1), width, "takes all of them");
	ra_util_text_free(&text);
}

static void test_width(void)
{
	check_fit("abc", 5, "abc  ");
	check_fit("abcdefghijkl", 9, "abc...jkl");
	check_fit("abcdefghijkl", 4, "abcd");
	check_fit("ab::cd::efghijkl", 16, "ab::cd::efghijkl");
	check_fit("ab::cd::efghijkl", 9, "efghijkl ");
	check_fit("ab::(anonymous namespace)::efghijklmn", 9, "efg...lmn");
	check_fit("f(ab::cd::efg)", 9, "f(a...fg)");
	check_fit("\xE6\xBC\xA2\xE5\xAD\x97", 6, "\xE6\xBC\xA2\xE5\xAD\x97  ");
	check_fit("\xE6\xBC\xA2\xE5\xAD\x97\xE6\xBC\xA2\xE5\xAD\x97", 7,
	          "\xE6\xBC\xA2...\xE5\xAD\x97");
	check_fit("e\xCC\x81", 2, "e\xCC\x81 ");
}

static const struct ra_table_column columns[] = {
	{ "name", "Name", RA_TABLE_TEXT, NULL },
	{ "kind", "Kind", RA_TABLE_TEXT, "usual" },
	{ "cpu_ns", "CPU", RA_TABLE_TIME, NULL },
	{ "cpu_share", "CPU %", RA_TABLE_SHARE, NULL },
	{ "calls", "# of Calls", RA_TABLE_COUNT, "0" },
};

static void add_row(struct ra_table *table, const char *name, int64_t time_ns, int64_t calls)
{
	static const struct rlog_string usual = { "usual", 5, 5 };
	struct ra_table_cell *cells = ra_table_add_row(table);

	cells[0] = ra_table_make_text(ra_table_keep_text(table, name, strlen(name)));
	cells[1] = ra_table_make_text(usual);
	cells[2] = ra_table_make_number(time_ns);
	if (time_ns > 0) {
		cells[3] = ra_table_make_share(time_ns, 4000);
	}
	cells[4] = ra_table_make_number(calls);
}

static void test_forms(void)
{
	struct ra_util_text text = { 0 };
	struct ra_table table;

	ra_table_init(&table, columns, 5);
	add_row(&table, "long name to be shortened", 3000, 7);
	add_row(&table, "=x", 0, 0);
	ra_table_text_put(&text, &table, 45);
	tap_is_text(finish(&text),
	            "                                         # of\n"
	            "Name                         CPU  CPU % Calls\n"
	            "------------------------ ------- ------ -----\n"
	            "long name t... shortened 3.000us 75.00%     7\n"
	            "=x                           0ns      -     0\n",
	            "a table for a terminal");
	ra_util_text_clear(&text);
	ra_table_text_put_markdown(&text, &table);
	tap_is_text(finish(&text),
	            "| Name | CPU | CPU % | # of Calls |\n|---|---:|---:|---:|\n"
	            "| long name to be shortened | 3.000us | 75.00% | 7 |\n"
	            "| =x | 0ns | - | 0 |\n",
	            "the same in Markdown");
	ra_util_text_clear(&text);
	ra_table_data_put_csv(&text, &table);
	tap_is_text(finish(&text),
	            "name,kind,cpu_ns,cpu_share,calls\n"
	            "long name to be shortened,usual,3000,0.750000,7\n"
	            "\"'=x\",usual,0,,0\n",
	            "the same in CSV");
	ra_util_text_clear(&text);
	ra_table_data_put_tsv(&text, &table);
	tap_is_text(finish(&text),
	            "name\tkind\tcpu_ns\tcpu_share\tcalls\n"
	            "long name to be shortened\tusual\t3000\t0.750000\t7\n"
	            "'=x\tusual\t0\t\t0\n",
	            "the same in TSV");
	ra_util_text_clear(&text);
	ra_table_data_put_json(&text, &table);
	tap_is_text(
		finish(&text),
		"[{\"name\":\"long name to be shortened\",\"kind\":\"usual\",\"cpu_ns\":3000,"
		"\"cpu_share\":0.750000,\"calls\":7},\n"
		"{\"name\":\"=x\",\"kind\":\"usual\",\"cpu_ns\":0,\"cpu_share\":null,\"calls\":0}]",
		"the same in JSON");
	ra_util_text_free(&text);
	ra_table_fini(&table);
}

static const char *first_name(const struct ra_table *table)
{
	static char name[40];
	const struct rlog_string text = table->cells[0].u.text;

	memcpy(name, text.bytes, text.length);
	name[text.length] = '\0';
	return name;
}

static void test_order(void)
{
	struct ra_table table;

	ra_table_init(&table, columns, 5);
	add_row(&table, "b", 10, 1);
	add_row(&table, "a", 30, 1);
	add_row(&table, "c", 0, 2);
	tap_is_uint(ra_table_find_column(columns, 5, "cpu"), 2,
	            "a key without its unit is the time");
	tap_is_uint(ra_table_find_column(columns, 5, "cpu_share"), 3, "a share has its own");
	tap_is_uint(ra_table_find_column(columns, 5, "cp"), 5, "half a key is none");
	ra_table_sort(&table, 2, true);
	tap_ok(strcmp(first_name(&table), "a") == 0, "the largest comes first");
	ra_table_sort(&table, 3, false);
	tap_ok(strcmp(first_name(&table), "b") == 0,
	       "cells without a value come last in either order");
	ra_table_sort(&table, 0, false);
	tap_ok(strcmp(first_name(&table), "a") == 0, "texts are sorted by bytes");
	ra_table_sort(&table, 4, false);
	tap_ok(strcmp(first_name(&table), "a") == 0, "equal rows keep their order");
	ra_table_cut(&table, 1);
	tap_ok(table.row_count == 1 && table.cut_count == 2, "a table can be cut");
	ra_table_fini(&table);
}

/* Return: whether a real number is written as printf does. */
static bool is_as_printf(double real)
{
	struct ra_util_text text = { 0 };
	char wanted[64];
	bool is_same;

	snprintf(wanted, sizeof(wanted), "%.6g", real);
	ra_util_text_put_real(&text, real);
	is_same = strcmp(finish(&text), wanted) == 0;
	if (!is_same) {
		tap_diag("%.17g: %s, not %s", real, wanted, text.bytes);
	}
	ra_util_text_free(&text);
	return is_same;
}

/* Halves in the last place, powers of ten and what lies next to them, and a spread of bits. */
static void test_reals(void)
{
	static const double odd[] = { 0.0,        -0.0,      1e-4,     1e-5,     9.999995e-5,
		                      999999.5,   1234565,   12345.65, 0.5,      1e22,
		                      1e23,       5e-324,    1e308,    INFINITY, -INFINITY,
		                      4.45871e12, 0.1 + 0.2, 1e5,      1e6,      -1e-7 };
	uint64_t bits = UINT64_C(0x9E3779B97F4A7C15);
	uint64_t wrong = 0;

	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		wrong += !is_as_printf(odd[i]);
	}
	for (int power = -30; power <= 30; power++) {
		const double real = pow(10, power);

		wrong += !is_as_printf(real) + !is_as_printf(nextafter(real, 0)) +
		         !is_as_printf(nextafter(real, INFINITY)) + !is_as_printf(-1.5 * real);
	}
	for (int i = 0; i < 20000; i++) {
		bits = bits * UINT64_C(6364136223846793005) + 1442695040888963407;
		wrong += !is_as_printf((double) (bits >> 20) / 1000.0) +
		         !is_as_printf((double) (bits >> 40) / 16777216.0) +
		         !is_as_printf(((double) (bits >> 44) + 0.5) / 1000.0);
	}
	tap_is_uint(wrong, 0, "real numbers are written as printf does");
}

/* Texts of few letters, in which every pair stands somewhere, and of few of all bytes. */
/* Of texts that differ in one bit, or by zeros at their end. */
static void test_hashes(void)
{
	const uint64_t seed = (uint64_t) (uintptr_t) &seed;
	char bytes[48] = { 0 };
	unsigned met = 0;

	for (uint32_t length = 1; length <= sizeof(bytes); length++) {
		const struct rlog_string text = { bytes, length, length };
		const struct rlog_string shorter = { bytes, length - 1, length - 1 };
		const uint64_t hash = ra_util_string_hash_seeded(text, seed);

		met += hash == ra_util_string_hash_seeded(shorter, seed);
		met += hash == ra_util_string_hash_seeded(text, seed + 1);
		for (unsigned bit = 0; bit < length * 8; bit++) {
			bytes[bit / 8] ^= (char) (1 << bit % 8);
			met += hash == ra_util_string_hash_seeded(text, seed);
			bytes[bit / 8] ^= (char) (1 << bit % 8);
		}
	}
	tap_is_int(met, 0, "texts that differ in a bit, in length, or in their seed hash apart");
}

static void test_words(void)
{
	uint64_t bits = UINT64_C(0x9E3779B97F4A7C15);
	unsigned found = 0;
	unsigned wrong = 0;

	for (int i = 0; i < 20000; i++) {
		const unsigned letters = i % 2 == 0 ? 3 : 256;
		const uint32_t length = (uint32_t) i % 25;
		char bytes[24 + 4]; /* a text, and a word */
		struct ra_util_string_pairs pairs;
		bool is_there;

		for (size_t at = 0; at < sizeof(bytes); at++) {
			bits = bits * UINT64_C(6364136223846793005) + 1442695040888963407;
			bytes[at] = (char) ((bits >> 40) % letters);
		}
		is_there = memmem(bytes, length, bytes + 24, (size_t) i % 5) != NULL;
		ra_util_string_pairs_init(&pairs, (struct rlog_string){ bytes, length, 0 });
		wrong += ra_util_string_pairs_has(&pairs, bytes + 24, (size_t) i % 5) != is_there;
		found += is_there;
	}
	tap_ok(wrong == 0 && found > 4000 && found < 16000,
	       "words are found as by memmem(): %u of 20000, %u otherwise", found, wrong);
}

int main(void)
{
	test_hashes();
	test_words();
	test_names();
	test_numbers();
	test_reals();
	test_width();
	test_forms();
	test_order();
	return tap_done();
}
