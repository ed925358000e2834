/* SPDX-License-Identifier: MIT */
/* A sink that lets another thread give the slices to the real sink, in order. */
#ifndef RA_SLICE_RELAY_H
#define RA_SLICE_RELAY_H

#include "analyzer/base/side/pool.h"
#include "analyzer/model/slice-sink.h"

struct ra_slice_relay;

/*
 * Makes a relay.
 *
 * @pool: does the work; NULL is allowed.
 * @sink: gets the same calls; borrowed until destroy. In take() it may read from the model only the
 * stretch, and names that exist already: call ra_slice_relay_settle() before more names are added.
 * Return: NULL if there is no pool.
 */
struct ra_slice_relay *ra_slice_relay_create(struct ra_pool *pool,
                                             const struct ra_slice_sink *sink);

/* Frees the relay. Slices that were not passed on yet are dropped. NULL is allowed. */
void ra_slice_relay_destroy(struct ra_slice_relay *relay);

/* Returns the sink that gives slices to the relay; borrowed. */
const struct ra_slice_sink *ra_slice_relay_borrow_sink(struct ra_slice_relay *relay);

/* Waits until all slices taken so far have been given to the sink. @context: a relay, or NULL. */
void ra_slice_relay_settle(void *context);

#endif
