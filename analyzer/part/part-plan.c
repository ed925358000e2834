/* SPDX-License-Identifier: MIT */
/* Finds which chunks of a log are needed for a stretch of time. Reads only chunk headers. */
#include "analyzer/part/part-plan.h"

#include "analyzer/base/util.h"

/*
 * True if the ranges that a chunk lists as open are those that readers of the whole log have open
 * there. That is so if nothing is missing before the chunk. After losses readers follow other
 * rules, and a part must show the same as the whole log.
 */
static bool is_sound(const struct rlog_chunk *chunk, uint64_t expected)
{
	return chunk->sequence == expected && chunk->lost == 0;
}

void ra_part_plan_stream(struct ra_part_stream *plan, const struct ra_chunks *chunks, size_t first,
                         const struct ra_part_window *window)
{
	const struct rlog_chunk *const *rows = chunks->rows;
	uint64_t latest = 0; /* latest time before chunk i */
	uint64_t expected = 0;
	bool is_whole = true; /* no rows are missing up to here */
	size_t i = first;

	*plan = (struct ra_part_stream){ .stream = rows[first]->stream,
		                         .first = first,
		                         .seed = first,
		                         .in_first = SIZE_MAX,
		                         .in_end = SIZE_MAX };
	for (; i < chunks->count && rows[i]->stream == plan->stream; i++) {
		const uint64_t before = latest;

		latest = rows[i]->last_ticks > latest ? rows[i]->last_ticks : latest;
		is_whole &= is_sound(rows[i], expected);
		expected = ra_util_add(rows[i]->sequence, rows[i]->count);
		if (plan->in_first == SIZE_MAX && is_whole &&
		    (rows[i]->flags & RLOG_FLAG_OPEN) != 0) {
			plan->seed = i;
			plan->seed_before = before;
			plan->seed_tells = true;
		}
		if (plan->in_first == SIZE_MAX && latest >= window->from) {
			plan->in_first = i;
		}
		if (plan->in_end == SIZE_MAX && i > first && before >= window->to) {
			plan->in_end = i;
		}
	}
	plan->end = i;
	plan->in_first = plan->in_first < i ? plan->in_first : i;
	plan->in_end = plan->in_end < i ? plan->in_end : i;
	if (plan->in_end < plan->in_first) {
		plan->in_first = plan->in_end;
	}
}
