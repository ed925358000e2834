/* SPDX-License-Identifier: MIT */
/* Logs that promise more events than their bytes can hold (doc/format.md, section 10). */
#include "analyzer/read-log/density.h"

#include <inttypes.h>
#include <sys/resource.h>

#include "format/wire.h"

static bool is_memory_limited(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

int ra_density_check(const struct rlog_reader *reader, struct rlog_error *err)
{
	const uint64_t size = rlog_reader_size_bytes(reader);
	uint64_t events = 0;
	size_t count;
	const struct rlog_chunk *chunks = rlog_reader_borrow_chunks(reader, &count);

	for (size_t i = 0; i < count; i++) {
		events += chunks[i].type == RLOG_CHUNK_EVENTS ? chunks[i].count : 0;
	}
	if (events <= RLOG_FREE_ROWS + RLOG_EVENTS_PER_BYTE * size || is_memory_limited()) {
		return 0;
	}
	return rlog_error_set(err, RLOG_E_TOO_DENSE, RLOG_NO_OFFSET,
	                      "%" PRIu64 " events in %" PRIu64 " bytes: no recording packs so "
	                      "well; --max-memory=SIZE reads it within that memory",
	                      events, size);
}
