/* SPDX-License-Identifier: MIT */
/* Walks over the slices and marks of a log: reads the log again, thread by thread; or reads threads
 * for the first time during the walk. */
#include "analyzer/read-log/log-walk.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/read-log/chunks/density.h"
#include "analyzer/read-log/log-ends.h"
#include "analyzer/read-log/log-load-impl.h"

/* To find out how ranges end, chunks are decoded in advance: at most this many plus the number of
 * all chunks. So the first pass never takes longer than two passes. */
#define FREE_DECODES 64

/* State of the first pass at the start of a track. */
struct track {
	size_t chunk;
	size_t chunk_count; /* only if the first pass has not been made yet */
	uint64_t lost_starts_left;
	int64_t capture_end_ns;
};

struct ra_log_walk {
	struct ra_walk walk; /* must be the first member */
	struct ra_slice_late late;
	struct track *tracks; /* owned */
	size_t track_count;
	size_t track_capacity;
	struct ra_log_load load; /* owned; what the first pass has left: the clock, the chunks, the
	                            maps of its builder, the decoder */
	struct ra_model *whole;  /* borrowed; this model owns the walk */
	/* Shared by all cursors; each cursor uses only the entry of its own track: */
	struct ra_track *again; /* owned, like `shown` */
	struct ra_track *shown;
	struct ra_totals totals; /* nobody reads these totals */
	struct ra_sync_object *sync_objects;
	/* For a model that was made without reading the threads: */
	bool is_unread;                /* the model was made so */
	size_t read_count;             /* number of tracks read since */
	size_t decodes_left;           /* number of chunks that may still be decoded in advance */
	struct rlog_batch scratch;     /* owned; used for that */
	struct ra_slice_window *noted; /* owned; has what the first pass noted */
	bool had_threads;              /* threads were started before */
	struct ra_pool *pool;          /* owned; NULL: the calling thread does all work */
	struct ra_decode_ahead *ahead; /* owned; NULL: the calling thread does all work */
};

struct ra_walk_cursor {
	struct ra_log_walk *walk; /* borrowed */
	uint32_t track;
	size_t next; /* index of the next chunk */
	uint64_t expected;
	bool has_ended;
	/* borrows the members of walk->load, except the builder, which has … */
	struct ra_log_load load;
	struct ra_model again; /* … this model; of its arrays, it owns only those of events */
	bool is_first;         /* this walk reads the track for the first time */
	struct ra_log_ends ahead;
	struct ra_slice_ends ends;
};

struct ra_log_walk *ra_log_walk_create(void)
{
	return ra_alloc_zeros(1, sizeof(struct ra_log_walk));
}

/* Starts threads that decode all chunks, in the order of the first walk, if the log is large
 * enough. */
static void begin_threads(struct ra_log_walk *walk)
{
	const struct ra_model *m = walk->whole;

	if (walk->had_threads) {
		return;
	}
	walk->had_threads = true;
	if (m->file_bytes < RA_POOL_LEAST_BYTES || ra_density_is_bound()) {
		return;
	}
	walk->pool = ra_pool_create(RA_DECODE_AHEAD_MOST);
	walk->ahead = ra_decode_ahead_create(walk->pool, m->reader, &walk->load.chunks);
}

/* Ends these threads, and gives back the rest of the file's memory. */
static void end_threads(struct ra_log_walk *walk)
{
	ra_read_pages_drop(&walk->load.pages, walk->whole->reader);
	ra_decode_ahead_destroy(walk->ahead);
	ra_pool_destroy(walk->pool);
	walk->ahead = NULL;
	walk->pool = NULL;
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
	ra_slice_window_destroy(walk->noted);
	rlog_batch_fini(&walk->scratch);
	if (walk->whole != NULL) {
		end_threads(walk);
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

/* Makes what the cursors share, when the first cursor begins. A copy for each cursor would be large
 * if there are many threads. */
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

/* Makes a model in which the events of a track are built a second time. */
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

/* Prepares to read a track for the first time. This also fills what the model tells about the
 * track. */
static void begin_first(struct ra_walk_cursor *cursor)
{
	struct ra_log_walk *w = cursor->walk;
	const struct track *known = &w->tracks[cursor->track];

	begin_threads(w);
	cursor->is_first = true;
	for (size_t i = 0; i < known->chunk_count; i++) {
		cursor->has_ended |=
			(w->load.chunks.rows[known->chunk + i]->flags & RLOG_FLAG_LAST) != 0;
	}
	cursor->again.totals = w->whole->totals;
	cursor->ahead = (struct ra_log_ends){
		.reader = w->whole->reader,
		.rows = w->load.chunks.rows + known->chunk,
		.count = known->chunk_count,
		.clock = &w->load.clock,
		.zero_ns = w->whole->zero_ns,
		.open_end_ns = cursor->has_ended ? INT64_MIN : known->capture_end_ns,
		.scratch = &w->scratch,
		.decodes_left = &w->decodes_left,
	};
	cursor->ends = (struct ra_slice_ends){ ra_log_ends_find, &cursor->ahead };
	ra_slice_window_show_first(cursor->load.window, &cursor->ends);
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
	if (w->is_unread && track >= w->read_count) {
		begin_first(cursor);
	}
	ra_hierarchy_set_window(load->hierarchy, load->window);
	ra_hierarchy_limit_lost_starts(load->hierarchy, known->lost_starts_left);
	ra_hierarchy_begin_track(load->hierarchy, track);
	return cursor;
}

/* Handles a chunk of a track that is read for the first time. Return: the values of
 * ra_log_load_take_chunk(). */
static int take_first(struct ra_walk_cursor *cursor, const struct rlog_chunk *chunk)
{
	struct ra_log_load *load = &cursor->load;
	const struct rlog_batch *batch;
	int rc;

	load->ahead = cursor->walk->ahead;
	rc = ra_log_load_decode(load, chunk, &batch);
	ra_read_pages_note(&cursor->walk->load.pages, cursor->ahead.reader, chunk);
	if (rc != -RLOG_E_NO_MEMORY && (rc != 0 || !ra_log_ends_is_known(&load->builder, batch))) {
		cursor->walk->walk.has_failed = true;
		return 0;
	}
	cursor->ahead.next = cursor->next - cursor->walk->tracks[cursor->track].chunk;
	cursor->ahead.batch = batch;
	if (rc == 0) {
		rc = ra_hierarchy_add_batch(load->hierarchy, batch, 0);
	}
	cursor->walk->walk.has_failed |= ra_slice_window_is_lost(load->window);
	return rc;
}

/* Handles the next chunk, or the end of the track. */
static bool go_on(struct ra_walk_cursor *cursor)
{
	struct ra_log_walk *w = cursor->walk;
	struct ra_log_load *load = &cursor->load;
	const struct ra_chunks *chunks = &w->load.chunks;
	const struct rlog_chunk *chunk =
		cursor->next < chunks->count ? chunks->rows[cursor->next] : NULL;
	int rc;

	if (w->walk.has_failed) {
		return false;
	}
	if (chunk == NULL || chunk->stream != w->whole->tracks[cursor->track].stream) {
		ra_hierarchy_end_track(load->hierarchy,
		                       cursor->has_ended ? INT64_MIN
		                                         : w->tracks[cursor->track].capture_end_ns);
		return false;
	}
	/* all walks use one batch, because each batch is handled at once */
	load->batch = w->load.batch;
	rc = cursor->is_first ? take_first(cursor, chunk)
	                      : ra_log_load_take_chunk(load, chunk, &cursor->expected);
	w->load.batch = load->batch;
	if (rc != 0) {
		ra_alloc_end();
	}
	cursor->has_ended |= (chunk->flags & RLOG_FLAG_LAST) != 0;
	cursor->next++;
	return true;
}

/* Gives the model the results of the first reading of a track. After the last track, adds the
 * results for which all tracks are needed. */
static void end_first(struct ra_walk_cursor *cursor)
{
	struct ra_log_walk *w = cursor->walk;
	struct ra_model *whole = w->whole;

	w->walk.has_failed |=
		ra_slice_window_is_lost(cursor->load.window) || cursor->track != w->read_count;
	if (w->walk.has_failed) {
		return;
	}
	whole->quality = cursor->again.quality;
	whole->tracks[cursor->track] = w->again[cursor->track];
	ra_slice_window_move_open(w->noted, cursor->load.window);
	w->read_count++;
	if (w->read_count == w->track_count) {
		ra_slice_window_finish(w->noted);
	}
}

static void end(struct ra_walk_cursor *cursor)
{
	if (cursor->is_first) {
		end_first(cursor);
		if (cursor->walk->walk.has_failed ||
		    cursor->walk->read_count == cursor->walk->track_count) {
			end_threads(cursor->walk);
		}
	}
	ra_hierarchy_destroy(cursor->load.hierarchy);
	ra_spans_destroy(cursor->load.spans);
	ra_slice_window_destroy(cursor->load.window);
	cursor->walk->shown[cursor->track] = cursor->walk->whole->tracks[cursor->track];
	free(cursor->load.builder.steps);
	free_again(&cursor->again);
	free(cursor);
}

/* True if two threads have the same number. Then the place where they are drawn depends on their
 * times. */
static bool has_twins(const struct ra_model *model)
{
	struct ra_util_map seen = { 0 };
	bool has = false;

	for (size_t t = 0; t < model->track_count && !has; t++) {
		const uint64_t key = (uint64_t) model->tracks[t].tid;

		has = ra_util_map_find(&seen, key) != RA_UTIL_MAP_NONE;
		ra_util_map_put(&seen, key, 0);
	}
	ra_util_map_free(&seen);
	return has;
}

/* True if a track can be shown while it is read for the first time. */
static bool is_plain(struct ra_log_walk *walk, const struct ra_log_load *load,
                     const struct track *track)
{
	const struct rlog_chunk *const *rows = load->chunks.rows + track->chunk;
	size_t segment = 0;

	if (!ra_log_ends_can_read(rows, track->chunk_count) ||
	    ra_clock_convert(&load->clock, rows[0]->first_ticks, &segment) < load->model->zero_ns) {
		return false;
	}
	/* The first chunk's header need not tell that it is plain; then its rows do. */
	return (rows[0]->flags & RLOG_FLAG_OPEN) != 0 ||
	       (rlog_reader_decode_events(load->model->reader, rows[0], &walk->scratch, NULL) ==
	                0 &&
	        !rlog_batch_has_others(&walk->scratch, 0, walk->scratch.count));
}

/* Sets the times of the tracks, as far as headers of chunks tell them. */
static void set_times(const struct ra_log_walk *walk, const struct ra_log_load *load)
{
	struct ra_model *m = load->model;
	size_t segment = 0;

	m->end_ns = load->capture_end_ns > m->end_ns ? load->capture_end_ns : m->end_ns;
	for (size_t t = 0; t < m->track_count; t++) {
		const struct rlog_chunk *const *rows = load->chunks.rows + walk->tracks[t].chunk;
		const struct rlog_chunk *last = rows[walk->tracks[t].chunk_count - 1];
		struct ra_track *track = &m->tracks[t];

		track->first_ns =
			ra_clock_convert(&load->clock, rows[0]->first_ticks, &segment) - m->zero_ns;
		track->last_ns =
			ra_clock_convert(&load->clock, last->last_ticks, &segment) - m->zero_ns;
		m->end_ns = track->last_ns > m->end_ns ? track->last_ns : m->end_ns;
	}
}

bool ra_log_walk_begin_unread(struct ra_log_walk *walk, const struct ra_log_load *load)
{
	const struct ra_model *m = load->model;
	const struct ra_chunks *chunks = &load->chunks;
	bool is_unread = load->options->once && m->track_count > 0 &&
	                 load->gpu_streams.count == 0 && !has_twins(m) &&
	                 rlog_batch_init(&walk->scratch, 16384) == 0;
	size_t count = 0;
	size_t next = 0;

	(void) rlog_reader_borrow_damages(m->reader, &count);
	is_unread &= count == 0;
	for (size_t t = 0; t < m->track_count && is_unread; t++) {
		ra_log_walk_begin_track(walk, load, next);
		while (next < chunks->count && chunks->rows[next]->stream == m->tracks[t].stream) {
			next++;
		}
		walk->tracks[t].chunk_count = next - walk->tracks[t].chunk;
		is_unread = is_plain(walk, load, &walk->tracks[t]);
	}
	if (!is_unread) {
		walk->track_count = 0;
		return false;
	}
	set_times(walk, load);
	walk->decodes_left = FREE_DECODES + chunks->count;
	walk->is_unread = true;
	return true;
}

void ra_log_walk_bind(struct ra_log_walk *walk, struct ra_log_load *load)
{
	walk->walk = (struct ra_walk){ begin, go_on, end, destroy, false };
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
	if (walk->is_unread) {
		walk->noted = ra_slice_window_create_walk(&walk->load.builder, &walk->late);
	}
	load->model->walk = &walk->walk;
	/* Now the walk owns what the load owned. */
	*load = (struct ra_log_load){ .model = walk->whole };
}
