/* SPDX-License-Identifier: MIT */
/* Walks over the slices and marks of a log: reads the log again, thread by thread. */
#include "analyzer/read-log/log-walk.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/read-log/log-load-impl.h"

/* State of the first pass at the start of a track. */
struct track {
	size_t chunk;
	uint64_t lost_starts_left;
	int64_t capture_end_ns;
};

struct ra_log_walk {
	struct ra_walk walk; /* must be the first member */
	struct ra_slice_late late;
	struct track *tracks; /* owned */
	size_t track_count;
	size_t track_capacity;
	struct ra_log_load load; /* owned; from the first pass: the clock, the chunks, the maps of
	                            its builder, the decoder */
	struct ra_model *whole;  /* borrowed: it owns the walk */
	/* Shared by all cursors; each uses only the entry of its own track: */
	struct ra_track *again; /* owned, as shown */
	struct ra_track *shown;
	struct ra_totals totals; /* nobody reads them */
	struct ra_sync_object *sync_objects;
};

struct ra_walk_cursor {
	struct ra_log_walk *walk; /* borrowed */
	uint32_t track;
	size_t next; /* index of the next chunk */
	uint64_t expected;
	bool has_ended;
	struct ra_log_load load; /* borrows from the walk's, but its builder has … */
	struct ra_model again;   /* … this model; only its arrays of events are its own */
};

struct ra_log_walk *ra_log_walk_create(void)
{
	return ra_alloc_zeros(1, sizeof(struct ra_log_walk));
}

static void free_again(struct ra_model *again)
{
	free(again->slices.start_ns);
	free(again->slices.dur_ns);
	free(again->slices.name);
	free(again->slices.parent);
	free(again->slices.domain);
	free(again->slices.flags);
	free(again->marks);
	free(again->slice_attrs);
	free(again->slice_counts);
	free(again->mark_attrs);
	free(again->data_bytes);
	free(again->slice_data.rows);
	free(again->mark_data.rows);
	free(again->sample_data.rows);
	free(again->call_data.rows);
	free(again->sync_times);
	free(again->samples);
	free(again->calls);
	free(again->handoffs);
	free(again->loss_spans);
}

void ra_log_walk_destroy(struct ra_log_walk *walk)
{
	if (walk == NULL) {
		return;
	}
	if (walk->whole != NULL) {
		ra_log_load_fini(&walk->load);
	}
	ra_slice_late_fini(&walk->late);
	free(walk->tracks);
	free(walk->again);
	free(walk->shown);
	free(walk->totals.tracks);
	free(walk->totals.marks);
	free(walk->sync_objects);
	free(walk);
}

struct ra_slice_late *ra_log_walk_borrow_late(struct ra_log_walk *walk)
{
	return &walk->late;
}

void ra_log_walk_begin_track(struct ra_log_walk *walk, const struct ra_log_load *load, size_t chunk)
{
	const struct track track = {
		.chunk = chunk,
		.lost_starts_left = ra_hierarchy_lost_starts_left(load->hierarchy),
		.capture_end_ns = load->capture_end_ns,
	};

	RA_UTIL_APPEND(walk->tracks, walk->track_count, walk->track_capacity, track);
}

static void destroy(struct ra_walk *walk)
{
	ra_log_walk_destroy((struct ra_log_walk *) walk);
}

/* Makes what the cursors share when the first one begins. A copy for each cursor would be large
 * with many threads. */
static void share(struct ra_log_walk *walk)
{
	const struct ra_model *whole = walk->whole;
	const size_t bytes = (whole->track_count + 1) * sizeof(*walk->again);

	if (walk->again != NULL) {
		return;
	}
	walk->again = ra_alloc_bytes(bytes);
	walk->shown = ra_alloc_bytes(bytes);
	walk->totals.tracks = ra_alloc_zeros(whole->track_count + 1, sizeof(*walk->totals.tracks));
	walk->sync_objects =
		ra_alloc_bytes((whole->sync_object_count + 1) * sizeof(*walk->sync_objects));
	for (size_t i = 0; i < whole->sync_object_count; i++) {
		walk->sync_objects[i] = whole->sync_objects[i];
	}
	memcpy(walk->shown, whole->tracks, whole->track_count * sizeof(*walk->shown));
}

/* Makes a model in which the events of a track are built once more. */
static void make_again(struct ra_model *again, struct ra_log_walk *walk, uint32_t track)
{
	share(walk);
	walk->again[track] = walk->whole->tracks[track];
	walk->totals.tracks[track] = (struct ra_totals_track){ 0 };
	*again = *walk->whole;
	memset(&again->slices, 0, sizeof(again->slices));
	again->tracks = walk->again;
	again->totals = &walk->totals;
	again->sync_objects = walk->sync_objects;
	again->marks = NULL;
	again->mark_count = 0;
	again->slice_attrs = NULL;
	again->slice_attr_count = 0;
	again->slice_counts = NULL;
	again->slice_count_count = 0;
	again->mark_attrs = NULL;
	again->mark_attr_count = 0;
	again->data_bytes = NULL;
	again->slice_data = (struct ra_data_list){ 0 };
	again->mark_data = (struct ra_data_list){ 0 };
	again->sample_data = (struct ra_data_list){ 0 };
	again->call_data = (struct ra_data_list){ 0 };
	again->sync_times = NULL;
	again->sync_time_count = 0;
	again->samples = NULL;
	again->sample_count = 0;
	again->calls = NULL;
	again->call_count = 0;
	again->handoffs = NULL;
	again->handoff_count = 0;
	again->loss_spans = NULL;
	again->loss_span_count = 0;
}

static void forget_capacities(struct ra_builder *builder)
{
	builder->slice_capacity = 0;
	builder->mark_capacity = 0;
	builder->slice_attr_capacity = 0;
	builder->slice_count_capacity = 0;
	builder->mark_attr_capacity = 0;
	builder->loss_capacity = 0;
	memset(builder->data_capacity, 0, sizeof(builder->data_capacity));
	builder->data_byte_count = 0;
	builder->data_byte_capacity = 0;
	builder->sync_object_capacity = 0;
	builder->sync_time_capacity = 0;
	builder->sample_capacity = 0;
	builder->call_capacity = 0;
	builder->handoff_capacity = 0;
	builder->steps = NULL;
	builder->step_count = 0;
	builder->step_capacity = 0;
}

static struct ra_walk_cursor *begin(struct ra_walk *walk, uint32_t track, ra_walk_take *take,
                                    void *context)
{
	struct ra_log_walk *w = (struct ra_log_walk *) walk;
	const struct track *known = &w->tracks[track];
	struct ra_walk_cursor *cursor = ra_alloc_zeros(1, sizeof(*cursor));
	struct ra_log_load *load = &cursor->load;

	cursor->walk = w;
	cursor->track = track;
	cursor->next = known->chunk;
	cursor->has_ended = w->whole->tracks[track].has_ended;
	make_again(&cursor->again, w, track);
	*load = w->load;
	load->model = &cursor->again;
	load->builder.model = &cursor->again;
	forget_capacities(&load->builder);
	load->spans = ra_spans_create();
	load->hierarchy =
		ra_hierarchy_create(&load->builder, load->spans, &w->load.clock, w->whole->zero_ns);
	load->window = ra_slice_window_create_walk(&load->builder, &w->late);
	ra_slice_window_show(load->window, w->whole, w->shown, take, context);
	ra_hierarchy_set_window(load->hierarchy, load->window);
	ra_hierarchy_limit_lost_starts(load->hierarchy, known->lost_starts_left);
	ra_hierarchy_begin_track(load->hierarchy, track);
	return cursor;
}

/* Handles the next chunk, or the end. */
static bool go_on(struct ra_walk_cursor *cursor)
{
	struct ra_log_walk *w = cursor->walk;
	struct ra_log_load *load = &cursor->load;
	const struct ra_chunks *chunks = &w->load.chunks;
	const struct rlog_chunk *chunk =
		cursor->next < chunks->count ? chunks->rows[cursor->next] : NULL;
	int rc;

	if (chunk == NULL || chunk->stream != w->whole->tracks[cursor->track].stream) {
		ra_hierarchy_end_track(load->hierarchy,
		                       cursor->has_ended ? INT64_MIN
		                                         : w->tracks[cursor->track].capture_end_ns);
		return false;
	}
	load->batch = w->load.batch; /* one for all: a batch is handled at once */
	rc = ra_log_load_take_chunk(load, chunk, &cursor->expected);
	w->load.batch = load->batch;
	if (rc != 0) {
		ra_alloc_end();
	}
	cursor->has_ended |= (chunk->flags & RLOG_FLAG_LAST) != 0;
	cursor->next++;
	return true;
}

static void end(struct ra_walk_cursor *cursor)
{
	ra_hierarchy_destroy(cursor->load.hierarchy);
	ra_spans_destroy(cursor->load.spans);
	ra_slice_window_destroy(cursor->load.window);
	cursor->walk->shown[cursor->track] = cursor->walk->whole->tracks[cursor->track];
	free(cursor->load.builder.steps);
	free_again(&cursor->again);
	free(cursor);
}

void ra_log_walk_bind(struct ra_log_walk *walk, struct ra_log_load *load)
{
	walk->walk = (struct ra_walk){ begin, go_on, end, destroy };
	walk->whole = load->model;
	load->walk = NULL;
	ra_hierarchy_destroy(load->hierarchy);
	ra_spans_destroy(load->spans);
	ra_slice_window_destroy(load->window);
	load->hierarchy = NULL;
	load->spans = NULL;
	load->window = NULL;
	walk->load = *load;
	walk->load.options = NULL;
	load->model->walk = &walk->walk;
	/* What the load owned now belongs to the walk. */
	*load = (struct ra_log_load){ .model = walk->whole };
}
