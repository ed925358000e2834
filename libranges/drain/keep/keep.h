/* SPDX-License-Identifier: MIT */
/* A capture that keeps only its last part: begins and drops pieces of the log. */
#ifndef RCAP_KEEP_H
#define RCAP_KEEP_H

#include "libranges/drain/drain.h"

/*
 * A piece is a log that is never closed, next to the log that the user asked for. A private chunk
 * in each piece lists the ranges that were open at the piece's start. Row numbers continue from
 * piece to piece. What is not in a piece is still in the spool, so that a death at any point loses
 * nothing.
 */
#define RCAP_KEEP_CHUNK (RLOG_CHUNK_PRIVATE + 0)

/* The payload of that chunk: this struct, then the rows below. */
struct rcap_keep_state {
	uint32_t ranges;
	uint32_t losses;
};

struct rcap_keep_range {
	uint64_t ticks; /* when it was opened */
	uint64_t id;    /* 0: push/pop */
	uint32_t name;
	uint32_t domain;
	uint32_t stream;
	uint32_t pad;
};

/* Makes the drain keep only the last part, if the settings ask for it. Context: after
 * rcap_drain_init(). */
void rcap_keep_init(struct rcap_drain *drain);

/*
 * A recovery makes the log by this pattern: pieces that it begins lie next to that log, because
 * the disk of the others may be full. If several recoveries were interrupted, the first one's
 * pattern counts.
 */
void rcap_keep_set_aside(struct rcap_spool *spool, const char *pattern);

/* Begins the next piece. Return: 0, or -code of system and writer; may be called again. */
int rcap_keep_begin(struct rcap_drain *drain, struct rlog_error *err);

/* True if there are pieces. */
bool rcap_keep_is_begun(const struct rcap_spool *spool);

/* Forgets the pieces after a log was made of them; other pieces may follow. */
void rcap_keep_forget(struct rcap_spool *spool);

/* True if the time of the present piece is over: then drain everything published, and call
 * rcap_keep_turn(). */
bool rcap_keep_is_over(const struct rcap_drain *drain);

/* Begins another piece if this one is full, or @is_over, and drops pieces that are too old. Call
 * it between batches. Return: as above. */
int rcap_keep_turn(struct rcap_drain *drain, bool is_over, struct rlog_error *err);

/* Time in ns until rcap_keep_is_over() may be true; INT64_MAX: never by time. */
int64_t rcap_keep_left_ns(const struct rcap_drain *drain);

/* What is kept now. */
struct rcap_keep_sum {
	uint64_t events; /* of the program */
	uint64_t bytes;
	uint64_t outside; /* calls that were dropped, also in earlier cycles */
};

/*
 * @events: rcap_keep_count_events(); 0 with only a header: then the sum has none. Context: any
 * process; seen from outside the figures may be of two moments.
 */
void rcap_keep_add(struct rcap_spool_header *header, uint64_t events, struct rcap_keep_sum *out);

#endif
