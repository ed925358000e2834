/* SPDX-License-Identifier: MIT */
/* A capture that keeps its last part only: pieces of the log are begun and dropped. */
#ifndef RCAP_KEEP_H
#define RCAP_KEEP_H

#include "libranges/drain/drain.h"

/*
 * A piece is a log that was not closed, beside the log that the user asked for, with what was open
 * when it was begun in a chunk of a type of its own. Rows count on from piece to piece. What is
 * not in a piece stands in the spool, so that a death at any point loses nothing.
 */
#define RCAP_KEEP_CHUNK (RLOG_CHUNK_PRIVATE + 0)

/* The payload of that chunk: this, then so many of the rows below. */
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

/* Has the drain keep the last part only, if that is wanted. Context: after rcap_drain_init(). */
void rcap_keep_init(struct rcap_drain *drain);

/* A recovery is to make the log by this pattern: pieces that it begins lie beside that, as the
 * place of the others may be full. Of several recoveries that were ended the first decides. */
void rcap_keep_set_aside(struct rcap_spool *spool, const char *pattern);

/* Begins the next piece. Return: 0, or -code of system and writer; may be called again. */
int rcap_keep_begin(struct rcap_drain *drain, struct rlog_error *err);

/* True if there are pieces. */
bool rcap_keep_is_begun(const struct rcap_spool *spool);

/* The pieces were made a log; others may follow. */
void rcap_keep_forget(struct rcap_spool *spool);

/* True if the time of the present piece is over: what was published is to be drained, then
 * rcap_keep_turn() called. */
bool rcap_keep_is_over(const struct rcap_drain *drain);

/* Begins another piece if this one is large enough, or @is_over, and drops those that are not kept
 * any more. To be called between batches. Return: as above. */
int rcap_keep_turn(struct rcap_drain *drain, bool is_over, struct rlog_error *err);

/* When rcap_keep_is_over() is worth asking again: ns from now on; INT64_MAX: not by time. */
int64_t rcap_keep_left_ns(const struct rcap_drain *drain);

/* What there is now. */
struct rcap_keep_sum {
	uint64_t events; /* of the program's */
	uint64_t bytes;
	uint64_t outside; /* calls that were dropped, of earlier cycles too */
};

/*
 * @events: rcap_keep_count_events(); of a header alone 0: then the sum has none. Context: any
 * process; from outside the figures may be of two moments.
 */
void rcap_keep_add(struct rcap_spool_header *header, uint64_t events, struct rcap_keep_sum *out);

#endif
