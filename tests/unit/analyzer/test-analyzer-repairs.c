/* SPDX-License-Identifier: MIT */
/* Tests every rule by which the analyzer makes ranges from rows that do not fit together, case by
 * case. */
#include <stdio.h>
#include <string.h>

#include "analyzer/footer/footer.h"
#include "tests/tap.h"
#include "tests/unit/analyzer/analyzer-log.h"

/* A slice as a line: "name start+dur parent flags". */
static const char *show(const struct ra_model *m, size_t slice)
{
	static char line[100];
	const struct ra_slices *s = &m->slices;
	int64_t parent = -1;

	if (slice >= s->count) {
		return "none";
	}
	if (s->parent[slice] != RA_NONE) {
		parent = s->parent[slice];
	}
	(void) snprintf(line, sizeof(line), "%u %lld+%lld %lld%s%s%s%s", s->name[slice],
	                (long long) s->start_ns[slice], (long long) s->dur_ns[slice],
	                (long long) parent, s->flags[slice] & RA_SLICE_OPEN ? " open" : "",
	                s->flags[slice] & RA_SLICE_LOST_START ? " lost-start" : "",
	                s->flags[slice] & RA_SLICE_LOST_END ? " lost-end" : "",
	                s->flags[slice] & RA_SLICE_CROSSING ? " crossing" : "");
	return line;
}

static void push(struct analyzer_log *log, uint64_t ticks, uint32_t name, uint32_t domain)
{
	(void) analyzer_log_add(log, 1, RLOG_OP_PUSH, ticks, name, domain);
}

static void pop(struct analyzer_log *log, uint64_t ticks, uint32_t domain)
{
	(void) analyzer_log_add(log, 1, RLOG_OP_POP, ticks, 0, domain);
}

static void test_unmatched(void)
{
	struct analyzer_log log;
	struct ra_model *m;

	analyzer_log_init(&log);
	pop(&log, 100, 0);
	push(&log, 110, 1, 0);
	pop(&log, 120, 3); /* another domain's */
	push(&log, 130, 2, 0);
	pop(&log, 150, 0);
	(void) analyzer_log_add_id(&log, 1, RLOG_OP_END, 160, 0, 9);
	m = analyzer_log_load(&log);
	tap_is_uint(m->quality.unmatched_pops, 2, "pops without an open range are counted");
	tap_is_uint(m->quality.unmatched_ends, 1, "ends without a start are counted");
	tap_is_text(show(m, 0), "1 10+50 -1 open",
	            "an open range ends with its thread's last event");
	tap_is_text(show(m, 1), "2 30+20 0", "other ranges are as if nothing had been");
	tap_is_uint(m->quality.open_ranges, 1, "open ranges are counted");
	tap_is_int(m->zero_ns, 100, "time begins with the first event");
	ra_model_destroy(m);
	analyzer_log_fini(&log);
}

static void test_crossing(void)
{
	struct analyzer_log log;
	struct ra_model *m;

	analyzer_log_init(&log);
	push(&log, 0, 1, 0);  /* 0: around all */
	push(&log, 10, 2, 1); /* 1: a */
	push(&log, 20, 3, 2); /* 2: b, crosses a */
	push(&log, 30, 4, 2); /* 3: inside b and a */
	pop(&log, 40, 2);
	pop(&log, 50, 1);     /* a */
	push(&log, 60, 5, 1); /* 4: opened inside b, but outside a */
	pop(&log, 70, 2);     /* b */
	pop(&log, 80, 1);
	pop(&log, 90, 0);
	m = analyzer_log_load(&log);
	tap_is_text(show(m, 1), "2 10+40 0", "the range that others cross stays in the tree");
	tap_is_text(show(m, 2), "3 20+50 -1 crossing", "the one that outlives it leaves the tree");
	tap_is_text(show(m, 3), "4 30+10 1", "what nests inside both hangs on the one that stays");
	tap_is_text(show(m, 4), "5 60+20 0", "what begins later does not nest in a crossing range");
	tap_is_uint(m->quality.crossing_ranges, 1, "crossing ranges are counted");
	ra_model_destroy(m);
	analyzer_log_fini(&log);
}

static void test_loss(void)
{
	struct analyzer_log log;
	struct ra_model *m;

	analyzer_log_init(&log);
	push(&log, 0, 1, 0);
	push(&log, 10, 2, 0);
	push(&log, 20, 3, 0);
	analyzer_log_lose(&log, 1, 100, 50, 7);
	analyzer_log_set_depth(&log, 1, 150, 0, 3, 1);
	pop(&log, 200, 0);
	push(&log, 210, 4, 0);
	pop(&log, 220, 0);
	pop(&log, 230, 0);
	pop(&log, 240, 0);
	m = analyzer_log_load(&log);
	tap_is_text(show(m, 0), "1 0+240 -1", "the outermost range survives the loss");
	tap_is_text(show(m, 1), "2 10+90 0 lost-end", "ranges closed in a loss end at its start");
	tap_is_text(show(m, 2), "3 20+80 1 lost-end", "and keep their place in the tree");
	tap_is_text(show(m, 3), "0 150+80 0 lost-start",
	            "ranges opened in a loss start at its end");
	tap_is_text(show(m, 4), "0 150+50 3 lost-start", "one in the other, under the survivor");
	tap_is_text(show(m, 5), "4 210+10 3", "what comes later nests in them");
	tap_ok(m->quality.lost_starts == 2 && m->quality.lost_ends == 2, "both are counted");
	tap_ok(m->loss_span_count == 1 && m->loss_spans[0].start_ns == 100 &&
	               m->loss_spans[0].end_ns == 150 && m->loss_spans[0].count == 7 &&
	               m->loss_spans[0].cause == RLOG_CAUSE_RING_FULL,
	       "the loss has a place in time");
	tap_is_uint(m->tracks[0].lost, 7, "and counts for its thread without a loss total");
	ra_model_destroy(m);
	analyzer_log_fini(&log);
}

static void test_loss_of_two_domains(void)
{
	struct analyzer_log log;
	struct ra_model *m;

	analyzer_log_init(&log);
	push(&log, 0, 1, 1);
	push(&log, 10, 2, 2);
	push(&log, 20, 3, 1);
	analyzer_log_lose(&log, 1, 100, 50, 7);
	analyzer_log_flush(&log, 1, 0); /* what belongs together may stand in two chunks */
	analyzer_log_set_depth(&log, 1, 150, 1, 0, 0);
	analyzer_log_set_depth(&log, 1, 150, 2, 1, 1);
	pop(&log, 200, 2);
	m = analyzer_log_load(&log);
	tap_is_text(show(m, 0), "1 0+100 -1 lost-end", "a loss closes the outermost range");
	tap_is_text(show(m, 1), "2 10+190 -1 crossing", "a survivor inside it crosses it");
	tap_is_text(show(m, 2), "3 20+80 0 lost-end", "one that closes with it does not");
	ra_model_destroy(m);
	analyzer_log_fini(&log);
}

static void test_lies_of_depth(void)
{
	struct analyzer_log log;
	struct ra_model *m;

	analyzer_log_init(&log);
	push(&log, 0, 1, 0);
	analyzer_log_set_depth(&log, 1, 10, 0, 5, 9);
	analyzer_log_lose(&log, 1, 20, UINT64_MAX, UINT64_MAX);
	analyzer_log_set_depth(&log, 1, 30, 0, UINT64_MAX, 0);
	m = analyzer_log_load(&log);
	tap_ok(m->slices.count < 2100000, "a depth of 2^64 does not make 2^64 ranges");
	tap_is_text(show(m, 0), "1 0+20 -1 lost-end", "survivors beyond the known are passed over");
	tap_ok(m->end_ns > 0, "a span of 2^64 ends somewhere");
	ra_model_destroy(m);
	analyzer_log_fini(&log);
}

static void test_time(void)
{
	struct analyzer_log log;
	struct ra_model *m;

	analyzer_log_init(&log);
	push(&log, 1000, 1, 0);
	push(&log, 900, 2, 0);
	pop(&log, 950, 0);
	pop(&log, 1100, 0);
	m = analyzer_log_load(&log);
	tap_is_uint(m->quality.times_repaired, 2, "events that go back in time are counted");
	tap_is_text(show(m, 1), "2 100+0 0", "and take the time of the event before");
	tap_is_text(show(m, 0), "1 100+100 -1", "durations are not negative");
	ra_model_destroy(m);
	analyzer_log_fini(&log);
}

static void test_gap(void)
{
	struct analyzer_log log;
	struct ra_model *m;

	analyzer_log_init(&log);
	push(&log, 0, 1, 0);
	push(&log, 10, 2, 0);
	analyzer_log_flush(&log, 1, 5);
	pop(&log, 100, 0);
	pop(&log, 110, 0);
	pop(&log, 120, 0);
	m = analyzer_log_load(&log);
	tap_is_uint(m->quality.missing_rows, 5, "missing rows are counted");
	tap_is_uint(m->quality.unmatched_pops, 1, "a gap closes nothing, pops may find no push");
	tap_ok(m->loss_span_count == 1 && m->loss_spans[0].cause == 0 &&
	               m->loss_spans[0].start_ns == 10 && m->loss_spans[0].end_ns == 100 &&
	               m->loss_spans[0].count == 5,
	       "the gap has a place in time");
	tap_is_uint(m->tracks[0].lost, 5, "and counts as lost by its thread");
	ra_model_destroy(m);
	analyzer_log_fini(&log);
}

static void test_spans(void)
{
	struct analyzer_log log;
	struct ra_model *m;

	analyzer_log_init(&log);
	(void) analyzer_log_add_id(&log, 1, RLOG_OP_END, 90, 0, 1); /* read before its start */
	(void) analyzer_log_add_id(&log, 1, RLOG_OP_START, 95, 3, 3);
	analyzer_log_set(&log, 1, RLOG_ATTR_COLOR, 5);
	(void) analyzer_log_add_id(&log, 2, RLOG_OP_START, 50, 1, 1);
	analyzer_log_set(&log, 2, RLOG_ATTR_CATEGORY, 4);
	(void) analyzer_log_add_id(&log, 2, RLOG_OP_START, 60, 2, 2);
	(void) analyzer_log_add_id(&log, 2, RLOG_OP_END, 70, 0, 2);
	(void) analyzer_log_add_id(&log, 2, RLOG_OP_END, 80, 0, 3); /* before its start */
	(void) analyzer_log_add_id(&log, 2, RLOG_OP_START, 85, 4, 4);
	m = analyzer_log_load(&log);
	tap_is_uint(m->track_count, 3, "start/end ranges have a track of their own");
	tap_is_text(show(m, 0), "1 0+40 -1", "a range that ends on another thread");
	tap_ok(m->span_count == 4 && m->spans[0].start_track == 1 && m->spans[0].end_track == 0 &&
	               m->spans[0].id == 1,
	       "knows both threads and its id");
	tap_is_text(show(m, 1), "2 10+10 -1", "they are ordered by start");
	tap_is_text(show(m, 2), "4 35+10 -1 open", "one that never ends does so with the process");
	tap_is_uint(m->spans[2].end_track, RA_NONE, "on no thread");
	tap_is_text(show(m, 3), "3 45+0 -1", "an end before its start is set to the start");
	tap_is_uint(m->quality.times_repaired, 1, "and counted");
	tap_ok(m->slice_attr_count == 2 && ra_model_find_slice_attr(m, 0)->category == 4 &&
	               ra_model_find_slice_attr(m, 3)->color == 5 &&
	               ra_model_find_slice_attr(m, 1) == NULL,
	       "attributes stay with their ranges");
	ra_model_destroy(m);
	analyzer_log_fini(&log);
}

static bool is_named(const struct ra_model *m, uint32_t name, const char *text)
{
	const struct rlog_string string = ra_model_string(m, name);

	return string.length == strlen(text) && memcmp(string.bytes, text, string.length) == 0;
}

static void test_names(void)
{
	struct analyzer_log log;
	struct ra_model *m;

	analyzer_log_init(&log);
	push(&log, 0, 5, 0);
	push(&log, 1, 0, 0);
	push(&log, 2, 4000000000u, 70000);
	(void) analyzer_log_add(&log, 1, RLOG_OP_MARK, 3, 4000000000u, 0);
	(void) analyzer_log_add(&log, 1, (enum rlog_op) 99, 4, 0, 0);
	m = analyzer_log_load(&log);
	tap_ok(is_named(m, m->slices.name[0], "name 5"), "a name is found by its id");
	tap_ok(is_named(m, m->slices.name[1], "(no name)"), "no name has a text too");
	tap_ok(is_named(m, m->slices.name[2], "(string 4000000000 lost)"),
	       "a lost string says its number");
	tap_ok(m->slices.name[2] == m->marks[0].name && m->slices.name[2] < m->name_count,
	       "the same stand-in serves all");
	tap_is_uint(m->quality.lost_names, 2, "events with lost names are counted");
	tap_is_uint(m->quality.unknown_events, 1, "unknown events are counted");
	tap_ok(m->domain_count == 2 && m->domains[1].id == 70000,
	       "a domain without a definition is made known");
	ra_model_destroy(m);
	analyzer_log_fini(&log);
}

/* What END counts of the program's calls, and strings that were cut. */
static void test_oddities(void)
{
	const uint64_t counts[RLOG_ODDITIES] = {
		[RLOG_ODDITY_WILD_HANDLE] = 3, [RLOG_ODDITY_UNKNOWN_EXTENSION] = 1
	};
	const struct rlog_string cut = { .bytes = "long", .length = 4, .full_length = 5000 };
	struct ra_util_text text = { 0 };
	struct analyzer_log log;
	struct ra_model *m;

	analyzer_log_init(&log);
	push(&log, 0, 1, 0);
	pop(&log, 1, 0);
	tap_is_int(rlog_writer_put_strings(log.writer, ANALYZER_LOG_NAMES + 1, &cut, 1, NULL), 0,
	           "a string that was cut is written");
	rlog_writer_set_oddities(log.writer, counts);
	m = analyzer_log_load(&log);
	tap_ok(m->quality.oddities[RLOG_ODDITY_WILD_HANDLE] == 3 &&
	               m->quality.oddities[RLOG_ODDITY_UNKNOWN_EXTENSION] == 1 &&
	               m->quality.oddities[RLOG_ODDITY_BAD_MESSAGE] == 0 &&
	               m->quality.oddities[0] == 0,
	       "oddities come back by kind");
	tap_is_uint(m->quality.cut_names, 1, "names that were cut are counted");
	ra_footer_put_text(&text, m, "");
	ra_util_text_put_char(&text, '\0');
	tap_ok(strstr(text.bytes, "complete: 2 events, nothing lost\n") &&
	               strstr(text.bytes, "program: 3 calls gave invalid handles") &&
	               strstr(text.bytes, "program: 1 extension of NVTX is not known"),
	       "the footer tells them as the program's");
	ra_util_text_free(&text);
	ra_model_destroy(m);
	analyzer_log_fini(&log);
}

/* Uneven steps of 1 to 7 ns: events at even ones pack better than any recording. */
static uint64_t uneven(uint32_t i)
{
	return (uint64_t) i * 4 + (i * 2654435761u >> 30);
}

static void test_depth(void)
{
	const uint32_t deep = 1000000;
	struct analyzer_log log;
	struct ra_model *m;

	analyzer_log_init(&log);
	for (uint32_t i = 0; i < deep; i++) {
		push(&log, uneven(i), 1, 0);
	}
	for (uint32_t i = 0; i < deep - 1; i++) {
		pop(&log, uneven(deep + i), 0);
	}
	m = analyzer_log_load(&log);
	tap_ok(m->slices.count == deep && m->slices.parent[deep - 1] == deep - 2 &&
	               m->slices.dur_ns[deep - 1] == (int64_t) (uneven(deep) - uneven(deep - 1)),
	       "ranges may nest a million deep");
	tap_ok((m->slices.flags[0] & RA_SLICE_OPEN) != 0, "and the one left open is found");
	ra_model_destroy(m);
	analyzer_log_fini(&log);
}

int main(void)
{
	test_unmatched();
	test_crossing();
	test_loss();
	test_loss_of_two_domains();
	test_lies_of_depth();
	test_time();
	test_gap();
	test_spans();
	test_names();
	test_oddities();
	test_depth();
	return tap_done();
}
