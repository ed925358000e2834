/* SPDX-License-Identifier: MIT */
/* Tests the store of a trace's rows: it gives back what was put in, packed or not, and stores each
 * key, thread and text once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/producers/producers.h"
#include "analyzer/rows/kineto-drop.h"
#include "analyzer/rows/kineto-store.h"
#include "tests/tap.h"

struct filling {
	struct ra_kineto *kineto;
	struct ra_kineto_store store;
};

static uint32_t add_text(struct filling *filling, const char *text)
{
	return ra_kineto_strings_add(&filling->store.strings, text, strlen(text));
}

/* An arg that is a number. */
static void put_number(struct filling *filling, enum ra_kineto_key key, const char *text)
{
	struct ra_kineto_item item = { .key = (uint32_t) key << 1 | 1 };

	ra_kineto_store_number(&filling->store, text, strlen(text), &item);
	ra_kineto_store_item(&filling->store, &item);
}

static void put_row(struct filling *filling, const char *tid, const char *category, int64_t ts_ns)
{
	const struct ra_kineto_row row = {
		.ts_ns = ts_ns,
		.dur_ns = 5,
		.name = add_text(filling, "a name"),
		.pid = add_text(filling, "70"),
		.tid = add_text(filling, tid),
		.corr = RA_KINETO_NONE,
		.external = RA_KINETO_NONE,
		.category = add_text(filling, category),
		.flags = RA_KINETO_HAS_TS | RA_KINETO_HAS_DUR | RA_KINETO_HAS_NAME |
		         RA_KINETO_HAS_CAT,
		.phase = 'X',
	};

	ra_kineto_store_row(&filling->store, &row);
}

static bool is_text(const struct ra_kineto *k, uint32_t event, enum ra_kineto_key key,
                    const char *text)
{
	struct ra_kineto_value value;

	return ra_kineto_get(k, event, key, &value) && value.text.length == strlen(text) &&
	       memcmp(value.text.bytes, text, value.text.length) == 0;
}

static void test_numbers(struct filling *filling)
{
	static const char *const whole[] = { "0", "-1", "300", "9223372036854775807",
		                             "-9223372036854775808" };
	static const char *const others[] = { "0.5", "-12.250", "1e9", "18446744073709551616",
		                              "NaN" };
	const struct ra_kineto *k = filling->kineto;
	int64_t number = 0;
	int good = 0;
	uint32_t event = (uint32_t) k->count;

	for (size_t i = 0; i < 5; i++) {
		put_number(filling, RA_KINETO_ARG_STREAM, whole[i]);
		put_row(filling, "1", "kernel", 0);
		good += ra_kineto_get_int(k, event++, RA_KINETO_ARG_STREAM, &number) &&
		        number == strtoll(whole[i], NULL, 10);
	}
	tap_is_int(good, 5, "integers come out as they went in, to the limits of 64 bits");
	for (size_t i = 0; i < 5; i++) {
		put_number(filling, RA_KINETO_ARG_BANDWIDTH, others[i]);
		put_row(filling, "1", "kernel", 0);
		good += is_text(k, event++, RA_KINETO_ARG_BANDWIDTH, others[i]);
	}
	tap_is_int(good, 10, "all other numbers keep their text, zeros at the end included");
}

static void test_keys(struct filling *filling)
{
	const struct ra_kineto *k = filling->kineto;
	const size_t layouts = k->layout_count;
	const uint32_t event = (uint32_t) k->count;
	struct ra_kineto_rest rest;
	int64_t number = 0;

	for (int i = 0; i < 2; i++) {
		put_number(filling, RA_KINETO_ARG_DEVICE, "3");
		put_number(filling, RA_KINETO_ARG_STREAM, "7");
		put_number(filling, RA_KINETO_ARG_DEVICE, "4");
		put_row(filling, "1", "kernel", 0);
	}
	put_row(filling, "1", "kernel", 0);
	tap_is_uint(k->layout_count - layouts, 2, "events with the same keys share their list");
	tap_ok(ra_kineto_get_int(k, event, RA_KINETO_ARG_DEVICE, &number) && number == 4,
	       "of a key that is there twice the last value counts");
	tap_ok(!ra_kineto_get_int(k, event + 2, RA_KINETO_ARG_DEVICE, &number),
	       "an event without args has none");
	ra_kineto_rest_init(&rest, k, event + 1);
	tap_ok(ra_kineto_rest_next(&rest, k) && rest.key == RA_KINETO_ARG_DEVICE && rest.is_arg &&
	               rest.value.integer == 3 && ra_kineto_rest_next(&rest, k) &&
	               rest.key == RA_KINETO_ARG_STREAM && ra_kineto_rest_next(&rest, k) &&
	               rest.value.integer == 4 && !ra_kineto_rest_next(&rest, k),
	       "all of them come in the file's order");
}

static void test_rows(struct filling *filling)
{
	const struct ra_kineto *k = filling->kineto;
	const uint32_t event = (uint32_t) k->count;

	put_row(filling, "1", "cpu_op", -5);
	put_row(filling, "\"stream 7\"", "kernel", INT64_MAX);
	put_row(filling, "1", "kernel", 0);
	tap_ok(ra_kineto_ts(k, event) == -5 && ra_kineto_ts(k, event + 1) == INT64_MAX &&
	               ra_kineto_dur(k, event) == 5,
	       "times are kept as they are");
	tap_ok(ra_kineto_get_thread(k, event) == ra_kineto_get_thread(k, event + 2) &&
	               ra_kineto_get_thread(k, event) != ra_kineto_get_thread(k, event + 1),
	       "a thread is stored once");
	tap_ok(ra_kineto_get_category(k, event + 1) == ra_kineto_get_category(k, event + 2) &&
	               ra_kineto_get_category(k, event) != ra_kineto_get_category(k, event + 1),
	       "a category, too");
	tap_is_uint(k->name[event], k->name[event + 1], "and a text");
	tap_ok(ra_kineto_is_text(k, k->name[event], "a name"), "... which can be read");
	tap_is_uint(add_text(filling, ""), 0, "the empty text is number 0");
}

/* Numbers that do not fit into a narrow column are stored beside it. */
static void test_wide(struct filling *filling)
{
	static const int64_t durs_ns[] = { 0, UINT32_MAX - 1,  UINT32_MAX, INT64_MAX, INT64_MIN, -1,
		                           7, INT64_C(1) << 40 };
	struct ra_kineto *k = filling->kineto;
	const uint32_t first = (uint32_t) k->count;
	struct ra_kineto_wide copied;
	bool is_same = true;

	for (uint32_t i = 0; i < 8; i++) {
		put_row(filling, "1", "cpu_op", 0);
		ra_kineto_set_dur(k, first + i, durs_ns[7 - i]);
		ra_kineto_set_dur(k, first + i, durs_ns[i]);
	}
	for (uint32_t i = 0; i < 8; i++) {
		is_same = is_same && ra_kineto_dur(k, first + i) == durs_ns[i];
	}
	tap_ok(is_same, "durations of any length are kept, and replaced");
	ra_kineto_wide_copy(&copied, &k->long_durs);
	ra_kineto_wide_put(&copied, first + 3, 5);
	ra_kineto_wide_put(&copied, first + 100000, 6);
	tap_ok(ra_kineto_wide_get(&copied, first + 3) == 5 &&
	               ra_kineto_wide_get(&copied, first + 4) == INT64_MIN &&
	               ra_kineto_dur(k, first + 3) == INT64_MAX,
	       "a copy of them is one of its own");
	ra_kineto_wide_fini(&copied);
	ra_kineto_wide_copy(&copied, &k->far_packed);
	tap_is_uint(copied.count, 0, "so is one of none");
	ra_kineto_wide_fini(&copied);
}

/* Events with 2,000 args each: those of a few dozen are more than 64 KiB. */
static void test_far(struct filling *filling)
{
	const struct ra_kineto *k = filling->kineto;
	const uint32_t first = (uint32_t) k->count;
	bool is_same = true;
	char text[24];

	for (uint32_t i = 0; i < 100; i++) {
		for (uint32_t arg = 0; arg < 2000; arg++) {
			snprintf(text, sizeof(text), "%u", i);
			put_number(filling, RA_KINETO_ARG_STREAM, text);
		}
		put_row(filling, "1", "cpu_op", 0);
	}
	for (uint32_t i = 0; i < 100; i++) {
		int64_t number;

		is_same = is_same &&
		          ra_kineto_get_int(k, first + i, RA_KINETO_ARG_STREAM, &number) &&
		          number == i;
	}
	tap_ok(is_same, "args that are far behind the first of a block are found");
	tap_ok(k->far_packed.count > 0, "... of which there were some");
}

#define THREADS 70000u /* more than two bytes can tell apart */

/* The number of the thread that a row was put on. */
static bool is_on(const struct ra_kineto *k, uint32_t event, int64_t tid)
{
	return k->threads[ra_kineto_get_thread(k, event)].tid_number == tid;
}

static void test_threads(struct filling *filling)
{
	struct ra_kineto *k = filling->kineto;
	const uint32_t first = (uint32_t) k->count;
	uint32_t good = 0;
	char tid[24];

	for (uint32_t i = 0; i < THREADS; i++) {
		snprintf(tid, sizeof(tid), "%u", 1000 + i);
		put_row(filling, tid, i % 3 == 0 ? "kernel" : "cpu_op", 0);
	}
	for (uint32_t i = 0; i < THREADS; i++) {
		good += is_on(k, first + i, 1000 + i) && ra_kineto_get_phase(k, first + i) == 'X' &&
		        ra_kineto_is_text(k,
		                          k->categories[ra_kineto_get_category(k, first + i)].name,
		                          i % 3 == 0 ? "kernel" : "cpu_op");
	}
	tap_is_uint(good, THREADS, "each of 70,000 threads is told from the others");
	tap_ok(k->far_commons.count > 0, "... some of them beside their column");
}

/* Kernels are given back: of what is left of the threads, two in three. */
static void test_dropped_threads(struct ra_kineto *k)
{
	uint32_t good = 0;
	uint32_t event;

	ra_kineto_drop(k, UINT64_C(1) << RA_KINETO_KERNEL);
	event = (uint32_t) k->count;
	for (uint32_t i = THREADS; i-- > 0;) {
		good += i % 3 != 0 && is_on(k, --event, 1000 + i);
	}
	tap_is_uint(good, THREADS - (THREADS + 2) / 3, "... also where others were dropped");
}

int main(void)
{
	struct filling filling = { .kineto = calloc(1, sizeof(*filling.kineto)) };
	int64_t number = 0;

	if (filling.kineto == NULL) {
		tap_bail("no memory");
	}
	ra_kineto_store_init(&filling.store, filling.kineto, ra_producers_find_kind);
	test_numbers(&filling);
	test_keys(&filling);
	test_rows(&filling);
	test_wide(&filling);
	test_far(&filling);
	test_threads(&filling);
	ra_kineto_store_trim(&filling.store);
	ra_kineto_index(filling.kineto);
	ra_kineto_store_fini(&filling.store);
	tap_ok(ra_kineto_get_int(filling.kineto, 2, RA_KINETO_ARG_STREAM, &number) && number == 300,
	       "what is trimmed and indexed says the same");
	test_dropped_threads(filling.kineto);
	ra_kineto_destroy(filling.kineto);
	return tap_done();
}
