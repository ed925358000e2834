/* SPDX-License-Identifier: MIT */
/* Tests the table of RANGES_* variables: defaults, limits, and messages about mistakes. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libranges/base/clock.h"
#include "libranges/settings/config.h"
#include "libranges/settings/keep-text.h"
#include "libranges/base/log.h"
#include "tests/tap.h"

/* One thread. NOLINTBEGIN(concurrency-mt-unsafe) */

static struct rcap_config config;

struct lines {
	char text[2000];
	int count;
};

static void collect(void *context, const char *line)
{
	struct lines *const lines = context;
	const size_t used = strlen(lines->text);

	rcap_log_format(lines->text + used, sizeof(lines->text) - used, "%s%c", line, 10);
	lines->count++;
}

static int load(struct lines *lines)
{
	memset(lines, 0, sizeof(*lines));
	return rcap_config_load(&config, collect, lines);
}

static void test_defaults(void)
{
	struct lines lines;
	size_t count;
	const struct rcap_variable *const table = rcap_config_borrow_table(&count);

	clearenv();
	tap_is_int(load(&lines), 0, "an empty environment has no problems");
	tap_is_text(config.output, "trace.bin", "the log is trace.bin");
	tap_is_uint(config.buffer_bytes, UINT64_C(512) << 20, "the buffer is 512 MiB");
	tap_is_uint(config.level, 1, "the level is 1");
	tap_is_uint(config.string_max_bytes, 8192, "names are kept up to 8192 bytes");
	tap_is_uint(config.names_max, 262144, "262144 names are kept");
	tap_is_uint(config.names_bytes, UINT64_C(32) << 20, "names take up to 32 MiB");
	tap_is_uint(config.flush_ms, 1000, "events are written after a second");
	tap_is_uint(config.exit_ms, 1000, "the exit is delayed by a second at most");
	tap_is_uint(config.on_full, RCAP_ON_FULL_DROP, "a full buffer drops");
	tap_is_uint(config.clock, RCAP_CLOCK_AUTO, "the clock is chosen");
	tap_is_uint(config.log_level, RCAP_LOG_WARN, "warnings are shown");
	tap_is_uint(config.root_pid, 0, "there is no launcher");
	for (size_t i = 0; i < count; i++) {
		char why[200];

		tap_ok(rcap_config_is_valid(table[i].name, table[i].default_text, why, sizeof(why)),
		       "the default of %s is valid", table[i].name);
	}
}

/* A value, and what becomes of it: a number, or a problem. */
struct value_case {
	const char *name;
	const char *value;
	bool valid;
	uint64_t wanted;
};

static const struct value_case value_cases[] = {
	{ "RANGES_BUFFER", "1M", true, 1048576 },
	{ "RANGES_BUFFER", "1m", true, 1048576 },
	{ "RANGES_BUFFER", "1024k", true, 1048576 },
	{ "RANGES_BUFFER", "1048576", true, 1048576 },
	{ "RANGES_BUFFER", "2G", true, UINT64_C(2) << 30 },
	{ "RANGES_BUFFER", "1024G", true, UINT64_C(1) << 40 },
	{ "RANGES_BUFFER", "1025G", false, 0 },
	{ "RANGES_BUFFER", "1048575", false, 0 },
	{ "RANGES_BUFFER", "1MB", false, 0 },
	{ "RANGES_BUFFER", "M", false, 0 },
	{ "RANGES_BUFFER", "-1M", false, 0 },
	{ "RANGES_BUFFER", " 1M", false, 0 },
	{ "RANGES_BUFFER", "1.5G", false, 0 },
	{ "RANGES_BUFFER", "0x100000", false, 0 },
	{ "RANGES_BUFFER", "18446744073709551615G", false, 0 },
	{ "RANGES_BUFFER", "18446744073709551617", false, 0 },
	{ "RANGES_LEVEL", "0", true, 0 },
	{ "RANGES_LEVEL", "9", true, 9 },
	{ "RANGES_LEVEL", "10", false, 0 },
	{ "RANGES_LEVEL", "3 ", false, 0 },
	{ "RANGES_LEVEL", "1K", false, 0 },
	{ "RANGES_STRING_MAX", "64", true, 64 },
	{ "RANGES_STRING_MAX", "63", false, 0 },
	{ "RANGES_STRING_MAX", "65535", true, 65535 },
	{ "RANGES_STRING_MAX", "65536", false, 0 },
	{ "RANGES_ON_FULL", "block", true, RCAP_ON_FULL_BLOCK },
	{ "RANGES_ON_FULL", "Block", false, 0 },
	{ "RANGES_CLOCK", "tsc", true, RCAP_CLOCK_TSC },
	{ "RANGES_CLOCK", "monotonic", true, RCAP_CLOCK_MONOTONIC },
	{ "RANGES_CLOCK", "mono", false, 0 },
	{ "RANGES_LOG", "quiet", true, RCAP_LOG_QUIET },
	{ "RANGES_LOG", "debug", true, RCAP_LOG_DEBUG },
	{ "RANGES_FLUSH_MS", "0", false, 0 },
	{ "RANGES_EXIT_MS", "0", true, 0 },
};

static uint64_t read_member(const char *name)
{
	size_t count;
	const struct rcap_variable *const table = rcap_config_borrow_table(&count);

	for (size_t i = 0; i < count; i++) {
		const char *const member = (const char *) &config + table[i].offset;
		uint64_t wide;
		unsigned narrow;

		if (strcmp(table[i].name, name) != 0) {
			continue;
		}
		/* The last of the settings has no more bytes behind it than its own. */
		if (table[i].size == sizeof(narrow)) {
			memcpy(&narrow, member, sizeof(narrow));
			return narrow;
		}
		memcpy(&wide, member, sizeof(wide));
		return wide;
	}
	return UINT64_MAX;
}

static void test_values(void)
{
	for (size_t i = 0; i < sizeof(value_cases) / sizeof(value_cases[0]); i++) {
		const struct value_case *const at = &value_cases[i];
		struct lines lines;
		uint64_t standard;

		clearenv();
		load(&lines);
		standard = read_member(at->name);
		setenv(at->name, at->value, 1);
		load(&lines);
		tap_ok(lines.count == (at->valid ? 0 : 1) &&
		               read_member(at->name) == (at->valid ? at->wanted : standard),
		       "%s=%s is %s", at->name, at->value,
		       at->valid ? "taken" : "reported, and the default is used");
	}
}

static void test_reports(void)
{
	static char long_path[RCAP_CONFIG_PATH_BYTES + 1];
	struct lines lines;

	clearenv();
	setenv("RANGES_LEVEL", "12", 1);
	load(&lines);
	tap_is_text(lines.text,
	            "RANGES_LEVEL=12 is not valid: expected 0..9; using the default: 1\n",
	            "a number out of range is reported with limits and default");
	setenv("RANGES_LEVEL", "", 1);
	tap_is_int(load(&lines), 0, "an empty value counts as not set");
	clearenv();
	setenv("RANGES_ON_FULL", "wait", 1);
	load(&lines);
	tap_is_text(
		lines.text,
		"RANGES_ON_FULL=wait is not valid: expected drop|block; using the default: drop\n",
		"an unknown word is reported with the choices");
	clearenv();
	setenv("RANGES_BUFER", "1", 1);
	load(&lines);
	tap_is_text(lines.text,
	            "RANGES_BUFER is not a libranges variable; did you mean RANGES_BUFFER?\n",
	            "a misspelt name is reported with the nearest one");
	clearenv();
	setenv("RANGES_PAGER", "less", 1);
	tap_is_int(load(&lines), 0, "the analyzer's variable is none of ours, and none of others");
	clearenv();
	setenv("RANGES_FORESTRY_DATA", "1", 1);
	load(&lines);
	tap_is_text(lines.text, "RANGES_FORESTRY_DATA is not a libranges variable: ignored\n",
	            "a foreign name is reported without a guess");
	clearenv();
	setenv("RANGES_TEST_POINT", "1", 1);
	setenv("RANGESX", "1", 1);
	setenv("MY_RANGES_BUFFER", "1", 1);
	tap_is_int(load(&lines), 0, "RANGES_TEST_* and names that only look alike are no problem");
	memset(long_path, 'x', sizeof(long_path) - 1);
	setenv("RANGES_OUTPUT", long_path, 1);
	load(&lines);
	tap_is_text(lines.text,
	            "RANGES_OUTPUT is too long: the limit is 4095 bytes; using the default: "
	            "trace.bin\n",
	            "a path that is too long is reported");
	setenv("RANGES_CHECKED", "1", 1);
	tap_is_int(load(&lines), 1, "with RANGES_CHECKED problems are counted");
	tap_is_int(lines.count, 0, "but not reported again");
	tap_is_text(config.output, "trace.bin", "and have the same effect");
}

static void test_texts(void)
{
	size_t count;
	const struct rcap_variable *const table = rcap_config_borrow_table(&count);
	struct lines lines;
	char text[RCAP_CONFIG_PATH_BYTES + 64];
	char why[200];

	clearenv();
	setenv("RANGES_BUFFER", "3M", 1);
	setenv("RANGES_ON_FULL", "block", 1);
	load(&lines);
	rcap_config_format(&config, &table[0], text, sizeof(text));
	tap_is_text(text, "RANGES_OUTPUT=trace.bin", "a path is shown as it is");
	rcap_config_format(&config, &table[1], text, sizeof(text));
	tap_is_text(text, "RANGES_BUFFER=3145728", "a size is shown in bytes");
	rcap_config_format(&config, &table[3], text, sizeof(text));
	tap_is_text(text, "RANGES_ON_FULL=block", "a choice is shown by its word");
	rcap_config_format_limits(&table[1], text, sizeof(text));
	tap_is_text(text, "1M..1024G", "limits of a size are shown with units");
	tap_ok(!rcap_config_is_valid("RANGES_NONE", "1", why, sizeof(why)),
	       "unknown names are refused");
	for (size_t i = 0; i < count; i++) {
		tap_ok(table[i].help[strlen(table[i].help) - 1] != '.' && table[i].help[0] >= 'a',
		       "the help of %s is a phrase", table[i].name);
	}
}

static void test_times(void)
{
	static const struct {
		const char *text;
		uint64_t ns; /* UINT64_MAX: it is no time */
	} times[] = {
		{ "10s", UINT64_C(10000000000) },
		{ "2", UINT64_C(2000000000) },
		{ "0", 0 },
		{ "0.05s", 50000000 },
		{ "0.5", 500000000 },
		{ "1.5ms", 1500000 },
		{ "0.0000001ms", 0 },
		{ "1.25m", UINT64_C(75000000000) },
		{ "0.1h", UINT64_C(360000000000) },
		{ "0.123456789123s", 123456789 },
		{ "5124095h", UINT64_C(18446742000000000000) },
		{ "5124096h", UINT64_MAX },
		{ "1.s", UINT64_MAX },
		{ ".5s", UINT64_MAX },
		{ "1..5s", UINT64_MAX },
		{ "1.5.s", UINT64_MAX },
		{ "1.5us", UINT64_MAX },
		{ "-1s", UINT64_MAX },
		{ "", UINT64_MAX },
		{ "s", UINT64_MAX },
	};

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		uint64_t ns = UINT64_MAX;
		const bool is = rcap_config_parse_time(times[i].text, &ns);

		tap_ok(is == (times[i].ns != UINT64_MAX) && (!is || ns == times[i].ns),
		       "\"%s\" is %s", times[i].text, is ? "so long" : "no time");
	}
}

static void test_keep(void)
{
	static const struct {
		const char *text;
		uint64_t ns; /* both 0: it is none */
		uint64_t bytes;
	} keeps[] = {
		{ "0.5s", 500000000, 0 }, { "1.5m,1.5M", UINT64_C(90000000000), 3 << 19 },
		{ "0.05s", 0, 0 },        { "1.s", 0, 0 },
		{ ".5s", 0, 0 },          { "1..5s", 0, 0 },
	};

	for (size_t i = 0; i < sizeof(keeps) / sizeof(keeps[0]); i++) {
		struct rcap_keep_text keep;
		char why[200];
		const bool is = rcap_keep_text_parse(keeps[i].text, &keep, why, sizeof(why));

		tap_ok(is == (keeps[i].ns > 0) &&
		               (!is || (keep.ns == keeps[i].ns && keep.bytes == keeps[i].bytes)),
		       "\"%s\" is %s", keeps[i].text, is ? "kept" : "not what can be kept");
	}
}

int main(void)
{
	test_times();
	test_keep();
	test_defaults();
	test_values();
	test_reports();
	test_texts();
	return tap_done();
}

/* NOLINTEND(concurrency-mt-unsafe) */
