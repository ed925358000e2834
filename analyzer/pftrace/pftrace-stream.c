/* SPDX-License-Identifier: MIT */
/* Writes events while they are drawn. Rows may come by turns, so each has its own open slices. */
#include "analyzer/pftrace/pftrace-stream.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/search.h"
#include "analyzer/base/util.h"
#include "analyzer/pftrace/pftrace-flows.h"
#include "analyzer/pftrace/pftrace-head.h"
#include "analyzer/pftrace/pftrace-nest.h"
#include "analyzer/pftrace/pftrace-packets.h"

/* An arrow's start or end at the time of the events that are held. */
struct arrow {
	uint64_t id;
	uint32_t ends;
	uint32_t events; /* number of events drawn before it */
	bool is_end;
};

struct row {
	struct ra_pftrace_nest nest;   /* owned, as all pointers here */
	struct ra_pftrace_event *held; /* the last events, which begin at the same time … */
	struct ra_protobuf_bytes args; /* … their arguments, at the offsets that they say … */
	struct arrow *arrows;          /* … and the arrows there */
	size_t held_count, held_capacity;
	size_t arrow_count, arrow_capacity;
	uint32_t lane; /* the extra row for what overlaps on this one; 0: none yet */
};

struct ra_pftrace_stream {
	struct ra_pftrace *trace; /* borrowed, as out */
	struct ra_outbuf *out;
	struct ra_pftrace_packets own;
	struct ra_pftrace_packets *packets; /* NULL: this drawing writes nothing */
	struct row *rows;                   /* owned; by index of the track */
	size_t row_count, row_capacity;
	bool can_insert;
	bool has_failed; /* a row was not in order of time */
};

/* ---- rows ---- */

/* Makes rows for all tracks. Rows move. */
static void grow_rows(struct ra_pftrace_stream *stream)
{
	const size_t count = stream->trace->track_count;

	ra_util_grow(&stream->rows, &stream->row_capacity, count, sizeof(*stream->rows));
	memset(stream->rows + stream->row_count, 0,
	       (count - stream->row_count) * sizeof(*stream->rows));
	stream->row_count = count;
}

/* Writes an event on the first row where it nests: the track's, or one of its extra rows. */
static void put_on_lanes(struct ra_pftrace_stream *stream, uint32_t track,
                         const struct ra_pftrace_event *event, const uint8_t *args)
{
	uint32_t at = track;

	for (int lane = 1;
	     !ra_pftrace_nest_put(&stream->rows[at].nest, stream->packets, at, event, args);
	     lane++) {
		if (lane == RA_PFTRACE_NEST_LANES) {
			return;
		}
		if (stream->rows[at].lane == 0) {
			const uint32_t added = ra_pftrace_add_lane(stream->trace, track);

			grow_rows(stream);
			stream->rows[at].lane = added;
		}
		at = stream->rows[at].lane;
	}
}

static int compare_held(const void *left, const void *right)
{
	const struct ra_pftrace_event *a = left;
	const struct ra_pftrace_event *b = right;
	const int order =
		RA_ORDER(ra_pftrace_length_key(a->dur_ns), ra_pftrace_length_key(b->dur_ns));

	return RA_ORDER_THEN(order, RA_ORDER(a->number, b->number));
}

/* Sorts events that begin at the same time. Most come in order. */
static void sort_held(struct row *row)
{
	for (size_t i = 1; i < row->held_count; i++) {
		if (compare_held(&row->held[i - 1], &row->held[i]) > 0) {
			RA_SORT(row->held, row->held_count, compare_held);
			return;
		}
	}
}

/*
 * Adds an arrow's ids to the fields of its event: the last of those that Perfetto, when it reads
 * JSON, sees before the arrow. It sees events with a duration first, and others if they were
 * written before the arrow. In the order of sort_held() those events come first.
 */
static void tie_arrow(struct row *row, const struct arrow *arrow)
{
	struct ra_search at = ra_search_in(0, row->held_count);
	struct ra_protobuf_bytes *args = &row->args;
	struct ra_pftrace_event *event;

	while (ra_search_next(&at)) {
		const struct ra_pftrace_event *held = &row->held[at.middle];

		ra_search_tell(&at, held->dur_ns != 0 || held->number < arrow->events);
	}
	if (at.low == 0) {
		return;
	}
	event = &row->held[at.low - 1];
	if (event->args + event->args_bytes != args->used) {
		/* other fields follow this event's, which move behind them */
		uint8_t *place = ra_protobuf_bytes_reserve(args, event->args_bytes);

		memcpy(place, args->bytes + event->args, event->args_bytes);
		event->args = args->used;
		args->used += event->args_bytes;
	}
	ra_pftrace_packets_write_arrow(args, arrow->id, arrow->ends, arrow->is_end);
	event->args_bytes = (uint32_t) (args->used - event->args);
}

/* Writes the events that are held. Rows may move. */
static void put_held(struct ra_pftrace_stream *stream, uint32_t track)
{
	struct row *row = &stream->rows[track];
	const size_t count = row->held_count;

	sort_held(row);
	for (size_t i = 0; i < row->arrow_count; i++) {
		tie_arrow(row, &row->arrows[i]);
	}
	for (size_t i = 0; i < count; i++) {
		const struct ra_pftrace_event *event = &stream->rows[track].held[i];

		put_on_lanes(stream, track, event,
		             ra_protobuf_bytes_at(&stream->rows[track].args, event->args));
	}
	row = &stream->rows[track];
	row->held_count = 0;
	row->arrow_count = 0;
	row->args.used = 0;
}

static void end_rows(struct ra_pftrace_stream *stream)
{
	grow_rows(stream);
	for (size_t i = 0; i < stream->row_count; i++) { /* their number grows */
		put_held(stream, (uint32_t) i);
	}
	for (size_t i = 0; i < stream->row_count; i++) {
		ra_pftrace_nest_close(&stream->rows[i].nest, stream->packets, (uint32_t) i,
		                      INT64_MAX);
	}
}

/* ---- what is drawn ---- */

static void drop_event(void *context, const struct ra_pftrace_event *event)
{
	struct ra_pftrace_stream *stream = context;

	stream->trace->args.bytes.used = event->args;
}

static void drop_arrow(void *context, const struct ra_pftrace_tie *tie)
{
	(void) context;
	(void) tie;
}

static void give_up(struct ra_pftrace_stream *stream)
{
	stream->has_failed = true;
	stream->trace->take = drop_event;
	stream->trace->take_arrow = drop_arrow;
}

/* Takes an event in the usual case: one event of this row is held, which began before it and nests,
 * and neither has arguments. It takes the place of the one held, which is written. Return: false:
 * it is another case, and the event was not taken. */
static inline bool take_usual(struct ra_pftrace_stream *stream, struct row *row,
                              const struct ra_pftrace_event *event)
{
	if (row->held_count != 1 || event->args_bytes + row->args.used + row->arrow_count > 0 ||
	    event->start_ns <= row->held[0].start_ns ||
	    !ra_pftrace_nest_put(&row->nest, stream->packets, event->track, &row->held[0], NULL)) {
		return false;
	}
	row->held[0] = *event;
	return true;
}

static void take_event(void *context, const struct ra_pftrace_event *event)
{
	struct ra_pftrace_stream *stream = context;
	struct ra_protobuf_bytes *args = &stream->trace->args.bytes;
	struct ra_pftrace_event held = *event;
	struct row *row;

	if (event->track >= stream->row_count) {
		grow_rows(stream);
	}
	row = &stream->rows[event->track];
	if (take_usual(stream, row, event)) {
		return;
	}
	args->used = event->args;
	if (row->held_count > 0 && row->held[0].start_ns > event->start_ns) {
		give_up(stream);
		return;
	}
	if (row->held_count > 0 && row->held[0].start_ns != event->start_ns) {
		put_held(stream, event->track);
		row = &stream->rows[event->track];
	}
	held.args = row->args.used;
	if (stream->packets != NULL) {
		ra_protobuf_bytes_put(&row->args, ra_protobuf_bytes_at(args, event->args),
		                      event->args_bytes);
	}
	RA_UTIL_APPEND(row->held, row->held_count, row->held_capacity, held);
}

/* Takes an arrow's start or end. It is at the time of an event that was just drawn, as drawings do
 * it; otherwise this is not the way to write. */
static void take_arrow(void *context, const struct ra_pftrace_tie *tie)
{
	struct ra_pftrace_stream *stream = context;
	const struct arrow arrow = { tie->id, tie->ends, stream->trace->drawn, tie->is_end };
	struct row *row;

	if (tie->track >= stream->row_count || stream->rows[tie->track].held_count == 0 ||
	    stream->rows[tie->track].held[0].start_ns != tie->time_ns) {
		give_up(stream);
	} else if (stream->packets != NULL) {
		row = &stream->rows[tie->track];
		RA_UTIL_APPEND(row->arrows, row->arrow_count, row->arrow_capacity, arrow);
	}
}

struct ra_pftrace_stream *ra_pftrace_stream_begin(struct ra_pftrace *trace, struct ra_outbuf *out)
{
	struct ra_pftrace_stream *stream = ra_alloc_zeros(1, sizeof(*stream));

	stream->trace = trace;
	stream->out = out;
	stream->can_insert = ra_outbuf_can_insert(out);
	ra_pftrace_packets_init(&stream->own, trace, out);
	if (stream->can_insert) {
		stream->own.has_state = true; /* other packets will come before these */
		stream->packets = &stream->own;
	}
	trace->writes = stream->can_insert;
	trace->take = take_event;
	trace->take_arrow = take_arrow;
	trace->context = stream;
	return stream;
}

/* ---- the rest of the file ---- */

static void take_head(void *context, const char *bytes, size_t count)
{
	ra_protobuf_bytes_put(context, bytes, count);
}

/* Writes what comes before the events. */
static void insert_head(const struct ra_pftrace *trace, struct ra_outbuf *out)
{
	struct ra_pftrace_packets packets;
	struct ra_protobuf_bytes bytes = { 0 };
	struct ra_outbuf head;

	ra_outbuf_init(&head, -1, false);
	head.take = take_head;
	head.context = &bytes;
	ra_pftrace_packets_init(&packets, trace, &head);
	ra_pftrace_head_put(&packets, (uint32_t) trace->track_count);
	ra_pftrace_packets_finish(&packets);
	ra_outbuf_insert(out, (const char *) bytes.bytes, bytes.used);
	ra_outbuf_fini(&head);
	ra_protobuf_bytes_fini(&bytes);
}

/* Writes the ranges beside threads, which the trace holds. Each has a row where it fits. */
static void put_spans(struct ra_pftrace_stream *stream, const struct ra_pftrace_order *order)
{
	const struct ra_pftrace *trace = stream->trace;

	for (size_t row = 0; row < stream->row_count; row++) {
		for (size_t i = order->rows[row]; i < order->rows[row + 1]; i++) {
			const struct ra_pftrace_event *event = &trace->events[order->events[i]];

			(void) ra_pftrace_nest_put(
				&stream->rows[row].nest, stream->packets, (uint32_t) row, event,
				ra_protobuf_bytes_at(&trace->args.bytes, event->args));
		}
		ra_pftrace_nest_close(&stream->rows[row].nest, stream->packets, (uint32_t) row,
		                      INT64_MAX);
	}
}

static void put_all(struct ra_pftrace_stream *stream, void (*draw)(void *context), void *context)
{
	struct ra_pftrace *trace = stream->trace;
	struct ra_pftrace_order order;

	ra_pftrace_order_init(&order, trace);
	grow_rows(stream);
	if (!stream->can_insert) {
		stream->packets = &stream->own;
		ra_pftrace_head_put(stream->packets, (uint32_t) trace->track_count);
		trace->pass = RA_PFTRACE_STREAM;
		trace->drawn = 0;
		draw(context);
		end_rows(stream);
	}
	put_spans(stream, &order);
	ra_pftrace_packets_put_samples(stream->packets);
	ra_pftrace_packets_finish(stream->packets);
	if (stream->can_insert) {
		insert_head(trace, stream->out);
	}
	ra_pftrace_order_fini(&order);
}

static void destroy(struct ra_pftrace_stream *stream)
{
	for (size_t i = 0; i < stream->row_count; i++) {
		ra_pftrace_nest_fini(&stream->rows[i].nest);
		ra_protobuf_bytes_fini(&stream->rows[i].args);
		free(stream->rows[i].held);
		free(stream->rows[i].arrows);
	}
	free(stream->rows);
	free(stream);
}

bool ra_pftrace_stream_end(struct ra_pftrace_stream *stream, void (*draw)(void *context),
                           void *context)
{
	struct ra_pftrace *trace = stream->trace;
	const bool is_good = !stream->has_failed;

	if (is_good) {
		end_rows(stream);
		put_all(stream, draw, context);
	} else {
		ra_pftrace_packets_fini(&stream->own);
		if (stream->can_insert) {
			ra_outbuf_restart(stream->out);
		}
	}
	trace->take = NULL;
	trace->take_arrow = NULL;
	trace->context = NULL;
	destroy(stream);
	return is_good;
}
