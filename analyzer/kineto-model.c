/* SPDX-License-Identifier: MIT */
/* From a Chrome trace's events to the model: threads, ranges, marks. */
#include "analyzer/kineto-model.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/kineto-sequence.h"
#include "analyzer/link.h"
#include "analyzer/schemas.h"
#include "analyzer/util-map.h"
#include "analyzer/util.h"
#include "format/error.h"

struct building {
	struct ra_model *model;
	struct ra_kineto *kineto;
	const struct ra_kineto_model_options *options;
	uint32_t *track_of; /* owned: thread → track, RA_NONE if it has none */
	uint32_t *open;     /* owned: stack of slices */
	size_t open_capacity;
	size_t mark_capacity;
	uint16_t *domain_of; /* owned: category → index into domains */
};

/* Merges two sorted neighbours of `from` into `to`. */
static void merge_runs(const uint32_t *from, uint32_t *to, const size_t ends[3],
                       int (*compare)(const void *, uint32_t, uint32_t), const void *context)
{
	size_t left = ends[0];
	size_t right = ends[1];

	for (size_t i = ends[0]; i < ends[2]; i++) {
		const bool is_left =
			left < ends[1] &&
			(right >= ends[2] || compare(context, from[left], from[right]) <= 0);

		to[i] = from[is_left ? left++ : right++];
	}
}

/* The end of the sorted run that begins at `first`. */
static size_t find_run(const uint32_t *indices, size_t first, size_t count,
                       int (*compare)(const void *, uint32_t, uint32_t), const void *context)
{
	size_t end = first + 1;

	while (end < count && compare(context, indices[end - 1], indices[end]) <= 0) {
		end++;
	}
	return end < count ? end : count;
}

int ra_kineto_model_sort(uint32_t *indices, size_t count,
                         int (*compare)(const void *context, uint32_t left, uint32_t right),
                         const void *context)
{
	uint32_t *scratch;
	uint32_t *from = indices;
	uint32_t *to;

	if (count == 0 || find_run(indices, 0, count, compare, context) == count) {
		return 0;
	}
	scratch = malloc(count * sizeof(*scratch));
	if (scratch == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	to = scratch;
	for (bool is_sorted = false; !is_sorted;) {
		size_t runs = 0;

		for (size_t first = 0; first < count; runs++) {
			const size_t middle = find_run(from, first, count, compare, context);
			const size_t end = middle < count
			                           ? find_run(from, middle, count, compare, context)
			                           : count;

			merge_runs(from, to, (const size_t[]){ first, middle, end }, compare,
			           context);
			first = end;
		}
		is_sorted = runs <= 1;
		uint32_t *swap = from;

		from = to;
		to = swap;
	}
	if (from != indices) {
		memcpy(indices, from, count * sizeof(*indices));
	}
	free(scratch);
	return 0;
}

bool ra_kineto_model_is_range(const struct ra_kineto *kineto, uint32_t event,
                              const struct ra_kineto_model_options *options)
{
	if ((kineto->flags[event] & RA_KINETO_HAS_TS) == 0) {
		return false;
	}
	switch ((enum ra_kineto_kind) kineto->kind[event]) {
	case RA_KINETO_OTHER:
	case RA_KINETO_CPU_OP:
	case RA_KINETO_USER_ANNOTATION:
	case RA_KINETO_BEGIN:
		return true;
	case RA_KINETO_PYTHON_FUNCTION:
		return options->with_python;
	default:
		return false;
	}
}

static bool is_call(const struct ra_kineto *k, uint32_t event)
{
	return (k->flags[event] & RA_KINETO_HAS_TS) != 0 &&
	       (k->kind[event] == RA_KINETO_RUNTIME || k->kind[event] == RA_KINETO_DRIVER);
}

/* The profiler's own marks say when it recorded, and stand on threads that are none. */
static bool is_mark(const struct ra_kineto *k, uint32_t event)
{
	static const char start[] = "Iteration Start: ";
	const struct rlog_string name = ra_kineto_string(k, k->name[event]);

	return k->kind[event] == RA_KINETO_INSTANT && (k->flags[event] & RA_KINETO_HAS_TS) != 0 &&
	       !ra_kineto_is_text(k, k->name[event], "Record Window End") &&
	       !(name.length >= sizeof(start) - 1 &&
	         memcmp(name.bytes, start, sizeof(start) - 1) == 0);
}

/* ---- B and E ---- */

/*
 * Gives each B the time to its E, per thread, in the order of the file, which is that of time in
 * such traces. What stays open ends with the trace.
 */
static int pair_begins(struct building *building)
{
	struct ra_kineto *k = building->kineto;
	struct ra_quality *q = &building->model->quality;
	uint32_t *newest; /* by thread: the B that is open */
	uint32_t *below;  /* by event: the one around it */
	int64_t end_ns = k->zero_ns;

	if (k->kind_count[RA_KINETO_BEGIN] + k->kind_count[RA_KINETO_END] == 0) {
		return 0;
	}
	newest = malloc((k->thread_count + 1) * sizeof(*newest));
	below = malloc((k->count + 1) * sizeof(*below));
	if (newest == NULL || below == NULL) {
		free(newest);
		free(below);
		return -RLOG_E_NO_MEMORY;
	}
	memset(newest, 0xFF, k->thread_count * sizeof(*newest));
	for (uint32_t i = 0; i < k->count; i++) {
		uint32_t *top = &newest[k->thread[i]];

		if ((k->flags[i] & RA_KINETO_HAS_TS) == 0) {
			continue;
		}
		end_ns = k->ts_ns[i] > end_ns ? k->ts_ns[i] : end_ns;
		if (k->kind[i] == RA_KINETO_BEGIN) {
			below[i] = *top;
			*top = i;
		} else if (k->kind[i] == RA_KINETO_END && *top == RA_NONE) {
			q->unmatched_pops++;
		} else if (k->kind[i] == RA_KINETO_END) {
			k->dur_ns[*top] = k->ts_ns[i] - k->ts_ns[*top];
			*top = below[*top];
		}
	}
	for (size_t t = 0; t < k->thread_count; t++) {
		for (uint32_t i = newest[t]; i != RA_NONE; i = below[i]) {
			k->dur_ns[i] = end_ns - k->ts_ns[i];
			q->open_ranges++;
		}
	}
	free(newest);
	free(below);
	return 0;
}

/* ---- threads ---- */

static int compare_threads(const void *context, uint32_t left, uint32_t right)
{
	const struct ra_kineto *k = context;
	const struct ra_kineto_thread *a = &k->threads[left];
	const struct ra_kineto_thread *b = &k->threads[right];

	if (a->pid_number != b->pid_number) {
		return a->pid_number < b->pid_number ? -1 : 1;
	}
	return a->tid_number < b->tid_number ? -1 : a->tid_number > b->tid_number;
}

static char *copy_empty(void)
{
	return calloc(1, 1);
}

/* The process of a thread. Those without a number share one. Return: its index; -1: no memory. */
static int64_t find_process(struct building *building, const struct ra_kineto_thread *thread)
{
	struct ra_model *m = building->model;
	const int64_t pid = thread->pid_number == INT64_MIN ? 0 : thread->pid_number;
	struct ra_process *process;

	for (size_t i = m->process_count; i-- > 0;) {
		if (m->processes[i].pid == pid) {
			return (int64_t) i;
		}
	}
	if (ra_util_resize(&m->processes, m->process_count + 1, sizeof(*m->processes)) != 0) {
		return -1;
	}
	process = &m->processes[m->process_count++];
	*process = (struct ra_process){
		.pid = pid,
		.rank = building->kineto->rank,
		.host = copy_empty(),
		.exe = copy_empty(),
	};
	return process->host != NULL && process->exe != NULL ? (int64_t) m->process_count - 1 : -1;
}

/* A track for each thread with ranges, calls or marks, ordered by pid and tid. */
static int make_tracks(struct building *building)
{
	struct ra_model *m = building->model;
	struct ra_kineto *k = building->kineto;
	uint32_t *order = calloc(k->thread_count + 1, sizeof(*order));
	int rc;

	building->track_of = calloc(k->thread_count + 1, sizeof(*building->track_of));
	m->tracks = calloc(k->thread_count + 2, sizeof(*m->tracks));
	rc = order == NULL || building->track_of == NULL || m->tracks == NULL ? -RLOG_E_NO_MEMORY
	                                                                      : 0;
	for (uint32_t i = 0; i < k->count && rc == 0; i++) {
		building->track_of[k->thread[i]] |=
			ra_kineto_model_is_range(k, i, building->options) || is_call(k, i) ||
			is_mark(k, i);
	}
	for (uint32_t t = 0; t < k->thread_count && rc == 0; t++) {
		order[t] = t;
	}
	if (rc == 0) {
		rc = ra_kineto_model_sort(order, k->thread_count, compare_threads, k);
	}
	for (size_t t = 0; t < k->thread_count && rc == 0; t++) {
		struct ra_kineto_thread *thread = &k->threads[order[t]];
		const bool has_track = building->track_of[order[t]] != 0;
		const int64_t process = has_track ? find_process(building, thread) : 0;

		building->track_of[order[t]] = RA_NONE;
		if (!has_track) {
			continue;
		}
		rc = process < 0 ? -RLOG_E_NO_MEMORY : 0;
		thread->track = (uint32_t) m->track_count;
		building->track_of[order[t]] = thread->track;
		m->tracks[m->track_count++] = (struct ra_track){
			.kind = RA_TRACK_THREAD,
			.stream = order[t] + 1,
			.process = (uint32_t) process,
			.tid = thread->tid_number == INT64_MIN ? 0 : thread->tid_number,
			.name = thread->name,
			.first_ns = INT64_MAX,
			.events = thread->events,
		};
	}
	if (rc == 0 && m->process_count == 0) {
		rc = find_process(building, &(struct ra_kineto_thread){ 0 }) < 0 ? -RLOG_E_NO_MEMORY
		                                                                 : 0;
	}
	free(order);
	return rc;
}

/* ---- domains ---- */

/* Ranges of the user are in the default domain; each other category is a domain of its name. */
static int make_domains(struct building *building)
{
	struct ra_model *m = building->model;
	const struct ra_kineto *k = building->kineto;

	building->domain_of = calloc(k->category_count + 1, sizeof(*building->domain_of));
	m->domains = calloc(k->category_count + 1, sizeof(*m->domains));
	if (building->domain_of == NULL || m->domains == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	m->domain_count = 1;
	for (size_t c = 1; c < k->category_count && m->domain_count < UINT16_MAX - 16; c++) {
		const enum ra_kineto_kind kind = k->categories[c].kind;

		if (kind != RA_KINETO_OTHER && kind != RA_KINETO_CPU_OP &&
		    kind != RA_KINETO_PYTHON_FUNCTION) {
			continue;
		}
		building->domain_of[c] = (uint16_t) m->domain_count;
		m->domains[m->domain_count] = (struct ra_domain){
			.id = (uint32_t) m->domain_count,
			.name = k->categories[c].name,
		};
		m->domain_count++;
	}
	return 0;
}

/* ---- ranges ---- */

static int compare_ranges(const void *context, uint32_t left, uint32_t right)
{
	const struct building *building = context;
	const struct ra_kineto *k = building->kineto;
	const uint32_t a = building->track_of[k->thread[left]];
	const uint32_t b = building->track_of[k->thread[right]];

	if (a != b) {
		return a < b ? -1 : 1;
	}
	if (k->ts_ns[left] != k->ts_ns[right]) {
		return k->ts_ns[left] < k->ts_ns[right] ? -1 : 1;
	}
	if (k->dur_ns[left] != k->dur_ns[right]) {
		return k->dur_ns[left] > k->dur_ns[right] ? -1 : 1;
	}
	return left < right ? -1 : 1;
}

static int allocate_slices(struct ra_model *m, size_t count)
{
	struct ra_slices *s = &m->slices;

	if (ra_util_resize(&s->start_ns, count + 1, sizeof(*s->start_ns)) != 0 ||
	    ra_util_resize(&s->dur_ns, count + 1, sizeof(*s->dur_ns)) != 0 ||
	    ra_util_resize(&s->name, count + 1, sizeof(*s->name)) != 0 ||
	    ra_util_resize(&s->parent, count + 1, sizeof(*s->parent)) != 0 ||
	    ra_util_resize(&s->domain, count + 1, sizeof(*s->domain)) != 0 ||
	    ra_util_resize(&s->flags, count + 1, sizeof(*s->flags)) != 0) {
		return -RLOG_E_NO_MEMORY;
	}
	return 0;
}

static int64_t find_end(const struct ra_slices *s, uint32_t slice)
{
	return s->start_ns[slice] + s->dur_ns[slice];
}

/*
 * Finds the parents of one thread's slices. A slice that ends behind the end of the one it began in
 * crosses it and stands outside the tree.
 */
static int nest_slices(struct building *building, const struct ra_track *track)
{
	struct ra_model *m = building->model;
	struct ra_slices *s = &m->slices;
	size_t depth = 0;

	for (size_t n = 0; n < track->slice_count; n++) {
		const uint32_t i = (uint32_t) (track->first_slice + n);

		while (depth > 0 && find_end(s, building->open[depth - 1]) <= s->start_ns[i]) {
			depth--;
		}
		s->parent[i] = depth > 0 ? building->open[depth - 1] : RA_NONE;
		if (depth > 0 && find_end(s, i) > find_end(s, s->parent[i])) {
			s->parent[i] = RA_NONE;
			s->flags[i] |= RA_SLICE_CROSSING;
			m->quality.crossing_ranges++;
			continue;
		}
		if (ra_util_grow(&building->open, &building->open_capacity, depth + 1,
		                 sizeof(*building->open)) != 0) {
			return -RLOG_E_NO_MEMORY;
		}
		building->open[depth++] = i;
	}
	return 0;
}

static void extend_track(struct ra_model *m, struct ra_track *track, int64_t start_ns,
                         int64_t end_ns)
{
	track->first_ns = start_ns < track->first_ns ? start_ns : track->first_ns;
	track->last_ns = end_ns > track->last_ns ? end_ns : track->last_ns;
	track->end_ns = track->last_ns;
	m->end_ns = end_ns > m->end_ns ? end_ns : m->end_ns;
}

static void fill_slice(struct building *building, uint32_t slice)
{
	struct ra_model *m = building->model;
	struct ra_kineto *k = building->kineto;
	const uint32_t event = k->slice_event[slice];
	struct ra_track *track = &m->tracks[building->track_of[k->thread[event]]];

	m->slices.start_ns[slice] = ra_kineto_model_start(k, event);
	m->slices.dur_ns[slice] = ra_kineto_model_dur(k, event);
	m->slices.name[slice] = k->name[event];
	m->slices.domain[slice] = building->domain_of[k->category[event]];
	m->slices.flags[slice] = 0;
	if (track->slice_count++ == 0) {
		track->first_slice = slice;
	}
	extend_track(m, track, m->slices.start_ns[slice], find_end(&m->slices, slice));
}

static int make_slices(struct building *building)
{
	struct ra_model *m = building->model;
	struct ra_kineto *k = building->kineto;
	size_t count = 0;
	int rc = 0;

	for (uint32_t i = 0; i < k->count; i++) {
		count += ra_kineto_model_is_range(k, i, building->options);
	}
	rc = allocate_slices(m, count);
	if (rc == 0) {
		rc = ra_util_resize(&k->slice_event, count + 1, sizeof(*k->slice_event));
	}
	for (uint32_t i = 0; i < k->count && rc == 0; i++) {
		if (ra_kineto_model_is_range(k, i, building->options)) {
			k->slice_event[m->slices.count++] = i;
		}
	}
	if (rc == 0) {
		rc = ra_kineto_model_sort(k->slice_event, count, compare_ranges, building);
	}
	for (uint32_t i = 0; i < count && rc == 0; i++) {
		fill_slice(building, i);
	}
	/* Tracks without slices stand at the place of the next one's. */
	for (size_t t = m->track_count, next = count; t-- > 0 && rc == 0;) {
		if (m->tracks[t].slice_count == 0) {
			m->tracks[t].first_slice = next;
		}
		next = m->tracks[t].first_slice;
	}
	for (size_t t = 0; t < m->track_count && rc == 0; t++) {
		rc = nest_slices(building, &m->tracks[t]);
	}
	return rc;
}

/* ---- marks ---- */

static int make_marks(struct building *building)
{
	struct ra_model *m = building->model;
	const struct ra_kineto *k = building->kineto;
	uint32_t *events = NULL;
	size_t count = 0;
	int rc = 0;

	for (uint32_t i = 0; i < k->count && k->kind_count[RA_KINETO_INSTANT] > 0; i++) {
		if (is_mark(k, i) && rc == 0) {
			rc = ra_util_grow(&events, &building->mark_capacity, count + 1,
			                  sizeof(*events));
			if (rc == 0) {
				events[count++] = i;
			}
		}
	}
	if (rc == 0) {
		rc = ra_kineto_model_sort(events, count, compare_ranges, building);
	}
	if (rc == 0) {
		rc = ra_util_resize(&m->marks, count + 1, sizeof(*m->marks));
	}
	for (size_t i = 0; i < count && rc == 0; i++) {
		const uint32_t thread = k->thread[events[i]];
		struct ra_track *track = &m->tracks[building->track_of[thread]];

		m->marks[m->mark_count] = (struct ra_mark){
			.time_ns = ra_kineto_model_start(k, events[i]),
			.name = k->name[events[i]],
			.track = building->track_of[thread],
		};
		track->first_mark = track->mark_count++ == 0 ? m->mark_count : track->first_mark;
		extend_track(m, track, m->marks[m->mark_count].time_ns,
		             m->marks[m->mark_count].time_ns);
		m->mark_count++;
	}
	free(events);
	return rc;
}

/* ---- all ---- */

static void fill_quality(struct ra_model *m, const struct ra_kineto *k)
{
	struct ra_quality *q = &m->quality;

	q->events = k->count;
	q->closed = true;
	q->unknown_events = k->oddities.unknown_phases;
	q->first_damage = RLOG_NO_OFFSET;
	if (k->stop->code != 0) {
		q->damaged_stretches = 1;
		q->first_damage = k->stop->offset;
	}
}

/* Times since 1970: of the file's base, or of its times themselves where they are such. */
static void fill_clock(struct ra_model *m, const struct ra_kineto *k)
{
	m->zero_ns = k->zero_ns;
	if (__builtin_add_overflow(k->base_ns, k->zero_ns, &m->zero_real_ns)) {
		m->zero_real_ns = 0;
	}
}

static int link_model(struct ra_model *m, const struct ra_link_options *options)
{
	struct ra_link_options with_causes = *options;
	uint32_t *causes = NULL;
	int rc = options->with_sequence ? ra_kineto_sequence_find(m, &causes) : 0;

	with_causes.causes = causes;
	if (rc == 0) {
		rc = ra_link_build(m, &with_causes);
	}
	free(causes);
	return rc;
}

static int make_all(struct building *building)
{
	struct ra_model *m = building->model;
	int rc = pair_begins(building);

	m->schemas = calloc(1, sizeof(*m->schemas));
	if (rc == 0 && m->schemas == NULL) {
		rc = -RLOG_E_NO_MEMORY;
	}
	if (rc == 0) {
		rc = make_domains(building);
	}
	if (rc == 0) {
		rc = make_tracks(building);
	}
	if (rc == 0) {
		rc = make_slices(building);
	}
	if (rc == 0) {
		rc = make_marks(building);
	}
	if (rc == 0) {
		rc = ra_kineto_model_build_gpu(m);
	}
	for (size_t t = 0; t < m->track_count; t++) {
		if (m->tracks[t].first_ns == INT64_MAX) {
			m->tracks[t].first_ns = 0;
		}
	}
	return rc == 0 ? link_model(m, &building->options->link) : rc;
}

int ra_kineto_model_build(struct ra_model *model, struct ra_kineto *kineto,
                          const struct ra_kineto_model_options *options)
{
	struct building building = { .model = model, .kineto = kineto, .options = options };
	int rc;

	model->kineto = kineto;
	model->strings = kineto->strings;
	model->string_count = kineto->string_count;
	model->name_count = kineto->string_count;
	fill_quality(model, kineto);
	fill_clock(model, kineto);
	rc = make_all(&building);
	free(building.track_of);
	free(building.open);
	free(building.domain_of);
	return rc;
}
