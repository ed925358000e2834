/* SPDX-License-Identifier: MIT */
/* A capture that keeps only its last part: begins and drops pieces of the log. */
#ifndef RCAP_KEEP_H
#define RCAP_KEEP_H

#include "libranges/drain/drain.h"

/*
 * A piece is a log that is never closed. It is in the same folder as the log that the user wants. A
 * private chunk in each piece lists the ranges that were open at the piece's start. Row numbers
 * continue from piece to piece. Events that are not in a piece are still in the spool, so nothing
 * is lost wherever the program dies.
 */
#define RCAP_KEEP_CHUNK (RLOG_CHUNK_PRIVATE + 0)

/* The payload of the private chunk: this struct, then the ranges and losses. */
struct rcap_keep_state {
	uint32_t ranges;
	uint32_t losses;
};

struct rcap_keep_range {
	uint64_t ticks; /* time at which the range was opened */
	uint64_t id;    /* id of a start/end range; 0 for a push/pop range */
	uint32_t name;
	uint32_t domain;
	uint32_t stream;
	uint32_t pad;
};

/* Makes the drain keep only the last part, if the settings ask for it. Context: after
 * rcap_drain_init(). */
void rcap_keep_init(struct rcap_drain *drain);

/*
 * Makes the spool store the pattern of a log that a recovery makes. Pieces that the recovery begins
 * are in that log's folder, because the disk of the other pieces may be full. If several recoveries
 * are interrupted, the pattern of the first one is kept.
 */
void rcap_keep_set_aside(struct rcap_spool *spool, const char *pattern);

/* Begins the next piece. Return: 0, or -code of the system or the writer. It may then be called
 * again. */
int rcap_keep_begin(struct rcap_drain *drain, struct rlog_error *err);

/* True if there are pieces. */
bool rcap_keep_is_begun(const struct rcap_spool *spool);

/* Forgets the pieces after a log was made of them. Other pieces may follow. */
void rcap_keep_forget(struct rcap_spool *spool);

/* True if the duration of the present piece is over. Then drain everything that is published, and
 * call rcap_keep_turn(). */
bool rcap_keep_is_over(const struct rcap_drain *drain);

/* Begins another piece if the present one is full or @is_over. Drops pieces that are too old. Call
 * it between two batches. Return: as rcap_keep_begin(). */
int rcap_keep_turn(struct rcap_drain *drain, bool is_over, struct rlog_error *err);

/* Returns the time in ns until rcap_keep_is_over() may become true; INT64_MAX if it never does by
 * time. */
int64_t rcap_keep_left_ns(const struct rcap_drain *drain);

/* Sums of what is kept now. */
struct rcap_keep_sum {
	uint64_t events; /* events of the program */
	uint64_t bytes;
	uint64_t outside; /* calls that were dropped, also in earlier cycles */
};

/*
 * Adds up what is kept.
 *
 * @events: from rcap_keep_count_events(). If the caller has only a header, 0: then the sum has no
 * events.
 * Context: any process. In another process than the program's the figures may be of two different
 * moments.
 */
void rcap_keep_add(struct rcap_spool_header *header, uint64_t events, struct rcap_keep_sum *out);

#endif
