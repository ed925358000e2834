/* SPDX-License-Identifier: MIT */
/* Follows the drain's batches, and knows which ranges are open. */
#include "libranges/drain/open-ranges.h"

#include <stdlib.h>
#include <string.h>

#include "format/batch.h"
#include "format/wire.h"

/* At most this many open ranges of a stream are followed. Deeper ranges have no name in the next
 * log. */
#define MAX_OPEN 1024u

struct open_ranges {
	struct rcap_open_range *ranges; /* owned */
	uint32_t count;
	uint32_t capacity;
	uint32_t stream; /* number of the stream, to recognize its record */
};

struct rcap_drain_cycles {
	struct open_ranges *streams;      /* owned; indexed by stream */
	struct rcap_live_started started; /* start/end ranges of the process */
};

static void free_cycles(struct rcap_drain *drain)
{
	struct rcap_drain_cycles *cycles = drain->cycles;

	if (!cycles) {
		return;
	}
	for (uint32_t i = 0; i < RCAP_STREAM_BLOCKS * RCAP_STREAMS_BLOCK; i++) {
		free(cycles->streams[i].ranges);
	}
	free(cycles->streams);
	free(cycles);
	drain->cycles = NULL;
}

void rcap_open_ranges_forget(struct rcap_drain *drain)
{
	struct rcap_drain_cycles *cycles = drain->cycles;

	for (uint32_t i = 0; cycles && i < RCAP_STREAM_BLOCKS * RCAP_STREAMS_BLOCK; i++) {
		cycles->streams[i].count = 0;
	}
	if (cycles) {
		rcap_live_forget_started(&cycles->started);
	}
}

static void add_open(struct open_ranges *open, const struct rcap_open_range *range)
{
	if (open->count == open->capacity) {
		const uint32_t capacity = open->capacity == 0 ? 16 : 2 * open->capacity;
		struct rcap_open_range *grown =
			open->capacity >= MAX_OPEN
				? NULL
				: realloc(open->ranges, capacity * sizeof(*grown));

		if (!grown) {
			return;
		}
		open->ranges = grown;
		open->capacity = capacity;
	}
	open->ranges[open->count++] = *range;
}

static void take_out(struct open_ranges *open, uint32_t i)
{
	memmove(&open->ranges[i], &open->ranges[i + 1],
	        (open->count - i - 1) * sizeof(open->ranges[0]));
	open->count--;
}

/* Closes a range at a row of the batch. */
static void close_one(struct rcap_drain *drain, struct open_ranges *open, uint32_t i, size_t row)
{
	if (drain->range_closed && !drain->is_dropping) {
		drain->range_closed(drain, &open->ranges[i], drain->batch.ticks[row]);
	}
	take_out(open, i);
}

/* Closes the innermost range of the row's domain. */
static void close_open(struct rcap_drain *drain, struct open_ranges *open, size_t row)
{
	for (uint32_t i = open->count; i-- > 0;) {
		if (open->ranges[i].domain == drain->batch.domain[row]) {
			close_one(drain, open, i, row);
			return;
		}
	}
}

static void end_started(struct rcap_drain *drain, size_t row)
{
	struct rcap_open_range range;

	if (rcap_live_end(&drain->cycles->started, drain->batch.id[row], &range) &&
	    drain->range_closed && !drain->is_dropping) {
		drain->range_closed(drain, &range, drain->batch.ticks[row]);
	}
}

static uint64_t find_attr(const struct rlog_batch *batch, enum rlog_attr attr, size_t row)
{
	const struct rlog_attr_column *column = &batch->attr[attr];

	for (size_t i = 0; i < column->count && column->row[i] <= row; i++) {
		if (column->row[i] == row) {
			return column->value[i];
		}
	}
	return 0;
}

/* Handles a loss. Takes the outermost ranges of the domain as still open. The others were closed,
 * and unknown ranges were opened. */
static void keep_outermost(struct open_ranges *open, const struct rlog_batch *batch, size_t row)
{
	const struct rcap_open_range unknown = { .ticks = batch->ticks[row],
		                                 .domain = batch->domain[row] };
	const uint64_t depth = find_attr(batch, RLOG_ATTR_DEPTH, row);
	const uint64_t least = find_attr(batch, RLOG_ATTR_MIN_DEPTH, row);
	uint64_t kept = 0;

	for (uint32_t i = 0; i < open->count;) {
		if (open->ranges[i].domain == unknown.domain && ++kept > least) {
			take_out(open, i);
		} else {
			i++;
		}
	}
	for (uint64_t i = least; i < depth && i < least + MAX_OPEN; i++) {
		add_open(open, &unknown);
	}
}

static void follow(struct rcap_drain *drain, uint32_t index)
{
	const struct rlog_batch *batch = &drain->batch;
	struct open_ranges *open = &drain->cycles->streams[index];
	const uint32_t stream = rcap_spool_stream(drain->spool, index)->id;

	if (open->stream != stream) {
		open->stream = stream;
		open->count = 0;
	}
	if (drain->begin_batch) {
		drain->begin_batch(drain);
	}
	for (size_t i = 0; i < batch->count; i++) {
		const struct rcap_open_range range = { .ticks = batch->ticks[i],
			                               .id = batch->id[i],
			                               .name = batch->name[i],
			                               .domain = batch->domain[i] };

		if (batch->op[i] == RLOG_OP_PUSH) {
			add_open(open, &range);
		} else if (batch->op[i] == RLOG_OP_POP) {
			close_open(drain, open, i);
		} else if (batch->op[i] == RLOG_OP_START) {
			rcap_live_start(&drain->cycles->started, &range);
		} else if (batch->op[i] == RLOG_OP_END) {
			end_started(drain, i);
		} else if (batch->op[i] == RLOG_OP_DEPTH) {
			keep_outermost(open, batch, i);
		}
	}
	if (drain->watch && !drain->is_dropping) {
		drain->watch(drain, index);
	}
}

void rcap_open_ranges_init(struct rcap_drain *drain)
{
	struct rcap_drain_cycles *cycles = calloc(1, sizeof(*cycles));

	if (cycles) {
		cycles->streams = calloc((size_t) RCAP_STREAM_BLOCKS * RCAP_STREAMS_BLOCK,
		                         sizeof(*cycles->streams));
		if (!cycles->streams) {
			free(cycles);
			cycles = NULL;
		}
	}
	drain->cycles = cycles;
	drain->free_cycles = cycles ? free_cycles : NULL;
	drain->follow = cycles ? follow : NULL;
}

bool rcap_open_ranges_has(const struct rcap_drain *drain, uint32_t index)
{
	const struct rcap_stream *stream = rcap_spool_stream(drain->spool, index);
	const uint32_t state = stream ? atomic_load_explicit(&stream->state, memory_order_acquire)
	                              : RCAP_STREAM_FREE;

	return state != RCAP_STREAM_FREE && state != RCAP_STREAM_OFF && stream->clock == 0;
}

const struct rcap_open_range *rcap_open_ranges_borrow(const struct rcap_drain *drain,
                                                      uint32_t index, uint32_t *count)
{
	const struct open_ranges *open = NULL;

	*count = 0;
	if (drain->cycles && index == UINT32_MAX) {
		*count = drain->cycles->started.count;
		return *count > 0 ? drain->cycles->started.ranges : NULL;
	}
	if (drain->cycles && rcap_open_ranges_has(drain, index)) {
		open = &drain->cycles->streams[index];
		/* Another thread may use the stream's record by now. */
		open = open->stream == rcap_spool_stream(drain->spool, index)->id ? open : NULL;
	}
	if (!open || open->count == 0) {
		return NULL;
	}
	*count = open->count;
	return open->ranges;
}

static void put_open(struct rlog_batch *batch, const struct rcap_open_range *ranges, uint32_t count,
                     uint64_t ticks)
{
	for (uint32_t i = 0; i < count && batch->count < RCAP_DRAIN_ROWS; i++) {
		const struct rcap_open_range *range = &ranges[i];

		rlog_batch_append(batch, ticks, RLOG_OP_BEGUN, range->name, range->domain,
		                  range->id);
		rlog_batch_add_attr(batch, RLOG_ATTR_SPAN, (uint32_t) batch->count - 1,
		                    ticks - range->ticks);
	}
}

void rcap_open_ranges_put(struct rcap_drain *drain, uint32_t index, uint64_t ticks,
                          bool with_started)
{
	uint32_t count;
	const struct rcap_open_range *ranges = rcap_open_ranges_borrow(drain, index, &count);

	put_open(&drain->batch, ranges, count, ticks);
	if (with_started) {
		ranges = rcap_open_ranges_borrow(drain, UINT32_MAX, &count);
		put_open(&drain->batch, ranges, count, ticks);
	}
}
