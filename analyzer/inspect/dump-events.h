/* SPDX-License-Identifier: MIT */
/* Reads the events of a log directly from its chunks: of one stream, or of all streams by time. */
#ifndef RA_DUMP_EVENTS_H
#define RA_DUMP_EVENTS_H

#include <stdbool.h>

#include "format/batch.h"
#include "format/error.h"
#include "format/read/reader.h"

/* The position of a walk in one stream. */
struct ra_dump_events_stream {
	const struct rlog_chunk *const *chunks; /* borrowed; the chunks of the stream, in order */
	size_t chunk_count;
	size_t next_chunk;
	struct rlog_batch batch; /* owned */
	size_t row;
	size_t data_at;
	size_t attr_at[RLOG_ATTRS]; /* index of the first attribute whose row is not before `row` */
	uint8_t *joined;            /* owned: data of an event that spans several rows, joined */
	size_t joined_count;
	size_t joined_capacity;
};

/* One event with its attributes. */
struct ra_dump_events_row {
	uint32_t stream;
	uint64_t ordinal;
	uint64_t ticks;
	uint32_t name;
	uint32_t domain;
	uint64_t id;
	uint64_t attr[RLOG_ATTRS];
	/* size of the data, with those of the rows of op `more` that follow. Such rows continue an
	 * event's data and are no events. */
	const uint8_t *data;
	size_t data_bytes;
	uint8_t op;
};

/* Called for each chunk that can't be decoded. The walk continues after that chunk. */
struct ra_dump_events_visitor {
	void (*row)(void *context, const struct ra_dump_events_row *row);
	void (*damage)(void *context, const struct rlog_chunk *chunk, const struct rlog_error *err);
	void *context;
};

/*
 * Visits all events ordered by (stream, ordinal), or by ticks if by_time is set. Events of a stream
 * always keep their order. At equal ticks, the stream with the lower number comes first.
 *
 * Memory: the current chunk is decoded; if by_time is set, one chunk of each stream that has not
 * ended.
 */
void ra_dump_events_walk(const struct rlog_reader *reader, bool by_time,
                         const struct ra_dump_events_visitor *visitor);

#endif
