/* SPDX-License-Identifier: MIT */
/* Checks the index: each row must agree with the chunk that it points to, and no row may be
 * missing. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/inspect/verify.h"
#include "format/chunk.h"
#include "format/codec.h"
#include "format/columns/column.h"
#include "format/columns/cursor.h"
#include "format/wire.h"

/* The columns of an INDEX chunk, in the order of struct index. */
enum column {
	COLUMN_OFF,
	COLUMN_TYPE,
	COLUMN_FLAGS,
	COLUMN_STREAM,
	COLUMN_SEQ,
	COLUMN_COUNT,
	COLUMN_STORED,
	COLUMN_RAW,
	COLUMN_T0,
	COLUMN_T1,
	COLUMNS,
};

static const char *const column_keys[COLUMNS] = { "off",   "type",   "flags", "stream", "seq",
	                                          "count", "stored", "raw",   "t0",     "t1" };

/* One INDEX chunk, and the file that it is from. */
struct index {
	struct rlog_codec_inflater *inflater; /* owned */
	uint8_t *raw;                         /* owned */
	uint64_t *columns[COLUMNS];           /* owned */
	size_t capacity;
	bool has_prev;
	uint64_t prev;
	const struct rlog_chunk **chunks; /* owned; all chunks of the log in order of offset */
	size_t chunk_count;
	size_t next; /* the first chunk that no row was compared with yet */
};

static void free_index(struct index *index)
{
	rlog_codec_destroy_inflater(index->inflater);
	free(index->raw);
	free(index->chunks);
	for (int i = 0; i < COLUMNS; i++) {
		free(index->columns[i]);
	}
}

/* Gives a pointer to bytes of the log; NULL if they are outside the log. */
static const uint8_t *find_bytes(const struct rlog_reader *reader, uint64_t offset, size_t count)
{
	const uint64_t size = rlog_reader_size_bytes(reader);

	return offset <= size && count <= size - offset ? rlog_reader_borrow_bytes(reader) + offset
	                                                : NULL;
}

/* Makes room for the rows of a chunk; the reader has checked that their number is possible. */
static void reserve(struct index *index, const struct rlog_chunk *chunk)
{
	if (chunk->count > index->capacity) {
		index->capacity = chunk->count;
		for (int i = 0; i < COLUMNS; i++) {
			free(index->columns[i]);
			index->columns[i] = ra_alloc_bytes(index->capacity * sizeof(uint64_t));
		}
	}
}

/* Reads one key and its value. */
static int read_member(struct index *index, struct rlog_cursor *cursor, size_t rows)
{
	struct rlog_cursor_int prev = { 0 };
	const char *key = NULL;
	uint32_t length = 0;
	int code = rlog_cursor_read_text(cursor, &key, &length);

	if (code != 0) {
		return code;
	}
	for (int i = 0; i < COLUMNS; i++) {
		if (strlen(column_keys[i]) == length && memcmp(column_keys[i], key, length) == 0) {
			return rlog_column_read_u64(cursor, rows, index->columns[i]);
		}
	}
	if (length == 4 && memcmp(key, "prev", 4) == 0) {
		code = rlog_cursor_read_int(cursor, &prev);
		index->has_prev = true;
		index->prev = prev.bits;
		return code;
	}
	return rlog_cursor_skip(cursor);
}

static int decode(struct index *index, const uint8_t *raw, size_t raw_bytes, size_t rows)
{
	struct rlog_cursor cursor = { .pos = raw, .end = raw + raw_bytes };
	uint32_t keys = 0;
	int code = rlog_cursor_read_map(&cursor, &keys);

	index->has_prev = false;
	for (int i = 0; i < COLUMNS && rows > 0; i++) {
		memset(index->columns[i], 0, rows * sizeof(uint64_t)); /* for absent columns */
	}
	for (uint32_t i = 0; i < keys && code == 0; i++) {
		code = read_member(index, &cursor, rows);
	}
	return code;
}

/* Reads the columns of an INDEX chunk. Return: false if that failed, which has been reported. */
static bool load(struct ra_verify *verify, struct index *index, const struct rlog_chunk *chunk)
{
	const uint8_t *raw = index->raw;
	const uint8_t *stored =
		find_bytes(verify->reader, chunk->offset + RLOG_HEADER_BYTES, chunk->stored_bytes);

	reserve(index, chunk);
	if (stored == NULL) {
		ra_verify_report(verify, chunk->offset, "the index cannot be read again");
		return false;
	}
	if ((chunk->flags & RLOG_FLAG_STORED) != 0) {
		raw = stored;
	} else if (rlog_codec_inflate(index->inflater, stored, chunk->stored_bytes, index->raw,
	                              chunk->raw_bytes) != 0) {
		ra_verify_report(verify, chunk->offset, "the index does not inflate");
		return false;
	}
	if (decode(index, raw, chunk->raw_bytes, chunk->count) != 0) {
		ra_verify_report(verify, chunk->offset,
		                 "the index is not msgpack of the expected form");
		return false;
	}
	return true;
}

static bool is_same(const struct index *index, size_t row, const struct rlog_chunk *chunk)
{
	return index->columns[COLUMN_OFF][row] == chunk->offset &&
	       index->columns[COLUMN_TYPE][row] == chunk->type &&
	       index->columns[COLUMN_FLAGS][row] == chunk->flags &&
	       index->columns[COLUMN_STREAM][row] == chunk->stream &&
	       index->columns[COLUMN_SEQ][row] == chunk->sequence &&
	       index->columns[COLUMN_COUNT][row] == chunk->count &&
	       index->columns[COLUMN_STORED][row] == chunk->stored_bytes &&
	       index->columns[COLUMN_RAW][row] == chunk->raw_bytes &&
	       index->columns[COLUMN_T0][row] == chunk->first_ticks &&
	       index->columns[COLUMN_T1][row] == chunk->last_ticks;
}

static bool is_damaged(const struct rlog_reader *reader, uint64_t offset)
{
	size_t count = 0;
	const struct rlog_damage *damages = rlog_reader_borrow_damages(reader, &count);

	for (size_t i = 0; i < count; i++) {
		if (offset >= damages[i].offset && offset - damages[i].offset < damages[i].bytes) {
			return true;
		}
	}
	return false;
}

/* Goes to the chunk at `offset`, and reports the chunks before it: an index has a row for each
 * chunk except INDEX chunks. */
static void pass_over(struct ra_verify *verify, struct index *index, const struct rlog_chunk *self,
                      uint64_t offset)
{
	for (; index->next < index->chunk_count; index->next++) {
		const struct rlog_chunk *chunk = index->chunks[index->next];

		if (chunk->offset > offset ||
		    (chunk->offset == offset && chunk->type != RLOG_CHUNK_INDEX)) {
			return;
		}
		if (chunk->type != RLOG_CHUNK_INDEX) {
			ra_verify_report(verify, self->offset,
			                 "the index has no row for the chunk at %" PRIu64,
			                 chunk->offset);
		}
	}
}

/* Compares the rows of an index with the next chunks in the file. */
static void compare(struct ra_verify *verify, struct index *index, const struct rlog_chunk *self)
{
	for (size_t row = 0; row < self->count; row++) {
		const uint64_t offset = index->columns[COLUMN_OFF][row];

		pass_over(verify, index, self, offset);
		const struct rlog_chunk *chunk =
			index->next < index->chunk_count ? index->chunks[index->next] : NULL;

		if (chunk != NULL && chunk->offset == offset) {
			if (!is_same(index, row, chunk)) {
				ra_verify_report(
					verify, self->offset,
					"row %zu of the index differs from the chunk at %" PRIu64,
					row, offset);
			}
			index->next++;
		} else if (!is_damaged(verify->reader, offset)) {
			ra_verify_report(verify, self->offset,
			                 "row %zu of the index points to %" PRIu64
			                 ", where no chunk is",
			                 row, offset);
		}
	}
}

static void check_trailer(struct ra_verify *verify, const struct rlog_chunk *last_index)
{
	struct rlog_chunk_trailer trailer;
	const uint64_t size = rlog_reader_size_bytes(verify->reader);
	const uint8_t *bytes;
	size_t chunks = 0;
	size_t damages = 0;

	rlog_reader_borrow_chunks(verify->reader, &chunks);
	rlog_reader_borrow_damages(verify->reader, &damages);
	bytes = size < RLOG_TRAILER_BYTES
	                ? NULL
	                : find_bytes(verify->reader, size - RLOG_TRAILER_BYTES, RLOG_TRAILER_BYTES);
	if (!rlog_reader_is_closed(verify->reader) || bytes == NULL ||
	    !rlog_chunk_read_trailer(&trailer, bytes)) {
		return; /* reported already */
	}
	if (damages == 0 && trailer.chunks != chunks) {
		ra_verify_report(verify, size - RLOG_TRAILER_BYTES,
		                 "the trailer counts %" PRIu64 " chunks, the file holds %zu",
		                 trailer.chunks, chunks);
	}
	if (last_index != NULL && trailer.index_off != last_index->offset) {
		ra_verify_report(verify, size - RLOG_TRAILER_BYTES,
		                 "the trailer says that the last index is at %" PRIu64
		                 ", it is at %" PRIu64,
		                 trailer.index_off, last_index->offset);
	}
}

static int compare_offsets(const void *left, const void *right)
{
	const struct rlog_chunk *a = *(const struct rlog_chunk *const *) left;
	const struct rlog_chunk *b = *(const struct rlog_chunk *const *) right;

	return RA_ORDER_UP(a, b, offset);
}

/* Sorts by offset, because the reader may have ordered chunks by sequence number. */
static void collect_chunks(const struct ra_verify *verify, struct index *index)
{
	const struct rlog_chunk *chunks =
		rlog_reader_borrow_chunks(verify->reader, &index->chunk_count);

	index->chunks = ra_alloc_zeros(index->chunk_count + 1, sizeof(struct rlog_chunk *));
	for (size_t i = 0; i < index->chunk_count; i++) {
		index->chunks[i] = &chunks[i];
	}
	RA_SORT(index->chunks, index->chunk_count, compare_offsets);
}

/* Goes through all INDEX chunks. */
static void check_all(struct ra_verify *verify, struct index *index)
{
	const struct rlog_chunk *previous = NULL;

	collect_chunks(verify, index);
	for (size_t i = 0; i < index->chunk_count; i++) {
		const struct rlog_chunk *chunk = index->chunks[i];

		if (chunk->type != RLOG_CHUNK_INDEX) {
			continue;
		}
		if (load(verify, index, chunk)) {
			compare(verify, index, chunk);
			if (index->has_prev != (previous != NULL) ||
			    (previous != NULL && index->prev != previous->offset)) {
				ra_verify_report(verify, chunk->offset,
				                 "the index does not point to the index before it");
			}
		}
		previous = chunk;
	}
	check_trailer(verify, previous);
}

int ra_verify_index(struct ra_verify *verify)
{
	struct index index = { 0 };
	const int code = rlog_codec_create_inflater(&index.inflater);

	index.raw = ra_alloc_bytes(RLOG_MAX_RAW_BYTES);
	if (code == 0) {
		check_all(verify, &index);
	}
	free_index(&index);
	return code;
}
