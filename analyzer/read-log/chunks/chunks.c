/* SPDX-License-Identifier: MIT */
/* Lists the event chunks of a log, in the order of their streams. */
#include "analyzer/read-log/chunks/chunks.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "format/wire.h"

int ra_chunks_compare(const void *left, const void *right)
{
	const struct rlog_chunk *const *a = left;
	const struct rlog_chunk *const *b = right;

	return rlog_reader_compare_chunks(*a, *b);
}

void ra_chunks_collect(struct ra_chunks *chunks, const struct rlog_reader *reader)
{
	size_t count = 0;
	const struct rlog_chunk *all = rlog_reader_borrow_chunks(reader, &count);

	chunks->count = 0;
	chunks->rows = ra_alloc_zeros(count + 1, sizeof(struct rlog_chunk *));
	for (size_t i = 0; i < count; i++) {
		if (all[i].type == RLOG_CHUNK_EVENTS && (all[i].flags & RLOG_FLAG_REPEAT) == 0) {
			chunks->rows[chunks->count++] = &all[i];
		}
	}
	RA_SORT(chunks->rows, chunks->count, ra_chunks_compare);
}

void ra_chunks_fini(struct ra_chunks *chunks)
{
	free(chunks->rows);
	chunks->rows = NULL;
	chunks->count = 0;
}
