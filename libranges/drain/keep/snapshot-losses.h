/* SPDX-License-Identifier: MIT */
/* Losses within the window of a log of the last part of a capture. */
#ifndef RCAP_SNAPSHOT_LOSSES_H
#define RCAP_SNAPSHOT_LOSSES_H

#include <stddef.h>
#include <stdint.h>

#include "format/tables.h"
#include "libranges/spool/spool.h"

/* Initialize with zeros. */
struct rcap_snapshot_losses {
	const struct rlog_loss *before; /* borrowed: lost before the window */
	size_t before_count;
	struct rlog_loss *rows; /* owned, the caller frees it: lost in the window */
	size_t count;
	size_t capacity;
};

/* Events of a stream that were lost before the window, without those that only lack their name. */
uint64_t rcap_snapshot_losses_before(const struct rcap_snapshot_losses *losses, uint32_t stream);

/* @count: the whole count, before the window included. Return: 0, -RLOG_E_NO_MEMORY. */
int rcap_snapshot_losses_add(struct rcap_snapshot_losses *losses, uint32_t stream, uint32_t cause,
                             uint64_t count);

/* Adds the losses in a spool: of all streams, and of threads without one. @gone: written events
 * that are gone and belong to no known stream. Return: as above. */
int rcap_snapshot_losses_take(struct rcap_snapshot_losses *losses, const struct rcap_spool *spool,
                              uint64_t gone);

#endif
