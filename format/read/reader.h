/* SPDX-License-Identifier: MIT */
/* Reads a log, whole or damaged: finds the chunks, loads the tables, decodes events on demand. */
#ifndef RLOG_READER_H
#define RLOG_READER_H

#include <stdbool.h>

#include "format/batch.h"
#include "format/error.h"
#include "format/tables.h"

struct rlog_reader;

/* A chunk whose header and payload have good CRCs. */
struct rlog_chunk {
	uint64_t offset; /* offset of the header */
	uint64_t sequence;
	uint64_t first_ticks;
	uint64_t last_ticks;
	uint32_t stream;
	uint32_t stored_bytes;
	uint32_t raw_bytes;
	uint32_t count;
	uint32_t lost;
	uint16_t flags;
	uint8_t type; /* enum rlog_chunk_type, or an unknown number */
};

/* A part of the file that could not be read. */
struct rlog_damage {
	uint64_t offset;
	uint64_t bytes;
	uint64_t rows;   /* number of rows by the header; 0 if the header is damaged, too */
	uint32_t stream; /* stream by the header; 0 if the header is damaged, too */
	int code; /* enum rlog_error_code: E_HEADER, E_PAYLOAD_CRC, E_INFLATE, E_MSGPACK, E_SCHEMA
	           * or E_TRUNCATED */
	char what[80]; /* one line: what was expected, and what was found */
};

/*
 * Opens a log: maps the file (reads it if it can't be mapped), finds its chunks, and decodes all
 * tables. Damage is not an error here: see rlog_reader_borrow_damages().
 *
 * Return: 0, or -RLOG_E_SYSTEM (open or read failed), -RLOG_E_NOT_A_FILE, -RLOG_E_EMPTY,
 * -RLOG_E_NOT_A_LOG, -RLOG_E_VERSION, -RLOG_E_NO_MEMORY, with err->offset where it applies.
 */
int rlog_reader_open(struct rlog_reader **out, const char *path, struct rlog_error *err);

/*
 * Opens a log from a pipe. `head` has the first `size` bytes, which the caller has read already.
 * Reads the pipe to its end; the caller closes it. Return: as rlog_reader_open().
 */
int rlog_reader_open_pipe(struct rlog_reader **out, int fd, const void *head, size_t size,
                          struct rlog_error *err);

/* Opens a log in memory (for tests and fuzzing). The caller keeps the bytes alive and unchanged
 * until rlog_reader_close(). Return: as rlog_reader_open(). */
int rlog_reader_open_memory(struct rlog_reader **out, const void *bytes, size_t size,
                            struct rlog_error *err);

/* Frees the reader, and all memory borrowed from it. NULL is allowed. */
void rlog_reader_close(struct rlog_reader *reader);

/*
 * All pointers that the functions below return are borrowed until rlog_reader_close(). Several
 * threads at once may call functions that take a const reader. A reader may be NULL: it then stands
 * for an empty log, because data from other files has no reader.
 */
/*
 * Returns the good chunks in the order of offsets, without repeated events. Chunks of a stream are
 * always in the order of their sequence numbers: if the file has another order, all chunks are
 * sorted by stream, type and sequence number.
 */
const struct rlog_chunk *rlog_reader_borrow_chunks(const struct rlog_reader *reader, size_t *count);

/* Compares chunks by stream, type, sequence number and offset. Return: as memcmp(). */
int rlog_reader_compare_chunks(const struct rlog_chunk *a, const struct rlog_chunk *b);
/* Returns the damages in the order of offsets. Adjacent damages are joined. */
const struct rlog_damage *rlog_reader_borrow_damages(const struct rlog_reader *reader,
                                                     size_t *count);
const struct rlog_fact *rlog_reader_borrow_capture(const struct rlog_reader *reader, size_t *count);
/* Returns END's facts; their count is 0 if the log was not closed. */
const struct rlog_fact *rlog_reader_borrow_end(const struct rlog_reader *reader, size_t *count);
/* Returns the strings, indexed by string id. Entry 0 is the empty name. If `bytes` is NULL, the
 * string was lost. */
const struct rlog_string *rlog_reader_borrow_strings(const struct rlog_reader *reader,
                                                     size_t *count);
/* Returns the definitions in the order of ordinals, without repeats. */
const struct rlog_def *rlog_reader_borrow_defs(const struct rlog_reader *reader, size_t *count);
/* Returns the clock points in the order of ticks, without repeats. */
const struct rlog_clock_point *rlog_reader_borrow_clock(const struct rlog_reader *reader,
                                                        size_t *count);
/* Returns one row per stream and cause, which has the last total. Sorted by stream, then cause. */
const struct rlog_loss *rlog_reader_borrow_losses(const struct rlog_reader *reader, size_t *count);

/* Returns the fact with this key, or NULL. */
const struct rlog_fact *rlog_reader_find_capture(const struct rlog_reader *reader, const char *key);

uint64_t rlog_reader_size_bytes(const struct rlog_reader *reader);
/* Returns the bytes of the file, and their number. */
const uint8_t *rlog_reader_borrow_bytes(const struct rlog_reader *reader);

/* Gives the memory of a part of a large file back to the kernel. The part is read again when
 * needed. */
void rlog_reader_drop_pages(const struct rlog_reader *reader, uint64_t from, uint64_t to);
/* True if the log has END and a valid trailer. */
bool rlog_reader_is_closed(const struct rlog_reader *reader);
/*
 * Counts the rows of all streams and types that were written but are no longer in the file: gaps in
 * sequence numbers, headers without payload, and rows that only END's totals show. Strings and
 * definitions that a repeat has are not missing. Rows of INDEX are never counted.
 */
uint64_t rlog_reader_missing_rows(const struct rlog_reader *reader);

/*
 * Decodes one EVENTS chunk.
 *
 * @chunk: from rlog_reader_borrow_chunks(), of type RLOG_CHUNK_EVENTS.
 * @batch: initialised by the caller, cleared and filled here; grows as needed.
 * Return: 0, -RLOG_E_INFLATE, -RLOG_E_MSGPACK, -RLOG_E_SCHEMA (err->offset is the chunk's),
 * -RLOG_E_NO_MEMORY.
 */
int rlog_reader_decode_events(const struct rlog_reader *reader, const struct rlog_chunk *chunk,
                              struct rlog_batch *batch, struct rlog_error *err);

/* Decodes one EVENTS chunk, but leaves the memory of its part of the file. The caller gives that
 * back by rlog_reader_drop_pages(). For several chunks together this is cheaper, above all while
 * other threads read. */
int rlog_reader_decode_kept(const struct rlog_reader *reader, const struct rlog_chunk *chunk,
                            struct rlog_batch *batch, struct rlog_error *err);

#endif
