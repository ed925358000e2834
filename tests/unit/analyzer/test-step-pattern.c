/* SPDX-License-Identifier: MIT */
/* Tests which names patterns of --step-range match, and which number they give to a step. */
#include <stdio.h>
#include <string.h>

#include "analyzer/steps/step-pattern.h"
#include "tests/tap.h"

struct example {
	const char *range;
	const char *name;
	const char *number; /* NULL: does not match; "": no number */
};

static const struct example examples[] = {
	{ "step", "step", "" },
	{ "step", "step 1", NULL },
	{ "step", "", NULL },
	{ "", "", "" },
	{ "step #", "step 12", "12" },
	{ "step #", "step 007", "7" },
	{ "step #", "step 0", "0" },
	{ "step #", "step 00", "0" },
	{ "step #", "step ", NULL },
	{ "step #", "step 12 b", NULL },
	{ "step #", "step 1.2", NULL },
	{ "step #", "step -1", NULL },
	{ "step #", "step 123456789012345678901234567890", "123456789012345678901234567890" },
	{ "#", "5", "5" },
	{ "#", "x5", NULL },
	{ "##", "55", NULL },
	{ "#2", "12", NULL },
	{ "*", "", "" },
	{ "*", "anything 5", "" },
	{ "**", "x", "" },
	{ "train*", "train", "" },
	{ "train*", "trainer 7", "" },
	{ "*step", "a step", "" },
	{ "*step", "a step b", NULL },
	{ "*a*b", "aab b a b", "" },
	{ "*a*b", "ba", NULL },
	{ "*#", "epoch 3 step 12", "12" },
	{ "* #*", "epoch 3 step 12", "3" },
	{ "epoch # step #", "epoch 3 step 12", "3" },
	{ "epoch * step #", "epoch 3 step 12", "12" },
	{ "*# ms*", "step 12 took 30 ms each", "30" },
	{ "*#1", "211", NULL },
	{ "ProfilerStep#12", "ProfilerStep#12", "" },
	{ "ProfilerStep\\##", "ProfilerStep#12", "12" },
	{ "ProfilerStep\\##", "ProfilerStepx12", NULL },
	{ "a\\*b", "a*b", "" },
	{ "a\\*b", "axb", NULL },
	{ "a\\\\#", "a\\5", "5" },
	{ "a\\", "a\\", "" },
	{ "step #@train", "step 3", NULL },
	{ "step #@lib", "step 3", "3" },
	{ "@lib", "@lib", "" },
};

static void test_example(const struct example *example)
{
	const struct ra_step_pattern pattern = ra_step_pattern_make(example->range);
	const uint32_t length = (uint32_t) strlen(example->name);
	const struct rlog_string domain = { "lib", 3, 3 };
	struct rlog_string number;
	char text[64] = "no match";

	if (ra_step_pattern_matches(&pattern, (struct rlog_string){ example->name, length, length },
	                            domain, &number)) {
		(void) snprintf(text, sizeof(text), "%.*s", (int) number.length, number.bytes);
	}
	tap_is_text(text, example->number == NULL ? "no match" : example->number,
	            "%s: %s of the domain lib", example->range, example->name);
}

/* What comes behind a star is tried at each place: that must not multiply. */
static void test_long(void)
{
	static char range[2001];
	static char name[20001];
	struct ra_step_pattern pattern;

	for (size_t i = 0; i + 1 < sizeof(range); i += 2) {
		range[i] = '*';
		range[i + 1] = 'a';
	}
	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 2] = 'b';
	pattern = ra_step_pattern_make(range);
	tap_ok(!ra_step_pattern_matches(&pattern, (struct rlog_string){ name, 20000, 20000 },
	                                (struct rlog_string){ "", 0, 0 }, NULL),
	       "1000 stars and a name of 20000 bytes");
}

int main(void)
{
	for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
		test_example(&examples[i]);
	}
	test_long();
	return tap_done();
}
