/* SPDX-License-Identifier: MIT */
/* A part of a log while it is being written: reads rows of the whole log. */
#include "analyzer/part/part-job.h"

#include "analyzer/base/alloc.h"
#include "format/wire.h"

bool ra_part_job_decode(struct ra_part *part, const struct rlog_chunk *chunk)
{
	const int code = rlog_reader_decode_events(part->reader, chunk, &part->batch, NULL);

	if (code == -RLOG_E_NO_MEMORY) {
		ra_alloc_end();
	}
	part->result->chunks++;
	return code == 0;
}

size_t ra_part_job_find_row(const struct rlog_batch *batch, uint64_t ticks, uint64_t latest)
{
	for (size_t i = 0; i < batch->count; i++) {
		latest = batch->ticks[i] > latest ? batch->ticks[i] : latest;
		if (latest >= ticks && batch->op[i] != RLOG_OP_MORE &&
		    batch->op[i] != RLOG_OP_DEPTH) {
			return i;
		}
	}
	return batch->count;
}
