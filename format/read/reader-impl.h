/* SPDX-License-Identifier: MIT */
/* Internals of struct rlog_reader, only for reader-*.c. */
#ifndef RLOG_READER_IMPL_H
#define RLOG_READER_IMPL_H

#include "format/codec.h"
#include "format/columns/decode.h"
#include "format/read/reader.h"
#include "format/read/walk.h"

/* A growing array of chunks, in the order of their offsets in the file. */
struct rlog_reader_chunks {
	struct rlog_chunk *rows; /* owned */
	size_t count;
	size_t capacity;
};

struct rlog_reader {
	const uint8_t *bytes;
	uint64_t size;
	void *mapped; /* owned; NULL if `bytes` is not a mapping */
	void *copied; /* owned; NULL if `bytes` is not a copy in our memory */
	uint32_t tag;
	bool has_trailer;
	struct rlog_reader_chunks chunks;
	struct rlog_reader_chunks torn; /* chunks with a good header and a damaged payload */
	struct rlog_damage *damages;    /* owned */
	size_t damage_count;
	size_t damage_capacity;
	struct rlog_decode_facts capture;
	struct rlog_decode_facts end;
	void **payloads; /* owned, with all payloads in it; strings and facts point into them */
	size_t payload_count;
	size_t payload_capacity;
	struct rlog_string *strings; /* owned */
	size_t string_count;         /* highest id + 1 */
	size_t strings_known;        /* number of known strings, without entry 0 */
	size_t name_bytes;
	struct rlog_def *defs; /* owned */
	size_t def_count;
	uint64_t def_end;               /* highest ordinal + 1 */
	struct rlog_clock_point *clock; /* owned */
	size_t clock_count;
	struct rlog_loss *losses; /* owned */
	size_t loss_count;
	uint64_t missing_rows;
};

/* Makes room for one more element. Return: the array, the same or a bigger one; NULL: no memory,
 * and the old array is unchanged. */
void *rlog_reader_make_room(void *array, size_t count, size_t *capacity, size_t element_bytes);

/* The bytes that were read since pages were last given back; all zero if there are none. */
struct rlog_reader_stretch {
	uint64_t begin;
	uint64_t end;
};

/* Notes that the bytes from … to-1 were read. Gives their pages back to the kernel once the stretch
 * is long. */
void rlog_reader_note_read(const struct rlog_reader *reader, struct rlog_reader_stretch *stretch,
                           uint64_t from, uint64_t to);

/* Adds a damage, or extends the last one if that ends where the new one begins. Return: 0,
 * -RLOG_E_NO_MEMORY. */
int rlog_reader_add_damage(struct rlog_reader *reader, const struct rlog_damage *damage);

/* Adds a chunk to the damages. @what: the reason; cut to fit. Return: 0, -RLOG_E_NO_MEMORY. */
int rlog_reader_condemn(struct rlog_reader *reader, const struct rlog_chunk *chunk, int code,
                        const char *what);

/*
 * Removes chunks whose rows are already in an earlier chunk. Sorts the others by sequence number if
 * the file has them in another order. Return: 0, -RLOG_E_NO_MEMORY.
 */
int rlog_reader_order_chunks(struct rlog_reader *reader);

/* Sorts the damages by offset and joins adjacent ones. */
void rlog_reader_order_damages(struct rlog_reader *reader);

/*
 * Counts rows that were written according to the sequence numbers, but are in no good chunk.
 *
 * @others: gets the number of clock points and losses.
 * Return: 0, -RLOG_E_NO_MEMORY.
 */
int rlog_reader_order_count_missing(const struct rlog_reader *reader, uint64_t *events,
                                    uint64_t *others);

/* Decodes everything except events. Chunks that can't be decoded become damage. Return: 0,
 * -RLOG_E_NO_MEMORY. */
int rlog_reader_tables_load(struct rlog_reader *reader);

#endif
