/* SPDX-License-Identifier: MIT */
/* Keeps the stacks of open ranges in the spool, for processes that look from outside. */
#include "libranges/drain/live-follow.h"

#include <string.h>

#include "libranges/spool/live.h"

_Static_assert(RCAP_LIVE_DEPTH <= RLOG_BATCH_OPEN, "a chunk has room for all of them");

/* Takes a block for the stack if it has none. */
static void make_room(struct rcap_spool *spool, _Atomic uint32_t *block)
{
	uint32_t number;

	if (atomic_load_explicit(block, memory_order_relaxed) != 0) {
		return;
	}
	number = rcap_spool_take_block(spool);
	if (number == RCAP_NO_BLOCK) {
		return;
	}
	memset(rcap_spool_block(spool, number), 0, RCAP_BLOCK_BYTES);
	/* Release pairs with readers. A reader that sees the block also sees its zeros, so no range
	 * is open. */
	atomic_store_explicit(block, number + 1, memory_order_release);
}

/* Returns the stack of a stream, or NULL. */
static struct rcap_live_stack *find_stack(const struct rcap_spool *spool, uint32_t index)
{
	const uint32_t number = atomic_load_explicit(
		&spool->header->live_block[index / RCAP_LIVE_BLOCK], memory_order_relaxed);

	if (number == 0 || !rcap_spool_has_block(spool, number - 1)) {
		return NULL;
	}
	return (struct rcap_live_stack *) (void *) rcap_spool_block(spool, number - 1) +
	       index % RCAP_LIVE_BLOCK;
}

/* Returns the started ranges of the process; NULL if there was no room for them. */
static struct rcap_live_started *find_started(const struct rcap_spool *spool)
{
	const uint32_t number =
		atomic_load_explicit(&spool->header->live_started, memory_order_relaxed);

	if (number == 0 || !rcap_spool_has_block(spool, number - 1)) {
		return NULL;
	}
	return (struct rcap_live_started *) (void *) rcap_spool_block(spool, number - 1);
}

static void begin_change(_Atomic uint32_t *sequence)
{
	atomic_store_explicit(sequence, atomic_load_explicit(sequence, memory_order_relaxed) | 1,
	                      memory_order_relaxed);
	/* Readers see the odd number before they see any later change. */
	atomic_thread_fence(memory_order_release);
}

static void end_change(_Atomic uint32_t *sequence)
{
	atomic_store_explicit(sequence, atomic_load_explicit(sequence, memory_order_relaxed) + 1,
	                      memory_order_release);
}

/* True if the row opens a range that the next row closes. Both together leave the stack unchanged.
 * Most ranges contain no others. */
static inline bool is_pair(const struct rlog_batch *batch, size_t i)
{
	return i + 1 < batch->count && batch->op[i + 1] == RLOG_OP_POP &&
	       batch->domain[i] == batch->domain[i + 1];
}

/* Applies the rows to the stack. Return: true if the batch has start/end ranges. */
static bool follow_rows(struct rcap_live_stack *stack, const struct rlog_batch *batch)
{
	struct rcap_live_range range;
	bool has_started = false;

	for (size_t i = 0; i < batch->count; i++) {
		const uint8_t op = batch->op[i];

		if (op == RLOG_OP_PUSH && is_pair(batch, i)) {
			i++;
		} else if (op == RLOG_OP_PUSH) {
			rcap_live_push(stack, batch->ticks[i], batch->name[i], batch->domain[i]);
		} else if (op == RLOG_OP_POP) {
			(void) rcap_live_pop(stack, batch->domain[i], &range);
		} else if (op == RLOG_OP_LOSS) {
			rcap_live_forget(stack);
		} else {
			has_started |= op == RLOG_OP_START || op == RLOG_OP_END;
		}
	}
	return has_started;
}

/* Sets the stack to the ranges that the batch leaves open, without looking at each row. */
static void follow_outer(struct rcap_live_stack *stack, const struct rlog_batch *batch,
                         const struct rlog_outer *outer)
{
	stack->depth = (uint32_t) outer->kept;
	for (size_t i = 0; i < outer->opened; i++) {
		const uint32_t row = outer->opened_rows[i];

		rcap_live_push(stack, batch->ticks[row], batch->name[row], batch->domain[row]);
	}
}

static void follow_started(struct rcap_spool *spool, const struct rlog_batch *batch)
{
	struct rcap_live_started *started;
	struct rcap_open_range range;

	make_room(spool, &spool->header->live_started);
	started = find_started(spool);
	if (!started) {
		return;
	}
	begin_change(&started->sequence);
	for (size_t i = 0; i < batch->count; i++) {
		if (batch->op[i] == RLOG_OP_START) {
			range = (struct rcap_open_range){ .ticks = batch->ticks[i],
				                          .id = batch->id[i],
				                          .name = batch->name[i],
				                          .domain = batch->domain[i] };
			rcap_live_start(started, &range);
		} else if (batch->op[i] == RLOG_OP_END) {
			(void) rcap_live_end(started, batch->id[i], &range);
		}
	}
	end_change(&started->sequence);
}

void rcap_live_follow(struct rcap_spool *spool, uint32_t index, const struct rlog_batch *batch,
                      const struct rlog_outer *outer)
{
	const struct rcap_stream *stream = spool ? rcap_spool_stream(spool, index) : NULL;
	struct rcap_live_stack *stack;
	struct rcap_position at;
	bool has_started = false;

	/* GPU streams have other clocks, and no ranges. */
	if (!stream || stream->clock != 0) {
		return;
	}
	if (batch && batch->count > 0) {
		make_room(spool, &spool->header->live_block[index / RCAP_LIVE_BLOCK]);
	}
	stack = find_stack(spool, index);
	if (!stack) {
		return;
	}
	begin_change(&stack->sequence);
	if (stack->stream != stream->id) {
		memset((char *) stack + sizeof(stack->sequence), 0,
		       sizeof(*stack) - sizeof(stack->sequence));
		stack->stream = stream->id;
	}
	if (batch && outer) {
		follow_outer(stack, batch, outer);
	} else if (batch) {
		has_started = follow_rows(stack, batch);
	}
	stack->events += batch ? batch->count : 0;
	at = rcap_spool_position(stream);
	stack->block = at.block;
	stack->slot = at.slot;
	end_change(&stack->sequence);
	if (has_started) {
		follow_started(spool, batch);
	}
}

void rcap_live_tell(const struct rcap_spool *spool, uint32_t index, struct rlog_batch *batch)
{
	const struct rcap_stream *stream = spool ? rcap_spool_stream(spool, index) : NULL;
	struct rcap_live_stack *stack;

	if (!stream || stream->clock != 0) {
		return;
	}
	stack = find_stack(spool, index);
	if (!stack || stack->stream != stream->id || stack->is_cut || stack->lowest > 0) {
		return;
	}
	batch->has_open = true;
	batch->open_count = stack->depth;
	for (uint32_t i = 0; i < stack->depth; i++) {
		const struct rcap_live_range *range = rcap_live_at(stack, i);

		batch->open[i] =
			(struct rlog_open_range){ range->ticks, range->name, range->domain };
	}
}

void rcap_live_follow_forget(const struct rcap_spool *spool)
{
	const uint32_t count =
		spool ? atomic_load_explicit(&spool->header->streams, memory_order_acquire) : 0;
	struct rcap_live_started *started;

	for (uint32_t i = 0; i < count; i++) {
		struct rcap_live_stack *stack = find_stack(spool, i);

		if (stack) {
			begin_change(&stack->sequence);
			rcap_live_forget(stack);
			end_change(&stack->sequence);
		}
	}
	started = spool ? find_started(spool) : NULL;
	if (started) {
		begin_change(&started->sequence);
		rcap_live_forget_started(started);
		end_change(&started->sequence);
	}
}
