/* SPDX-License-Identifier: MIT */
/* A sink behind which another thread gives the slices on, in their order. */
#ifndef RA_SLICE_RELAY_H
#define RA_SLICE_RELAY_H

#include "analyzer/base/side/pool.h"
#include "analyzer/model/slice-sink.h"

struct ra_slice_relay;

/*
 * @pool: its threads; NULL is allowed. @sink: gets the same calls, borrowed until destroy. Of the
 * model it reads in take() what is in the stretch, and the names there are: those are settled
 * before more come (ra_slice_relay_settle()).
 * Return: NULL: there is no pool.
 */
struct ra_slice_relay *ra_slice_relay_create(struct ra_pool *pool,
                                             const struct ra_slice_sink *sink);

/* NULL is allowed. What was not given on is not. */
void ra_slice_relay_destroy(struct ra_slice_relay *relay);

/* What gives slices to the relay; borrowed. */
const struct ra_slice_sink *ra_slice_relay_borrow_sink(struct ra_slice_relay *relay);

/* All that was taken is given on when it returns. @context: a relay, or NULL. */
void ra_slice_relay_settle(void *context);

#endif
