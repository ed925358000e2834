/* SPDX-License-Identifier: MIT */
/* Tests the counters of threads: the list of counters, the kernel's page, files of others, the
 * thread's clock. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "libranges/record/count.h"
#include "tests/tap.h"

enum {
	LOOPS = 1000000
};

static volatile unsigned sink;

static void test_list(void)
{
	const struct rcap_counts_kind *kinds[RCAP_COUNTS_MAX];
	char why[200] = "";

	tap_is_int(rcap_counts_parse("", kinds, why, sizeof(why)), 0, "nothing is no count");
	tap_is_int(rcap_counts_parse("cycles,instructions", kinds, why, sizeof(why)), 2,
	           "a list of two");
	tap_is_text(kinds[1]->name, "instructions", "in its order");
	tap_is_int(rcap_counts_parse("cycles,cycles", kinds, why, sizeof(why)), -1,
	           "not one twice");
	tap_is_text(why, "cycles is given twice", "which it says");
	tap_is_int(rcap_counts_parse("task-clock,cycles,instructions,page-faults", kinds, why,
	                             sizeof(why)),
	           -1, "no more than three");
	tap_is_int(rcap_counts_parse("cycle", kinds, why, sizeof(why)), -1, "no part of a name");
}

/* A counter that is not on the CPU now stands at the page's offset. */
static void test_page(void)
{
	static struct perf_event_mmap_page page;
	struct rcap_count_source source = { .page = &page, .fd = -1 };

#if defined(__x86_64__)
	page.lock = 6;
	page.offset = 1234;
	page.cap_user_rdpmc = 1;
	page.index = 0;
	tap_is_uint(rcap_count_read(&source), 1235, "a counter that rests stands where it was");
	page.index = 7;
	page.cap_user_rdpmc = 0;
	tap_is_uint(rcap_count_read(&source), 1235, "no register is read that may not be");
#else
	(void) source;
	tap_skip("the kernel's page", "only of x86-64");
#endif
}

static void test_other_files(void)
{
	struct rcap_count_source source = { .fd = open("/dev/zero", O_RDONLY) };

	errno = 77;
	tap_is_uint(rcap_count_read(&source), 0, "another file gives nothing");
	close(source.fd);
	tap_is_uint(rcap_count_read(&source), 0, "nor does none");
	tap_is_int(errno, 77, "errno is as it was");
}

static void test_clock(void)
{
	struct rcap_counters counters = { 0 };
	char names[64];
	char note[160];
	uint64_t first;

	rcap_count_prepare("task-clock", names, sizeof(names), note, sizeof(note));
	tap_ok(memcmp(names, "task-clock\0", 12) == 0 && note[0] == '\0', "the clock is there");
	rcap_count_open(&counters);
	tap_is_uint(counters.count, 1, "it is opened");
	first = rcap_count_read(&counters.sources[0]);
	for (unsigned i = 0; i < LOOPS; i++) {
		sink += i;
	}
	tap_ok(first > 0 && rcap_count_read(&counters.sources[0]) > first, "it goes on");
	rcap_count_close(&counters);
	tap_is_uint(counters.count, 0, "it is closed");
}

/* Only where the machine has counters, and lets us. */
static void test_instructions(void)
{
	struct rcap_counters counters = { 0 };
	char names[64];
	char note[160];
	uint64_t counts[2];

	rcap_count_prepare("instructions", names, sizeof(names), note, sizeof(note));
	if (names[0] == '\0') {
		tap_skip("instructions", note);
		return;
	}
	rcap_count_open(&counters);
	counts[0] = rcap_count_read(&counters.sources[0]);
	for (unsigned i = 0; i < LOOPS; i++) {
		sink += i;
	}
	counts[1] = rcap_count_read(&counters.sources[0]);
	tap_diag("%s: %lu instructions", counters.sources[0].page != NULL ? "rdpmc" : "read",
	         (unsigned long) (counts[1] - counts[0]));
	tap_ok(counts[0] > 0 && counts[1] - counts[0] >= 2ull * LOOPS &&
	               counts[1] - counts[0] < 50ull * LOOPS,
	       "a loop takes as many instructions as it has");
	rcap_count_close(&counters);
}

int main(void)
{
	test_list();
	test_page();
	test_other_files();
	test_clock();
	test_instructions();
	return tap_done();
}
