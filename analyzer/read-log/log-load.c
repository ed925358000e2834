/* SPDX-License-Identifier: MIT */
/* Reads a log: makes a model of it in one pass over its events. */
#include "analyzer/base/alloc.h"
#include "analyzer/read-log/facts/log-facts.h"
#include "analyzer/read-log/log-load-impl.h"
#include "analyzer/read-log/log-load.h"

#include "analyzer/read-log/chunks/chunks.h"
#include "analyzer/payload/counters.h"
#include "analyzer/read-log/payloads/deferred.h"
#include "analyzer/read-log/chunks/density.h"
#include "analyzer/read-log/facts/facts.h"
#include "analyzer/read-log/gpu/gpu-load.h"
#include "analyzer/read-log/hierarchy/hierarchy.h"
#include "analyzer/read-log/log-part.h"
#include "analyzer/read-log/log-steps.h"
#include "analyzer/read-log/payloads/messages.h"
#include "analyzer/read-log/payloads/regions.h"
#include "analyzer/model/schemas.h"
#include "analyzer/read-log/ranges/step-events.h"
#include "analyzer/base/util.h"
#include "format/read/reader.h"
#include "format/wire.h"

/* Additional room for slices, so that the last batches need not enlarge the arrays. */
#define SPARE_SLICES 65536

/* While other slices go to a sink, up to this many start/end ranges and steps are held. More of
 * them would take as much memory as the whole model. */
#define MOST_SPANS 65536

/* Returned by a pass for a sink if the model must hold all slices. */
#define NEEDS_ALL 1

/* Collects the chunks of threads. */
static void collect_chunks(struct ra_log_load *load)
{
	struct ra_chunks *chunks = &load->chunks;
	size_t kept = 0;

	ra_chunks_collect(chunks, load->model->reader);
	for (size_t i = 0; i < chunks->count; i++) {
		if (chunks->rows[i]->stream != 0 &&
		    ra_gpu_streams_find(&load->gpu_streams, chunks->rows[i]->stream) == NULL) {
			chunks->rows[kept++] = chunks->rows[i];
			load->total_rows += chunks->rows[i]->count;
		}
	}
	chunks->count = kept;
}

static void report_progress(struct ra_log_load *load, const struct rlog_chunk *chunk)
{
	load->rows += chunk->count;
	if (load->options != NULL && load->options->progress != NULL) {
		load->options->progress(load->options->progress_context, load->rows,
		                        load->total_rows);
	}
}

/* Counts as damage a chunk whose bytes are intact but which can't be decoded. */
static void note_bad_chunk(struct ra_log_load *load, const struct rlog_chunk *chunk)
{
	struct ra_quality *q = &load->model->quality;

	q->damaged_stretches++;
	q->damaged_bytes = ra_util_add(q->damaged_bytes,
	                               UINT64_C(0) + RLOG_HEADER_BYTES + chunk->stored_bytes);
	q->missing_rows = ra_util_add(q->missing_rows, chunk->count);
	if (chunk->offset < q->first_damage) {
		q->first_damage = chunk->offset;
	}
}

int ra_log_load_decode(struct ra_log_load *load, const struct rlog_chunk *chunk,
                       const struct rlog_batch **batch)
{
	const struct ra_decoded *decoded =
		load->ahead == NULL ? NULL : ra_decode_ahead_take(load->ahead, chunk);

	if (decoded != NULL) {
		*batch = &decoded->batch;
		return decoded->rc;
	}
	*batch = &load->batch;
	return rlog_reader_decode_kept(load->model->reader, chunk, &load->batch, NULL);
}

int ra_log_load_take_chunk(struct ra_log_load *load, const struct rlog_chunk *chunk,
                           uint64_t *expected)
{
	const uint64_t end = ra_util_add(chunk->sequence, chunk->count);
	const struct rlog_batch *batch;
	uint64_t first = 0;
	int rc;

	if (end <= *expected) {
		return 0;
	}
	if (chunk->sequence < *expected) {
		first = *expected - chunk->sequence;
	}
	rc = ra_log_load_decode(load, chunk, &batch);
	ra_read_pages_note(&load->pages, load->model->reader, chunk);
	if (rc == -RLOG_E_NO_MEMORY) {
		return rc;
	}
	if (chunk->sequence > *expected) {
		ra_hierarchy_note_gap(load->hierarchy, chunk->sequence - *expected);
	}
	*expected = end;
	if (rc != 0) {
		note_bad_chunk(load, chunk);
		ra_hierarchy_note_gap(load->hierarchy, chunk->count - first);
		return 0;
	}
	return ra_hierarchy_add_batch(load->hierarchy, batch, first);
}

/* True if this is a pass for a sink, but the log can't be read that way. */
static bool needs_all(const struct ra_log_load *load)
{
	return load->window != NULL &&
	       (ra_slice_window_is_lost(load->window) || ra_spans_count(load->spans) > MOST_SPANS ||
	        load->builder.step_count > MOST_SPANS);
}

/* Calls ra_log_load_take_chunk(). Has the type that struct ra_log_part needs. */
static int take_chunk(void *context, const struct rlog_chunk *chunk, uint64_t *expected)
{
	return ra_log_load_take_chunk(context, chunk, expected);
}

/* Reads only the wanted part of a track whose chunks begin at *next, if that is possible. Return:
 * the values of ra_log_part_read(). */
static int load_part(struct ra_log_load *load, const struct ra_track *track, size_t *next,
                     bool *has_ended)
{
	struct ra_log_part part = {
		.reader = load->model->reader,
		.rows = load->chunks.rows + *next,
		.hierarchy = load->hierarchy,
		.batch = &load->batch,
		.take = take_chunk,
		.context = load,
	};
	size_t end = *next;
	int rc;

	if (load->wanted == NULL || load->window != NULL || load->gpu_streams.count > 0) {
		return RA_LOG_PART_WHOLE;
	}
	while (end < load->chunks.count && load->chunks.rows[end]->stream == track->stream) {
		end++;
	}
	part.window = load->wanted;
	part.count = end - *next;
	rc = ra_log_part_read(&part);
	for (; rc != RA_LOG_PART_WHOLE && *next < end; ++*next) {
		*has_ended |= (load->chunks.rows[*next]->flags & RLOG_FLAG_LAST) != 0;
	}
	return rc;
}

static int load_tracks(struct ra_log_load *load)
{
	struct ra_model *m = load->model;
	int64_t last_ns = 0;
	size_t next = 0;
	int rc = 0;

	if (load->window == NULL && load->wanted == NULL) {
		ra_builder_reserve_slices(&load->builder, load->total_rows / 2 + SPARE_SLICES);
	}
	for (size_t t = 0; t < m->track_count && rc == 0; t++) {
		uint64_t expected = 0;
		bool has_ended = m->tracks[t].has_ended;

		if (load->walk != NULL) {
			ra_log_walk_begin_track(load->walk, load, next);
		}
		ra_hierarchy_begin_track(load->hierarchy, (uint32_t) t);
		rc = load_part(load, &m->tracks[t], &next, &has_ended);
		rc = rc == RA_LOG_PART_WHOLE ? 0 : rc;
		while (next < load->chunks.count && rc == 0 &&
		       load->chunks.rows[next]->stream == m->tracks[t].stream) {
			rc = ra_log_load_take_chunk(load, load->chunks.rows[next], &expected);
			has_ended |= (load->chunks.rows[next]->flags & RLOG_FLAG_LAST) != 0;
			report_progress(load, load->chunks.rows[next]);
			next++;
			if (rc == 0 && needs_all(load)) {
				rc = NEEDS_ALL;
			}
		}
		if (rc == 0) {
			ra_hierarchy_end_track(load->hierarchy,
			                       has_ended ? INT64_MIN : load->capture_end_ns);
			rc = needs_all(load) ? NEEDS_ALL : 0;
		}
		if (m->tracks[t].last_ns > last_ns) {
			last_ns = m->tracks[t].last_ns;
		}
		if (m->tracks[t].end_ns > m->end_ns) {
			m->end_ns = m->tracks[t].end_ns;
		}
	}
	if (load->capture_end_ns < last_ns) {
		load->capture_end_ns = last_ns;
	}
	return rc;
}

/* Adds the track of all start/end ranges after those of the threads. */
static void add_span_track(struct ra_log_load *load)
{
	struct ra_model *m = load->model;
	const size_t first = m->slices.count;
	struct ra_track *track = &m->tracks[m->track_count];

	ra_step_events_make(&load->builder, load->spans, load->capture_end_ns);
	ra_spans_finish(load->spans, &load->builder, load->capture_end_ns);
	if (m->slices.count == first) {
		return;
	}
	*track = (struct ra_track){
		.kind = RA_TRACK_START_END,
		.first_slice = first,
		.slice_count = m->slices.count - first,
		.first_mark = m->mark_count,
		.first_ns = m->slices.start_ns[first],
	};
	for (size_t i = first; i < m->slices.count; i++) {
		const int64_t end_ns = m->slices.start_ns[i] + m->slices.dur_ns[i];

		if (end_ns > track->last_ns) {
			track->last_ns = end_ns;
		}
	}
	track->end_ns = track->last_ns;
	if (track->end_ns > m->end_ns) {
		m->end_ns = track->end_ns;
	}
	m->track_count++;
	if (load->window != NULL) {
		ra_slice_window_take_spans(load->window, m->track_count - 1);
	}
}

static int load_gpu(struct ra_log_load *load)
{
	const struct ra_gpu_load_source source = {
		.builder = &load->builder,
		.streams = &load->gpu_streams,
	};

	return ra_gpu_load(&source);
}

/* Places the GPU operations before that track is added, because they may add tracks of threads. */
static int place_gpu_events(struct ra_log_load *load)
{
	struct ra_model *m = load->model;
	int rc = load_gpu(load);

	if (rc == 0) {
		ra_util_resize(&m->tracks, m->track_count + 1, sizeof(*m->tracks));
		ra_deferred_gpu_place(&load->gpu_events, m, load->spans);
	}
	return rc;
}

static void load_schemas(struct ra_model *model)
{
	model->schemas = ra_alloc_zeros(1, sizeof(*model->schemas));
	ra_schemas_init(model->schemas, model->reader);
}

/* Does the work for which all events must have been read. */
static int finish_model(struct ra_log_load *load)
{
	int rc = 0;

	ra_deferred_expand(&load->builder, load->spans, &load->clock, &load->gpu_events);
	if (load->gpu_events.count > 0) {
		rc = place_gpu_events(load);
	}
	if (rc == 0) {
		add_span_track(load);
		if (load->window != NULL) {
			ra_slice_window_finish(load->window);
		}
		ra_builder_sort_data(&load->builder);
		ra_counters_sort(&load->builder);
		ra_messages_apply(&load->builder);
	}
	if (rc == 0 && load->gpu_events.count == 0) {
		rc = load_gpu(load);
	}
	return rc;
}

/* Prepares everything that is needed before the first event. */
static void begin_model(struct ra_log_load *load)
{
	struct ra_model *m = load->model;

	m->strings = rlog_reader_borrow_strings(m->reader, &m->string_count);
	m->quality.first_damage = RLOG_NO_OFFSET;
	ra_builder_init(&load->builder, m);
	ra_gpu_streams_init(&load->gpu_streams, m->reader);
	load_schemas(m);
	ra_facts_load_definitions(&load->builder);
	ra_log_facts_add(load->builder.model);
	ra_facts_load_tracks(&load->builder, &load->gpu_streams);
	ra_facts_load_clock(m, &load->gpu_streams, &load->clock);
	collect_chunks(load);
	load->spans = ra_spans_create();
	load->hierarchy =
		ra_hierarchy_create(&load->builder, load->spans, &load->clock, m->zero_ns);
}

/* Finds the time that the caller wants, if it is not the whole log. */
static void find_wanted(struct ra_log_load *load)
{
	const struct ra_input_options *options = load->options;
	const struct ra_log_steps log = { options != NULL ? options->steps : NULL, &load->builder,
		                          &load->clock, &load->chunks, load->total_rows };
	const bool is_held = load->sink == NULL && load->walk == NULL;

	load->wanted = options != NULL ? options->window : NULL;
	if (load->wanted == NULL && is_held && load->gpu_streams.count == 0 &&
	    ra_log_steps_find(&log, &load->steps_window)) {
		load->wanted = &load->steps_window;
	}
}

/* Starts threads if the log is large enough; the result is the same without them. Starts none for a
 * window of time, which needs few chunks; which ones becomes known only during reading. */
static void begin_threads(struct ra_log_load *load)
{
	const struct ra_model *m = load->model;

	if (m->file_bytes < RA_POOL_LEAST_BYTES || ra_density_is_bound() || load->wanted != NULL) {
		return;
	}
	load->pool = ra_pool_create(RA_DECODE_AHEAD_MOST);
	if (load->sink != NULL) {
		load->relay = ra_slice_relay_create(load->pool, load->sink);
	}
	if (load->relay != NULL) {
		load->sink = ra_slice_relay_borrow_sink(load->relay);
		load->builder.settle = ra_slice_relay_settle;
		load->builder.settle_context = load->relay;
	}
	load->ahead = ra_decode_ahead_create(load->pool, m->reader, &load->chunks);
}

static void end_threads(struct ra_log_load *load)
{
	ra_read_pages_drop(&load->pages, load->model->reader);
	ra_slice_relay_settle(load->relay);
	ra_decode_ahead_destroy(load->ahead);
	ra_slice_relay_destroy(load->relay);
	ra_pool_destroy(load->pool);
	load->builder.settle = NULL;
	load->pool = NULL;
	load->ahead = NULL;
	load->relay = NULL;
	load->sink = NULL;
}

static enum ra_slice_sink_wish ask(const struct ra_slice_sink *sink, uint64_t rows)
{
	return sink->choose == NULL ? RA_SLICE_SINK_ENOUGH : sink->choose(sink->context, rows);
}

/* Begins the window of a sink, of a walk, or of both. Return: the sink's wish. */
static enum ra_slice_sink_wish begin_window(struct ra_log_load *load)
{
	enum ra_slice_sink_wish wish = RA_SLICE_SINK_ENOUGH;

	if (load->sink != NULL) {
		load->window = ra_slice_window_create(&load->builder, load->sink);
		/* Asks the sink itself, because a relay can't answer. */
		wish = load->chooses ? ask(load->options->sink, load->total_rows) : wish;
	}
	if (load->sink == NULL && load->walk != NULL &&
	    load->total_rows < load->options->walk_least) {
		return RA_SLICE_SINK_HOLD;
	}
	if (wish == RA_SLICE_SINK_WALK) {
		load->walk = ra_log_walk_create();
		ra_slice_window_note_walk(load->window, ra_log_walk_borrow_late(load->walk));
	} else if (load->walk != NULL) {
		load->window = ra_slice_window_create_walk(&load->builder,
		                                           ra_log_walk_borrow_late(load->walk));
	}
	if (load->window != NULL) {
		ra_hierarchy_set_window(load->hierarchy, load->window);
	}
	return wish;
}

static int build_model(struct ra_log_load *load)
{
	struct ra_model *m = load->model;
	enum ra_slice_sink_wish wish;
	bool is_unread;
	int rc;

	begin_model(load);
	if (load->sink != NULL && load->total_rows < load->options->sink_least) {
		load->sink = NULL;
	}
	find_wanted(load);
	load->capture_end_ns = ra_facts_find_end(load->model, &load->clock);
	is_unread = load->walk != NULL && load->total_rows >= load->options->walk_least &&
	            ra_log_walk_begin_unread(load->walk, load);
	if (!is_unread) {
		begin_threads(load);
	}
	wish = begin_window(load);
	rc = rlog_batch_init(&load->batch, 16384);
	if (rc == 0 &&
	    ((load->window != NULL && load->gpu_streams.count > 0) || wish == RA_SLICE_SINK_HOLD)) {
		rc = NEEDS_ALL;
	}
	if (rc == 0 && !is_unread) {
		rc = load_tracks(load);
	}
	ra_slice_relay_settle(load->relay);
	if (rc == 0) {
		rc = finish_model(load);
	}
	if (rc == 0) {
		ra_regions_add(&load->builder);
		if (load->capture_end_ns > m->end_ns) {
			m->end_ns = load->capture_end_ns;
		}
		ra_facts_load_quality(m);
	}
	return rc;
}

void ra_log_load_fini(struct ra_log_load *load)
{
	rlog_batch_fini(&load->batch);
	ra_gpu_streams_fini(&load->gpu_streams);
	if (load->hierarchy != NULL) {
		ra_hierarchy_destroy(load->hierarchy);
	}
	ra_slice_window_destroy(load->window);
	if (load->spans != NULL) {
		ra_spans_destroy(load->spans);
	}
	ra_chunks_fini(&load->chunks);
	ra_deferred_gpu_fini(&load->gpu_events);
	ra_clock_fini(&load->clock);
	ra_builder_fini(&load->builder);
	ra_log_walk_destroy(load->walk);
}

/* How to read a log in one pass. */
struct way {
	const struct ra_slice_sink *sink; /* NULL: none */
	bool chooses;                     /* the sink chooses how it gets slices (slice-sink.h) */
	bool walks;                       /* the model gets a walk */
};

/* Reads the log once. Return: 0 and a model, or the code of build_model(). */
static int read_once(struct ra_model **out, struct rlog_reader *reader,
                     const struct ra_input_options *options, struct way way)
{
	struct ra_log_load load = { .options = options, .sink = way.sink, .chooses = way.chooses };
	int rc;

	load.walk = way.walks ? ra_log_walk_create() : NULL;
	load.model = ra_alloc_zeros(1, sizeof(*load.model));
	load.model->reader = reader;
	load.model->has = RA_HAS_LOG;
	load.model->file_bytes = rlog_reader_size_bytes(reader);
	rc = build_model(&load);
	end_threads(&load);
	if (rc == 0 && load.walk != NULL) {
		ra_log_walk_bind(load.walk, &load);
	} else {
		ra_log_load_fini(&load);
	}
	if (rc != 0) {
		load.model->reader = NULL; /* the caller still owns it */
		ra_model_destroy(load.model);
		return rc;
	}
	*out = load.model;
	return 0;
}

/*
 * Reads the log for a sink, as often as the sink asks; the result is the model of the first pass.
 *
 * Return: the values of read_once().
 */
static int read_for_sink(struct ra_model **out, struct rlog_reader *reader,
                         const struct ra_input_options *options)
{
	const struct ra_slice_sink *sink = options->sink;
	enum ra_slice_sink_wish wish = RA_SLICE_SINK_AGAIN;
	struct ra_model *first = NULL;
	int rc = 0;

	while (rc == 0 && wish == RA_SLICE_SINK_AGAIN) {
		struct ra_model *again = NULL;

		rc = read_once(first == NULL ? &first : &again, reader, options,
		               (struct way){ .sink = sink, .chooses = first == NULL });
		if (again != NULL) {
			again->reader = NULL;
			ra_model_destroy(again);
		}
		/* the log is small, so the model holds it */
		if (rc == 0 && first->totals == NULL) {
			wish = RA_SLICE_SINK_ENOUGH;
			sink->drop(sink->context);
			break;
		}
		wish = rc == 0 ? sink->end(sink->context) : RA_SLICE_SINK_HOLD;
		if (wish == RA_SLICE_SINK_WALK) {
			sink->drop(sink->context);
			first->reader = NULL;
			ra_model_destroy(first);
			first = NULL;
			wish = RA_SLICE_SINK_AGAIN;
		}
	}
	rc = rc == 0 && wish == RA_SLICE_SINK_HOLD ? NEEDS_ALL : rc;
	if (rc != 0) {
		sink->drop(sink->context);
		if (first != NULL) {
			first->reader = NULL;
			ra_model_destroy(first);
		}
		return rc;
	}
	*out = first;
	return 0;
}

static const char *name_failure(int rc)
{
	if (rc == -RLOG_E_TOO_DENSE) {
		return "more steps than a file of this size can hold";
	}
	return ra_density_tell_end();
}

int ra_log_load_reader(struct ra_model **out, struct rlog_reader *reader,
                       const struct ra_input_options *options, struct rlog_error *err)
{
	int rc = ra_density_check(reader, err);

	if (rc != 0) {
		rlog_reader_close(reader);
		return rc;
	}
	ra_density_bound(reader);
	rc = NEEDS_ALL;
	if (options != NULL && options->sink != NULL) {
		rc = read_for_sink(out, reader, options);
	} else if (options != NULL && options->walks) {
		rc = read_once(out, reader, options, (struct way){ .walks = true });
	}
	if (rc == NEEDS_ALL) {
		rc = read_once(out, reader, options, (struct way){ 0 });
	}
	if (rc != 0) {
		rlog_reader_close(reader);
		return rlog_error_set(err, -rc, RLOG_NO_OFFSET, "%s", name_failure(rc));
	}
	return 0;
}
