/* SPDX-License-Identifier: MIT */
/* Collects the sums over a log's chunks that `analyzer info` prints. Decodes almost no events. */
#include "analyzer/inspect/info.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "format/error.h"
#include "format/wire.h"

static void add_chunk(struct ra_info_chunks *sum, const struct rlog_chunk *chunk)
{
	sum->chunks++;
	sum->repeats += (chunk->flags & RLOG_FLAG_REPEAT) != 0;
	sum->rows += chunk->count;
	sum->raw_bytes += chunk->raw_bytes;
	sum->stored_bytes += (uint64_t) chunk->stored_bytes + RLOG_HEADER_BYTES;
}

/* Sums up chunks, and stores the stream of each EVENTS chunk. Return: the number of streams
 * stored. */
static size_t add_chunks(struct ra_info *info, const struct rlog_chunk *chunks, size_t count,
                         uint32_t *streams)
{
	size_t events = 0;

	for (size_t i = 0; i < count; i++) {
		const struct rlog_chunk *chunk = &chunks[i];

		add_chunk(&info->by_type[chunk->type], chunk);
		add_chunk(&info->all, chunk);
		info->is_recovered |= (chunk->flags & RLOG_FLAG_RECOVERED) != 0;
		if (chunk->type != RLOG_CHUNK_EVENTS || chunk->count == 0) {
			continue;
		}
		if (events == 0 || chunk->first_ticks < info->first_ticks) {
			info->first_ticks = chunk->first_ticks;
		}
		if (events == 0 || chunk->last_ticks > info->last_ticks) {
			info->last_ticks = chunk->last_ticks;
		}
		streams[events++] = chunk->stream;
	}
	return events;
}

/* True if remarks on losses may be in a chunk. In logs older than the flag, they are in chunks
 * whose stream had losses. */
static bool may_have_remarks(const struct rlog_chunk *chunk)
{
	return chunk->type == RLOG_CHUNK_EVENTS &&
	       ((chunk->flags & RLOG_FLAG_REMARKS) != 0 || chunk->lost > 0);
}

/*
 * Counts the program's events: all rows except remarks on losses. Only chunks that may have remarks
 * are decoded. If that fails, all rows of the chunk count.
 */
static void count_events(struct ra_info *info, const struct rlog_chunk *chunks, size_t count)
{
	struct rlog_batch batch;
	int code = rlog_batch_init(&batch, 0);

	if (code != 0) {
		ra_alloc_end();
	}

	info->events = info->by_type[RLOG_CHUNK_EVENTS].rows;
	for (size_t i = 0; i < count; i++) {
		struct rlog_error err;

		if (!may_have_remarks(&chunks[i])) {
			continue;
		}
		code = rlog_reader_decode_events(info->reader, &chunks[i], &batch, &err);
		if (code == -RLOG_E_NO_MEMORY) {
			ra_alloc_end();
		}
		if (code == 0) {
			info->events -=
				batch.count - rlog_batch_count_events(&batch, 0, batch.count);
		}
	}
	rlog_batch_fini(&batch);
}

static void collect_clock(struct ra_info *info)
{
	size_t count = 0;
	const struct rlog_clock_point *points = rlog_reader_borrow_clock(info->reader, &count);

	info->clock_points = count;
	for (size_t i = 0; i < count; i++) {
		if (points[i].err_ns > info->clock_err_ns) {
			info->clock_err_ns = points[i].err_ns;
		}
	}
	if (count > 1 && points[count - 1].mono_ns > points[0].mono_ns) {
		info->clock_span_ns = points[count - 1].mono_ns - points[0].mono_ns;
		info->clock_rate = (double) (points[count - 1].ticks - points[0].ticks) * 1e9 /
		                   (double) info->clock_span_ns;
	}
}

void ra_info_collect(struct ra_info *info, const char *path, const struct rlog_reader *reader)
{
	size_t count = 0;
	const struct rlog_chunk *chunks = rlog_reader_borrow_chunks(reader, &count);
	uint32_t *streams = ra_alloc_zeros(count + 1, sizeof(*streams));

	*info = (struct ra_info){ .path = path, .reader = reader };
	const size_t events = add_chunks(info, chunks, count, streams);

	RA_SORT(streams, events, ra_order_uint32);
	for (size_t i = 0; i < events; i++) {
		info->streams += i == 0 || streams[i] != streams[i - 1];
	}
	free(streams);
	collect_clock(info);
	count_events(info, chunks, count);
}

double ra_info_bytes_per_event(const struct ra_info *info)
{
	const uint64_t stored_bytes = info->by_type[RLOG_CHUNK_EVENTS].stored_bytes;

	return info->events > 0 ? (double) stored_bytes / (double) info->events : 0.0;
}
