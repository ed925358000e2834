/* SPDX-License-Identifier: MIT */
/* Internals of struct rlog_reader, only for reader-*.c. */
#ifndef RLOG_READER_IMPL_H
#define RLOG_READER_IMPL_H

#include "format/codec.h"
#include "format/columns/decode.h"
#include "format/read/reader.h"
#include "format/read/walk.h"

/* A growing array of structs, in the order of their file offsets. */
struct rlog_reader_chunks {
	struct rlog_chunk *rows; /* owned */
	size_t count;
	size_t capacity;
};

struct rlog_reader {
	const uint8_t *bytes;
	uint64_t size;
	void *mapped; /* owned; NULL if bytes are not a mapping */
	void *copied; /* owned; NULL if the bytes were not copied to memory of ours */
	uint32_t tag;
	bool has_trailer;
	struct rlog_reader_chunks chunks;
	struct rlog_reader_chunks torn; /* chunks with a good header and a bad payload */
	struct rlog_damage *damages;    /* owned */
	size_t damage_count;
	size_t damage_capacity;
	struct rlog_decode_facts capture;
	struct rlog_decode_facts end;
	void **payloads; /* owned, and each of them; strings and facts point into them */
	size_t payload_count;
	size_t payload_capacity;
	struct rlog_string *strings; /* owned */
	size_t string_count;         /* one more than the highest id */
	size_t strings_known;        /* without entry 0 */
	size_t name_bytes;
	struct rlog_def *defs; /* owned */
	size_t def_count;
	uint64_t def_end;               /* one more than the highest ordinal */
	struct rlog_clock_point *clock; /* owned */
	size_t clock_count;
	struct rlog_loss *losses; /* owned */
	size_t loss_count;
	uint64_t missing_rows;
};

/* Makes room for one more element. Return: the array, the same or a bigger one; NULL: no memory
 * (the old one is untouched). */
void *rlog_reader_make_room(void *array, size_t count, size_t *capacity, size_t element_bytes);

/* Bytes read since pages were last given back; zero: none. */
struct rlog_reader_stretch {
	uint64_t begin;
	uint64_t end;
};

/* Notes that [from, to) was read, and gives pages back once the stretch is long. */
void rlog_reader_note_read(const struct rlog_reader *reader, struct rlog_reader_stretch *stretch,
                           uint64_t from, uint64_t to);

/* Adds damage, or lengthens the last one if it ends where this begins. Return: 0,
 * -RLOG_E_NO_MEMORY. */
int rlog_reader_add_damage(struct rlog_reader *reader, const struct rlog_damage *damage);

/* Adds a chunk as damage. @what: cut to fit. Return: 0, -RLOG_E_NO_MEMORY. */
int rlog_reader_condemn(struct rlog_reader *reader, const struct rlog_chunk *chunk, int code,
                        const char *what);

/*
 * Removes chunks whose rows are in the file already, and sorts the others by sequence number if the
 * file has them in another order. Return: 0, -RLOG_E_NO_MEMORY.
 */
int rlog_reader_order_chunks(struct rlog_reader *reader);

/* Sorts the damages by offset and joins adjacent ones. */
void rlog_reader_order_damages(struct rlog_reader *reader);

/*
 * Counts rows that were written, by their sequence numbers, but are in no good chunk.
 *
 * @others: clock points and losses.
 * Return: 0, -RLOG_E_NO_MEMORY.
 */
int rlog_reader_order_count_missing(const struct rlog_reader *reader, uint64_t *events,
                                    uint64_t *others);

/* Decodes everything but events; chunks that can't be decoded become damage. Return: 0,
 * -RLOG_E_NO_MEMORY. */
int rlog_reader_tables_load(struct rlog_reader *reader);

#endif
