/* SPDX-License-Identifier: MIT */
/* Tests logs of random rows: whatever these are, the model is consistent and every report can be
 * made. RANGES_TEST_GARBAGE sets the number of logs (400). */
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/commands/stats/report-list.h"
#include "analyzer/commands/analyze/summary.h"
#include "tests/tap.h"
#include "tests/unit/analyzer/analyzer-log.h"

static uint64_t state = 1;

static uint64_t roll(uint64_t below)
{
	return analyzer_log_roll(&state, below);
}

/* Mostly small, sometimes anything. */
static uint64_t roll_value(uint64_t small)
{
	return roll(8) == 0 ? state >> roll(64) : roll(small);
}

#define GPU ANALYZER_LOG_STREAMS /* the stream of a GPU's records, in every other log */

/* Threads 101 …, devices, and shapes that make no sense. */
static void define_garbage(struct analyzer_log *log)
{
	struct rlog_def defs[16] = { 0 };
	struct rlog_error err;

	for (uint32_t i = 0; i < 16; i++) {
		defs[i].kind = i < GPU ? RLOG_DEF_STREAM
		               : i < 8 ? RLOG_DEF_DEVICE
		                       : RLOG_DEF_CONTEXT + (uint32_t) roll(4);
		defs[i].id = i < GPU ? i + 1 : roll(6);
		defs[i].parent = i + 1 == GPU ? 1 + roll(2) : i < GPU ? 0 : roll_value(6) << 16;
		defs[i].string = (uint32_t) roll(ANALYZER_LOG_NAMES);
		defs[i].value = i < GPU ? 101 + i : roll_value(30);
	}
	if (rlog_writer_put_defs(log->writer, 0, defs, 16, &err) != 0) {
		tap_bail("%s", err.message);
	}
}

static void add_gpu_garbage(struct analyzer_log *log, uint64_t ticks)
{
	static const enum rlog_attr likely[] = { RLOG_ATTR_DUR, RLOG_ATTR_CORR, RLOG_ATTR_TID,
		                                 RLOG_ATTR_KIND, RLOG_ATTR_SHAPE };

	analyzer_log_add(log, GPU, (enum rlog_op)(RLOG_OP_API + roll(13)), ticks,
	                 (uint32_t) roll_value(25), 0);
	for (size_t i = 0; i < sizeof(likely) / sizeof(likely[0]); i++) {
		analyzer_log_set(log, GPU, likely[i],
		                 likely[i] == RLOG_ATTR_TID ? 100 + roll(6) : roll_value(12));
	}
	for (int attr = 0; attr < RLOG_ATTRS; attr++) {
		if (roll(4) == 0) {
			analyzer_log_set(log, GPU, (enum rlog_attr) attr, roll_value(5));
		}
	}
}

static void add_garbage(struct analyzer_log *log, uint64_t *ticks, bool has_gpu)
{
	const uint32_t stream = 1 + (uint32_t) roll(ANALYZER_LOG_STREAMS);
	struct rlog_batch *batch;

	*ticks = roll(50) == 0 ? roll_value(1000) : *ticks + roll(20);
	if (has_gpu && stream == GPU) {
		add_gpu_garbage(log, *ticks);
		return;
	}
	batch = analyzer_log_add(log, stream,
	                         (enum rlog_op)(roll(20) == 0  ? roll(256)
	                                        : roll(8) == 0 ? RLOG_OP_HANDOFF + roll(5)
	                                                       : roll(8)),
	                         *ticks, (uint32_t) roll_value(25), (uint32_t) roll_value(5));
	batch->id[batch->count - 1] = roll_value(20);
	for (int attr = 0; attr < RLOG_ATTRS; attr++) {
		if (roll(6) == 0) {
			analyzer_log_set(log, stream, (enum rlog_attr) attr, roll_value(5));
		}
	}
	if (roll(100) == 0) {
		analyzer_log_flush(log, stream, roll_value(10) % 1000000);
	}
}

/* What model.h promises of the slices of a track. */
static bool keeps_order(const struct ra_model *m, const struct ra_track *track)
{
	const struct ra_slices *s = &m->slices;

	for (size_t i = track->first_slice; i < track->first_slice + track->slice_count; i++) {
		const uint32_t parent = s->parent[i];

		if (s->dur_ns[i] < 0 || s->name[i] >= m->name_count ||
		    s->domain[i] >= m->domain_count ||
		    (i > track->first_slice && s->start_ns[i] < s->start_ns[i - 1])) {
			return false;
		}
		if (parent == RA_NONE) {
			continue;
		}
		if (parent < track->first_slice || parent >= i ||
		    (s->flags[parent] & RA_SLICE_CROSSING) ||
		    s->start_ns[i] + s->dur_ns[i] > s->start_ns[parent] + s->dur_ns[parent]) {
			return false;
		}
	}
	return true;
}

/* What gpu.h promises. */
static bool keeps_gpu_promises(const struct ra_model *m)
{
	const struct ra_gpu *gpu = &m->gpu;
	uint64_t by_rule = 0;

	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];
		const struct ra_gpu_op *before = i > 0 ? op - 1 : NULL;

		if (op->dur_ns < 0 || op->queue >= gpu->queue_count || op->kind >= RA_GPU_KINDS ||
		    op->rule >= RA_GPU_RULES || (op->api != RA_NONE && op->api >= gpu->api_count) ||
		    (op->shape != RA_NONE && op->shape >= gpu->shape_count) ||
		    (op->slice == RA_NONE) != (op->rule == RA_GPU_RULE_NONE) ||
		    (op->slice != RA_NONE && op->slice >= m->slices.count) ||
		    (before != NULL &&
		     (before->queue > op->queue ||
		      (before->queue == op->queue && before->start_ns > op->start_ns)))) {
			return false;
		}
	}
	for (int rule = 0; rule < RA_GPU_RULES; rule++) {
		by_rule += gpu->rule_ops[rule];
	}
	return by_rule == gpu->op_count;
}

static bool keeps_promises(const struct ra_model *m)
{
	size_t slices = 0;
	size_t marks = 0;
	uint64_t events = 0;

	for (size_t t = 0; t < m->track_count; t++) {
		const struct ra_track *track = &m->tracks[t];

		if (track->first_slice != slices || track->first_mark != marks ||
		    track->last_ns > m->end_ns || !keeps_order(m, track)) {
			return false;
		}
		slices += track->slice_count;
		marks += track->mark_count;
		events += track->events;
	}
	for (size_t i = 1; i < m->slice_attr_count; i++) {
		if (m->slice_attrs[i].owner <= m->slice_attrs[i - 1].owner) {
			return false;
		}
	}
	return slices == m->slices.count && marks == m->mark_count && events == m->quality.events &&
	       keeps_gpu_promises(m);
}

static bool makes_reports(struct ra_model *m)
{
	static const int64_t rank;
	const struct ra_summary_options options = { .input = "garbage", .all = true, .width = 100 };
	struct ra_settings settings;
	FILE *out = fopen("/dev/null", "we");
	bool made = out != NULL && ra_summary_print(m, &options, NULL, out) == 0;

	ra_settings_init(&settings);
	/* Two groupings of all there are; over the trials each has its turn. */
	for (int turn = 0; turn < 2 && made; turn++) {
		const unsigned by = (unsigned) roll(RA_GROUP_BY_SHAPE * UINT64_C(2));
		struct ra_report_input input = { .model = m,
			                         .models = &m,
			                         .ranks = &rank,
			                         .model_count = 1,
			                         .settings = &settings,
			                         .group_by = by };
		const struct ra_query query = { .group_by = input.group_by, .limit = 10 };

		for (size_t r = 0; ra_report_list_borrow()[r] != NULL && made; r++) {
			const struct ra_report *report = ra_report_list_borrow()[r];
			struct ra_table table;

			/* Other tools' figures are made of their own traces only. */
			if (!ra_report_is_for(report, RA_COMPAT_NONE)) {
				continue;
			}
			ra_report_make(report, &input, &query, &table);
			ra_table_fini(&table);
		}
		for (size_t i = 0; i < input.metrics.count && made; i++) {
			made = input.metrics.rows[i].self_ns >= 0 &&
			       input.metrics.rows[i].total_ns >= 0 &&
			       input.metrics.rows[i].median_ns <= input.metrics.rows[i].max_ns;
		}
		ra_report_fini_input(&input);
	}
	if (out != NULL) {
		(void) fclose(out);
	}
	return made;
}

/* The same log once more, with all rules of attribution. */
static bool keeps_promises_with_rules(const struct analyzer_log *log)
{
	const struct ra_load_options options = {
		.link = { .with_sequence = true, .with_process = true },
	};
	struct rlog_error err = { 0 };
	struct ra_model *m = NULL;
	bool promises = ra_load_memory(&m, log->bytes, log->size, &options, &err) == 0;

	promises = promises && keeps_promises(m) && makes_reports(m);
	ra_model_destroy(m);
	return promises;
}

static void run_trials(int trials, int rows)
{
	bool promises = true;
	bool reports = true;

	for (int i = 0; i < trials && promises && reports; i++) {
		struct analyzer_log log;
		struct ra_model *m;
		uint64_t ticks = 1000;

		analyzer_log_init(&log);
		log.chunk_rows = 1 + (size_t) roll(100);
		if (i % 2 == 1) {
			define_garbage(&log);
		}
		for (int r = 0; r < rows; r++) {
			add_garbage(&log, &ticks, i % 2 == 1);
		}
		m = analyzer_log_load(&log);
		promises = keeps_promises(m);
		reports = makes_reports(m);
		ra_model_destroy(m);
		promises = promises && (i % 2 == 0 || keeps_promises_with_rules(&log));
		analyzer_log_fini(&log);
	}
	tap_ok(promises, "models of %d logs of %d random rows are in order", trials, rows);
	tap_ok(reports, "and every report of them can be made");
}

int main(void)
{
	// NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread
	const char *slow = getenv("UNDER");                  /* valgrind */
	const char *setting = getenv("RANGES_TEST_GARBAGE"); // NOLINT(concurrency-mt-unsafe)
	const int wanted = setting != NULL ? (int) strtol(setting, NULL, 10) : 400;
	const int trials = slow != NULL && slow[0] != '\0' ? 20 : wanted;

	run_trials(trials, 30);
	run_trials(trials * 3 / 20, 1000);
	return tap_done();
}
