/* SPDX-License-Identifier: MIT */
/* Reads an export of nsys: ranges and marks. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/run-sort.h"
#include "analyzer/base/util.h"
#include "analyzer/read-nsys/nsys.h"
#include "format/wire.h"

enum kind {
	MARK,
	PUSH_POP,
	START_END
};

/* A row of NVTX_EVENTS. */
struct event {
	int64_t start_ns;
	int64_t end_ns;
	uint32_t thread;
	uint32_t end_thread; /* thread that ended the range; RA_NONE: none */
	uint32_t name;
	uint16_t domain;
	uint8_t kind;
	bool is_open;
	bool has_attr;
	struct ra_builder_attr attr;
};

struct ra_nsys_events {
	struct event *rows; /* owned */
	size_t count;
	size_t capacity;
};

enum column {
	START,
	END,
	TYPE,
	TID,
	END_TID,
	DOMAIN,
	TEXT,
	TEXT_ID,
	CATEGORY,
	COLOR,
	U64, /* from here on, columns of payloads, in the order in which they are tried */
	I64,
	DOUBLE,
	U32,
	I32,
	FLOAT,
};

static bool read_kind(int64_t type, uint8_t *kind)
{
	switch (type) {
	case 34:
		*kind = MARK;
		return true;
	case 59:
	case 70:
		*kind = PUSH_POP;
		return true;
	case 60:
	case 71:
		*kind = START_END;
		return true;
	default:
		return false;
	}
}

static void read_payload(const struct ra_nsys_rows *rows, struct ra_builder_attr *attr)
{
	static const uint32_t types[] = { RLOG_PAYLOAD_U64, RLOG_PAYLOAD_I64, RLOG_PAYLOAD_DOUBLE,
		                          RLOG_PAYLOAD_U32, RLOG_PAYLOAD_I32, RLOG_PAYLOAD_FLOAT };

	for (int i = 0; i < 6; i++) {
		if (ra_nsys_rows_is_null(rows, U64 + i)) {
			continue;
		}
		attr->payload_type = types[i];
		attr->payload = (uint64_t) ra_nsys_rows_int(rows, U64 + i, 0);
		if (types[i] == RLOG_PAYLOAD_DOUBLE || types[i] == RLOG_PAYLOAD_FLOAT) {
			const double real = ra_nsys_rows_real(rows, U64 + i);

			memcpy(&attr->payload, &real, sizeof(real));
		}
		return;
	}
}

static void read_attr(const struct ra_nsys_rows *rows, struct event *event)
{
	event->attr = (struct ra_builder_attr){
		.category = ra_nsys_rows_u32(rows, CATEGORY, 0),
		.color = ra_nsys_rows_u32(rows, COLOR, 0),
	};
	read_payload(rows, &event->attr);
	event->has_attr = event->attr.category != 0 || event->attr.color != 0 ||
	                  event->attr.payload_type != RLOG_PAYLOAD_NONE;
}

/* Handles a row of NVTX_EVENTS. Of rows of other kinds only the time is used, for the largest time,
 * as in nsys. */
static void take_row(struct ra_nsys *nsys, const struct ra_nsys_rows *rows,
                     struct ra_nsys_events *events)
{
	struct event event = { 0 };
	const int64_t end = ra_nsys_rows_int(rows, END, INT64_MIN);
	const uint64_t tid = (uint64_t) ra_nsys_rows_int(rows, TID, 0);
	const uint64_t end_tid = (uint64_t) ra_nsys_rows_int(rows, END_TID, 0);

	event.start_ns = ra_nsys_rows_int(rows, START, INT64_MIN);
	event.end_ns = end == INT64_MIN ? event.start_ns : end;
	event.is_open = end == INT64_MIN;
	if (event.start_ns < -RA_NSYS_TIME_MAX || event.end_ns > RA_NSYS_TIME_MAX ||
	    event.end_ns < event.start_ns) {
		nsys->bad_times++;
		return;
	}
	nsys->nvtx_end_ns = event.end_ns > nsys->nvtx_end_ns ? event.end_ns : nsys->nvtx_end_ns;
	if (!read_kind(ra_nsys_rows_int(rows, TYPE, 0), &event.kind)) {
		return;
	}
	event.thread = ra_nsys_threads_find(nsys, tid);
	event.end_thread = end_tid != 0 ? ra_nsys_threads_find(nsys, end_tid) : RA_NONE;
	event.name = ra_nsys_names_of(nsys, rows, TEXT, TEXT_ID);
	event.domain = ra_nsys_domains_find(nsys, tid, ra_nsys_rows_int(rows, DOMAIN, 0));
	read_attr(rows, &event);
	if (events->count < RA_NONE - 1) {
		RA_UTIL_APPEND(events->rows, events->count, events->capacity, event);
	}
}

/* Ends the ranges that never ended. They last until the last time in the table. Our own exports
 * know their ends, and have them in the order of these ranges. */
static void end_open(struct ra_nsys *nsys, struct ra_nsys_events *events)
{
	static const char *const columns[] = { "end", NULL };
	struct ra_nsys_rows rows;

	ra_nsys_rows_open(&rows, &nsys->db, "LIBRANGES_OPEN", columns, NULL);
	for (size_t i = 0; i < events->count; i++) {
		struct event *event = &events->rows[i];

		if (event->is_open && event->kind != MARK) {
			const int64_t end_ns = ra_nsys_rows_next(&rows)
			                               ? ra_nsys_rows_int(&rows, 0, INT64_MIN)
			                               : INT64_MIN;

			event->end_ns = end_ns >= event->start_ns && end_ns <= RA_NSYS_TIME_MAX
			                        ? end_ns
			                        : nsys->nvtx_end_ns;
			nsys->model->quality.open_ranges++;
		}
	}
	ra_nsys_rows_close(&rows);
}

struct ra_nsys_events *ra_nsys_ranges_read(struct ra_nsys *nsys)
{
	static const char *const columns[] = {
		"start",       "end",        "eventType",   "globalTid",   "endGlobalTid",
		"domainId",    "text",       "textId",      "category",    "color",
		"uint64Value", "int64Value", "doubleValue", "uint32Value", "int32Value",
		"floatValue",  NULL
	};
	struct ra_nsys_events *events = ra_alloc_zeros(1, sizeof(*events));
	struct ra_nsys_rows rows;

	nsys->nvtx_end_ns = INT64_MIN;
	ra_nsys_rows_open(&rows, &nsys->db, "NVTX_EVENTS", columns, NULL);
	while (ra_nsys_rows_next(&rows)) {
		take_row(nsys, &rows, events);
	}
	ra_nsys_rows_close(&rows);
	end_open(nsys, events);
	return events;
}

void ra_nsys_ranges_find_first(const struct ra_nsys_events *events, int64_t *first_ns)
{
	for (size_t i = 0; i < events->count; i++) {
		if (events->rows[i].start_ns < *first_ns) {
			*first_ns = events->rows[i].start_ns;
		}
	}
}

void ra_nsys_ranges_shift(struct ra_nsys_events *events, int64_t first_ns)
{
	for (size_t i = 0; i < events->count; i++) {
		events->rows[i].start_ns -= first_ns;
		events->rows[i].end_ns -= first_ns;
	}
}

struct order {
	const struct event *rows;
	const struct ra_nsys_thread *threads;
};

/* Orders events: push/pop ranges by thread, then marks by thread, then start/end ranges; each by
 * time. */
static int compare_events(const void *context, uint32_t left, uint32_t right)
{
	static const int places[] = { [PUSH_POP] = 0, [MARK] = 1, [START_END] = 2 };
	const struct order *sorting = context;
	const struct event *a = &sorting->rows[left];
	const struct event *b = &sorting->rows[right];
	const uint32_t a_track = sorting->threads[a->thread].track;
	const uint32_t b_track = sorting->threads[b->thread].track;
	int order = RA_ORDER(places[a->kind], places[b->kind]);

	if (a->kind != START_END) {
		order = RA_ORDER_THEN(order, RA_ORDER(a_track, b_track));
	}
	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, start_ns));
	order = RA_ORDER_THEN(order, RA_ORDER_DOWN(a, b, end_ns));
	return RA_ORDER_THEN(order, RA_ORDER(left, right));
}

static void extend_track(struct ra_model *m, struct ra_track *track, const struct event *event)
{
	track->first_ns = event->start_ns < track->first_ns ? event->start_ns : track->first_ns;
	track->last_ns = event->end_ns > track->last_ns ? event->end_ns : track->last_ns;
	track->end_ns = track->last_ns;
	track->events += 1 + (event->kind != MARK && !event->is_open);
	m->end_ns = event->end_ns > m->end_ns ? event->end_ns : m->end_ns;
}

static void add_slice(struct ra_nsys *nsys, const struct event *event, struct ra_track *track)
{
	struct ra_slices *s = &nsys->model->slices;
	const size_t i = s->count;

	ra_builder_reserve_slices(&nsys->builder, 1);
	s->start_ns[i] = event->start_ns;
	s->dur_ns[i] = event->end_ns - event->start_ns;
	s->name[i] = event->name;
	s->parent[i] = RA_NONE;
	s->domain[i] = event->domain;
	s->flags[i] = event->is_open ? RA_SLICE_OPEN : 0;
	s->count++;
	if (track->slice_count++ == 0) {
		track->first_slice = i;
	}
	extend_track(nsys->model, track, event);
	if (event->has_attr) {
		ra_builder_add_slice_attr(&nsys->builder, &event->attr);
	}
}

static void add_mark(struct ra_nsys *nsys, const struct event *event, uint32_t track)
{
	const struct ra_mark mark = {
		.time_ns = event->start_ns,
		.name = event->name,
		.track = track,
		.domain = event->domain,
	};
	struct ra_track *t = &nsys->model->tracks[track];

	ra_builder_add_mark(&nsys->builder, &mark);
	if (t->mark_count++ == 0) {
		t->first_mark = nsys->model->mark_count - 1;
	}
	extend_track(nsys->model, t, event);
	if (event->has_attr) {
		ra_builder_add_mark_attr(&nsys->builder, &event->attr);
	}
}

/* Adds a start/end range. Those of all processes share one track. */
static void add_span(struct ra_nsys *nsys, const struct event *event, size_t most)
{
	struct ra_model *m = nsys->model;
	struct ra_track *track = &m->tracks[m->track_count];

	if (m->spans == NULL) {
		m->spans = ra_alloc_zeros(most, sizeof(*m->spans));
		*track = (struct ra_track){ .kind = RA_TRACK_START_END,
			                    .first_mark = m->mark_count,
			                    .first_ns = INT64_MAX,
			                    .last_ns = INT64_MIN };
	}
	m->spans[m->span_count] = (struct ra_span){
		.slice = (uint32_t) m->slices.count,
		.start_track = nsys->threads[event->thread].track,
		.end_track = event->end_thread == RA_NONE ? RA_NONE
		                                          : nsys->threads[event->end_thread].track,
		.id = m->span_count + 1,
	};
	m->span_count++;
	add_slice(nsys, event, track);
}

static void add_events(struct ra_nsys *nsys, const struct ra_nsys_events *events,
                       const uint32_t *order)
{
	ra_builder_reserve_slices(&nsys->builder, events->count + 1);
	for (size_t i = 0; i < events->count; i++) {
		const struct event *event = &events->rows[order[i]];
		const uint32_t track = nsys->threads[event->thread].track;

		if (event->kind == PUSH_POP) {
			add_slice(nsys, event, &nsys->model->tracks[track]);
		} else if (event->kind == MARK) {
			add_mark(nsys, event, track);
		} else {
			add_span(nsys, event, events->count);
		}
	}
	nsys->model->track_count += nsys->model->span_count > 0;
}

/* A track without slices or marks gets the index at which the next track begins. */
static void finish_tracks(struct ra_model *m)
{
	uint32_t *stack = NULL;
	size_t capacity = 0;
	size_t slice = m->slices.count;
	size_t mark = m->mark_count;

	for (size_t t = m->track_count; t-- > 0;) {
		struct ra_track *track = &m->tracks[t];

		slice -= track->slice_count;
		mark -= track->mark_count;
		track->first_slice = slice;
		track->first_mark = mark;
		if (track->first_ns == INT64_MAX) {
			track->first_ns = 0;
			track->last_ns = 0;
		}
	}
	for (size_t t = 0; t < m->track_count; t++) {
		if (m->tracks[t].kind == RA_TRACK_THREAD) {
			ra_builder_nest(m, &m->tracks[t], &stack, &capacity);
		}
	}
	free(stack);
}

void ra_nsys_ranges_build(struct ra_nsys *nsys, struct ra_nsys_events *events)
{
	const struct order context = { events->rows, nsys->threads };
	uint32_t *order = ra_order_create_indices(events->count);

	ra_run_sort_indices(order, events->count, compare_events, &context);
	add_events(nsys, events, order);
	finish_tracks(nsys->model);
	free(order);
}

void ra_nsys_ranges_free(struct ra_nsys_events *events)
{
	free(events->rows);
	free(events);
}
