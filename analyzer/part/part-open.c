/* SPDX-License-Identifier: MIT */
/* Finds the ranges that are open when the window begins. Starts at the last chunk before the window
 * that lists open ranges. */
#include "analyzer/part/part-open.h"

#include "analyzer/base/util.h"
#include "analyzer/read-log/facts/facts.h"
#include "format/wire.h"

/* Updates the stack by the rows of a chunk that come before the window. */
static void take_rows(struct ra_part *part, const struct ra_part_stream *plan, size_t index,
                      uint64_t latest, uint64_t expected)
{
	struct ra_part_stack *stack = &part->stacks[plan - part->streams];
	const struct rlog_chunk *chunk = part->chunks.rows[index];
	const struct rlog_batch *batch = &part->batch;
	const size_t end = index == plan->in_first
	                           ? ra_part_job_find_row(batch, part->window.from, latest)
	                           : batch->count;
	const size_t first = chunk->sequence < expected ? (size_t) (expected - chunk->sequence) : 0;

	if (index == plan->seed && plan->seed_tells && batch->has_open) {
		ra_part_stack_seed(stack, batch);
	}
	if (first < end) {
		if (index >= plan->seed && !plan->is_empty) {
			ra_part_stack_follow(stack, batch, first, end);
		}
		ra_part_spans_follow(&part->spans, batch, first, end);
	}
}

static void follow_stream(struct ra_part *part, const struct ra_part_stream *plan)
{
	uint64_t latest = 0;
	uint64_t expected = 0;

	for (size_t i = plan->first; i < plan->end && i <= plan->in_first; i++) {
		const struct rlog_chunk *chunk = part->chunks.rows[i];
		const uint64_t end = ra_util_add(chunk->sequence, chunk->count);
		const bool tells_stack = i >= plan->seed && !plan->is_empty;

		if (end > expected && (tells_stack || !ra_part_plan_is_plain(chunk)) &&
		    ra_part_job_decode(part, chunk)) {
			take_rows(part, plan, i, latest, expected);
		}
		expected = end > expected ? end : expected;
		latest = chunk->last_ticks > latest ? chunk->last_ticks : latest;
	}
}

/* True if the thread had ended when the window began. Ranges that it left open ended with it. */
static bool has_ended(const struct ra_part *part, const struct ra_part_stream *plan)
{
	bool is_last = false;

	if (plan->in_first < plan->end) {
		return false;
	}
	for (size_t i = plan->first; i < plan->end; i++) {
		is_last |= (part->chunks.rows[i]->flags & RLOG_FLAG_LAST) != 0;
	}
	for (size_t i = 0; i < part->model->track_count; i++) {
		is_last |= part->model->tracks[i].stream == plan->stream &&
		           part->model->tracks[i].has_ended;
	}
	return is_last;
}

void ra_part_open_find(struct ra_part *part)
{
	if (part->window.from == 0) {
		return;
	}
	for (size_t i = 0; i < part->stream_count; i++) {
		if (part->streams[i].is_gpu) {
			continue;
		}
		follow_stream(part, &part->streams[i]);
		if (has_ended(part, &part->streams[i])) {
			part->stacks[i].count = 0;
		}
	}
	ra_part_spans_finish(&part->spans);
}
