/* SPDX-License-Identifier: MIT */
/* Reads a thread of a log only around a stretch of time. */
#include "analyzer/read-log/log-part.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/read-log/hierarchy/hierarchy-part.h"
#include "format/wire.h"

/* A thread's chunks, and which of them are read. */
struct part {
	const struct ra_log_part *of;
	const struct rlog_chunk *const *rows; /* the thread's chunks */
	size_t count;
	size_t first;   /* the first chunk that is read … */
	size_t behind;  /* … and the first one after those that are read */
	uint64_t ticks; /* when rows[behind] begins; all that was read is earlier */
};

/* A range that is open in a chunk. */
struct open_range {
	uint32_t domain;
	bool is_older; /* it was opened in the chunks that were read, or before */
};

/* Return: false if the chunk can't be decoded. */
static bool decode(struct part *part, size_t chunk)
{
	const int rc = rlog_reader_decode_events(part->of->reader, part->rows[chunk],
	                                         part->of->batch, NULL);

	if (rc == -RLOG_E_NO_MEMORY) {
		ra_alloc_end();
	}
	return rc == 0;
}

/* True if the headers of all chunks tell this: they have only pushes, pops and marks, nothing was
 * lost or is missing, and all but the first list the open ranges. */
static bool is_plain(const struct part *part)
{
	const unsigned bad = RLOG_FLAG_REMARKS | RLOG_FLAG_UNSORTED | RLOG_FLAG_OTHERS;
	uint64_t expected = 0;
	uint64_t latest = 0;

	for (size_t i = 0; i < part->count; i++) {
		const struct rlog_chunk *chunk = part->rows[i];

		if ((chunk->flags & bad) != 0 || chunk->lost > 0 || chunk->count == 0 ||
		    chunk->sequence != expected || chunk->first_ticks < latest ||
		    (i > 0 && (chunk->flags & RLOG_FLAG_OPEN) == 0)) {
			return false;
		}
		expected += chunk->count;
		latest = chunk->last_ticks;
	}
	return part->count > 0;
}

/* Chooses the chunks to read. */
static void choose(struct part *part)
{
	const struct ra_input_window *window = part->of->window;
	const struct rlog_chunk *const *rows = part->rows;

	part->first = 0;
	part->behind = 1;
	for (size_t i = 0; i < part->count; i++) {
		const int64_t ns =
			ra_hierarchy_part_time(part->of->hierarchy, rows[i]->first_ticks);

		part->first = ns < window->from_ns ? i : part->first;
		part->behind = ns < window->to_ns ? i + 1 : part->behind;
	}
	part->behind = part->behind > part->first ? part->behind : part->first + 1;
	while (part->behind < part->count &&
	       rows[part->behind]->first_ticks <= rows[part->behind - 1]->last_ticks) {
		part->behind++;
	}
	part->ticks = part->behind < part->count ? rows[part->behind]->first_ticks : UINT64_MAX;
}

/* True if the chunk lists the open ranges, all with names. A range without a name would get it from
 * its payload. */
static bool can_begin(struct part *part)
{
	const struct rlog_batch *batch = part->of->batch;
	bool has_names = true;

	/* The first chunk's header need not tell that it is plain. */
	if ((part->rows[0]->flags & RLOG_FLAG_OPEN) == 0 &&
	    (!decode(part, 0) || rlog_batch_has_others(batch, 0, batch->count))) {
		return false;
	}
	if (!decode(part, part->first) || (part->first > 0 && !batch->has_open)) {
		return false;
	}
	for (size_t i = 0; i < batch->open_count; i++) {
		has_names &= batch->open[i].name != 0;
	}
	return has_names;
}

/* Counts the ranges that were open after the rows read so far and are still open where a chunk
 * begins. Return: SIZE_MAX: the chunk can't be decoded. */
static size_t count_survivors(struct part *part, size_t chunk)
{
	const struct rlog_batch *batch = part->of->batch;
	size_t count = 0;

	if (!decode(part, chunk) || !batch->has_open) {
		return SIZE_MAX;
	}
	for (size_t i = 0; i < batch->open_count; i++) {
		count += batch->open[i].ticks < part->ticks;
	}
	return count;
}

/* Finds the last chunk, at `from` or later, where `count` ranges are still open. Searches by
 * doubling steps, then by halving. */
static size_t find_last(struct part *part, size_t from, size_t count)
{
	size_t low = from;
	size_t high = part->count;

	for (size_t step = 1; low + step < high; step *= 2) {
		if (count_survivors(part, low + step) < count) {
			high = low + step;
			break;
		}
		low += step;
	}
	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;

		if (count_survivors(part, middle) < count) {
			high = middle;
		} else {
			low = middle;
		}
	}
	return low;
}

/* Closes the innermost range of the domain of a row. Return: how many ranges with is_older are
 * left. */
static size_t close_innermost(struct part *part, struct open_range *open, size_t *count, size_t row)
{
	const struct rlog_batch *batch = part->of->batch;
	size_t older = 0;
	size_t i = *count;

	while (i > 0 && open[i - 1].domain != batch->domain[row]) {
		i--;
	}
	if (i > 0) {
		if (open[i - 1].is_older) {
			ra_hierarchy_part_close(part->of->hierarchy, batch->domain[row],
			                        batch->ticks[row]);
		}
		memmove(&open[i - 1], &open[i], (*count - i) * sizeof(*open));
		*count -= 1;
	}
	for (i = 0; i < *count && open[i].is_older; i++) {
		older++;
	}
	return older;
}

/* Takes the pops in a chunk, and closes those ranges that were open after the chunks that were
 * read. Return: how many of these are left. */
static size_t close_in(struct part *part, size_t chunk)
{
	const struct rlog_batch *batch = part->of->batch;
	struct open_range *open;
	size_t count = 0;
	size_t older = 0;

	if (!decode(part, chunk)) {
		return 0;
	}
	open = ra_alloc_zeros(batch->open_count + batch->count + 1, sizeof(*open));
	for (; count < batch->open_count; count++) {
		open[count].domain = batch->open[count].domain;
		open[count].is_older = batch->open[count].ticks < part->ticks;
		older += open[count].is_older;
	}
	for (size_t i = 0; i < batch->count && older > 0; i++) {
		if (batch->op[i] == RLOG_OP_PUSH) {
			open[count++] = (struct open_range){ batch->domain[i], false };
		} else if (batch->op[i] == RLOG_OP_POP) {
			older = close_innermost(part, open, &count, i);
		}
	}
	free(open);
	return older;
}

/* Finds the ends of ranges that are still open after the chunks that were read. */
static void close_open(struct part *part)
{
	size_t next = part->behind;

	while (next < part->count) {
		const size_t count = count_survivors(part, next);

		if (count == 0 || count == SIZE_MAX) {
			break;
		}
		next = find_last(part, next, count);
		if (close_in(part, next) == 0) {
			break;
		}
		next++;
	}
}

static int read_chunks(struct part *part)
{
	const struct ra_log_part *of = part->of;
	const struct rlog_batch *batch = of->batch;
	uint64_t expected = part->rows[part->first]->sequence;
	int rc = 0;

	if (part->first > 0) {
		for (size_t i = 0; i < batch->open_count; i++) {
			ra_hierarchy_part_open(of->hierarchy, &batch->open[i]);
		}
	}
	for (size_t i = part->first; i < part->behind && rc == 0; i++) {
		rc = of->take(of->context, part->rows[i], &expected);
	}
	return rc;
}

int ra_log_part_read(const struct ra_log_part *thread)
{
	struct part part = { .of = thread, .rows = thread->rows, .count = thread->count };
	uint64_t events = 0;
	int rc;

	if (!is_plain(&part)) {
		return RA_LOG_PART_WHOLE;
	}
	choose(&part);
	if (!can_begin(&part)) {
		return RA_LOG_PART_WHOLE;
	}
	rc = read_chunks(&part);
	close_open(&part);
	for (size_t i = 0; i < part.count; i++) {
		events += part.rows[i]->count;
	}
	ra_hierarchy_part_end(thread->hierarchy, events, part.rows[0]->first_ticks,
	                      part.rows[part.count - 1]->last_ticks);
	return rc;
}
