/* SPDX-License-Identifier: MIT */
/* Holds the contents of a timeline until everything is known: slices, samples, arrows, rows. */
#include "analyzer/pftrace/pftrace-events.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"

void ra_pftrace_fini(struct ra_pftrace *trace)
{
	free(trace->tracks);
	free(trace->events);
	free(trace->redrawn);
	ra_protobuf_bytes_fini(&trace->samples.bytes);
	free(trace->points);
	free(trace->arrows);
	free(trace->opens);
	free(trace->tops);
	ra_pftrace_args_fini(&trace->args);
	ra_protobuf_texts_fini(&trace->categories);
	ra_protobuf_texts_fini(&trace->names);
	ra_protobuf_texts_fini(&trace->keys);
	ra_protobuf_texts_fini(&trace->values);
	ra_protobuf_texts_fini(&trace->texts);
	ra_protobuf_texts_fini(&trace->flows);
	ra_protobuf_texts_fini(&trace->spans);
	ra_util_map_free(&trace->processes);
	ra_util_map_free(&trace->threads);
	ra_util_map_free(&trace->groups);
	ra_util_map_free(&trace->counters);
	*trace = (struct ra_pftrace){ 0 };
}

/* Makes room for one more element. Ends the process if its number would no longer fit. */
static void make_room(void *array, size_t *capacity, size_t count, size_t element_bytes)
{
	if (count >= UINT32_MAX - 1) {
		ra_alloc_end();
	}
	ra_util_grow(array, capacity, count + 1, element_bytes);
}

/* ---- rows ---- */

static uint32_t add_track(struct ra_pftrace *trace, const struct ra_pftrace_track *track)
{
	make_room(&trace->tracks, &trace->track_capacity, trace->track_count, sizeof(*track));
	trace->tracks[trace->track_count] = *track;
	return (uint32_t) trace->track_count++;
}

static uint32_t find_or_add(struct ra_pftrace *trace, struct ra_util_map *map, uint64_t key,
                            const struct ra_pftrace_track *track)
{
	uint32_t index = ra_util_map_find(map, key);

	if (index == RA_UTIL_MAP_NONE) {
		index = add_track(trace, track);
		ra_util_map_put(map, key, index);
	}
	return index;
}

uint32_t ra_pftrace_process(struct ra_pftrace *trace, uint32_t pid)
{
	const struct ra_pftrace_track track = { .kind = RA_PFTRACE_PROCESS, .pid = pid };

	return find_or_add(trace, &trace->processes, pid, &track);
}

uint32_t ra_pftrace_thread(struct ra_pftrace *trace, uint32_t pid, uint32_t tid)
{
	const uint64_t key = (uint64_t) pid << 32 | tid;

	if (trace->last_thread == 0 || trace->last_key != key) {
		const struct ra_pftrace_track track = {
			.kind = RA_PFTRACE_THREAD,
			.pid = pid,
			.tid = tid,
			.parent = ra_pftrace_process(trace, pid),
		};

		trace->last_key = key;
		trace->last_thread = 1 + find_or_add(trace, &trace->threads, key, &track);
	}
	return trace->last_thread - 1;
}

uint32_t ra_pftrace_group(struct ra_pftrace *trace, uint32_t pid, uint32_t name)
{
	size_t length;
	const char *text = ra_protobuf_texts_get(&trace->names, name, &length);
	const struct ra_pftrace_track track = {
		.kind = RA_PFTRACE_SPANS,
		.pid = pid,
		.parent = ra_pftrace_process(trace, pid),
		.name = ra_protobuf_texts_put(&trace->texts, text, length),
	};

	return find_or_add(trace, &trace->groups, (uint64_t) pid << 32 | name, &track);
}

uint32_t ra_pftrace_counter(struct ra_pftrace *trace, uint32_t pid, uint32_t name, uint32_t unit)
{
	const struct ra_pftrace_track track = {
		.kind = RA_PFTRACE_COUNTER,
		.pid = pid,
		.parent = ra_pftrace_process(trace, pid),
		.name = name,
		.label = unit,
	};

	return find_or_add(trace, &trace->counters, (uint64_t) pid << 32 | name, &track);
}

uint32_t ra_pftrace_add_lane(struct ra_pftrace *trace, uint32_t track)
{
	struct ra_pftrace_track lane = trace->tracks[track];

	if (lane.kind == RA_PFTRACE_THREAD) { /* a thread has only one row, so `lane` is that row */
		lane.kind = RA_PFTRACE_SPANS;
		lane.parent = track;
	}
	return add_track(trace, &lane);
}

/* ---- events ---- */

uint32_t ra_pftrace_keep(struct ra_pftrace *trace, const struct ra_pftrace_event *event)
{
	make_room(&trace->events, &trace->event_capacity, trace->event_count, sizeof(*event));
	trace->events[trace->event_count] = *event;
	return (uint32_t) trace->event_count++;
}

struct ra_pftrace_event ra_pftrace_look(const struct ra_pftrace *trace, uint32_t index)
{
	if ((index & RA_PFTRACE_REDRAWN) == 0) {
		return trace->events[index];
	}
	const uint32_t number = index ^ RA_PFTRACE_REDRAWN;
	struct ra_pftrace_event event = { .number = number, .track = trace->redrawn[number] };

	trace->look(trace->drawing, &event);
	return event;
}

const struct ra_pftrace_event *ra_pftrace_get(struct ra_pftrace *trace, uint32_t index)
{
	const size_t used = trace->args.bytes.used;

	if ((index & RA_PFTRACE_REDRAWN) == 0) {
		return &trace->events[index];
	}
	trace->pass = RA_PFTRACE_REDRAW;
	trace->redraw(trace->drawing, index ^ RA_PFTRACE_REDRAWN);
	trace->args.bytes.used = used; /* its arguments stay valid until the next event */
	return &trace->again;
}

/* Notes an event that will be drawn again, and drops its arguments. */
static void note_redrawn(struct ra_pftrace *trace, const struct ra_pftrace_event *event)
{
	if (event->number >= RA_PFTRACE_REDRAWN) {
		ra_alloc_end();
	}
	make_room(&trace->redrawn, &trace->redrawn_capacity, event->number,
	          sizeof(*trace->redrawn));
	while (trace->redrawn_count <= event->number) {
		trace->redrawn[trace->redrawn_count++] = RA_PFTRACE_NO_ROW;
	}
	trace->redrawn[event->number] = event->track;
	trace->args.bytes.used = event->args;
}

void ra_pftrace_add_event(struct ra_pftrace *trace, struct ra_pftrace_event *event)
{
	if (trace->drawn >= UINT32_MAX - 1) {
		ra_alloc_end();
	}
	event->number = trace->drawn++;
	if (trace->pass == RA_PFTRACE_REDRAW) {
		trace->again = *event;
	} else if (trace->pass == RA_PFTRACE_LEARN && event->can_redraw) {
		note_redrawn(trace, event);
	} else if (trace->take != NULL && trace->tracks[event->track].kind != RA_PFTRACE_SPANS) {
		trace->take(trace->context, event);
	} else if (trace->pass == RA_PFTRACE_LEARN) {
		(void) ra_pftrace_keep(trace, event);
	} else {
		trace->args.bytes.used = event->args; /* the first pass held it */
	}
}

void ra_pftrace_add_point(struct ra_pftrace *trace, const struct ra_pftrace_point *point)
{
	make_room(&trace->points, &trace->point_capacity, trace->point_count, sizeof(*point));
	trace->points[trace->point_count++] = *point;
}

void ra_pftrace_add_arrow(struct ra_pftrace *trace, uint32_t event, uint64_t id, bool is_end)
{
	make_room(&trace->arrows, &trace->arrow_capacity, trace->arrow_count,
	          sizeof(*trace->arrows));
	trace->arrows[trace->arrow_count++] = (struct ra_pftrace_arrow){ id, event, is_end };
}

void ra_pftrace_begin(struct ra_pftrace *trace, uint32_t key, struct ra_pftrace_event *event)
{
	const size_t old = trace->top_capacity;

	ra_pftrace_add_event(trace, event);
	make_room(&trace->opens, &trace->open_capacity, trace->open_count, sizeof(*trace->opens));
	make_room(&trace->tops, &trace->top_capacity, key, sizeof(*trace->tops));
	for (size_t i = old; i < trace->top_capacity; i++) {
		trace->tops[i] = 0;
	}
	trace->opens[trace->open_count] =
		(struct ra_pftrace_open){ (uint32_t) (trace->event_count - 1), trace->tops[key] };
	trace->tops[key] = (uint32_t) ++trace->open_count;
}

void ra_pftrace_end(struct ra_pftrace *trace, uint32_t key, int64_t time_ns)
{
	const struct ra_pftrace_open *open;

	if (key >= trace->top_capacity || trace->tops[key] == 0) {
		return;
	}
	open = &trace->opens[trace->tops[key] - 1];
	trace->tops[key] = open->below;
	if (time_ns >= trace->events[open->event].start_ns) {
		trace->events[open->event].dur_ns = time_ns - trace->events[open->event].start_ns;
	}
}
