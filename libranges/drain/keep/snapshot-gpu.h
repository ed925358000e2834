/* SPDX-License-Identifier: MIT */
/* Which of the GPU's records belong to a log that holds the last part of a capture only. */
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
 * CUPTI hands records over up to a flush late: those of a piece that was dropped stand in a piece
 * that is kept, and the ranges that they belong to do not. What the GPU did is of the window if the
 * call that it comes of began in it. Ids of calls grow: the first id in the window divides them,
 * also where a call itself stood in a piece that was dropped. What comes of no call goes by its own
 * time.
 */
struct rcap_snapshot_gpu {
	struct rcap_snapshot_gpu_stream streams[RCAP_SNAPSHOT_GPU_STREAMS];
	uint32_t stream_count;
	bool is_cut;           /* else nothing was dropped, and all belongs to the window */
	uint64_t mono_ns;      /* where the window begins, by the clocks of such streams */
	uint64_t real_ns;      /* likewise */
	bool has_call;         /* then the next two are of the first call of the window */
	uint32_t call;         /* its id */
	uint64_t call_ns;      /* and its time */
	uint64_t quiet;        /* rows of the window since the last one that was not of it */
	uint64_t outside;      /* rows that were left out */
	struct rlog_batch all; /* owned: what was decoded last */
	uint32_t *places;      /* owned: where its rows go */
	size_t place_capacity;
};

/* @gpu: all zero. @piece: the first of the window. */
void rcap_snapshot_gpu_init(struct rcap_snapshot_gpu *gpu, const struct rcap_spool *spool,
                            const struct rcap_kept_piece *piece, bool is_cut);
void rcap_snapshot_gpu_fini(struct rcap_snapshot_gpu *gpu);

bool rcap_snapshot_gpu_is_one(const struct rcap_snapshot_gpu *gpu, uint32_t stream);

/* True if the chunk is to be decoded: first to be looked at, of all chunks, then to be sieved. */
bool rcap_snapshot_gpu_wants_look(const struct rcap_snapshot_gpu *gpu,
                                  const struct rlog_chunk_header *header);
bool rcap_snapshot_gpu_wants_sieve(const struct rcap_snapshot_gpu *gpu,
                                   const struct rlog_chunk_header *header);

/* Looks for the first call of the window. @bytes: the payload, inflated; of header->raw_bytes.
 * What can't be decoded is passed over, here and below. */
void rcap_snapshot_gpu_look(struct rcap_snapshot_gpu *gpu, const struct rlog_chunk_header *header,
                            const void *bytes);

/* Return: what of the chunk is of the window, perhaps no row; its sequence is the caller's to set.
 * NULL: all of it. */
struct rlog_batch *rcap_snapshot_gpu_sieve(struct rcap_snapshot_gpu *gpu,
                                           const struct rlog_chunk_header *header,
                                           const void *bytes);

#endif
