/* SPDX-License-Identifier: MIT */
/* Makes threads, ranges and marks of a model from a Chrome trace's events. */
#include "analyzer/read-json/model/kineto-model.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/read-json/model/kineto-domains.h"
#include "analyzer/read-json/model/kineto-origin.h"
#include "analyzer/read-json/model/kineto-pairs.h"
#include "analyzer/read-json/model/kineto-samples.h"
#include "analyzer/base/order/run-sort.h"
#include "analyzer/model/build/builder.h"
#include "analyzer/model/schemas.h"
#include "analyzer/base/util.h"
#include "format/error.h"

#define FIRST_REAL_NS INT64_C(1000000000000000000) /* September 2001 */

struct building {
	struct ra_model *model;
	struct ra_kineto *kineto;
	const struct ra_kineto_model_options *options;
	uint32_t *track_of; /* owned: thread → track, RA_NONE if it has none */
	uint32_t *open;     /* owned: stack of slices */
	size_t open_capacity;
	size_t mark_capacity;
	/* owned: by event: the event that ends it (kineto-pairs.h); NULL: no events are paired */
	uint32_t *ends;
	size_t async_count;
	struct ra_kineto_domains domains;
};

/* True for an event that becomes a slice of a thread: a range, or a call of CUDA. */
static bool is_range(const struct ra_kineto *kineto, uint32_t event,
                     const struct ra_kineto_model_options *options)
{
	if ((kineto->flags[event] & RA_KINETO_HAS_TS) == 0) {
		return false;
	}
	switch ((enum ra_kineto_kind) kineto->kind[event]) {
	case RA_KINETO_OTHER:
	case RA_KINETO_CPU_OP:
	case RA_KINETO_USER_ANNOTATION:
		return true;
	case RA_KINETO_BEGIN: /* on a row of a device, this is not a range of the CPU */
		return kineto->threads[ra_kineto_get_thread(kineto, event)].device < 0;
	case RA_KINETO_PYTHON_FUNCTION:
		return options->with_python || (kineto->flags[event] & RA_KINETO_IS_CAPTURED) != 0;
	default:
		return false;
	}
}

static bool is_call(const struct ra_kineto *k, uint32_t event)
{
	return (k->flags[event] & RA_KINETO_HAS_TS) != 0 &&
	       (k->kind[event] == RA_KINETO_RUNTIME || k->kind[event] == RA_KINETO_DRIVER);
}

static bool is_span(const struct ra_kineto *k, uint32_t event)
{
	return (k->flags[event] & RA_KINETO_HAS_TS) != 0 && k->kind[event] == RA_KINETO_ASYNC_BEGIN;
}

/* False for the profiler's own marks, which only tell when it recorded, on threads that do not
 * exist. */
static bool is_mark(const struct ra_kineto *k, uint32_t event)
{
	static const char start[] = "Iteration Start: ";
	const struct rlog_string name = ra_kineto_string(k, k->name[event]);

	return k->kind[event] == RA_KINETO_INSTANT && (k->flags[event] & RA_KINETO_HAS_TS) != 0 &&
	       !ra_kineto_is_text(k, k->name[event], "Record Window End") &&
	       !(name.length >= sizeof(start) - 1 &&
	         memcmp(name.bytes, start, sizeof(start) - 1) == 0);
}

/* ---- threads ---- */

static int compare_threads(const void *context, uint32_t left, uint32_t right)
{
	const struct ra_kineto *k = context;
	const struct ra_kineto_thread *a = &k->threads[left];
	const struct ra_kineto_thread *b = &k->threads[right];

	return RA_ORDER_THEN(RA_ORDER_UP(a, b, pid_number), RA_ORDER_UP(a, b, tid_number));
}

/* The index of a thread's process. All processes without a number share one. */
static uint32_t find_process(struct building *building, const struct ra_kineto_thread *thread)
{
	struct ra_model *m = building->model;
	const int64_t pid = thread->pid_number == INT64_MIN ? 0 : thread->pid_number;
	const struct rlog_string exe = ra_kineto_string(building->kineto, thread->process_name);

	for (size_t i = m->process_count; i-- > 0;) {
		if (m->processes[i].pid == pid) {
			return (uint32_t) i;
		}
	}
	ra_util_resize(&m->processes, m->process_count + 1, sizeof(*m->processes));
	m->processes[m->process_count] = (struct ra_process){
		.pid = pid,
		.rank = building->kineto->rank,
		.host = ra_alloc_zeros(1, 1),
		.exe = ra_util_copy(exe.bytes, exe.length),
	};
	return (uint32_t) m->process_count++;
}

/* Makes a track for each thread with ranges, calls or marks, ordered by pid and tid. */
static void make_tracks(struct building *building)
{
	struct ra_model *m = building->model;
	struct ra_kineto *k = building->kineto;
	uint32_t *order = ra_order_create_indices(k->thread_count);

	building->track_of = ra_alloc_zeros(k->thread_count + 1, sizeof(*building->track_of));
	m->tracks = ra_alloc_zeros(k->thread_count + 2, sizeof(*m->tracks));
	for (uint32_t i = 0; i < k->count; i++) {
		building->track_of[ra_kineto_get_thread(k, i)] |=
			is_range(k, i, building->options) || is_call(k, i) || is_mark(k, i);
	}
	ra_run_sort_indices(order, k->thread_count, compare_threads, k);
	for (size_t t = 0; t < k->thread_count; t++) {
		struct ra_kineto_thread *thread = &k->threads[order[t]];
		const bool has_track = building->track_of[order[t]] != 0;

		building->track_of[order[t]] = RA_NONE;
		if (!has_track) {
			continue;
		}
		thread->track = (uint32_t) m->track_count;
		building->track_of[order[t]] = thread->track;
		m->tracks[m->track_count++] = (struct ra_track){
			.kind = RA_TRACK_THREAD,
			.stream = order[t] + 1,
			.process = find_process(building, thread),
			.tid = thread->tid_number == INT64_MIN ? 0 : thread->tid_number,
			.name = thread->name,
			.first_ns = INT64_MAX,
			.events = thread->events,
		};
	}
	if (m->process_count == 0) {
		(void) find_process(building, &(struct ra_kineto_thread){ 0 });
	}
	free(order);
}

/* ---- ranges ---- */

static int compare_ranges(const void *context, uint32_t left, uint32_t right)
{
	const struct building *building = context;
	const struct ra_kineto *k = building->kineto;
	const uint32_t a = building->track_of[ra_kineto_get_thread(k, left)];
	const uint32_t b = building->track_of[ra_kineto_get_thread(k, right)];
	int order = RA_ORDER(a, b);

	order = RA_ORDER_THEN(order, RA_ORDER(ra_kineto_ts(k, left), ra_kineto_ts(k, right)));
	order = RA_ORDER_THEN(order, RA_ORDER(ra_kineto_dur(k, right), ra_kineto_dur(k, left)));
	return RA_ORDER_THEN(order, RA_ORDER(left, right));
}

static void allocate_slices(struct ra_model *m, size_t count)
{
	struct ra_slices *s = &m->slices;

	ra_util_resize(&s->start_ns, count + 1, sizeof(*s->start_ns));
	ra_util_resize(&s->dur_ns, count + 1, sizeof(*s->dur_ns));
	ra_util_resize(&s->name, count + 1, sizeof(*s->name));
	ra_util_resize(&s->parent, count + 1, sizeof(*s->parent));
	ra_util_resize(&s->domain, count + 1, sizeof(*s->domain));
	ra_util_resize(&s->flags, count + 1, sizeof(*s->flags));
}

static int64_t find_end(const struct ra_slices *s, uint32_t slice)
{
	return s->start_ns[slice] + s->dur_ns[slice];
}

static void extend_track(struct ra_model *m, struct ra_track *track, int64_t start_ns,
                         int64_t end_ns)
{
	track->first_ns = start_ns < track->first_ns ? start_ns : track->first_ns;
	track->last_ns = end_ns > track->last_ns ? end_ns : track->last_ns;
	track->end_ns = track->last_ns;
	m->end_ns = end_ns > m->end_ns ? end_ns : m->end_ns;
}

static int compare_spans(const void *context, uint32_t left, uint32_t right)
{
	const struct ra_kineto *k = ((const struct building *) context)->kineto;
	const int order = RA_ORDER(ra_kineto_ts(k, left), ra_kineto_ts(k, right));

	return RA_ORDER_THEN(order, RA_ORDER(ra_kineto_dur(k, right), ra_kineto_dur(k, left)));
}

static void set_slice(struct building *building, uint32_t slice)
{
	struct ra_model *m = building->model;
	const struct ra_kineto *k = building->kineto;
	const uint32_t event = k->slice_event[slice];

	m->slices.start_ns[slice] = ra_kineto_model_start(k, event);
	m->slices.dur_ns[slice] = ra_kineto_model_dur(k, event);
	m->slices.name[slice] = k->name[event];
	m->slices.domain[slice] = ra_kineto_domains_find(&building->domains, m, event);
	m->slices.flags[slice] = 0;
}

static void fill_slice(struct building *building, uint32_t slice)
{
	struct ra_model *m = building->model;
	struct ra_kineto *k = building->kineto;
	const uint32_t event = k->slice_event[slice];
	struct ra_track *track = &m->tracks[building->track_of[ra_kineto_get_thread(k, event)]];

	set_slice(building, slice);
	if (k->kind[event] == RA_KINETO_BEGIN && building->ends[event] == RA_KINETO_NONE) {
		m->slices.flags[slice] |= RA_SLICE_OPEN;
	}
	if (track->slice_count++ == 0) {
		track->first_slice = slice;
	}
	extend_track(m, track, m->slices.start_ns[slice], find_end(&m->slices, slice));
}

/* Finds the parents of ranges of captures. They take no time, so times can't tell which range is
 * inside another. */
static void nest_captured(struct building *building)
{
	struct ra_slices *s = &building->model->slices;
	const struct ra_kineto *k = building->kineto;
	struct ra_kineto_captured *captured = k->captured;

	if (captured == NULL) {
		return;
	}
	captured->slices = ra_alloc_zeros(captured->count + 1, sizeof(*captured->slices));
	for (uint32_t i = 0; i < s->count; i++) {
		if (k->slice_event[i] >= captured->first) {
			const size_t place = k->slice_event[i] - captured->first;

			captured->slices[place] = i;
			if (captured->parents[place] != RA_KINETO_NONE) {
				s->parent[i] = captured->slices[captured->parents[place] -
				                                captured->first];
			}
		}
	}
}

static void make_slices(struct building *building)
{
	struct ra_model *m = building->model;
	struct ra_kineto *k = building->kineto;
	size_t count = 0;

	for (uint32_t i = 0; i < k->count; i++) {
		count += is_range(k, i, building->options);
		building->async_count += is_span(k, i);
	}
	allocate_slices(m, count + building->async_count);
	ra_util_resize(&k->slice_event, count + building->async_count + 1, sizeof(*k->slice_event));
	for (uint32_t i = 0; i < k->count; i++) {
		if (is_range(k, i, building->options)) {
			k->slice_event[m->slices.count++] = i;
		}
	}
	ra_run_sort_indices(k->slice_event, count, compare_ranges, building);
	for (uint32_t i = 0; i < count; i++) {
		fill_slice(building, i);
	}
	/* A track without slices gets the index at which the next track begins. */
	for (size_t t = m->track_count, next = count; t-- > 0;) {
		if (m->tracks[t].slice_count == 0) {
			m->tracks[t].first_slice = next;
		}
		next = m->tracks[t].first_slice;
	}
	for (size_t t = 0; t < m->track_count; t++) {
		ra_builder_nest(m, &m->tracks[t], &building->open, &building->open_capacity);
	}
	nest_captured(building);
}

/* ---- start/end ranges ---- */

static uint32_t find_track(const struct building *building, uint32_t event)
{
	return event == RA_KINETO_NONE
	               ? RA_NONE
	               : building->track_of[ra_kineto_get_thread(building->kineto, event)];
}

/* Makes start/end ranges of async events, on a track that comes after those of the threads. */
static void make_spans(struct building *building)
{
	struct ra_model *m = building->model;
	struct ra_kineto *k = building->kineto;
	const size_t first = m->slices.count;
	struct ra_track *track = &m->tracks[m->track_count];

	if (building->async_count == 0) {
		return;
	}
	for (uint32_t i = 0; i < k->count; i++) {
		if (is_span(k, i)) {
			k->slice_event[m->slices.count++] = i;
		}
	}
	ra_run_sort_indices(k->slice_event + first, building->async_count, compare_spans, building);
	m->spans = ra_alloc_zeros(building->async_count + 1, sizeof(*m->spans));
	*track = (struct ra_track){
		.kind = RA_TRACK_START_END,
		.first_slice = first,
		.slice_count = building->async_count,
		.first_mark = m->mark_count,
		.first_ns = INT64_MAX,
	};
	m->track_count++;
	for (size_t s = first; s < m->slices.count; s++) {
		const uint32_t event = k->slice_event[s];
		const uint32_t end = building->ends[event];

		set_slice(building, (uint32_t) s);
		m->slices.parent[s] = RA_NONE;
		m->slices.flags[s] = end == RA_KINETO_NONE ? RA_SLICE_OPEN : 0;
		m->spans[s - first] = (struct ra_span){
			.slice = (uint32_t) s,
			.start_track = find_track(building, event),
			.end_track = find_track(building, end),
			.id = s - first + 1,
		};
		m->span_count++;
		extend_track(m, track, m->slices.start_ns[s], find_end(&m->slices, (uint32_t) s));
	}
}

/* ---- marks ---- */

static void make_marks(struct building *building)
{
	struct ra_model *m = building->model;
	const struct ra_kineto *k = building->kineto;
	uint32_t *events = NULL;
	size_t count = 0;

	for (uint32_t i = 0; i < k->count && k->kind_count[RA_KINETO_INSTANT] > 0; i++) {
		if (is_mark(k, i)) {
			RA_UTIL_APPEND(events, count, building->mark_capacity, i);
		}
	}
	ra_run_sort_indices(events, count, compare_ranges, building);
	ra_util_resize(&m->marks, count + 1, sizeof(*m->marks));
	for (size_t i = 0; i < count; i++) {
		const uint32_t thread = ra_kineto_get_thread(k, events[i]);
		struct ra_track *track = &m->tracks[building->track_of[thread]];

		m->marks[m->mark_count] = (struct ra_mark){
			.time_ns = ra_kineto_model_start(k, events[i]),
			.name = k->name[events[i]],
			.track = building->track_of[thread],
			.domain = ra_kineto_domains_find(&building->domains, m, events[i]),
		};
		track->first_mark = track->mark_count++ == 0 ? m->mark_count : track->first_mark;
		extend_track(m, track, m->marks[m->mark_count].time_ns,
		             m->marks[m->mark_count].time_ns);
		m->mark_count++;
	}
	free(events);
}

/* ---- all ---- */

static void fill_quality(struct ra_model *m, const struct ra_kineto *k)
{
	struct ra_quality *q = &m->quality;

	q->events = k->count + k->dropped - (k->captured != NULL ? k->captured->count : 0);
	q->closed = true;
	q->unknown_events = k->oddities.unknown_phases;
	q->missing_rows = k->oddities.lost_events;
	q->first_damage = RLOG_NO_OFFSET;
	if (k->stop->code != 0) {
		q->damaged_stretches = 1;
		q->first_damage = k->stop->offset;
	}
	if (k->oddities.damages > 0) {
		q->damaged_stretches =
			k->oddities.damages + (k->stop->code == RLOG_E_TRUNCATED ? 1 : 0);
		q->damaged_bytes = k->oddities.lost_bytes;
		q->first_damage = k->oddities.lost_offset;
	}
}

/* Sets the time of day at time 0: from the file's base, or from the times themselves if they count
 * from 1970. If there is no base (a truncated file may lack it) and times are before 2001, the time
 * of day is unknown. */
static void fill_clock(struct ra_model *m, const struct ra_kineto *k)
{
	m->zero_ns = k->zero_ns;
	if (__builtin_add_overflow(k->base_ns, k->zero_ns, &m->zero_real_ns) ||
	    (k->base_ns == 0 && k->zero_ns < FIRST_REAL_NS)) {
		m->zero_real_ns = 0;
	}
}

static void make_all(struct building *building)
{
	struct ra_model *m = building->model;

	building->ends = ra_kineto_pairs_find(m);
	m->schemas = ra_alloc_zeros(1, sizeof(*m->schemas));
	ra_kineto_domains_init(&building->domains, m, building->options->with_python);
	make_tracks(building);
	make_slices(building);
	make_spans(building);
	make_marks(building);
	ra_kineto_samples_build(m);
	ra_kineto_model_build_gpu(m);
	for (size_t t = 0; t < m->track_count; t++) {
		if (m->tracks[t].first_ns == INT64_MAX) {
			m->tracks[t].first_ns = 0;
		}
	}
}

void ra_kineto_model_build(struct ra_model *model, struct ra_kineto *kineto,
                           const struct ra_kineto_model_options *options)
{
	struct building building = { .model = model, .kineto = kineto, .options = options };

	model->kineto = kineto;
	/* a trace that we made from a log has no operators */
	model->has |= kineto->is_ours ? 0 : RA_HAS_OPERATORS;
	model->file_bytes = kineto->file_bytes;
	model->strings = kineto->strings;
	model->string_count = kineto->string_count;
	model->name_count = kineto->string_count;
	fill_quality(model, kineto);
	fill_clock(model, kineto);
	make_all(&building);
	ra_kineto_origin_add(model);
	free(building.track_of);
	free(building.open);
	free(building.ends);
	ra_kineto_domains_fini(&building.domains);
}
