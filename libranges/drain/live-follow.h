/* SPDX-License-Identifier: MIT */
/* Keeps the stacks of open ranges in the spool, for processes that look from outside. */
#ifndef RCAP_LIVE_FOLLOW_H
#define RCAP_LIVE_FOLLOW_H

#include "format/batch.h"
#include "format/columns/outer.h"
#include "libranges/spool/spool.h"

/*
 * Applies a batch that the drain has handled. Without a batch it only moves the position.
 *
 * @spool: NULL if its program has died; then nothing is done.
 * @index: index of the stream.
 * @batch: NULL if there is none.
 * @outer: which ranges the batch leaves open, besides those that rcap_live_tell() has stored; NULL
 * if unknown.
 * Context: the drain.
 */
void rcap_live_follow(struct rcap_spool *spool, uint32_t index, const struct rlog_batch *batch,
                      const struct rlog_outer *outer);

/* Stores in the batch which push/pop ranges are open before its first row, if that is known.
 * Parameters, context: as rcap_live_follow(). */
void rcap_live_tell(const struct rcap_spool *spool, uint32_t index, struct rlog_batch *batch);

/* Forgets the open ranges of all threads. Context: the drain. */
void rcap_live_follow_forget(const struct rcap_spool *spool);

#endif
