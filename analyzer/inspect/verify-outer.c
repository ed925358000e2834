/* SPDX-License-Identifier: MIT */
/* Checks that a chunk's list of outer ranges agrees with the chunk's rows. */
#include <inttypes.h>
#include <string.h>

#include "analyzer/inspect/verify.h"
#include "analyzer/read-log/chunks/outer-head.h"
#include "format/wire.h"

static bool is_same_row(const struct rlog_outer_row *a, const struct rlog_outer_row *b)
{
	return a->ticks == b->ticks && a->name == b->name && a->domain == b->domain &&
	       a->is_pop == b->is_pop;
}

static bool is_same(const struct rlog_outer *a, const struct rlog_outer *b)
{
	bool is = a->pushes == b->pushes && a->pops == b->pops && a->name_count == b->name_count &&
	          a->row_count == b->row_count &&
	          memcmp(a->names, b->names, a->name_count * sizeof(a->names[0])) == 0;

	for (size_t i = 0; i < a->row_count && is; i++) {
		is = is_same_row(&a->rows[i], &b->rows[i]);
	}
	return is;
}

int ra_verify_outer(struct ra_verify *verify, const struct rlog_chunk *chunk,
                    const struct rlog_batch *batch)
{
	const struct rlog_outer *told;
	struct rlog_outer_work work;
	struct rlog_outer found;
	struct ra_outer_head *head;

	if ((chunk->flags & RLOG_FLAG_OUTER) == 0) {
		return 0;
	}
	head = ra_outer_head_create();
	if (head == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	told = ra_outer_head_read(head, verify->reader, chunk);
	if (told == NULL) {
		ra_verify_report(verify, chunk->offset,
		                 "stream %" PRIu32 ": it is flagged to begin with its outer "
		                 "ranges, which can't be read",
		                 chunk->stream);
	} else if (!rlog_outer_find(&found, &work, batch, batch->count) || !is_same(told, &found)) {
		ra_verify_report(verify, chunk->offset,
		                 "stream %" PRIu32 ": the outer ranges that it lists are not "
		                 "those of its rows",
		                 chunk->stream);
	}
	ra_outer_head_destroy(head);
	return 0;
}
