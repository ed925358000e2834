/* SPDX-License-Identifier: MIT */
/*
 * Finds what delayed the operation after a gap. The host is late from the end of the previous work
 * to the start of the call that launched the next work. The launch is the rest of that call and the
 * time from the call to the start on the device. If the work was launched before the gap, the
 * device itself delays it.
 */
#include "analyzer/advice/advice-idle.h"
#include "analyzer/advice/advice-late.h"

#include <string.h>

#include "analyzer/base/util.h"
#include "analyzer/figures/gpu/gpu-gaps.h"
#include "analyzer/link/graph-nodes.h"
#include "analyzer/report/op-names.h"
#include "analyzer/rows/kineto.h"

/* less than a launch and the way of its work to the device usually take */
#define SHORT_KERNEL_NS 10000
#define MOST_BETWEEN_NS 1000000 /* longer gaps have other causes than short kernels */

void ra_advice_gap_charge(struct ra_advice_idle *idle, enum ra_advice_cause cause, int64_t start_ns,
                          int64_t dur_ns, struct rlog_string name, uint32_t track)
{
	const struct ra_advice_event event = { start_ns, dur_ns, name, track, idle->device };

	if (dur_ns > 0) {
		idle->caused_ns[cause] = ra_util_add_time(idle->caused_ns[cause], dur_ns);
	}
	ra_advice_note(&idle->causes[cause], &event);
}

const char ra_advice_nowhere[] = "no range and no call";

/* The place if Python is known to have run. The name of the Python function follows it. */
static const char in_python[] = "Python, in no range and no call";

struct rlog_string ra_advice_gap_find_place(const struct ra_advice_idle *idle,
                                            struct ra_gpu_place_query *query)
{
	static const char several[] = "several ranges";
	const struct ra_advice *advice = idle->advice;
	struct ra_gpu_place found;

	query->model = advice->model;
	query->is_step = advice->steps->steps.is_step;
	ra_gpu_meanwhile_find_place(&found, query);
	switch (found.kind) {
	case RA_GPU_PLACE_RANGE:
		return ra_op_names_label(advice->input, found.name);
	case RA_GPU_PLACE_CALL:
		return ra_model_string(advice->model, found.name);
	case RA_GPU_PLACE_RANGES:
		return ra_util_string(several);
	case RA_GPU_PLACE_NONE:
		break;
	}
	return ra_util_string(ra_advice_nowhere);
}

/* Finds the Python function that the thread is in before it launches the work after a gap. */
static struct rlog_string find_python(const struct ra_advice_idle *idle,
                                      const struct ra_advice_gap *gap)
{
	const struct ra_kineto *kineto = idle->stacks->kineto;

	return idle->stacks->count == 0
	               ? ra_util_string("")
	               : ra_python_stacks_function_in(
				 idle->stacks, kineto->api_event[gap->next->api],
				 gap->start_ns + kineto->zero_ns, gap->end_ns + kineto->zero_ns);
}

static struct rlog_string name_nowhere(const struct ra_advice_idle *idle,
                                       const struct ra_advice_gap *gap)
{
	return ra_util_string(find_python(idle, gap).length > 0 ? in_python : ra_advice_nowhere);
}

/* Finds the thread to look at while the launching thread is in no range or call: the thread for
 * which the launching thread works, or else the thread that launched the previous work. Return:
 * RA_NONE if there is none. */
static uint32_t find_other(const struct ra_advice_idle *idle, const struct ra_advice_gap *gap)
{
	const struct ra_model *model = idle->advice->model;
	const uint32_t helped = model->tracks[gap->call->track].helped;

	if (helped != 0) {
		return helped - 1;
	}
	return gap->last != NULL && gap->last->api != RA_NONE
	               ? model->gpu.apis[gap->last->api].track
	               : RA_NONE;
}

/* Finds the place of the launching thread. If the launching thread was in no range or call, finds
 * the place of find_other()'s thread. */
static struct rlog_string find_place(const struct ra_advice_idle *idle,
                                     const struct ra_advice_gap *gap,
                                     const struct ra_intervals *parts, bool prefers_calls)
{
	struct ra_gpu_place_query query = { .track = gap->call->track,
		                            .prefers_calls = prefers_calls,
		                            .parts = parts };
	struct rlog_string place = ra_advice_gap_find_place(idle, &query);

	if (place.bytes == ra_advice_nowhere && find_other(idle, gap) != RA_NONE) {
		query.track = find_other(idle, gap);
		place = ra_advice_gap_find_place(idle, &query);
	}
	return place.bytes == ra_advice_nowhere ? name_nowhere(idle, gap) : place;
}

bool ra_advice_gap_is_pageable(const struct ra_gpu_op *op)
{
	return op->kind == RA_GPU_COPY &&
	       (op->src_memory == RA_MEMORY_PAGEABLE || op->dst_memory == RA_MEMORY_PAGEABLE);
}

static void note_python(struct ra_advice_idle *idle, const struct ra_advice_gap *gap,
                        int64_t dur_ns)
{
	const struct ra_advice_event event = { .start_ns = gap->start_ns,
		                               .dur_ns = dur_ns,
		                               .name = find_python(idle, gap) };

	if (event.name.length != 0) {
		ra_advice_note(&idle->python, &event);
	}
}

/* Notes the gap after a short kernel. A device that runs short kernels is idle between them, even
 * if the host is fast. */
static void note_short(struct ra_advice_idle *idle, const struct ra_advice_gap *gap, int64_t dur_ns)
{
	if (gap->last == NULL || gap->last->kind != RA_GPU_KERNEL ||
	    gap->last->dur_ns >= SHORT_KERNEL_NS || dur_ns >= MOST_BETWEEN_NS) {
		return;
	}
	ra_advice_gap_charge(idle, RA_CAUSE_SHORT, gap->start_ns, dur_ns,
	                     ra_advice_name_operator(idle->advice, gap->last), gap->call->track);
}

/* Charges the time that no other cause explains: the host was late, and then the launch took its
 * time. */
static void note_host(struct ra_advice_idle *idle, struct ra_advice_gap *gap, int64_t launch_ns)
{
	const struct ra_model *model = idle->advice->model;
	const int64_t dur_ns = gap->host_ns + launch_ns;
	struct ra_advice_event event;
	struct ra_advice_late late;
	struct rlog_string place;

	if (gap->is_start || dur_ns <= 0) {
		return;
	}
	ra_advice_waits_charge_launch(idle, gap, launch_ns);
	ra_intervals_add(&gap->late, gap->late_ns, gap->late_ns + launch_ns);
	ra_intervals_unite(&gap->late);
	place = find_place(idle, gap, &gap->late, false);
	event = (struct ra_advice_event){ gap->start_ns, dur_ns, place, gap->call->track,
		                          idle->device };
	late = (struct ra_advice_late){
		.parts = &gap->late,
		.track = gap->call->track,
		.other = find_other(idle, gap),
		.nowhere = name_nowhere(idle, gap),
	};
	idle->caused_ns[RA_CAUSE_HOST] = ra_util_add_time(idle->caused_ns[RA_CAUSE_HOST], dur_ns);
	if (dur_ns >= MOST_BETWEEN_NS) {
		idle->long_ns = ra_util_add_time(idle->long_ns, dur_ns);
	}
	ra_advice_late_note(idle->advice, &idle->causes[RA_CAUSE_HOST], &late, &event);
	note_python(idle, gap, dur_ns);
	ra_advice_gap_charge(idle, RA_CAUSE_LAUNCH, gap->start_ns, launch_ns,
	                     ra_model_string(model, gap->call->name), gap->call->track);
	note_short(idle, gap, dur_ns);
}

/* Returns "CALL in RANGE". Each such text is stored once. */
static struct rlog_string join_names(struct ra_advice_idle *idle, enum ra_advice_cause cause,
                                     struct rlog_string range, struct rlog_string call)
{
	const struct ra_advice_evidence *evidence = &idle->causes[cause];
	struct ra_util_text text = { 0 };

	if (range.length == 0 || range.bytes == call.bytes || range.bytes == ra_advice_nowhere ||
	    range.bytes == in_python) {
		return call;
	}
	ra_util_text_put(&text, call.bytes, call.length);
	ra_util_text_format(&text, " in ");
	ra_util_text_put(&text, range.bytes, range.length);
	for (size_t i = 0; i < evidence->name_count; i++) {
		const struct rlog_string name = evidence->names[i].name;

		if (name.length == text.length &&
		    memcmp(name.bytes, text.bytes, text.length) == 0) {
			ra_util_text_free(&text);
			return name;
		}
	}
	return ra_table_take_text(idle->advice->table, &text);
}

/* Charges to a cause one time in a gap that the cause explains. That time may have several
 * parts. */
static void charge_parts(struct ra_advice_idle *idle, const struct ra_advice_gap *gap,
                         enum ra_advice_cause cause, const struct ra_intervals *parts)
{
	const bool is_call = cause == RA_CAUSE_FIRST_USE || cause == RA_CAUSE_ALLOCATION;
	struct rlog_string place = find_place(idle, gap, parts, is_call);

	if (cause == RA_CAUSE_LOADING && !ra_advice_host_is_loader(place)) {
		place = gap->host->loader;
	}
	if (is_call) {
		place = join_names(idle, cause, find_place(idle, gap, parts, false), place);
	}
	ra_advice_gap_charge(idle, cause, parts->rows[0].start_ns, ra_intervals_length(parts),
	                     place, gap->call->track);
}

/* Charges the parts of a gap that are inside the same known time as one event. */
static void charge_known(struct ra_advice_idle *idle, const struct ra_advice_gap *gap,
                         enum ra_advice_cause cause, const struct ra_intervals *inside,
                         const struct ra_intervals *known)
{
	size_t to = 0;

	for (size_t from = 0, k = 0; from < inside->count; from = to) {
		struct ra_intervals one = { .rows = &inside->rows[from] };

		while (known->rows[k].end_ns <= inside->rows[from].start_ns) {
			k++;
		}
		for (to = from;
		     to < inside->count && inside->rows[to].start_ns < known->rows[k].end_ns;
		     to++) {
			one.count++;
		}
		charge_parts(idle, gap, cause, &one);
	}
}

/* Charges the part of the host's lateness that a cause explains, and removes it from gap->late. */
static void note_known(struct ra_advice_idle *idle, struct ra_advice_gap *gap,
                       enum ra_advice_cause cause, const struct ra_intervals *known)
{
	const struct ra_intervals *late = &gap->late;
	struct ra_intervals inside = { 0 };
	struct ra_intervals outside = { 0 };

	if (late->count == 0 || ra_intervals_cover(known, late->rows[0].start_ns,
	                                           late->rows[late->count - 1].end_ns) == 0) {
		return; /* so it is for nearly all gaps */
	}
	ra_intervals_part(late, known, &inside, &outside);
	if (inside.count > 0) {
		if (cause != RA_CAUSE_PROFILER || !gap->is_start) {
			charge_known(idle, gap, cause, &inside, known);
		}
		ra_intervals_fini(&gap->late);
		gap->late = outside;
		outside = (struct ra_intervals){ 0 };
	}
	ra_intervals_fini(&inside);
	ra_intervals_fini(&outside);
}

/* Charges the part of the gap before the launching call to its causes. Stores in gap->host_ns the
 * time that no other cause explains. */
static void note_late(struct ra_advice_idle *idle, struct ra_advice_gap *gap)
{
	static const enum ra_advice_cause causes[] = { RA_CAUSE_LOADING, RA_CAUSE_PROFILER,
		                                       RA_CAUSE_FIRST_USE, RA_CAUSE_ALLOCATION };
	const struct ra_intervals *const sets[] = { &gap->host->loading, &gap->host->profiler,
		                                    &gap->host->first_use, &gap->host->allocation };

	ra_intervals_add(&gap->late, gap->start_ns, gap->late_ns);
	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++) {
		note_known(idle, gap, causes[i], sets[i]);
	}
	gap->host_ns = gap->is_start ? 0 : ra_intervals_length(&gap->late);
	ra_advice_waits_charge(idle, gap, &gap->late, &gap->host_ns);
}

/* True if something other than the host keeps the operation from starting. */
static bool is_held_up(const struct ra_advice_gap *gap, int64_t behind_ns)
{
	return behind_ns >
	       (gap->late_ns > gap->start_ns ? RA_ADVICE_LONG_WAY_NS : RA_GPU_GAPS_SHORT_NS);
}

/* Charges the part of the launching call that a cause explains. */
static void note_in_call(struct ra_advice_idle *idle, const struct ra_advice_gap *gap,
                         enum ra_advice_cause cause, int64_t known_ns)
{
	struct rlog_string place = ra_model_string(idle->advice->model, gap->call->name);

	if (known_ns <= 0) {
		return;
	}
	if (cause == RA_CAUSE_FIRST_USE) {
		place = join_names(idle, cause, ra_advice_name_operator(idle->advice, gap->next),
		                   place);
	}
	ra_advice_gap_charge(idle, cause, gap->late_ns, known_ns, place, gap->call->track);
}

/* Charges the last part of a gap to a cause that is known only from the next operation. */
static void charge_next(struct ra_advice_idle *idle, const struct ra_advice_gap *gap,
                        enum ra_advice_cause cause, int64_t dur_ns)
{
	const struct ra_advice_event event = ra_advice_read_op(idle->advice, gap->next);

	ra_advice_gap_charge(idle, cause, gap->end_ns - dur_ns, dur_ns, event.name,
	                     gap->call != NULL ? gap->call->track : RA_NONE);
	if (ra_graph_nodes_has(idle->advice->model, gap->next)) {
		idle->graphs_ns[cause] = ra_util_add_time(idle->graphs_ns[cause], dur_ns);
	}
}

/*
 * Divides the time in a pageable copy's call before the copy starts. The driver fills its buffer in
 * that time, which takes no longer than the copy. Only the first recorded operation may wait
 * longer: for work that was launched before the recording.
 */
static void note_pageable(struct ra_advice_idle *idle, struct ra_advice_gap *gap, int64_t way_ns)
{
	const bool is_first = gap->last == NULL && !idle->has_ended;
	const int64_t before_ns = is_first ? way_ns - gap->next->dur_ns : 0;

	gap->way_ns = way_ns;
	gap->pageable_ns = way_ns;
	if (before_ns > RA_ADVICE_LONG_WAY_NS) {
		ra_advice_gap_charge(idle, RA_CAUSE_BEFORE, gap->late_ns, before_ns,
		                     ra_model_string(idle->advice->model, gap->call->name),
		                     gap->call->track);
		gap->pageable_ns -= before_ns;
	}
	idle->before_copies_ns = ra_util_add_time(idle->before_copies_ns, gap->pageable_ns);
}

/* Divides the part of the gap after the start of the launching call. */
static void note_way(struct ra_advice_idle *idle, struct ra_advice_gap *gap)
{
	const int64_t call_end_ns = ra_util_add_time(gap->call->start_ns, gap->call->dur_ns);
	const int64_t way_ns = gap->end_ns - gap->late_ns;
	int64_t behind_ns = gap->end_ns - (call_end_ns > gap->late_ns ? call_end_ns : gap->late_ns);
	int64_t profiler_ns;
	int64_t first_ns;

	if (gap->last == NULL && !idle->has_ended && behind_ns > RA_ADVICE_LONG_WAY_NS) {
		ra_advice_gap_charge(
			idle, RA_CAUSE_BEFORE, gap->is_start ? gap->late_ns : gap->start_ns,
			gap->host_ns + way_ns,
			ra_model_string(idle->advice->model, gap->call->name), gap->call->track);
		return;
	}
	if (ra_advice_gap_is_pageable(gap->next) && way_ns > RA_GPU_GAPS_SHORT_NS &&
	    !gap->is_start) {
		note_pageable(idle, gap, way_ns);
		note_host(idle, gap, 0);
		return;
	}
	if (is_held_up(gap, behind_ns)) {
		charge_next(idle, gap, RA_CAUSE_WAIT, behind_ns); /* no other operation runs */
	} else {
		behind_ns = 0;
	}
	profiler_ns =
		ra_intervals_cover(&gap->host->profiler, gap->late_ns, gap->end_ns - behind_ns);
	first_ns = ra_intervals_cover(&gap->host->first_use, gap->late_ns, gap->end_ns - behind_ns);
	if (first_ns > way_ns - behind_ns - profiler_ns) {
		first_ns = way_ns - behind_ns - profiler_ns;
	}
	note_in_call(idle, gap, RA_CAUSE_PROFILER, profiler_ns);
	note_in_call(idle, gap, RA_CAUSE_FIRST_USE, first_ns);
	if (behind_ns > 0 || call_end_ns > gap->start_ns || gap->late_ns > gap->start_ns) {
		note_host(idle, gap, way_ns - behind_ns - profiler_ns - first_ns);
	}
}

static void note_without_call(struct ra_advice_idle *idle, const struct ra_advice_gap *gap)
{
	const size_t op = (size_t) (gap->next - idle->advice->model->gpu.ops);
	const bool is_early = ra_gpu_early_is(&idle->advice->order.early, op);

	charge_next(idle, gap, is_early ? RA_CAUSE_WAIT : RA_CAUSE_NO_CALL,
	            gap->end_ns - gap->start_ns);
}

void ra_advice_gap_note(struct ra_advice_idle *idle, struct ra_advice_gap *gap)
{
	const struct ra_model *model = idle->advice->model;

	if (gap->next->api == RA_NONE) {
		note_without_call(idle, gap);
		return;
	}
	gap->is_start =
		gap->last == NULL && !idle->has_ended && idle->advice->steps->steps.is_whole;
	gap->call = &model->gpu.apis[gap->next->api];
	gap->host = &idle->hosts[model->tracks[gap->call->track].process];
	gap->late_ns = gap->call->start_ns;
	gap->late_ns = gap->late_ns < gap->start_ns ? gap->start_ns
	               : gap->late_ns > gap->end_ns ? gap->end_ns
	                                            : gap->late_ns;
	note_late(idle, gap);
	note_way(idle, gap);
	ra_intervals_fini(&gap->late);
}
