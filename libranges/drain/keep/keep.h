/* SPDX-License-Identifier: MIT */
/* A capture that keeps only its last part: begins and drops pieces of the log. */
#ifndef RCAP_KEEP_H
#define RCAP_KEEP_H

#include "libranges/drain/drain.h"

/*
 * A piece is a log that is never closed. It lies next to the log that the user asked for. A private
 * chunk in each piece lists the ranges that were open at the piece's start. Row numbers continue
 * from piece to piece. Events that are not in a piece are still in the spool, so nothing is lost
 * wherever the program dies.
 */
#define RCAP_KEEP_CHUNK (RLOG_CHUNK_PRIVATE + 0)

/* The payload of that chunk: this struct, then the ranges and losses below. */
struct rcap_keep_state {
	uint32_t ranges;
	uint32_t losses;
};

struct rcap_keep_range {
	uint64_t ticks; /* time at which the range was opened */
	uint64_t id;    /* id of the start/end range; 0: a push/pop range */
	uint32_t name;
	uint32_t domain;
	uint32_t stream;
	uint32_t pad;
};

/* Makes the drain keep only the last part, if the settings ask for it. Context: after
 * rcap_drain_init(). */
void rcap_keep_init(struct rcap_drain *drain);

/*
 * Tells the spool that a recovery makes the log by this pattern. Pieces that the recovery begins
 * lie next to that log, because the disk of the other pieces may be full. If several recoveries
 * were interrupted, the first one's pattern counts.
 */
void rcap_keep_set_aside(struct rcap_spool *spool, const char *pattern);

/* Begins the next piece. Return: 0, or -code of system and writer; may be called again. */
int rcap_keep_begin(struct rcap_drain *drain, struct rlog_error *err);

/* True if there are pieces. */
bool rcap_keep_is_begun(const struct rcap_spool *spool);

/* Forgets the pieces after a log was made of them; other pieces may follow. */
void rcap_keep_forget(struct rcap_spool *spool);

/* True if the time of the present piece is over. Then drain everything that is published, and call
 * rcap_keep_turn(). */
bool rcap_keep_is_over(const struct rcap_drain *drain);

/* Begins another piece if this one is full or @is_over, and drops pieces that are too old. Call it
 * between batches. Return: as rcap_keep_begin(). */
int rcap_keep_turn(struct rcap_drain *drain, bool is_over, struct rlog_error *err);

/* Returns the time in ns until rcap_keep_is_over() may be true; INT64_MAX: time never makes it
 * true. */
int64_t rcap_keep_left_ns(const struct rcap_drain *drain);

/* Counts of what is kept now. */
struct rcap_keep_sum {
	uint64_t events; /* events of the program */
	uint64_t bytes;
	uint64_t outside; /* calls that were dropped, in earlier cycles as well */
};

/*
 * Adds up what is kept.
 *
 * @events: from rcap_keep_count_events(); 0 if the caller has only a header: then the sum has no
 * events. Context: any process. In another process the figures may belong to two different
 * moments.
 */
void rcap_keep_add(struct rcap_spool_header *header, uint64_t events, struct rcap_keep_sum *out);

#endif
