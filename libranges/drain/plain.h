/* SPDX-License-Identifier: MIT */
/* Makes rows of plain slots: pushes, pops and marks without anything behind them. Most slots are
 * plain. */
#ifndef RCAP_PLAIN_H
#define RCAP_PLAIN_H

#include "format/batch.h"
#include "libranges/spool/spool.h"

/*
 * Appends rows as long as slots are sound pushes, pops and marks before a time.
 *
 * @count: number of slots; the batch must have room for them.
 * @until: in ticks of the slots' own clock.
 * Return: number of slots taken. Context: the drain.
 */
size_t rcap_plain_take(struct rlog_batch *batch, const struct rcap_slot *slots, size_t count,
                       uint64_t until);

#endif
