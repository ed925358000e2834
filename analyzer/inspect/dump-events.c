/* SPDX-License-Identifier: MIT */
/* Reads the events of a log directly from its chunks: of one stream, or of all streams by time. */
#include "analyzer/inspect/dump-events.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/read-log/chunks/chunks.h"
#include "analyzer/base/util.h"
#include "format/wire.h"

/* The streams of a walk, and which stream is next. */
struct walk {
	const struct rlog_reader *reader;
	const struct ra_dump_events_visitor *visitor;
	struct ra_chunks chunks;
	struct ra_dump_events_stream *streams; /* owned */
	size_t stream_count;
	struct ra_dump_events_stream **heap; /* owned; the stream with the earliest event first */
	size_t heap_count;
};

static void collect_streams(struct walk *walk)
{
	walk->streams = ra_alloc_zeros(walk->chunks.count + 1, sizeof(*walk->streams));
	walk->heap = ra_alloc_zeros(walk->chunks.count + 1, sizeof(struct ra_dump_events_stream *));
	for (size_t i = 0; i < walk->chunks.count; i++) {
		if (i == 0 || walk->chunks.rows[i]->stream != walk->chunks.rows[i - 1]->stream) {
			walk->streams[walk->stream_count++].chunks = &walk->chunks.rows[i];
		}
		walk->streams[walk->stream_count - 1].chunk_count++;
	}
}

/* Decodes chunks until there is a row to read. Return: false at the end of the stream. */
static bool fill(struct walk *walk, struct ra_dump_events_stream *stream)
{
	while (stream->row >= stream->batch.count) {
		if (stream->next_chunk == stream->chunk_count) {
			return false;
		}
		const struct rlog_chunk *chunk = stream->chunks[stream->next_chunk++];
		struct rlog_error err = { .offset = RLOG_NO_OFFSET };

		if (stream->batch.capacity == 0 &&
		    rlog_batch_init(&stream->batch, chunk->count) != 0) {
			ra_alloc_end();
		}
		stream->row = 0;
		stream->data_at = 0;
		memset(stream->attr_at, 0, sizeof(stream->attr_at));
		const int code =
			rlog_reader_decode_events(walk->reader, chunk, &stream->batch, &err);

		if (code == -RLOG_E_NO_MEMORY) {
			ra_alloc_end();
		}
		if (code != 0) {
			stream->batch.count = 0;
			walk->visitor->damage(walk->visitor->context, chunk, &err);
		}
	}
	return true;
}

/* Gives the data of the current row, and moves the cursor behind them. */
static const uint8_t *take_data(struct ra_dump_events_stream *stream, size_t row, size_t *bytes)
{
	const struct rlog_data_column *data = &stream->batch.data;
	uint32_t from;

	while (stream->data_at < data->count && data->row[stream->data_at] < row) {
		stream->data_at++;
	}
	if (stream->data_at == data->count || data->row[stream->data_at] != row) {
		*bytes = 0;
		return NULL;
	}
	from = data->from[stream->data_at];
	*bytes = data->from[++stream->data_at] - from;
	return data->bytes + from;
}

static void join(struct ra_dump_events_stream *stream, const uint8_t *bytes, size_t count)
{
	ra_util_grow(&stream->joined, &stream->joined_capacity, stream->joined_count + count, 1);
	if (count > 0) {
		memcpy(stream->joined + stream->joined_count, bytes, count);
	}
	stream->joined_count += count;
}

/* Appends the data of the `more` rows that continue this row, also of those in the next chunk. */
static void join_rows(struct walk *walk, struct ra_dump_events_stream *stream,
                      struct ra_dump_events_row *row)
{
	uint64_t next = row->ordinal + 1;
	bool is_joined = false;

	for (;;) {
		const uint8_t *bytes;
		size_t count;

		if (stream->row >= stream->batch.count && !is_joined) {
			stream->joined_count = 0;
			join(stream, row->data, row->data_bytes);
			is_joined = true;
		}
		if (!fill(walk, stream) || stream->batch.op[stream->row] != RLOG_OP_MORE ||
		    stream->batch.sequence + stream->row != next) {
			break;
		}
		if (!is_joined) {
			stream->joined_count = 0;
			join(stream, row->data, row->data_bytes);
			is_joined = true;
		}
		bytes = take_data(stream, stream->row, &count);
		join(stream, bytes, count);
		stream->row++;
		next++;
	}
	if (is_joined) {
		row->data = stream->joined;
		row->data_bytes = stream->joined_count;
	}
}

static void visit_row(struct walk *walk, struct ra_dump_events_stream *stream)
{
	const struct rlog_batch *batch = &stream->batch;
	const size_t i = stream->row++;
	struct ra_dump_events_row row = {
		.stream = stream->chunks[0]->stream,
		.ordinal = batch->sequence + i,
		.ticks = batch->ticks[i],
		.name = batch->name[i],
		.domain = batch->domain[i],
		.id = batch->id[i],
		.op = batch->op[i],
	};

	for (int a = 0; a < RLOG_ATTRS; a++) {
		const struct rlog_attr_column *column = &batch->attr[a];

		while (stream->attr_at[a] < column->count && column->row[stream->attr_at[a]] < i) {
			stream->attr_at[a]++; /* of a row that continued another one */
		}
		if (stream->attr_at[a] < column->count && column->row[stream->attr_at[a]] == i) {
			row.attr[a] = column->value[stream->attr_at[a]++];
		}
	}
	row.data = take_data(stream, i, &row.data_bytes);
	if (row.data != NULL) {
		join_rows(walk, stream, &row);
	}
	walk->visitor->row(walk->visitor->context, &row);
}

/* The time of the stream's next event. If its chunk is not decoded yet: the smallest time in the
 * chunk. */
static uint64_t find_next_ticks(const struct ra_dump_events_stream *stream)
{
	return stream->row < stream->batch.count ? stream->batch.ticks[stream->row]
	                                         : stream->chunks[stream->next_chunk]->first_ticks;
}

static bool is_before(const struct ra_dump_events_stream *a, const struct ra_dump_events_stream *b)
{
	const uint64_t a_ticks = find_next_ticks(a);
	const uint64_t b_ticks = find_next_ticks(b);

	return a_ticks != b_ticks ? a_ticks < b_ticks : a->chunks[0]->stream < b->chunks[0]->stream;
}

static void sift_down(struct walk *walk, size_t at)
{
	while (2 * at + 1 < walk->heap_count) {
		size_t child = 2 * at + 1;

		if (child + 1 < walk->heap_count &&
		    is_before(walk->heap[child + 1], walk->heap[child])) {
			child++;
		}
		if (!is_before(walk->heap[child], walk->heap[at])) {
			return;
		}
		struct ra_dump_events_stream *moved = walk->heap[at];

		walk->heap[at] = walk->heap[child];
		walk->heap[child] = moved;
		at = child;
	}
}

static void walk_by_time(struct walk *walk)
{
	for (size_t i = 0; i < walk->stream_count; i++) {
		walk->heap[walk->heap_count++] = &walk->streams[i];
	}
	for (size_t i = walk->heap_count / 2; i-- > 0;) {
		sift_down(walk, i);
	}
	while (walk->heap_count > 0 && walk->heap[0] != NULL) {
		struct ra_dump_events_stream *stream = walk->heap[0];
		const bool is_decoded = stream->row < stream->batch.count;

		if (is_decoded) {
			visit_row(walk, stream);
		}
		/* A chunk is decoded when its smallest time is next, but its first row may be
		 * later. */
		if (stream->row == stream->batch.count &&
		    (!is_decoded || stream->next_chunk == stream->chunk_count) &&
		    !fill(walk, stream)) {
			rlog_batch_fini(&stream->batch);
			walk->heap[0] = walk->heap[--walk->heap_count];
		}
		sift_down(walk, 0);
	}
}

static void walk_by_stream(struct walk *walk)
{
	for (size_t i = 0; i < walk->stream_count; i++) {
		struct ra_dump_events_stream *stream = &walk->streams[i];

		while (fill(walk, stream)) {
			visit_row(walk, stream);
		}
		rlog_batch_fini(&stream->batch);
		stream->batch = (struct rlog_batch){ 0 };
	}
}

void ra_dump_events_walk(const struct rlog_reader *reader, bool by_time,
                         const struct ra_dump_events_visitor *visitor)
{
	struct ra_chunks chunks;

	ra_chunks_collect(&chunks, reader);
	struct walk walk = { .reader = reader, .visitor = visitor, .chunks = chunks };

	collect_streams(&walk);
	if (by_time) {
		walk_by_time(&walk);
	} else {
		walk_by_stream(&walk);
	}
	for (size_t i = 0; i < walk.stream_count; i++) {
		rlog_batch_fini(&walk.streams[i].batch);
		free(walk.streams[i].joined);
	}
	ra_chunks_fini(&chunks);
	free(walk.streams);
	free(walk.heap);
}
