/* SPDX-License-Identifier: MIT */
/* Selects the GPU records that belong to a log of the last part of a capture. */
#include "libranges/drain/keep/snapshot-gpu.h"

#include <stdlib.h>

#include "format/columns/events.h"
#include "format/wire.h"

/* The search for older rows ends after this many consecutive rows of the window. No GPU stream has
 * so many launches waiting. */
#define QUIET_ROWS 16384u
/* Value in `places`: the row is left out. */
#define OUTSIDE UINT32_MAX

void rcap_snapshot_gpu_init(struct rcap_snapshot_gpu *gpu, const struct rcap_spool *spool,
                            const struct rcap_kept_piece *piece, bool is_cut)
{
	const uint32_t count = atomic_load_explicit(&spool->header->streams, memory_order_acquire);

	for (uint32_t i = 0; i < count && gpu->stream_count < RCAP_SNAPSHOT_GPU_STREAMS; i++) {
		const struct rcap_stream *stream = rcap_spool_stream(spool, i);

		if (stream && stream->clock != 0) {
			gpu->streams[gpu->stream_count++] =
				(struct rcap_snapshot_gpu_stream){ stream->id, stream->clock };
		}
	}
	gpu->is_cut = is_cut;
	gpu->mono_ns = piece->mono_ns;
	gpu->real_ns = piece->real_ns;
}

void rcap_snapshot_gpu_fini(struct rcap_snapshot_gpu *gpu)
{
	rlog_batch_fini(&gpu->all);
	free(gpu->places);
}

/* Finds a GPU stream by its number. Return: NULL if the stream is not a GPU's. */
static const struct rcap_snapshot_gpu_stream *find_stream(const struct rcap_snapshot_gpu *gpu,
                                                          uint32_t stream)
{
	for (uint32_t i = 0; i < gpu->stream_count; i++) {
		if (gpu->streams[i].id == stream) {
			return &gpu->streams[i];
		}
	}
	return NULL;
}

bool rcap_snapshot_gpu_is_one(const struct rcap_snapshot_gpu *gpu, uint32_t stream)
{
	return find_stream(gpu, stream) != NULL;
}

/* Returns the start of the window by a stream's clock; 0 if the stream is not a GPU's. */
static uint64_t begin_of(const struct rcap_snapshot_gpu *gpu, uint32_t id)
{
	const struct rcap_snapshot_gpu_stream *const stream = find_stream(gpu, id);

	if (!stream) {
		return 0;
	}
	return stream->clock == RLOG_STREAM_CLOCK_MONOTONIC ? gpu->mono_ns : gpu->real_ns;
}

bool rcap_snapshot_gpu_wants_look(const struct rcap_snapshot_gpu *gpu,
                                  const struct rlog_chunk_header *header)
{
	return gpu->is_cut && begin_of(gpu, header->stream) > 0 &&
	       (!gpu->has_call || header->first_ticks <= gpu->call_ns);
}

bool rcap_snapshot_gpu_wants_sieve(const struct rcap_snapshot_gpu *gpu,
                                   const struct rlog_chunk_header *header)
{
	const uint64_t begin = begin_of(gpu, header->stream);

	return gpu->is_cut && begin > 0 && (header->first_ticks < begin || gpu->quiet < QUIET_ROWS);
}

static bool decode(struct rlog_batch *batch, const struct rlog_chunk_header *header,
                   const void *bytes)
{
	rlog_batch_clear(batch);
	batch->stream = header->stream;
	batch->flags = header->flags;
	return rlog_events_read(batch, bytes, header->raw_bytes, header->count, NULL) == 0;
}

/* Compares call ids, which have 32 bits and wrap around. */
static bool is_before(uint32_t id, uint32_t other)
{
	return (int32_t) (id - other) < 0;
}

void rcap_snapshot_gpu_look(struct rcap_snapshot_gpu *gpu, const struct rlog_chunk_header *header,
                            const void *bytes)
{
	const uint64_t begin = begin_of(gpu, header->stream);
	const struct rlog_attr_column *const calls = &gpu->all.attr[RLOG_ATTR_CORR];

	if (!decode(&gpu->all, header, bytes)) {
		return;
	}
	for (size_t i = 0; i < calls->count; i++) {
		const uint32_t row = calls->row[i];
		const uint32_t id = (uint32_t) calls->value[i];

		if (gpu->all.op[row] == RLOG_OP_API && gpu->all.ticks[row] >= begin &&
		    (!gpu->has_call || is_before(id, gpu->call))) {
			gpu->has_call = true;
			gpu->call = id;
			gpu->call_ns = gpu->all.ticks[row];
		}
	}
}

static bool is_outside(const struct rcap_snapshot_gpu *gpu, uint64_t ticks, uint64_t begin,
                       bool is_of_call, uint32_t call)
{
	return gpu->has_call && is_of_call ? is_before(call, gpu->call) : ticks < begin;
}

/* Decides where each row goes: gpu->places gets the row's new index, or OUTSIDE. Return: number of
 * rows that stay. */
static uint32_t place_rows(struct rcap_snapshot_gpu *gpu, uint64_t begin)
{
	const struct rlog_batch *const batch = &gpu->all;
	const struct rlog_attr_column *const calls = &batch->attr[RLOG_ATTR_CORR];
	uint32_t kept = 0;
	size_t at = 0;

	for (uint32_t row = 0; row < batch->count; row++) {
		const bool is_of_call = at < calls->count && calls->row[at] == row;

		if (!rlog_batch_is_remark(batch->op[row]) &&
		    is_outside(gpu, batch->ticks[row], begin, is_of_call,
		               is_of_call ? (uint32_t) calls->value[at] : 0)) {
			gpu->places[row] = OUTSIDE;
			gpu->quiet = 0;
		} else {
			gpu->places[row] = kept++;
			gpu->quiet++;
		}
		at += is_of_call;
	}
	return kept;
}

static void move_rows(struct rlog_batch *batch, const uint32_t *places, uint32_t kept)
{
	for (uint32_t row = 0; row < batch->count; row++) {
		const uint32_t to = places[row];

		if (to != OUTSIDE) {
			batch->ticks[to] = batch->ticks[row];
			batch->op[to] = batch->op[row];
			batch->name[to] = batch->name[row];
			batch->domain[to] = batch->domain[row];
			batch->id[to] = batch->id[row];
		}
	}
	for (unsigned attr = 0; attr < RLOG_ATTRS; attr++) {
		struct rlog_attr_column *const column = &batch->attr[attr];
		size_t count = 0;

		for (size_t i = 0; i < column->count; i++) {
			const uint32_t to = places[column->row[i]];

			if (to != OUTSIDE) {
				column->row[count] = to;
				column->value[count++] = column->value[i];
			}
		}
		column->count = count;
	}
	batch->count = kept;
}

struct rlog_batch *rcap_snapshot_gpu_sieve(struct rcap_snapshot_gpu *gpu,
                                           const struct rlog_chunk_header *header,
                                           const void *bytes)
{
	uint32_t kept;

	/* A chunk with the column data is not made of GPU records. */
	if (!decode(&gpu->all, header, bytes) || gpu->all.data.count > 0) {
		return NULL;
	}
	if (gpu->all.count > gpu->place_capacity) {
		free(gpu->places);
		gpu->place_capacity = gpu->all.count;
		gpu->places = malloc(gpu->place_capacity * sizeof(*gpu->places));
	}
	if (!gpu->places) {
		gpu->place_capacity = 0;
		return NULL;
	}
	kept = place_rows(gpu, begin_of(gpu, header->stream));
	if (kept == gpu->all.count) {
		return NULL;
	}
	gpu->outside += gpu->all.count - kept;
	move_rows(&gpu->all, gpu->places, kept);
	return &gpu->all;
}
