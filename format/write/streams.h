/* SPDX-License-Identifier: MIT */
/* Counts how much of each stream is written: stream id → ordinal of its next event. */
#ifndef RLOG_STREAMS_H
#define RLOG_STREAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An open-addressed hash table in the caller's memory; all zero means empty. */
struct rlog_streams {
	struct rlog_streams_slot {
		uint64_t next;
		uint32_t stream; /* 0 if the slot is free */
	} * slots;               /* owned */
	size_t capacity;         /* 0 or a power of two */
	size_t count;
};

void rlog_streams_fini(struct rlog_streams *streams);

/* Makes room for one more stream, for rlog_streams_set(). Return: 0, -RLOG_E_NO_MEMORY. */
int rlog_streams_reserve(struct rlog_streams *streams);

/* Returns the value of a stream; 0 if it has none. @stream: not 0. */
uint64_t rlog_streams_get(const struct rlog_streams *streams, uint32_t stream);

/* Sets the value of a stream. Call rlog_streams_reserve() before. */
void rlog_streams_set(struct rlog_streams *streams, uint32_t stream, uint64_t next);

bool rlog_streams_has(const struct rlog_streams *streams, uint32_t stream);

#endif
