/* SPDX-License-Identifier: MIT */
/* Order among chunks: finds repeats, chunks out of order, and missing rows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/read/reader-impl.h"
#include "format/wire.h"

/* A chunk as an element of its series. The chunks of one type and stream are a series: their
 * sequence numbers belong together. */
struct entry {
	uint8_t type;
	uint32_t stream;
	uint64_t sequence;
	uint64_t end;
	size_t chunk; /* index of the chunk; SIZE_MAX if the chunk is torn */
};

static int compare_entries(const void *left, const void *right)
{
	const struct entry *const a = left;
	const struct entry *const b = right;

	if (a->type != b->type) {
		return a->type < b->type ? -1 : 1;
	}
	if (a->stream != b->stream) {
		return a->stream < b->stream ? -1 : 1;
	}
	if (a->sequence != b->sequence) {
		return a->sequence < b->sequence ? -1 : 1;
	}
	return a->chunk < b->chunk ? -1 : a->chunk > b->chunk;
}

static bool is_same_series(const struct entry *a, const struct entry *b)
{
	return a->type == b->type && a->stream == b->stream;
}

/*
 * True if the chunk has a place in the order of its series. The sequence numbers of unknown types
 * have no known meaning. Repeated tables are left to the loader, which takes only the rows that it
 * does not have yet. No writer repeats events so far. If one does, a repeat is used if its first
 * copy is lost.
 */
static bool has_order(const struct rlog_chunk *chunk)
{
	if (chunk->type == RLOG_CHUNK_EVENTS) {
		return true;
	}
	return !(chunk->flags & RLOG_FLAG_REPEAT) && chunk->type >= RLOG_CHUNK_CAPTURE &&
	       chunk->type <= RLOG_CHUNK_END;
}

static size_t list_entries(const struct rlog_reader_chunks *chunks, bool torn, struct entry *out)
{
	size_t count = 0;

	for (size_t i = 0; i < chunks->count; i++) {
		const struct rlog_chunk *const chunk = &chunks->rows[i];

		if (has_order(chunk)) {
			out[count++] = (struct entry){
				.type = chunk->type,
				.stream = chunk->stream,
				.sequence = chunk->sequence,
				.end = chunk->sequence + chunk->count,
				.chunk = torn ? SIZE_MAX : i,
			};
		}
	}
	return count;
}

int rlog_reader_compare_chunks(const struct rlog_chunk *a, const struct rlog_chunk *b)
{
	if (a->stream != b->stream) {
		return a->stream < b->stream ? -1 : 1;
	}
	if (a->type != b->type) {
		return a->type < b->type ? -1 : 1;
	}
	if (a->sequence != b->sequence) {
		return a->sequence < b->sequence ? -1 : 1;
	}
	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

static int compare_chunks(const void *left, const void *right)
{
	return rlog_reader_compare_chunks(left, right);
}

/* Removes the marked chunks from the list. They become damage unless they are flagged as
 * repeats. */
static int drop_marked(struct rlog_reader *reader, const bool *is_double)
{
	size_t kept = 0;
	int code = 0;

	for (size_t i = 0; i < reader->chunks.count; i++) {
		const struct rlog_chunk chunk = reader->chunks.rows[i];
		char what[80];

		if (!is_double[i]) {
			reader->chunks.rows[kept++] = chunk;
			continue;
		}
		if (chunk.flags & RLOG_FLAG_REPEAT) {
			continue;
		}
		(void) snprintf(what, sizeof(what),
		                "rows %ju… of stream %u stand in the file twice",
		                (uintmax_t) chunk.sequence, chunk.stream);
		code = code ? code : rlog_reader_condemn(reader, &chunk, RLOG_E_HEADER, what);
	}
	reader->chunks.count = kept;
	return code;
}

/* Marks chunks whose rows an earlier chunk of the series has. Return: how many are marked. */
static size_t mark_doubles(const struct entry *entries, size_t count, bool *is_double)
{
	size_t doubles = 0;
	uint64_t end = 0; /* end of the rows of this series so far */

	for (size_t i = 0; i < count; i++) {
		const struct entry *const entry = &entries[i];

		if (i == 0 || !is_same_series(entry, entry - 1)) {
			end = 0;
		}
		if (entry->sequence < end) {
			is_double[entry->chunk] = true;
			doubles++;
		} else {
			end = entry->end;
		}
	}
	return doubles;
}

/* True if in each series the order of sequence numbers is the order in the file. */
static bool is_in_order(const struct entry *entries, size_t count, const bool *is_double)
{
	const struct entry *before = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct entry *const entry = &entries[i];

		if (is_double[entry->chunk]) {
			continue;
		}
		if (before && is_same_series(before, entry) && entry->chunk < before->chunk) {
			return false;
		}
		before = entry;
	}
	return true;
}

int rlog_reader_order_chunks(struct rlog_reader *reader)
{
	const size_t chunks = reader->chunks.count;
	struct entry *const entries = malloc((chunks + 1) * sizeof(*entries));
	bool *const is_double = calloc(chunks + 1, sizeof(*is_double));
	bool in_order = true;
	size_t count = 0;
	int code = -RLOG_E_NO_MEMORY;

	if (!entries || !is_double) {
		goto out;
	}
	code = 0;
	count = list_entries(&reader->chunks, false, entries);
	qsort(entries, count, sizeof(*entries), compare_entries);
	if (mark_doubles(entries, count, is_double)) {
		in_order = is_in_order(entries, count, is_double);
		code = drop_marked(reader, is_double);
	} else {
		in_order = is_in_order(entries, count, is_double);
	}
	if (!in_order) {
		qsort(reader->chunks.rows, reader->chunks.count, sizeof(*reader->chunks.rows),
		      compare_chunks);
	}
out:
	free(entries);
	free(is_double);
	return code;
}

static int compare_damages(const void *left, const void *right)
{
	const struct rlog_damage *const a = left;
	const struct rlog_damage *const b = right;

	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

void rlog_reader_order_damages(struct rlog_reader *reader)
{
	const size_t count = reader->damage_count;

	if (count == 0) {
		return;
	}
	qsort(reader->damages, count, sizeof(*reader->damages), compare_damages);
	reader->damage_count = 0;
	for (size_t i = 0; i < count; i++) {
		const struct rlog_damage damage = reader->damages[i];

		/* This needs no memory: no more damages are added than there were. */
		(void) rlog_reader_add_damage(reader, &damage);
	}
}

static uint64_t add_saturated(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Counts missing rows in the series that begins at entries[0]. *next: index of the first entry of
 * the next series. */
static uint64_t count_series(const struct entry *entries, size_t count, size_t *next)
{
	uint64_t missing = 0;
	uint64_t end = 0;  /* all rows before this one are there or counted as missing */
	uint64_t torn = 0; /* the rows before this one were written, by the header of a torn
	                    * chunk */
	size_t i = 0;

	for (; i < count && is_same_series(&entries[0], &entries[i]); i++) {
		const struct entry *const entry = &entries[i];

		if (entry->chunk == SIZE_MAX) {
			torn = entry->end > torn ? entry->end : torn;
			continue;
		}
		if (entry->sequence > end) {
			missing = add_saturated(missing, entry->sequence - end);
		}
		end = entry->end > end ? entry->end : end;
	}
	*next = i;
	return torn > end ? add_saturated(missing, torn - end) : missing;
}

int rlog_reader_order_count_missing(const struct rlog_reader *reader, uint64_t *events,
                                    uint64_t *others)
{
	const size_t room = reader->chunks.count + reader->torn.count + 1;
	struct entry *const entries = malloc(room * sizeof(*entries));
	size_t count = 0;
	size_t next = 0;

	if (!entries) {
		return -RLOG_E_NO_MEMORY;
	}
	count = list_entries(&reader->chunks, false, entries);
	count += list_entries(&reader->torn, true, entries + count);
	qsort(entries, count, sizeof(*entries), compare_entries);
	*events = 0;
	*others = 0;
	for (size_t i = 0; i < count; i += next) {
		const uint64_t missing = count_series(&entries[i], count - i, &next);

		if (entries[i].type == RLOG_CHUNK_EVENTS) {
			*events = add_saturated(*events, missing);
		} else if (entries[i].type == RLOG_CHUNK_CLOCK ||
		           entries[i].type == RLOG_CHUNK_LOSS) {
			*others = add_saturated(*others, missing);
		}
	}
	free(entries);
	return 0;
}
