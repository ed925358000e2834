/* SPDX-License-Identifier: MIT */
/* Counts losses within the window of a log of the last part of a capture. */
#ifndef RCAP_SNAPSHOT_LOSSES_H
#define RCAP_SNAPSHOT_LOSSES_H

#include <stddef.h>
#include <stdint.h>

#include "format/tables.h"
#include "libranges/spool/spool.h"

/* Losses before and in the window. Initialize the struct with zeros. */
struct rcap_snapshot_losses {
	const struct rlog_loss *before; /* borrowed: lost before the window */
	size_t before_count;
	struct rlog_loss *rows; /* owned, the caller frees it: lost in the window */
	size_t count;
	size_t capacity;
};

/* Counts events of a stream that were lost before the window. Events that lost only their name are
 * not counted. */
uint64_t rcap_snapshot_losses_before(const struct rcap_snapshot_losses *losses, uint32_t stream);

/* Adds a loss. @count: the whole count, including losses before the window. Return: 0,
 * -RLOG_E_NO_MEMORY. */
int rcap_snapshot_losses_add(struct rcap_snapshot_losses *losses, uint32_t stream, uint32_t cause,
                             uint64_t count);

/* Adds the losses in a spool: those of all streams, and of threads without a stream. @gone: number
 * of written events that no longer exist and whose stream is unknown. Return: as
 * rcap_snapshot_losses_add(). */
int rcap_snapshot_losses_take(struct rcap_snapshot_losses *losses, const struct rcap_spool *spool,
                              uint64_t gone);

#endif
