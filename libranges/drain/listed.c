/* SPDX-License-Identifier: MIT */
/* Knows which streams a log lists: all but those of threads that had ended before the log
 * begins. */
#include "libranges/drain/listed.h"

#include <stdlib.h>
#include <string.h>

void rcap_listed_fini(struct rcap_listed *listed)
{
	free(listed->bits);
	memset(listed, 0, sizeof(*listed));
}

void rcap_listed_begin(struct rcap_listed *listed, const struct rcap_spool *spool)
{
	struct rcap_spool_header *header = spool->header;
	/* Reads this before the records, so that streams that are added meanwhile are listed. */
	const uint32_t from = atomic_load_explicit(&header->next_stream_id, memory_order_acquire);
	const uint32_t count = atomic_load_explicit(&header->streams, memory_order_acquire);

	rcap_listed_fini(listed);
	listed->bits = calloc(from / 8 + 1, 1);
	listed->from = listed->bits ? from : 0;
	for (uint32_t i = 0; i < count; i++) {
		const struct rcap_stream *stream = rcap_spool_stream(spool, i);

		if (stream && atomic_load_explicit(&stream->state, memory_order_acquire) !=
		                      RCAP_STREAM_FREE) {
			rcap_listed_add(listed, stream->id);
		}
	}
}

void rcap_listed_add(struct rcap_listed *listed, uint32_t stream)
{
	if (stream < listed->from) {
		listed->bits[stream / 8] |= (uint8_t) (1u << stream % 8);
	}
}

bool rcap_listed_has(const struct rcap_listed *listed, uint64_t stream)
{
	return stream >= listed->from || (listed->bits[stream / 8] & 1u << stream % 8) != 0;
}
