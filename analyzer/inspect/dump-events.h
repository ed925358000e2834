/* SPDX-License-Identifier: MIT */
/* Steps through the events of a log, straight from its chunks: one stream, or all of them by time.
 */
#ifndef RA_DUMP_EVENTS_H
#define RA_DUMP_EVENTS_H

#include <stdbool.h>

#include "format/batch.h"
#include "format/error.h"
#include "format/read/reader.h"

/* Where one stream is. */
struct ra_dump_events_stream {
	const struct rlog_chunk *const *chunks; /* borrowed; those of the stream, in order */
	size_t chunk_count;
	size_t next_chunk;
	struct rlog_batch batch; /* owned */
	size_t row;
	size_t data_at;
	size_t attr_at[RLOG_ATTRS]; /* first attribute whose row is not before `row` */
	uint8_t *joined;            /* owned: data of an event that go on in further rows */
	size_t joined_count;
	size_t joined_capacity;
};

/* One event with its attributes gathered. */
struct ra_dump_events_row {
	uint32_t stream;
	uint64_t ordinal;
	uint64_t ticks;
	uint32_t name;
	uint32_t domain;
	uint64_t id;
	uint64_t attr[RLOG_ATTRS];
	/* With what the rows of op more behind it hold; they are no events of their own. */
	const uint8_t *data;
	size_t data_bytes;
	uint8_t op;
};

/* Told of each chunk that does not decode; the walk goes on behind it. */
struct ra_dump_events_visitor {
	void (*row)(void *context, const struct ra_dump_events_row *row);
	void (*damage)(void *context, const struct rlog_chunk *chunk, const struct rlog_error *err);
	void *context;
};

/*
 * Visits all events in order of (stream, ordinal), or with by_time in order of ticks; events of a
 * stream keep their order always, and of streams that are at the same ticks the lower number comes
 * first.
 *
 * Memory: the chunk being read, with by_time one of each stream that is alive.
 */
void ra_dump_events_walk(const struct rlog_reader *reader, bool by_time,
                         const struct ra_dump_events_visitor *visitor);

#endif
