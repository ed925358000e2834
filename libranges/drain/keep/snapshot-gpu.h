/* SPDX-License-Identifier: MIT */
/* Selects the GPU records that belong to a log of the last part of a capture. */
#ifndef RCAP_SNAPSHOT_GPU_H
#define RCAP_SNAPSHOT_GPU_H

#include "format/batch.h"
#include "format/chunk.h"
#include "libranges/spool/spool.h"

#define RCAP_SNAPSHOT_GPU_STREAMS 64u

struct rcap_snapshot_gpu_stream {
	uint32_t id;
	uint32_t clock;
};

/*
 * CUPTI hands records over late, by up to the time between two flushes. So a kept piece may have
 * records of work whose ranges were in a dropped piece. A GPU record belongs to the window if its
 * call began in the window. Call ids increase, so the limit is the first id in the window, even if
 * the call with that id was in a dropped piece. For records without a call their own time decides.
 */
struct rcap_snapshot_gpu {
	struct rcap_snapshot_gpu_stream streams[RCAP_SNAPSHOT_GPU_STREAMS];
	uint32_t stream_count;
	bool is_cut;           /* true if pieces were dropped; otherwise all records belong to the
	                        * window */
	uint64_t mono_ns;      /* start of the window by CLOCK_MONOTONIC */
	uint64_t real_ns;      /* start of the window by CLOCK_REALTIME */
	bool has_call;         /* true if the first call of the window is known: the next two
	                        * members */
	uint32_t call;         /* id of that call */
	uint64_t call_ns;      /* time of that call */
	uint64_t quiet;        /* number of rows of the window since the last row outside of it */
	uint64_t outside;      /* number of rows that were left out */
	struct rlog_batch all; /* owned: the last decoded batch */
	uint32_t *places;      /* owned: the new places of that batch's rows */
	size_t place_capacity;
};

/* Prepares the selection. @gpu: all zero. @piece: the first piece of the window. */
void rcap_snapshot_gpu_init(struct rcap_snapshot_gpu *gpu, const struct rcap_spool *spool,
                            const struct rcap_kept_piece *piece, bool is_cut);
void rcap_snapshot_gpu_fini(struct rcap_snapshot_gpu *gpu);

bool rcap_snapshot_gpu_is_one(const struct rcap_snapshot_gpu *gpu, uint32_t stream);

/* True if the chunk must be decoded. _wants_look: for the search through all chunks. _wants_sieve:
 * for the selection of rows afterwards. */
bool rcap_snapshot_gpu_wants_look(const struct rcap_snapshot_gpu *gpu,
                                  const struct rlog_chunk_header *header);
bool rcap_snapshot_gpu_wants_sieve(const struct rcap_snapshot_gpu *gpu,
                                   const struct rlog_chunk_header *header);

/* Searches a chunk for the first call of the window. @bytes: the inflated payload, of
 * header->raw_bytes. This and the next function skip chunks that can't be decoded. */
void rcap_snapshot_gpu_look(struct rcap_snapshot_gpu *gpu, const struct rlog_chunk_header *header,
                            const void *bytes);

/* Selects the rows of a chunk that belong to the window. Return: these rows, maybe none; the caller
 * sets their sequence. NULL: all rows belong to the window. */
struct rlog_batch *rcap_snapshot_gpu_sieve(struct rcap_snapshot_gpu *gpu,
                                           const struct rlog_chunk_header *header,
                                           const void *bytes);

#endif
