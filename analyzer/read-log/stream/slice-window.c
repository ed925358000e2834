/* SPDX-License-Identifier: MIT */
/* A window on a model's slices that moves over a thread. */
#include "analyzer/read-log/stream/slice-window.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/read-log/stream/slice-window-impl.h"

/* The window moves when there are this many new slices. They and their data fit into a cache. */
#define LEAST_SLICES 4096

#define MOST_DATA_BYTES ((size_t) 1 << 20)

/* Limits for a walk: 25 MB and 16 MB. If there is more, the walk is given up, and the model must
 * hold everything. */
#define MOST_SAMPLES ((size_t) 1 << 20)
#define MOST_LATE    ((size_t) 1 << 20)

static void make_totals(struct ra_model *m)
{
	m->totals = ra_alloc_zeros(1, sizeof(*m->totals));
	m->totals->tracks = ra_alloc_zeros(m->track_count + 1, sizeof(*m->totals->tracks));
	m->totals->first_ns = INT64_MAX;
}

struct ra_slice_window *ra_slice_window_create(struct ra_builder *builder,
                                               const struct ra_slice_sink *sink)
{
	struct ra_slice_window *window = ra_alloc_zeros(1, sizeof(*window));
	struct ra_model *m = builder->model;

	window->builder = builder;
	window->model = m;
	window->sink = sink;
	sink->begin(sink->context, m);
	make_totals(m);
	return window;
}

struct ra_slice_window *ra_slice_window_create_walk(struct ra_builder *builder,
                                                    struct ra_slice_late *late)
{
	struct ra_slice_window *window = ra_alloc_zeros(1, sizeof(*window));

	window->builder = builder;
	window->model = builder->model;
	window->late = late;
	ra_slice_late_set_part(late, builder->model->track_count);
	if (builder->model->totals == NULL) {
		make_totals(builder->model);
	}
	return window;
}

void ra_slice_window_note_walk(struct ra_slice_window *window, struct ra_slice_late *late)
{
	window->late = late;
	ra_slice_late_set_part(late, window->model->track_count);
}

void ra_slice_window_show(struct ra_slice_window *window, const struct ra_model *whole,
                          struct ra_track *tracks, ra_walk_take *take, void *context)
{
	window->whole = whole;
	window->tracks = tracks;
	window->take = take;
	window->take_context = context;
}

void ra_slice_window_show_first(struct ra_slice_window *window, const struct ra_slice_ends *ends)
{
	window->ends = ends;
}

bool ra_slice_window_is_walk(const struct ra_slice_window *window)
{
	return window->late != NULL;
}

void ra_slice_window_destroy(struct ra_slice_window *window)
{
	if (window != NULL) {
		free(window->late_of);
		free(window->parents);
		free(window->foreseen);
		free(window->tags);
		free(window->moved);
		free(window);
	}
}

void ra_slice_window_bind(struct ra_slice_window *window, struct ra_stack *stack,
                          struct ra_sync *sync)
{
	window->stack = stack;
	window->sync = sync;
}

/* True until one pass has seen the whole log. */
static bool is_first_pass(const struct ra_slice_window *window)
{
	return window->whole == NULL || window->ends != NULL;
}

void ra_slice_window_begin_track(struct ra_slice_window *window, size_t track)
{
	window->track = track;
	window->until_ns = INT64_MIN;
	window->kept = 0;
	window->enough = window->late != NULL ? window->late->part : LEAST_SLICES;
	window->marks = 0;
	if (window->late == NULL) {
		return;
	}
	if (is_first_pass(window)) {
		ra_slice_late_begin_track(window->late, track);
	}
	window->late_next = window->late->firsts[track];
}

bool ra_slice_window_is_lost(const struct ra_slice_window *window)
{
	return window->is_lost;
}

void ra_slice_window_lose(struct ra_slice_window *window)
{
	window->is_lost = true;
}

/* Gives up if a range or mark may have its name in its payload, because payloads are only read
 * later. */
static void look_for_messages(struct ra_slice_window *window)
{
	const struct ra_model *m = window->model;

	for (size_t i = 0; i < m->slice_data.count; i++) {
		const uint32_t owner = m->slice_data.rows[i].owner;

		if (owner != RA_NONE && m->slices.name[owner] == 0) {
			window->is_lost = true;
		}
	}
	for (size_t i = 0; window->late != NULL && i < m->mark_data.count; i++) {
		window->is_lost |= m->marks[m->mark_data.rows[i].owner].name == 0;
	}
}

static void count_marks(struct ra_slice_window *window)
{
	struct ra_model *m = window->model;
	struct ra_totals *totals = m->totals;
	const size_t known = totals->mark_capacity;

	window->marks += m->mark_count;
	ra_util_grow(&totals->marks, &totals->mark_capacity, m->domain_count,
	             sizeof(*totals->marks));
	if (totals->mark_capacity > known) {
		memset(totals->marks + known, 0,
		       (totals->mark_capacity - known) * sizeof(*totals->marks));
	}
	for (size_t i = 0; i < m->mark_count; i++) {
		totals->marks[m->marks[i].domain]++;
	}
}

/* Drops samples that nothing needs. Samples that are structures can't stay, because the data they
 * refer to is dropped. */
static void drop_samples(struct ra_slice_window *window)
{
	struct ra_model *m = window->model;
	const bool keeps =
		window->late != NULL ? window->whole == NULL : window->sink->keeps_samples;

	if (keeps && window->late == NULL) {
		window->is_lost |= m->sample_data.count > 0;
	}
	m->sample_count = keeps ? m->sample_count : 0;
	m->sample_data.count = 0;
}

/* Drops data of single events that the model would hold and that no sum needs. */
void ra_slice_window_drop_details(struct ra_slice_window *window)
{
	struct ra_model *m = window->model;

	look_for_messages(window);
	count_marks(window);
	window->is_lost |= m->call_count > 0 || m->slice_count_count > 0;
	m->mark_count = 0;
	m->mark_attr_count = 0;
	m->mark_data.count = 0;
	m->slice_attr_count = 0;
	m->slice_data.count = 0;
	drop_samples(window);
	m->handoff_count = 0;
	m->sync_time_count = 0;
	window->builder->data_byte_count = 0;
}

/* Moves an open slice to the front of the arrays. */
static void keep_slice(struct ra_slice_window *window, size_t slice)
{
	struct ra_slices *s = &window->model->slices;
	const size_t kept = window->kept++;
	uint32_t parent = s->parent[slice];

	/* The parent of an open slice is open, unless the slice crosses it. */
	if (parent != RA_NONE) {
		parent = window->moved[parent] < kept && (s->flags[slice] & RA_SLICE_CROSSING) == 0
		                 ? window->moved[parent]
		                 : RA_NONE;
	}
	window->moved[slice] = (uint32_t) kept;
	if (window->late != NULL) {
		window->late_of[kept] = window->late_of[slice];
	}
	if (window->whole != NULL) {
		window->tags[kept] = window->tags[slice];
	}
	s->start_ns[kept] = s->start_ns[slice];
	s->name[kept] = s->name[slice];
	s->domain[kept] = s->domain[slice];
	s->flags[kept] = s->flags[slice];
	s->parent[kept] = parent;
}

/* Keeps only the open slices, in order. Adds all slices to the track's totals; an open slice covers
 * the time up to now. */
static void keep_open(struct ra_slice_window *window, int64_t now_ns)
{
	struct ra_slices *s = &window->model->slices;
	struct ra_totals_track *totals = &window->model->totals->tracks[window->track];
	const size_t count = s->count;
	const size_t known = window->moved_capacity;
	int64_t until_ns = window->until_ns;
	int64_t covered_ns = 0;
	size_t waits = 0; /* number of waits that have ended */

	ra_util_grow(&window->moved, &window->moved_capacity, count, sizeof(*window->moved));
	for (size_t i = known; i < window->moved_capacity; i++) {
		window->moved[i] = RA_NONE;
	}
	window->kept = 0;
	for (size_t i = 0; i < count; i++) {
		const int64_t start_ns = s->start_ns[i];
		const int64_t dur_ns = s->dur_ns[i];
		int64_t end_ns = start_ns + dur_ns;

		if (dur_ns == RA_SLICE_SINK_OPEN) {
			end_ns = now_ns;
			keep_slice(window, i);
		}
		if ((s->flags[i] & RA_SLICE_WAIT) != 0) {
			waits += dur_ns != RA_SLICE_SINK_OPEN;
			continue;
		}
		/* Uses no branches, as range-sums.h does. */
		until_ns = start_ns > until_ns ? start_ns : until_ns;
		covered_ns += end_ns > until_ns ? end_ns - until_ns : 0;
		until_ns = end_ns > until_ns ? end_ns : until_ns;
	}
	totals->ranges += count - window->kept - waits;
	totals->covered_ns = ra_util_add_wrapped(totals->covered_ns, covered_ns);
	window->until_ns = until_ns;
	s->count = window->kept;
	ra_stack_renumber(window->stack, window->moved);
	ra_sync_renumber(window->sync, window->moved);
}

/* Gives the slices to the sink. */
static void give(const struct ra_slice_window *window, int64_t now_ns)
{
	const struct ra_slice_stretch stretch = {
		.model = window->model,
		.track = window->track,
		.now_ns = now_ns,
	};

	window->sink->take(window->sink->context, &stretch);
}

void ra_slice_window_pass(struct ra_slice_window *window, int64_t now_ns)
{
	const size_t open = ra_stack_mark_open(window->stack, RA_SLICE_SINK_OPEN);

	give(window, now_ns);
	keep_open(window, now_ns);
	/* Each move scans the whole stack. So if it is deep or has many domains, the window waits
	 * for more new slices. */
	window->enough = LEAST_SLICES + 2 * open + window->stack->touched_count;
}

/* ---- walks ---- */

/* Gives up if there are data that a walk can't show part by part. */
static void look_for_late(struct ra_slice_window *window)
{
	const struct ra_model *m = window->model;

	/* The range was shown when it began, but its data come with its end. */
	for (size_t i = 0; i < m->slice_data.count; i++) {
		window->is_lost |= m->slice_data.rows[i].owner < window->kept;
	}
	window->is_lost |= m->sample_data.count > 0 || m->sample_count > MOST_SAMPLES ||
	                   window->late->count > MOST_LATE;
}

/* In the first pass, gives a slice that stays open a row in `late`. When the slice closes, stores
 * its end in that row. */
static void note_late(struct ra_slice_window *window)
{
	const struct ra_slices *s = &window->model->slices;
	struct ra_totals *totals = window->model->totals;

	ra_util_grow(&window->late_of, &window->late_capacity, s->count, sizeof(*window->late_of));
	for (size_t i = 0; i < s->count; i++) {
		const bool is_open = s->dur_ns[i] == RA_SLICE_SINK_OPEN;

		if (i < window->kept && !is_open) {
			window->late->rows[window->late_of[i]] =
				(struct ra_slice_late_row){ s->dur_ns[i], s->flags[i], 0, 0 };
		} else if (i >= window->kept && is_open) {
			window->late_of[i] = (uint32_t) ra_slice_late_add(window->late);
		}
	}
	if (s->count > window->kept && s->start_ns[window->kept] < totals->first_ns) {
		totals->first_ns = s->start_ns[window->kept];
	}
	if (window->model->mark_count > 0 && window->model->marks[0].time_ns < totals->first_ns) {
		totals->first_ns = window->model->marks[0].time_ns;
	}
}

static bool will_cross(const struct ra_slice_window *window, size_t slice)
{
	const uint8_t flags = slice < window->kept
	                              ? window->late->rows[window->late_of[slice]].flags
	                              : window->model->slices.flags[slice];

	return (flags & RA_SLICE_CROSSING) != 0;
}

/* Finds the parents that slices will have in the end. A slice that will cross others has neither
 * parent nor children. A parent was open when its child began, so it is in the window. */
static void find_parents(struct ra_slice_window *window)
{
	const struct ra_slices *s = &window->model->slices;
	uint32_t *parents;

	ra_util_grow(&window->parents, &window->parent_capacity, s->count,
	             sizeof(*window->parents));
	parents = window->parents;
	for (size_t i = 0; i < s->count; i++) {
		const uint32_t parent = s->parent[i];

		parents[i] =
			parent != RA_NONE && will_cross(window, parent) ? parents[parent] : parent;
	}
	for (size_t i = 0; i < s->count; i++) {
		parents[i] = will_cross(window, i) ? RA_NONE : parents[i];
	}
}

/* Shows marks and new slices. Slices that are still open get their final ends from `late`. */
static void show_part(struct ra_slice_window *window, int64_t until_ns)
{
	struct ra_model *m = window->model;
	struct ra_slices *s = &m->slices;
	struct ra_model part = *window->whole;
	struct ra_track *track = &window->tracks[window->track];
	const size_t from = window->late_next;

	ra_util_grow(&window->late_of, &window->late_capacity, s->count, sizeof(*window->late_of));
	for (size_t i = window->kept; i < s->count; i++) {
		if (s->dur_ns[i] == RA_SLICE_SINK_OPEN && window->late_next < window->late->count) {
			struct ra_slice_late_row *row = &window->late->rows[window->late_next];

			window->late_of[i] = (uint32_t) window->late_next++;
			row->slice = (uint32_t) i;
			row->now = s->flags[i];
			s->dur_ns[i] = row->dur_ns;
			s->flags[i] = row->flags;
		}
	}
	ra_builder_sort_data(window->builder);
	find_parents(window);
	ra_util_grow(&window->tags, &window->tag_capacity, s->count, sizeof(*window->tags));
	track->first_slice = window->kept;
	track->slice_count = s->count - window->kept;
	track->first_mark = 0;
	track->mark_count = m->mark_count;
	part.tracks = window->tracks;
	part.slices = *s;
	part.slices.parent = window->parents;
	part.part_tags = window->tags;
	part.marks = m->marks;
	part.mark_count = m->mark_count;
	part.slice_attrs = m->slice_attrs;
	part.slice_attr_count = m->slice_attr_count;
	part.mark_attrs = m->mark_attrs;
	part.mark_attr_count = m->mark_attr_count;
	part.data_bytes = m->data_bytes;
	part.slice_data = m->slice_data;
	part.mark_data = m->mark_data;
	window->take(window->take_context, &part, until_ns);
	for (size_t i = from; i < window->late_next; i++) {
		const struct ra_slice_late_row *row = &window->late->rows[i];

		s->dur_ns[row->slice] = RA_SLICE_SINK_OPEN;
		s->flags[row->slice] = row->now;
	}
}

/* In the first pass: counts slices, marks and data. @open: number of slices that will be seen
 * again. */
static void count_passed(struct ra_slice_window *window, size_t open)
{
	const struct ra_model *m = window->model;
	struct ra_totals *totals = m->totals;

	totals->slice_count += m->slices.count - open;
	totals->mark_count += m->mark_count;
	totals->data_count += m->mark_data.count;
	for (size_t i = 0; i < m->slice_data.count; i++) {
		totals->data_count += m->slice_data.rows[i].owner != RA_NONE;
	}
	totals->handoff_count += m->handoff_count;
}

/* Moves the window of a walk. @now_ns: open slices cover the time up to this. */
static void step(struct ra_slice_window *window, int64_t now_ns, int64_t until_ns)
{
	const size_t open = ra_stack_mark_open(window->stack, RA_SLICE_SINK_OPEN);

	if (is_first_pass(window)) {
		look_for_late(window);
		count_passed(window, open);
	}
	if (window->ends != NULL) {
		ra_slice_ends_foresee(window, open);
		if (window->is_lost) {
			return; /* the results will not be used */
		}
	}
	if (window->whole == NULL) {
		note_late(window);
	} else {
		show_part(window, until_ns);
	}
	if (window->sink != NULL) {
		give(window, now_ns);
	}
	ra_slice_window_drop_details(window);
	keep_open(window, now_ns);
	window->enough = window->late->part + 2 * open + window->stack->touched_count;
}

void ra_slice_window_step(struct ra_slice_window *window, int64_t now_ns, int64_t next_ns)
{
	const struct ra_model *m = window->model;

	/* Events of the same time stay in one part, because outputs may change their order. */
	if (next_ns > now_ns &&
	    (m->slices.count >= window->enough || m->mark_count >= window->enough ||
	     window->builder->data_byte_count >= MOST_DATA_BYTES)) {
		step(window, now_ns, next_ns);
	}
}

/* ---- */

void ra_slice_window_move(struct ra_slice_window *window, int64_t now_ns)
{
	ra_slice_window_drop_details(window);
	if (!window->is_lost && window->model->slices.count >= window->enough) {
		ra_slice_window_pass(window, now_ns);
	}
}

/* Stores the first ranges that were never closed, which the report will name. */
static void note_open(struct ra_slice_window *window, size_t track)
{
	const struct ra_slices *s = &window->model->slices;

	for (size_t i = 0; i < s->count && window->open_count < RA_OPEN_RANGES_NAMED; i++) {
		if ((s->flags[i] & RA_SLICE_OPEN) != 0) {
			window->open[window->open_count++] = (struct open_range){
				track,      s->start_ns[i], s->dur_ns[i],
				s->name[i], s->domain[i],   s->flags[i],
			};
		}
	}
}

void ra_slice_window_move_open(struct ra_slice_window *to, const struct ra_slice_window *from)
{
	for (size_t i = 0; i < from->open_count && to->open_count < RA_OPEN_RANGES_NAMED; i++) {
		to->open[to->open_count++] = from->open[i];
	}
}

void ra_slice_window_end_track(struct ra_slice_window *window)
{
	if (window->late != NULL) {
		if (is_first_pass(window)) {
			note_open(window, window->track);
		}
		step(window, INT64_MIN, INT64_MAX);
		window->model->tracks[window->track].mark_count = window->marks;
		return;
	}
	ra_slice_window_drop_details(window);
	window->model->tracks[window->track].mark_count = window->marks;
	if (!window->is_lost && window->model->slices.count > 0) {
		note_open(window, window->track);
		ra_slice_window_pass(window, INT64_MIN);
	}
}

void ra_slice_window_take_spans(struct ra_slice_window *window, size_t track)
{
	struct ra_model *m = window->model;
	const struct ra_slice_stretch stretch = { .model = m, .track = track };

	if (window->late != NULL) { /* a walk finds such ranges itself */
		window->is_lost |= m->slice_data.count > 0;
		window->base = m->slices.count;
		if (window->sink != NULL) {
			window->sink->take(window->sink->context, &stretch);
		}
		return;
	}
	ra_slice_window_drop_details(window);
	note_open(window, track);
	window->sink->take(window->sink->context, &stretch);
	m->slices.count = 0;
	m->span_count = 0;
	m->tracks[track].first_slice = 0;
	m->tracks[track].slice_count = 0;
}

void ra_slice_window_finish(struct ra_slice_window *window)
{
	struct ra_model *m = window->model;
	struct ra_slices *s = &m->slices;

	ra_builder_reserve_slices(window->builder, RA_OPEN_RANGES_NAMED);
	for (size_t at = 0; at < window->open_count; at++) {
		const struct open_range *open = &window->open[at];
		struct ra_track *track = &m->tracks[open->track];
		const size_t i = window->base + at;

		track->first_slice = track->slice_count == 0 ? i : track->first_slice;
		track->slice_count++;
		s->start_ns[i] = open->start_ns;
		s->dur_ns[i] = open->dur_ns;
		s->name[i] = open->name;
		s->parent[i] = RA_NONE;
		s->domain[i] = open->domain;
		s->flags[i] = open->flags;
	}
	s->count = window->base + window->open_count;
}
