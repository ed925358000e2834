/* SPDX-License-Identifier: MIT */
/* Counts losses within the window of a log of the last part of a capture. */
#include "libranges/drain/keep/snapshot-losses.h"

#include <stdlib.h>

#include "format/error.h"
#include "format/wire.h"

static uint64_t find_before(const struct rcap_snapshot_losses *losses, uint32_t stream,
                            uint32_t cause)
{
	for (size_t i = 0; i < losses->before_count; i++) {
		if (losses->before[i].stream == stream && losses->before[i].cause == cause) {
			return losses->before[i].count;
		}
	}
	return 0;
}

uint64_t rcap_snapshot_losses_before(const struct rcap_snapshot_losses *losses, uint32_t stream)
{
	uint64_t sum = 0;

	for (uint32_t cause = 1; cause < RLOG_CAUSES; cause++) {
		sum += cause != RLOG_CAUSE_INTERN_OVERFLOW ? find_before(losses, stream, cause) : 0;
	}
	return sum;
}

int rcap_snapshot_losses_add(struct rcap_snapshot_losses *losses, uint32_t stream, uint32_t cause,
                             uint64_t count)
{
	const uint64_t before = find_before(losses, stream, cause);

	if (count <= before) {
		return 0;
	}
	if (losses->count == losses->capacity) {
		const size_t capacity = losses->capacity == 0 ? 64 : 2 * losses->capacity;
		struct rlog_loss *grown = realloc(losses->rows, capacity * sizeof(*grown));

		if (!grown) {
			return -RLOG_E_NO_MEMORY;
		}
		losses->rows = grown;
		losses->capacity = capacity;
	}
	losses->rows[losses->count++] =
		(struct rlog_loss){ .stream = stream, .cause = cause, .count = count - before };
	return 0;
}

int rcap_snapshot_losses_take(struct rcap_snapshot_losses *losses, const struct rcap_spool *spool,
                              uint64_t gone)
{
	const uint32_t count = atomic_load_explicit(&spool->header->streams, memory_order_acquire);
	int status = 0;

	for (uint32_t i = 0; i <= count && status == 0; i++) {
		const struct rcap_stream *stream = i < count ? rcap_spool_stream(spool, i) : NULL;
		const _Atomic uint64_t *lost = spool->header->lost_process;

		if (i < count &&
		    (!stream || atomic_load_explicit(&stream->state, memory_order_acquire) ==
		                        RCAP_STREAM_FREE)) {
			continue;
		}
		lost = stream ? stream->lost : lost;
		for (uint32_t cause = 1; cause < RLOG_CAUSES && status == 0; cause++) {
			const bool has_gone = i == count && cause == RLOG_CAUSE_WRITE_ERROR;

			status = rcap_snapshot_losses_add(
				losses, stream ? stream->id : 0, cause,
				atomic_load_explicit(&lost[cause], memory_order_relaxed) +
					(has_gone ? gone : 0));
		}
	}
	return status;
}
