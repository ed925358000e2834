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

/* The state that a call restores if it fails halfway. It has only numbers, so an assignment saves
 * or restores it. */
struct rlog_writer_emit_state {
	uint64_t size_bytes; /* size of the file: end of the last whole chunk */
	uint64_t chunks;
	uint64_t prev_index; /* offset of the last INDEX; UINT64_MAX if there is none */
	size_t index_start;  /* rows index_start … index_count-1 wait for the next INDEX */
	size_t index_count;
	uint64_t index_rows; /* index rows written so far: the sequence number of the next INDEX */
	uint64_t clock_rows;
	uint64_t loss_rows;
	uint64_t tables_at;     /* size_bytes when strings and definitions were last repeated */
	uint64_t checkpoint_at; /* size_bytes at the last checkpoint */
};

struct rlog_writer_emit {
	int fd; /* borrowed */
	uint32_t tag;
	uint16_t flags;                       /* flags that every chunk gets */
	struct rlog_codec_deflater *deflater; /* owned; NULL: payloads are stored uncompressed */
	uint8_t *raw;    /* owned; the payload that is being packed, after RLOG_HEADER_BYTES */
	uint8_t *packed; /* owned; the compressed payload, after RLOG_HEADER_BYTES */
	struct rlog_index_row *index; /* owned */
	size_t index_capacity;
	struct rlog_writer_emit_state at;
	struct rlog_reserve reserve; /* space that is reserved for the chunks that close the log */
};

/* Initialises `emit` without any chunk. @level: 0…9. Return: 0, -RLOG_E_NO_MEMORY (`emit` is then
 * safe to fini). */
int rlog_writer_emit_init(struct rlog_writer_emit *emit, int fd, uint32_t tag, int level);

/* Frees what init allocated. The struct may be all zero. */
void rlog_writer_emit_fini(struct rlog_writer_emit *emit);

/* Starts a payload. The caller packs it into *pack and passes that to rlog_writer_emit_chunk(). */
void rlog_writer_emit_start(struct rlog_writer_emit *emit, struct rlog_pack *pack);

/*
 * Writes the payload as one chunk.
 *
 * @header: the caller sets type, flags, stream, sequence, count, lost and times; the rest is filled
 * in here.
 * Return: 0; -RLOG_E_SYSTEM or -RLOG_E_NO_MEMORY: nothing has changed.
 */
int rlog_writer_emit_chunk(struct rlog_writer_emit *emit, const struct rlog_pack *pack,
                           struct rlog_chunk_header *header, struct rlog_error *err);

/*
 * Writes a payload that was copied from another file. @header: the caller also sets raw and stored
 * bytes and the flag stored. Return: as rlog_writer_emit_chunk(), also -RLOG_E_ARGUMENT if the
 * payload is too large.
 */
int rlog_writer_emit_ready(struct rlog_writer_emit *emit, const void *payload,
                           struct rlog_chunk_header *header, struct rlog_error *err);

/* Writes the END chunk, then the trailer. Return: as rlog_writer_emit_chunk(). */
int rlog_writer_emit_end(struct rlog_writer_emit *emit, const struct rlog_pack *pack,
                         struct rlog_chunk_header *header, struct rlog_error *err);

/* Releases the disk space that is reserved after the file's end. */
void rlog_writer_emit_trim(struct rlog_writer_emit *emit);

/* Adds a row for a chunk to the next INDEX. Return: 0, -RLOG_E_NO_MEMORY. */
int rlog_writer_emit_add_index(struct rlog_writer_emit *emit, uint64_t offset,
                               const struct rlog_chunk_header *header);

/*
 * Writes INDEX chunks until fewer than `most` index rows wait.
 *
 * @most: at least 1.
 * Return: as rlog_writer_emit_chunk().
 */
int rlog_writer_emit_flush_index(struct rlog_writer_emit *emit, size_t most,
                                 struct rlog_error *err);

/* Makes everything written so far final. States saved earlier must not be restored afterwards. */
void rlog_writer_emit_settle(struct rlog_writer_emit *emit);

/* Cuts the file back to a state that was saved earlier. */
void rlog_writer_emit_roll_back(struct rlog_writer_emit *emit,
                                const struct rlog_writer_emit_state *to);

#endif
