/* SPDX-License-Identifier: MIT */
/* Steps through the events of a log, straight from its chunks: one stream, or all of them by time.
 */
#include "analyzer/dump-events.h"

#include <stdlib.h>
#include <string.h>

#include "format/wire.h"

/* All streams of a walk, and which of them is the next. */
struct walk {
	const struct rlog_reader *reader;
	const struct ra_dump_events_visitor *visitor;
	const struct rlog_chunk **chunks; /* owned; EVENTS by stream, sequence, offset */
	size_t chunk_count;
	struct ra_dump_events_stream *streams; /* owned */
	size_t stream_count;
	struct ra_dump_events_stream **heap; /* owned; the earliest stream first */
	size_t heap_count;
};

static int compare_chunks(const void *left, const void *right)
{
	const struct rlog_chunk *a = *(const struct rlog_chunk *const *) left;
	const struct rlog_chunk *b = *(const struct rlog_chunk *const *) right;

	if (a->stream != b->stream) {
		return a->stream < b->stream ? -1 : 1;
	}
	if (a->sequence != b->sequence) {
		return a->sequence < b->sequence ? -1 : 1;
	}
	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

static int collect_chunks(struct walk *walk)
{
	size_t count = 0;
	const struct rlog_chunk *chunks = rlog_reader_borrow_chunks(walk->reader, &count);

	walk->chunks = calloc(count + 1, sizeof(struct rlog_chunk *));
	if (walk->chunks == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	for (size_t i = 0; i < count; i++) {
		if (chunks[i].type == RLOG_CHUNK_EVENTS &&
		    (chunks[i].flags & RLOG_FLAG_REPEAT) == 0) {
			walk->chunks[walk->chunk_count++] = &chunks[i];
		}
	}
	if (walk->chunk_count > 0) {
		qsort(walk->chunks, walk->chunk_count, sizeof(struct rlog_chunk *), compare_chunks);
	}
	return 0;
}

static int collect_streams(struct walk *walk)
{
	walk->streams = calloc(walk->chunk_count + 1, sizeof(*walk->streams));
	walk->heap = calloc(walk->chunk_count + 1, sizeof(struct ra_dump_events_stream *));
	if (walk->streams == NULL || walk->heap == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	for (size_t i = 0; i < walk->chunk_count; i++) {
		if (i == 0 || walk->chunks[i]->stream != walk->chunks[i - 1]->stream) {
			walk->streams[walk->stream_count++].chunks = &walk->chunks[i];
		}
		walk->streams[walk->stream_count - 1].chunk_count++;
	}
	return 0;
}

/* Makes sure that there is a row to read. Return: 1, 0 at the stream's end, -RLOG_E_NO_MEMORY. */
static int fill(struct walk *walk, struct ra_dump_events_stream *stream)
{
	while (stream->row >= stream->batch.count) {
		if (stream->next_chunk == stream->chunk_count) {
			return 0;
		}
		const struct rlog_chunk *chunk = stream->chunks[stream->next_chunk++];
		struct rlog_error err = { .offset = RLOG_NO_OFFSET };

		if (stream->batch.capacity == 0 &&
		    rlog_batch_init(&stream->batch, chunk->count) != 0) {
			return -RLOG_E_NO_MEMORY;
		}
		stream->row = 0;
		stream->data_at = 0;
		memset(stream->attr_at, 0, sizeof(stream->attr_at));
		const int code =
			rlog_reader_decode_events(walk->reader, chunk, &stream->batch, &err);

		if (code == -RLOG_E_NO_MEMORY) {
			return code;
		}
		if (code != 0) {
			stream->batch.count = 0;
			walk->visitor->damage(walk->visitor->context, chunk, &err);
		}
	}
	return 1;
}

static void visit_row(const struct walk *walk, struct ra_dump_events_stream *stream)
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

		if (stream->attr_at[a] < column->count && column->row[stream->attr_at[a]] == i) {
			row.attr[a] = column->value[stream->attr_at[a]++];
		}
	}
	if (stream->data_at < batch->data.count && batch->data.row[stream->data_at] == i) {
		const uint32_t from = batch->data.from[stream->data_at];

		row.data = batch->data.bytes + from;
		row.data_bytes = batch->data.from[++stream->data_at] - from;
	}
	walk->visitor->row(walk->visitor->context, &row);
}

/* The stream's next time; of a chunk not yet decoded the smallest that it has. */
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

static int walk_by_time(struct walk *walk)
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
		/* A chunk is decoded when its turn comes; its first row may come later than that.
		 */
		if (stream->row == stream->batch.count &&
		    (!is_decoded || stream->next_chunk == stream->chunk_count)) {
			const int filled = fill(walk, stream);

			if (filled < 0) {
				return filled;
			}
			if (filled == 0) {
				rlog_batch_fini(&stream->batch);
				walk->heap[0] = walk->heap[--walk->heap_count];
			}
		}
		sift_down(walk, 0);
	}
	return 0;
}

static int walk_by_stream(struct walk *walk)
{
	for (size_t i = 0; i < walk->stream_count; i++) {
		struct ra_dump_events_stream *stream = &walk->streams[i];
		int filled;

		while ((filled = fill(walk, stream)) > 0) {
			visit_row(walk, stream);
		}
		if (filled < 0) {
			return filled;
		}
		rlog_batch_fini(&stream->batch);
		stream->batch = (struct rlog_batch){ 0 };
	}
	return 0;
}

int ra_dump_events_walk(const struct rlog_reader *reader, bool by_time,
                        const struct ra_dump_events_visitor *visitor)
{
	struct walk walk = { .reader = reader, .visitor = visitor };
	int code = collect_chunks(&walk);

	if (code == 0) {
		code = collect_streams(&walk);
	}
	if (code == 0) {
		code = by_time ? walk_by_time(&walk) : walk_by_stream(&walk);
	}
	for (size_t i = 0; i < walk.stream_count; i++) {
		rlog_batch_fini(&walk.streams[i].batch);
	}
	free(walk.chunks);
	free(walk.streams);
	free(walk.heap);
	return code;
}
