/* SPDX-License-Identifier: MIT */
/* Tests the list RANGES_DOMAINS: which domains it selects, and messages about mistakes. */
#include <stdint.h>
#include <string.h>

#include "libranges/settings/filter.h"
#include "tests/tap.h"

struct match_case {
	const char *list;
	const char *name;
	bool is_on;
};

static const struct match_case matches[] = {
	/* no list, one entry */
	{ "", "NCCL", true },
	{ "", "default", true },
	{ "NCCL", "NCCL", true },
	{ "NCCL", "NCCLX", false },
	{ "NCCL", "NCC", false },
	{ "NCCL", "nccl", false },
	{ "NCCL", "default", false },
	{ "+NCCL", "NCCL", true },
	{ "+NCCL", "CCCL", false },
	{ "-NCCL", "NCCL", false },
	{ "-NCCL", "CCCL", true },
	{ "-NCCL", "default", true },
	{ "-default", "default", false },
	{ "-default", "NCCL", true },
	/* several: the last that matches, and what none matches */
	{ "+a,-b", "a", true },
	{ "+a,-b", "b", false },
	{ "+a,-b", "c", false },
	{ "-b,+a", "c", false },
	{ "-a,-b", "c", true },
	{ "-a,-b", "b", false },
	{ "a,-a", "a", false },
	{ "-a,a", "a", true },
	{ "a,-a,+a", "a", true },
	/* stars */
	{ "*", "anything", true },
	{ "*", "", true },
	{ "-*", "default", false },
	{ "lib*", "libcudf", true },
	{ "lib*", "lib", true },
	{ "lib*", "alib", false },
	{ "*lib", "alib", true },
	{ "*lib", "alibi", false },
	{ "a*b*c", "abc", true },
	{ "a*b*c", "a--b--c", true },
	{ "a*b*c", "a--c--b", false },
	{ "a**b", "ab", true },
	{ "*ab", "aab", true },
	{ "*aab*", "aaaab", true },
	{ "-*,+NCCL", "NCCL", true },
	{ "-*,+NCCL", "CCCL", false },
	{ "+*,-lib*,+libcudf", "libcudf", true },
	{ "+*,-lib*,+libcudf", "librmm", false },
	{ "+*,-lib*,+libcudf", "other", true },
	/* what is no wildcard here */
	{ "a?", "ab", false },
	{ "a?", "a?", true },
	{ "a[bc]", "ab", false },
	{ "a[bc]", "a[bc]", true },
	/* escapes, blanks, signs */
	{ "a\\,b", "a,b", true },
	{ "a\\,b", "b", false },
	{ "a\\*", "a*", true },
	{ "a\\*", "ab", false },
	{ "a\\\\", "a\\", true },
	{ "a\\b", "ab", true },
	{ "+a, -b", "b", false },
	{ " + a , - b ", "a", true },
	{ "cudf python", "cudf python", true },
	{ "a\\ ", "a ", true },
	{ "a ", "a ", false },
	{ "\\ a", " a", true },
	{ "\\ a", "a", false },
	{ "--a", "-a", false },
	{ "--a", "a", true },
	{ "+-a", "-a", true },
	{ "\\-a", "-a", true },
	{ "a-b", "a-b", true },
	{ "\xC3\xA4*", "\xC3\xA4pfel", true },
	{ "\xFF", "\xFF", true },
};

static void test_matches(void)
{
	for (size_t i = 0; i < sizeof(matches) / sizeof(matches[0]); i++) {
		const struct match_case *at = &matches[i];
		char why[100] = "";

		tap_ok(rcap_filter_is_valid(at->list, why, sizeof(why)) &&
		               rcap_filter_is_on(at->list, at->name, strlen(at->name)) == at->is_on,
		       "\"%s\" %s \"%s\"%s", at->list, at->is_on ? "takes in" : "leaves out",
		       at->name, why);
	}
	tap_ok(rcap_filter_is_on("ab", "abc", 2), "a name is as long as it is said to be");
}

static const struct {
	const char *list;
	const char *why;
} faults[] = {
	{ ",", "entry 1 is empty" },
	{ "a,", "entry 2 is empty" },
	{ "a,,b", "entry 2 is empty" },
	{ ",a", "entry 1 is empty" },
	{ " ", "entry 1 is empty" },
	{ "a, ,b", "entry 2 is empty" },
	{ "+", "entry 1, \"+\", has no name" },
	{ "a,-", "entry 2, \"-\", has no name" },
	{ "a,- ,b", "entry 2, \"-\", has no name" },
	{ "a,b\\", "entry 2, \"b\\\", ends with a backslash" },
	{ "\\", "entry 1, \"\\\", ends with a backslash" },
};

static void test_faults(void)
{
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		char why[100] = "";
		const bool is_valid = rcap_filter_is_valid(faults[i].list, why, sizeof(why));

		tap_ok(!is_valid, "\"%s\" is refused", faults[i].list);
		tap_is_text(why, faults[i].why, "and why is said");
	}
}

/* A star that could be tried at every byte for every byte must not take for ever. */
static void test_long(void)
{
	static char list[RCAP_FILTER_BYTES];
	static char name[65536];

	for (size_t i = 0; i + 2 < sizeof(list); i++) {
		list[i] = i % 2 == 0 ? '*' : 'a';
	}
	memset(name, 'a', sizeof(name));
	name[sizeof(name) - 1] = 'b';
	tap_ok(!rcap_filter_is_on(list, name, sizeof(name)), "a list of stars comes to an end");
}

int main(void)
{
	test_matches();
	test_faults();
	test_long();
	return tap_done();
}
