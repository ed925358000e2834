/* SPDX-License-Identifier: MIT */
/* A walk over the slices and marks of a log. It reads the log again, thread by thread; or it reads
 * threads for the first time. */
#ifndef RA_LOG_WALK_H
#define RA_LOG_WALK_H

#include "analyzer/model/walk.h"
#include "analyzer/read-log/stream/slice-late.h"

struct ra_log_load;
struct ra_log_walk;

struct ra_log_walk *ra_log_walk_create(void);

/* NULL is allowed. */
void ra_log_walk_destroy(struct ra_log_walk *walk);

/* The rows that the first pass fills for later passes. */
struct ra_slice_late *ra_log_walk_borrow_late(struct ra_log_walk *walk);

/* Tells, in the first pass, that a track begins with this chunk. */
void ra_log_walk_begin_track(struct ra_log_walk *walk, const struct ra_log_load *load,
                             size_t chunk);

/*
 * Leaves the first pass to the walk itself, if the caller wants that and the log allows it. Then
 * threads are read, in order, when they are walked for the first time.
 *
 * Return: false if there must be a first pass.
 */
bool ra_log_walk_begin_unread(struct ra_log_walk *walk, const struct ra_log_load *load);

/* Ends the first pass. The model gets ownership of the walk, and the walk gets ownership of
 * everything that the load owned. */
void ra_log_walk_bind(struct ra_log_walk *walk, struct ra_log_load *load);

#endif
