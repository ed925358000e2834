/* SPDX-License-Identifier: MIT */
/* Turns a batch into the payload of an EVENTS chunk and back (doc/format.md section 6). */
#ifndef RLOG_EVENTS_H
#define RLOG_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/batch.h"
#include "format/error.h"
#include "format/columns/outer.h"
#include "format/columns/pack.h"

/* The times in a chunk's header. */
struct rlog_events_times {
	uint64_t first_ticks;
	uint64_t last_ticks;
	bool unsorted;
};

/*
 * Packs rows from … from+rows-1.
 *
 * @rows: at least 1.
 * @outer: the rows' list of outer ranges; NULL: none.
 * @times: gets the rows' times; may be NULL.
 * Return: 0, -RLOG_E_FULL (try fewer rows).
 */
int rlog_events_pack(struct rlog_pack *pack, const struct rlog_batch *batch, size_t from,
                     size_t rows, const struct rlog_outer *outer, struct rlog_events_times *times);

/*
 * Reads a payload into an empty batch, whose flags must be the chunk's. @rows: number of rows by
 * the header; the payload must have the same number. Return: 0, -RLOG_E_MSGPACK, -RLOG_E_SCHEMA,
 * -RLOG_E_NO_MEMORY. The caller sets err->offset.
 */
int rlog_events_read(struct rlog_batch *batch, const void *payload, size_t bytes, size_t rows,
                     struct rlog_error *err);

#endif
