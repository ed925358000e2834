/* SPDX-License-Identifier: MIT */
/* Tests that GPU operations find their API call and their range: in scripted cases, and in random
 * ones against the definition. */
#include <stdlib.h>
#include <string.h>

#include "format/error.h"
#include "tests/tap.h"
#include "tests/unit/analyzer/analyzer-log.h"

#define GPU ANALYZER_LOG_GPU

static uint64_t state = 7;

static uint64_t roll(uint64_t below)
{
	return analyzer_log_roll(&state, below);
}

static void add_api(struct analyzer_log *log, uint64_t start, uint64_t dur, uint64_t tid,
                    uint64_t corr, uint64_t kind)
{
	analyzer_log_add(log, GPU, RLOG_OP_API, start, 1, 0);
	analyzer_log_set(log, GPU, RLOG_ATTR_DUR, dur);
	analyzer_log_set(log, GPU, RLOG_ATTR_TID, tid);
	analyzer_log_set(log, GPU, RLOG_ATTR_CORR, corr);
	analyzer_log_set(log, GPU, RLOG_ATTR_KIND, kind);
}

static void add_kernel(struct analyzer_log *log, uint64_t start, uint64_t dur, uint64_t corr,
                       uint64_t queue)
{
	analyzer_log_add(log, GPU, RLOG_OP_KERNEL, start, 2, 0);
	analyzer_log_set(log, GPU, RLOG_ATTR_DUR, dur);
	analyzer_log_set(log, GPU, RLOG_ATTR_CORR, corr);
	analyzer_log_set(log, GPU, RLOG_ATTR_CONTEXT, 1);
	analyzer_log_set(log, GPU, RLOG_ATTR_QUEUE, queue);
}

/* Name of the range an operation belongs to, 0 for none. */
static uint32_t range_of(const struct ra_model *m, size_t op)
{
	return m->gpu.ops[op].slice == RA_NONE ? 0 : m->slices.name[m->gpu.ops[op].slice];
}

static void test_rules(void)
{
	struct analyzer_log log;
	struct ra_model *m;

	analyzer_log_init_gpu(&log);
	analyzer_log_add(&log, 1, RLOG_OP_PUSH, 100, 3, 0);
	analyzer_log_add(&log, 1, RLOG_OP_PUSH, 200, 4, 0);
	analyzer_log_add(&log, 1, RLOG_OP_POP, 300, 0, 0);
	analyzer_log_add(&log, 1, RLOG_OP_POP, 900, 0, 0);
	analyzer_log_add_id(&log, 2, RLOG_OP_START, 400, 5, 77);
	analyzer_log_add_id(&log, 2, RLOG_OP_START, 450, 6, 78);
	analyzer_log_add_id(&log, 2, RLOG_OP_END, 500, 0, 78);
	analyzer_log_add_id(&log, 2, RLOG_OP_END, 700, 0, 77);
	add_api(&log, 210, 10, 101, 1, 1); /* in 4 in 3 */
	add_api(&log, 212, 5, 101, 1, 2);  /* the driver's half of it */
	add_api(&log, 300, 10, 101, 2, 1); /* 4 has just ended */
	add_api(&log, 460, 10, 102, 3, 1); /* 5 and 6 are open in the process */
	add_api(&log, 600, 10, 999, 4, 1); /* a thread without ranges; 5 is open */
	add_api(&log, 800, 10, 102, 5, 1); /* nothing is open there */
	for (uint64_t corr = 1; corr <= 6; corr++) {
		add_kernel(&log, 1000 + 10 * corr, 7, corr, 7);
	}
	add_kernel(&log, 0, 0, 1, 7);
	m = analyzer_log_load(&log);
	tap_is_uint(m->gpu.op_count, 6, "six kernels");
	tap_is_uint(m->gpu.bad_times, 1, "one without times is left out and counted");
	tap_ok(range_of(m, 0) == 4 && m->gpu.ops[0].rule == RA_GPU_RULE_STACK,
	       "a kernel belongs to the innermost range open where it was launched");
	tap_ok(m->gpu.ops[0].api != RA_NONE && !m->gpu.apis[m->gpu.ops[0].api].is_driver,
	       "the runtime's call is preferred to the driver's");
	tap_is_uint(range_of(m, 1), 3, "a range is no longer open at its end");
	tap_ok(range_of(m, 2) == 6 && m->gpu.ops[2].rule == RA_GPU_RULE_START_END,
	       "without a range on its thread it is the start/end range that began last");
	tap_ok(range_of(m, 3) == 5 && m->gpu.ambiguous == 1,
	       "of one that was the only one nothing is ambiguous");
	tap_is_uint(range_of(m, 4), 0, "where nothing is open, it belongs to no range");
	tap_ok(m->gpu.ops[5].api == RA_NONE && m->gpu.no_call == 1,
	       "an operation whose call is missing is counted");
	tap_ok(m->gpu.rule_ops[RA_GPU_RULE_STACK] == 2 && m->gpu.rule_ns[RA_GPU_RULE_STACK] == 14 &&
	               m->gpu.rule_ops[RA_GPU_RULE_START_END] == 2 &&
	               m->gpu.rule_ns[RA_GPU_RULE_NONE] == 14,
	       "time is counted by rule");
	tap_ok(m->track_count == 5 && m->tracks[4].tid == 999,
	       "a thread with calls and no ranges has a track");
	tap_is_uint(m->quality.unknown_events, 0, "no event is unknown");
	ra_model_destroy(m);
	analyzer_log_fini(&log);
}

/* The definition: the last range of the thread's track that holds the time and crosses none. */
static uint32_t find_slowly(const struct ra_model *m, const struct ra_gpu_api *api)
{
	const struct ra_track *track = &m->tracks[api->track];
	uint32_t found = RA_NONE;

	for (size_t i = track->first_slice; i < track->first_slice + track->slice_count; i++) {
		if (!(m->slices.flags[i] & RA_SLICE_CROSSING) &&
		    m->slices.start_ns[i] <= api->start_ns &&
		    m->slices.start_ns[i] + m->slices.dur_ns[i] > api->start_ns) {
			found = (uint32_t) i;
		}
	}
	return found;
}

/* Of the start/end ranges: the one that began last; of equal ones the last in order. */
static uint32_t find_span_slowly(const struct ra_model *m, int64_t time_ns)
{
	uint32_t found = RA_NONE;

	for (size_t t = 0; t < m->track_count; t++) {
		for (size_t i = m->tracks[t].first_slice;
		     m->tracks[t].kind == RA_TRACK_START_END &&
		     i < m->tracks[t].first_slice + m->tracks[t].slice_count;
		     i++) {
			if (m->slices.start_ns[i] <= time_ns &&
			    m->slices.start_ns[i] + m->slices.dur_ns[i] > time_ns) {
				found = (uint32_t) i;
			}
		}
	}
	return found;
}

/* @step: between correlation ids. */
static void fill_at_random(struct analyzer_log *log, uint64_t step)
{
	uint64_t ticks[4] = { 0, 1000, 1000, 1000 };
	uint64_t ids = 0;

	for (int i = 0; i < 3000; i++) {
		const uint32_t stream = 1 + (uint32_t) roll(3);
		const uint64_t kind = roll(10);

		ticks[stream] += roll(20);
		if (stream == 3 || kind == 9) {
			analyzer_log_add_id(log, stream, roll(2) ? RLOG_OP_START : RLOG_OP_END,
			                    ticks[stream], 1, 1 + roll(++ids));
		} else {
			analyzer_log_add(log, stream, kind < 5 ? RLOG_OP_PUSH : RLOG_OP_POP,
			                 ticks[stream], 1 + (uint32_t) roll(20),
			                 (uint32_t) roll(2));
		}
	}
	for (uint64_t i = 1; i <= 3000; i++) {
		const uint64_t corr = 1000 + i * step;

		add_api(log, 900 + roll(12000), roll(30), 101 + roll(4), corr, 1 + roll(2));
		add_kernel(log, 2000 + roll(12000), roll(100), corr, roll(5));
	}
	add_kernel(log, 2000, 1, 1000, 0); /* below and above the ids of all calls */
	add_kernel(log, 2000, 1, UINT32_MAX, 0);
}

static void test_random(uint64_t step)
{
	struct analyzer_log log;
	struct ra_model *m;
	size_t wrong = 0;
	bool sorted = true;

	analyzer_log_init_gpu(&log);
	fill_at_random(&log, step);
	m = analyzer_log_load(&log);
	for (size_t i = 0; i < m->gpu.api_count; i++) {
		wrong += m->gpu.apis[i].slice != find_slowly(m, &m->gpu.apis[i]);
	}
	tap_ok(m->gpu.api_count == 3000 && wrong == 0,
	       "3000 calls are in the ranges that the definition says (%zu are not)", wrong);
	for (size_t i = 0; i < m->gpu.op_count; i++) {
		const struct ra_gpu_op *op = &m->gpu.ops[i];

		sorted = sorted && (i == 0 || m->gpu.ops[i - 1].queue < op->queue ||
		                    (m->gpu.ops[i - 1].queue == op->queue &&
		                     m->gpu.ops[i - 1].start_ns <= op->start_ns));
		if (op->api == RA_NONE) {
			continue;
		}
		const struct ra_gpu_api *api = &m->gpu.apis[op->api];
		const uint32_t right =
			api->slice != RA_NONE ? api->slice : find_span_slowly(m, api->start_ns);

		wrong += op->slice != right || api->corr != op->corr;
	}
	tap_ok(m->gpu.op_count == 3002 && wrong == 0,
	       "3000 kernels belong to the ranges that the definition says (%zu do not)", wrong);
	tap_ok(m->gpu.no_call == 2, "two have no call");
	tap_ok(sorted && m->gpu.queue_count == 5, "they stand in order of queue and time");
	ra_model_destroy(m);
	analyzer_log_fini(&log);
}

int main(void)
{
	test_rules();
	test_random(1);
	test_random(1000003); /* ids that are not dense */
	return tap_done();
}
