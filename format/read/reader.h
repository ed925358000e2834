/* SPDX-License-Identifier: MIT */
/* Reads a log, whole or damaged: finds the chunks, loads the tables, decodes events on demand. */
#ifndef RLOG_READER_H
#define RLOG_READER_H

#include <stdbool.h>

#include "format/batch.h"
#include "format/error.h"
#include "format/tables.h"

struct rlog_reader;

/* A chunk whose header and payload CRC are good. */
struct rlog_chunk {
	uint64_t offset; /* of the header */
	uint64_t sequence;
	uint64_t first_ticks;
	uint64_t last_ticks;
	uint32_t stream;
	uint32_t stored_bytes;
	uint32_t raw_bytes;
	uint32_t count;
	uint32_t lost;
	uint16_t flags;
	uint8_t type; /* enum rlog_chunk_type, or a number we do not know */
};

/* A stretch of the file that could not be read. */
struct rlog_damage {
	uint64_t offset;
	uint64_t bytes;
	uint64_t rows;   /* that the header said were there; 0 if the header is gone too */
	uint32_t stream; /* likewise */
	int code; /* enum rlog_error_code: E_HEADER, E_PAYLOAD_CRC, E_INFLATE, E_MSGPACK, E_SCHEMA,
	             E_TRUNCATED */
	char what[80]; /* what was expected and what was there, one line */
};

/*
 * Opens a log: maps the file (reads it if it can't be mapped), finds its chunks, decodes all
 * tables. Damage is no error here: see rlog_reader_damages.
 *
 * Return: 0, or -RLOG_E_SYSTEM (open, read), -RLOG_E_NOT_A_FILE, -RLOG_E_EMPTY, -RLOG_E_NOT_A_LOG,
 * -RLOG_E_VERSION, -RLOG_E_NO_MEMORY, with err->offset where it applies.
 */
int rlog_reader_open(struct rlog_reader **out, const char *path, struct rlog_error *err);

/*
 * The same of a pipe that is open, whose first `size` bytes have been read into `head`. It is read
 * to its end; the caller closes it.
 */
int rlog_reader_open_pipe(struct rlog_reader **out, int fd, const void *head, size_t size,
                          struct rlog_error *err);

/* The same over memory that the caller keeps alive and unchanged until close (tests, fuzzing). */
int rlog_reader_open_memory(struct rlog_reader **out, const void *bytes, size_t size,
                            struct rlog_error *err);

/* Frees everything, also all memory borrowed from the reader. NULL is allowed. */
void rlog_reader_close(struct rlog_reader *reader);

/* All borrowed pointers below live until rlog_reader_close. Every function that takes a const
 * reader may be called by several threads at once. NULL
 * stands for a reader of a log without anything in it: what was read from elsewhere has none. */
/*
 * The good chunks in order of offset, no events twice. The chunks of a stream are always in order
 * of their sequence numbers: where a file has them in another order, all are sorted by stream, type
 * and sequence number.
 */
const struct rlog_chunk *rlog_reader_borrow_chunks(const struct rlog_reader *reader, size_t *count);

/* By stream, type, sequence number and offset. Return: as memcmp(). */
int rlog_reader_compare_chunks(const struct rlog_chunk *a, const struct rlog_chunk *b);
/* In order of offset; neighbours are joined to one. */
const struct rlog_damage *rlog_reader_borrow_damages(const struct rlog_reader *reader,
                                                     size_t *count);
const struct rlog_fact *rlog_reader_borrow_capture(const struct rlog_reader *reader, size_t *count);
/* END's facts; count 0 if the log was not closed. */
const struct rlog_fact *rlog_reader_borrow_end(const struct rlog_reader *reader, size_t *count);
/* Index = string id; entry 0 is the empty name; an entry with bytes NULL was lost. */
const struct rlog_string *rlog_reader_borrow_strings(const struct rlog_reader *reader,
                                                     size_t *count);
/* In order of ordinals, without repeats. */
const struct rlog_def *rlog_reader_borrow_defs(const struct rlog_reader *reader, size_t *count);
/* In order of ticks, without repeats. */
const struct rlog_clock_point *rlog_reader_borrow_clock(const struct rlog_reader *reader,
                                                        size_t *count);
/* One row per (stream, cause): the last total. Sorted by stream, cause. */
const struct rlog_loss *rlog_reader_borrow_losses(const struct rlog_reader *reader, size_t *count);

/* Fact by key, or NULL. */
const struct rlog_fact *rlog_reader_find_capture(const struct rlog_reader *reader, const char *key);

uint64_t rlog_reader_size_bytes(const struct rlog_reader *reader);
/* The file as it lies on disk, that many bytes. */
const uint8_t *rlog_reader_borrow_bytes(const struct rlog_reader *reader);

/* Gives back the memory that a stretch of a large file takes; it is read anew when looked at. */
void rlog_reader_drop_pages(const struct rlog_reader *reader, uint64_t from, uint64_t to);
/* True if END and a valid trailer are there. */
bool rlog_reader_is_closed(const struct rlog_reader *reader);
/*
 * Rows that were written but are not in the file any more, all streams and types: gaps in sequence
 * numbers, headers without their payload, and what END counts more than there is. Strings and
 * definitions that a repeat holds are not missing; rows of INDEX never count.
 */
uint64_t rlog_reader_missing_rows(const struct rlog_reader *reader);

/*
 * Decodes one EVENTS chunk.
 *
 * @chunk: one of rlog_reader_borrow_chunks() with type RLOG_CHUNK_EVENTS.
 * @batch: initialised by the caller, cleared and filled here; grows as needed.
 * Return: 0, -RLOG_E_INFLATE, -RLOG_E_MSGPACK, -RLOG_E_SCHEMA (err->offset = the chunk's),
 * -RLOG_E_NO_MEMORY.
 */
int rlog_reader_decode_events(const struct rlog_reader *reader, const struct rlog_chunk *chunk,
                              struct rlog_batch *batch, struct rlog_error *err);

#endif
