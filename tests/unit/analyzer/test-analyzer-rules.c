/* SPDX-License-Identifier: MIT */
/* Tests all rules of attribution together: compares them on random logs with a slow computation of
 * their definitions (doc/metrics.md, section 6). */
#include <stdlib.h>

#include "tests/tap.h"
#include "tests/unit/analyzer/analyzer-log.h"

#define GPU  ANALYZER_LOG_GPU
#define ROWS 600
#define OPS  400
#define LOGS 40

/* Nodes of a graph, each with a clone. */
#define NODES    30
#define GRAPH    UINT64_C(5)
#define INSTANCE UINT64_C(6)

static uint64_t state = 11;

static uint64_t roll(uint64_t below)
{
	return analyzer_log_roll(&state, below);
}

/* Few ranges, so that all rules get their turn; ids of contexts that are there, and that are not.
 */
static void add_row(struct analyzer_log *log, uint32_t stream, uint64_t ticks, uint64_t *contexts)
{
	const uint64_t kind = roll(20);

	if (kind < 4) {
		/* One by one: compilers differ in the order of arguments. */
		const uint32_t domain = (uint32_t) roll(2);
		const uint32_t name = 1 + (uint32_t) roll(20);

		analyzer_log_add(log, stream, RLOG_OP_PUSH, ticks, name, domain);
	} else if (kind < 10) {
		analyzer_log_add(log, stream, RLOG_OP_POP, ticks, 0, (uint32_t) roll(2));
	} else if (kind < 12) {
		analyzer_log_add_id(log, stream, RLOG_OP_HANDOFF, ticks, 0, ++*contexts);
	} else if (kind < 15) {
		analyzer_log_add_id(log, stream, RLOG_OP_ATTACH, ticks, 0, roll(*contexts + 2));
	} else if (kind < 18) {
		analyzer_log_add(log, stream, RLOG_OP_DETACH, ticks, 0, 0);
	} else if (kind == 18 && roll(3) == 0) {
		analyzer_log_add_id(log, stream, RLOG_OP_START, ticks, 1, 1000 + ticks);
		analyzer_log_add_id(log, stream, RLOG_OP_END, ticks + roll(100), 0, 1000 + ticks);
	}
}

static void fill_at_random(struct analyzer_log *log)
{
	uint64_t ticks[4] = { 0, 1000, 1000, 1000 };
	uint64_t contexts = 0;

	for (int i = 0; i < ROWS; i++) {
		const uint32_t stream = 1 + (uint32_t) roll(3);

		ticks[stream] += roll(20);
		add_row(log, stream, ticks[stream], &contexts);
	}
	for (uint64_t node = 0; node < NODES; node++) {
		analyzer_log_add(log, GPU, RLOG_OP_GRAPH_NODE, 900 + roll(2500), 0, 0);
		analyzer_log_set(log, GPU, RLOG_ATTR_NODE, GRAPH << 32 | node);
		analyzer_log_set(log, GPU, RLOG_ATTR_TID, 101 + roll(4));
		analyzer_log_add_id(log, GPU, RLOG_OP_GRAPH_NODE, 3500, 0, GRAPH << 32 | node);
		analyzer_log_set(log, GPU, RLOG_ATTR_NODE, INSTANCE << 32 | node);
		analyzer_log_set(log, GPU, RLOG_ATTR_KIND, 1);
		analyzer_log_set(log, GPU, RLOG_ATTR_TID, 101);
	}
	for (uint64_t corr = 1; corr <= OPS; corr++) {
		analyzer_log_add(log, GPU, RLOG_OP_API, 900 + roll(2500), 1, 0);
		analyzer_log_set(log, GPU, RLOG_ATTR_DUR, roll(30));
		analyzer_log_set(log, GPU, RLOG_ATTR_TID, 101 + roll(4));
		analyzer_log_set(log, GPU, RLOG_ATTR_CORR, corr);
		analyzer_log_set(log, GPU, RLOG_ATTR_KIND, 1);
		analyzer_log_add(log, GPU, RLOG_OP_KERNEL, 2000 + roll(12000), 2, 0);
		analyzer_log_set(log, GPU, RLOG_ATTR_DUR, 1 + roll(100));
		analyzer_log_set(log, GPU, RLOG_ATTR_CORR, corr);
		analyzer_log_set(log, GPU, RLOG_ATTR_CONTEXT, 1);
		analyzer_log_set(log, GPU, RLOG_ATTR_QUEUE, roll(5));
		if (roll(4) == 0) {
			analyzer_log_set(log, GPU, RLOG_ATTR_NODE,
			                 INSTANCE << 32 | roll(NODES + 10));
		}
	}
}

/* The last range of a track that holds the time; of threads those that cross are left out. */
static uint32_t find_open(const struct ra_model *m, const struct ra_track *track, int64_t time_ns)
{
	uint32_t found = RA_NONE;

	for (size_t i = track->first_slice; i < track->first_slice + track->slice_count; i++) {
		if (!(m->slices.flags[i] & RA_SLICE_CROSSING) && m->slices.start_ns[i] <= time_ns &&
		    m->slices.start_ns[i] + m->slices.dur_ns[i] > time_ns) {
			found = (uint32_t) i;
		}
	}
	return found;
}

static uint32_t find_span(const struct ra_model *m, int64_t time_ns)
{
	uint32_t found = RA_NONE;

	for (size_t t = 0; t < m->track_count; t++) {
		if (m->tracks[t].kind == RA_TRACK_START_END) {
			found = find_open(m, &m->tracks[t], time_ns);
		}
	}
	return found;
}

/* The context attached to a thread after the first `end` calls, found by replaying them from the
 * start. */
static uint64_t find_attached(const struct ra_model *m, uint32_t track, size_t end)
{
	uint64_t ids[ROWS] = { 0 };
	size_t depth = 0;

	for (size_t i = 0; i < end; i++) {
		const struct ra_handoff *handoff = &m->handoffs[i];

		if (handoff->track == track && handoff->kind == RA_HANDOFF_ATTACH) {
			ids[depth++] = handoff->id;
		} else if (handoff->track == track && handoff->kind == RA_HANDOFF_DETACH &&
		           depth > 0) {
			depth--;
		}
	}
	return depth > 0 ? ids[depth - 1] : 0;
}

/* Where the context was captured; m->handoff_count: nowhere. */
static size_t find_capture(const struct ra_model *m, uint64_t id)
{
	size_t i = 0;

	while (i < m->handoff_count &&
	       (m->handoffs[i].kind != RA_HANDOFF_CAPTURE || m->handoffs[i].id != id)) {
		i++;
	}
	return i;
}

static uint32_t find_context(const struct ra_model *m, uint64_t id)
{
	for (int step = 0; step < 64 && id != 0; step++) {
		const size_t at = find_capture(m, id);
		const struct ra_handoff *handoff = &m->handoffs[at];
		uint32_t slice;

		if (at == m->handoff_count) {
			return RA_NONE;
		}
		slice = handoff->slice;
		if (slice != RA_NONE && (m->slices.flags[slice] & RA_SLICE_CROSSING)) {
			slice = find_open(m, &m->tracks[handoff->track], handoff->time_ns);
		}
		if (slice != RA_NONE) {
			return slice;
		}
		id = find_attached(m, handoff->track, at);
	}
	return RA_NONE;
}

static uint32_t find_handed(const struct ra_model *m, const struct ra_gpu_api *api)
{
	size_t end = 0;

	for (size_t i = 0; i < m->handoff_count; i++) {
		if (m->handoffs[i].track == api->track && m->handoffs[i].time_ns <= api->start_ns) {
			end = i + 1;
		}
	}
	return find_context(m, find_attached(m, api->track, end));
}

static uint32_t find_only(const struct ra_model *m, int64_t time_ns)
{
	uint32_t found = RA_NONE;
	int threads = 0;

	for (size_t t = 0; t < m->track_count; t++) {
		const uint32_t open = m->tracks[t].kind == RA_TRACK_THREAD
		                              ? find_open(m, &m->tracks[t], time_ns)
		                              : RA_NONE;

		if (open != RA_NONE) {
			found = open;
			threads++;
		}
	}
	return threads == 1 ? found : RA_NONE;
}

/* ---- helpers ---- */

/* Thread 101 has ranges and mostly waits in them; thread 104 launches, and has none. In some logs
 * 101 makes calls, too, so that nobody waits. */
static void fill_helpers(struct analyzer_log *log)
{
	const uint64_t calls = roll(2) == 0 ? 20 : roll(2);
	uint64_t ticks = 1000;
	uint64_t corr = 0;

	for (int phase = 0; phase < 12; phase++) {
		const uint64_t length = 200 + roll(300);
		const uint64_t launches = 10 + roll(20);
		const uint64_t own = calls;

		analyzer_log_add(log, 1, RLOG_OP_PUSH, ticks, 1 + (uint32_t) roll(20), 0);
		analyzer_log_add(log, 1, RLOG_OP_PUSH, ticks + 5, 1 + (uint32_t) roll(20), 0);
		analyzer_log_add(log, 1, RLOG_OP_POP, ticks + length - 5 - roll(100), 0, 0);
		analyzer_log_add(log, 1, RLOG_OP_POP, ticks + length, 0, 0);
		for (uint64_t i = 0; i < launches + own; i++) {
			const uint64_t at = ticks + roll(length + 20);

			corr++;
			analyzer_log_add(log, GPU, RLOG_OP_API, at, 1, 0);
			analyzer_log_set(log, GPU, RLOG_ATTR_DUR, roll(5));
			analyzer_log_set(log, GPU, RLOG_ATTR_TID, i < launches ? 104 : 101);
			analyzer_log_set(log, GPU, RLOG_ATTR_CORR, corr);
			analyzer_log_set(log, GPU, RLOG_ATTR_KIND, 1);
			analyzer_log_add(log, GPU, RLOG_OP_KERNEL, at + 5, 2, 0);
			analyzer_log_set(log, GPU, RLOG_ATTR_DUR, 1);
			analyzer_log_set(log, GPU, RLOG_ATTR_CORR, corr);
			analyzer_log_set(log, GPU, RLOG_ATTR_CONTEXT, 1);
			analyzer_log_set(log, GPU, RLOG_ATTR_QUEUE, 1);
		}
		ticks += length + roll(50);
	}
}

static bool is_within(int64_t time_ns, int64_t after_ns, int64_t until_ns)
{
	return time_ns > after_ns && time_ns <= until_ns;
}

/* True if a thread begins or ends a range or a call behind one time, up to another. */
static bool does_something(const struct ra_model *m, uint32_t t, int64_t after_ns, int64_t until_ns)
{
	const struct ra_track *track = &m->tracks[t];
	bool does = false;

	for (size_t i = track->first_slice; i < track->first_slice + track->slice_count; i++) {
		does = does || is_within(m->slices.start_ns[i], after_ns, until_ns) ||
		       is_within(m->slices.start_ns[i] + m->slices.dur_ns[i], after_ns, until_ns);
	}
	for (size_t i = 0; i < m->gpu.api_count; i++) {
		const struct ra_gpu_api *api = &m->gpu.apis[i];

		/* A call that is still under way does something, too. */
		does = does || (api->track == t && api->start_ns <= until_ns &&
		                api->start_ns + api->dur_ns > after_ns);
	}
	return does;
}

/* The launch of the same thread without a range before this one; NULL: none. Ties have no time
 * between them. */
static const struct ra_gpu_api *find_before(const struct ra_model *m, const struct ra_gpu_api *api)
{
	const struct ra_gpu_api *found = NULL;

	for (size_t i = 0; i < m->gpu.api_count; i++) {
		const struct ra_gpu_api *other = &m->gpu.apis[i];

		if (other != api && other->track == api->track &&
		    (other->start_ns < api->start_ns ||
		     (other->start_ns == api->start_ns && other->corr < api->corr)) &&
		    (found == NULL || other->start_ns > found->start_ns ||
		     (other->start_ns == found->start_ns && other->corr > found->corr))) {
			found = other;
		}
	}
	return found;
}

/* True if thread 104 helps 101: nobody else has ranges. */
static bool is_helper(const struct ra_model *m, uint32_t t)
{
	size_t launches = 0;
	size_t waits = 0;

	for (size_t i = 0; i < m->gpu.api_count; i++) {
		const struct ra_gpu_api *api = &m->gpu.apis[i];
		const struct ra_gpu_api *before = find_before(m, api);
		const uint32_t only = find_only(m, api->start_ns);

		if (api->track != t) {
			continue;
		}
		launches++;
		waits += before != NULL && only != RA_NONE &&
		         find_only(m, before->start_ns) == only &&
		         !does_something(m, 0, before->start_ns, api->start_ns);
	}
	return waits >= 8 && waits * 4 >= launches * 3;
}

/* Return: how many launches do not belong where the definition says. */
static size_t count_wrong_helpers(uint64_t rules[RA_GPU_RULES], size_t *helpers)
{
	struct analyzer_log log;
	struct ra_model *m;
	uint32_t helper = RA_NONE;
	size_t wrong = 0;
	bool helps;

	analyzer_log_init_gpu(&log);
	fill_helpers(&log);
	m = analyzer_log_load(&log);
	for (uint32_t t = 0; t < m->track_count; t++) {
		helper = m->tracks[t].tid == 104 ? t : helper;
	}
	helps = helper != RA_NONE && is_helper(m, helper);
	*helpers += helps;
	for (size_t i = 0; i < m->gpu.op_count; i++) {
		const struct ra_gpu_op *op = &m->gpu.ops[i];
		const struct ra_gpu_api *api = &m->gpu.apis[op->api];
		const uint32_t open = find_open(m, &m->tracks[api->track], api->start_ns);
		const uint32_t given = open != RA_NONE                 ? open
		                       : helps && api->track == helper ? find_only(m, api->start_ns)
		                                                       : RA_NONE;

		wrong += op->slice != given ||
		         (open == RA_NONE && given != RA_NONE) != (op->rule == RA_GPU_RULE_HELPER);
		rules[op->rule]++;
	}
	ra_model_destroy(m);
	analyzer_log_fini(&log);
	return wrong;
}

/* The range in which the node of an operation was made: by its first row, even for launches before
 * that row. */
static uint32_t find_made(const struct ra_model *m, const struct ra_gpu_op *op)
{
	const uint64_t node = (GRAPH << 32) | (uint32_t) op->node;

	for (size_t i = 0; i < m->gpu.node_count && op->node != 0; i++) {
		if (m->gpu.nodes[i].node == node) {
			return find_open(m, &m->tracks[m->gpu.nodes[i].track],
			                 m->gpu.nodes[i].time_ns);
		}
	}
	return RA_NONE;
}

struct expected {
	uint32_t slice;
	uint32_t rule;
};

static struct expected expect(const struct ra_model *m, const struct ra_gpu_op *op,
                              const uint32_t *causes)
{
	const struct ra_gpu_api *api = &m->gpu.apis[op->api];
	struct expected e = { find_open(m, &m->tracks[api->track], api->start_ns),
		              RA_GPU_RULE_STACK };
	const uint32_t made = find_made(m, op);

	if (made != RA_NONE) {
		return (struct expected){ made, RA_GPU_RULE_ORIGIN };
	}
	for (uint32_t s = e.slice; s != RA_NONE; s = m->slices.parent[s]) {
		if (causes[s] != RA_NONE) {
			return (struct expected){ causes[s], RA_GPU_RULE_SEQUENCE };
		}
	}
	if (e.slice == RA_NONE) {
		e = (struct expected){ find_span(m, api->start_ns), RA_GPU_RULE_START_END };
	}
	if (e.slice == RA_NONE) {
		e = (struct expected){ find_handed(m, api), RA_GPU_RULE_HANDOFF };
	}
	if (e.slice == RA_NONE) {
		e = (struct expected){ find_only(m, api->start_ns), RA_GPU_RULE_PROCESS };
	}
	e.rule = e.slice == RA_NONE ? RA_GPU_RULE_NONE : e.rule;
	return e;
}

/* The same log once more, with a cause for every seventh range. */
static struct ra_model *load_again(const struct analyzer_log *log, const uint32_t *causes)
{
	const struct ra_load_options options = {
		.link = { .with_sequence = true,
		          .with_process = true,
		          .with_origin = true,
		          .causes = causes },
	};
	struct rlog_error err = { 0 };
	struct ra_model *m = NULL;

	if (ra_load_memory(&m, log->bytes, log->size, &options, &err) != 0) {
		tap_bail("%s", err.message);
	}
	return m;
}

static size_t count_wrong(uint64_t rules[RA_GPU_RULES])
{
	struct analyzer_log log;
	struct ra_model *plain;
	struct ra_model *m;
	uint32_t *causes;
	size_t wrong = 0;

	analyzer_log_init_gpu(&log);
	fill_at_random(&log);
	plain = analyzer_log_load(&log);
	causes = calloc(plain->slices.count + 1, sizeof(*causes));
	for (size_t i = 0; i < plain->slices.count; i++) {
		causes[i] = roll(7) == 0 ? (uint32_t) roll(plain->slices.count) : RA_NONE;
	}
	m = load_again(&log, causes);
	wrong += m->gpu.op_count != OPS || m->slices.count != plain->slices.count;
	for (size_t i = 0; i < m->gpu.op_count; i++) {
		const struct ra_gpu_op *op = &m->gpu.ops[i];
		const struct expected e = expect(m, op, causes);

		wrong += op->slice != e.slice || op->rule != e.rule;
		rules[op->rule]++;
		/* Without options the three rules that move or guess are not used. */
		wrong += plain->gpu.ops[i].rule == RA_GPU_RULE_SEQUENCE ||
		         plain->gpu.ops[i].rule == RA_GPU_RULE_ORIGIN ||
		         plain->gpu.ops[i].rule == RA_GPU_RULE_PROCESS;
	}
	free(causes);
	ra_model_destroy(plain);
	ra_model_destroy(m);
	analyzer_log_fini(&log);
	return wrong;
}

int main(void)
{
	uint64_t rules[RA_GPU_RULES] = { 0 };
	size_t wrong = 0;
	size_t wrong_helpers = 0;
	size_t helpers = 0;

	for (int i = 0; i < LOGS; i++) {
		wrong += count_wrong(rules);
		wrong_helpers += count_wrong_helpers(rules, &helpers);
	}
	tap_ok(wrong_helpers == 0 && helpers > LOGS / 4 && helpers < LOGS - LOGS / 8,
	       "in %zu of %d logs a thread helps another one, as defined (%zu launches are wrong)",
	       helpers, LOGS, wrong_helpers);
	tap_ok(wrong == 0, "%d launches of %d logs belong where the definitions say (%zu do not)",
	       OPS * LOGS, LOGS, wrong);
	for (int rule = 0; rule < RA_GPU_RULES; rule++) {
		tap_ok(rules[rule] > 100, "the rule %s was tried (%llu)",
		       ra_gpu_rule_name((enum ra_gpu_rule) rule), (unsigned long long) rules[rule]);
	}
	return tap_done();
}
