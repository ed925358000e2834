/* SPDX-License-Identifier: MIT */
/* Puts chunks into the file: compresses them, adds headers, writes whole chunks or nothing,
 * keeps the index. */
#ifndef RLOG_WRITER_EMIT_H
#define RLOG_WRITER_EMIT_H

#include <stdint.h>

#include "format/chunk.h"
#include "format/codec.h"
#include "format/columns/encode.h"
#include "format/error.h"
#include "format/columns/pack.h"
#include "format/write/reserve.h"

/* The state that a call restores if it fails halfway: plain numbers, saved and restored by
 * assignment. */
struct rlog_writer_emit_state {
	uint64_t size_bytes; /* size of the file: end of the last whole chunk */
	uint64_t chunks;
	uint64_t prev_index; /* offset of the last INDEX, UINT64_MAX if there is none */
	size_t index_start;  /* rows index_start … index_count-1 wait for the next INDEX */
	size_t index_count;
	uint64_t index_rows; /* index rows written so far; this is the sequence number of the next
	                        INDEX */
	uint64_t clock_rows;
	uint64_t loss_rows;
	uint64_t tables_at;     /* size_bytes when strings and definitions were last repeated */
	uint64_t checkpoint_at; /* size_bytes at the last checkpoint */
};

struct rlog_writer_emit {
	int fd; /* borrowed */
	uint32_t tag;
	uint16_t flags;                       /* of every chunk */
	struct rlog_codec_deflater *deflater; /* owned; NULL: store */
	uint8_t *raw;    /* owned; the payload in the making, after RLOG_HEADER_BYTES */
	uint8_t *packed; /* owned; the compressed payload, after RLOG_HEADER_BYTES */
	struct rlog_index_row *index; /* owned */
	size_t index_capacity;
	struct rlog_writer_emit_state at;
	struct rlog_reserve reserve; /* space for the chunks that close the log */
};

/* Return: 0, -RLOG_E_NO_MEMORY (safe to fini). @level: 0…9. */
int rlog_writer_emit_init(struct rlog_writer_emit *emit, int fd, uint32_t tag, int level);

/* Frees what init made; the struct may be zero. */
void rlog_writer_emit_fini(struct rlog_writer_emit *emit);

/* Starts a payload: pack it into *pack and give that to rlog_writer_emit_chunk(). */
void rlog_writer_emit_start(struct rlog_writer_emit *emit, struct rlog_pack *pack);

/*
 * Writes the payload as one chunk.
 *
 * @header: type, flags, stream, sequence, count, lost, times; the rest is filled in here.
 * Return: 0, -RLOG_E_SYSTEM, -RLOG_E_NO_MEMORY; then nothing has changed.
 */
int rlog_writer_emit_chunk(struct rlog_writer_emit *emit, const struct rlog_pack *pack,
                           struct rlog_chunk_header *header, struct rlog_error *err);

/*
 * Writes a payload that was copied from another file. @header: also raw and stored bytes and the
 * flag stored. Return: as above, also -RLOG_E_ARGUMENT if it is too large.
 */
int rlog_writer_emit_ready(struct rlog_writer_emit *emit, const void *payload,
                           struct rlog_chunk_header *header, struct rlog_error *err);

/* Writes the END chunk, followed by the trailer. Return: as above. */
int rlog_writer_emit_end(struct rlog_writer_emit *emit, const struct rlog_pack *pack,
                         struct rlog_chunk_header *header, struct rlog_error *err);

/* Releases the disk space kept after the file. */
void rlog_writer_emit_trim(struct rlog_writer_emit *emit);

/* Adds a chunk to the next INDEX. Return: 0, -RLOG_E_NO_MEMORY. */
int rlog_writer_emit_add_index(struct rlog_writer_emit *emit, uint64_t offset,
                               const struct rlog_chunk_header *header);

/*
 * Writes INDEX chunks until fewer than `most` rows wait.
 *
 * @most: at least 1.
 * Return: as rlog_writer_emit_chunk().
 */
int rlog_writer_emit_flush_index(struct rlog_writer_emit *emit, size_t most,
                                 struct rlog_error *err);

/* Makes everything written final: earlier saved states are no longer valid. */
void rlog_writer_emit_settle(struct rlog_writer_emit *emit);

/* Cuts the file back to a state saved before. */
void rlog_writer_emit_roll_back(struct rlog_writer_emit *emit,
                                const struct rlog_writer_emit_state *to);

#endif
