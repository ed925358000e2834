/* SPDX-License-Identifier: MIT */
/* Keeps the stacks of open ranges in the spool, for who looks from outside. */
#include "libranges/drain/live-follow.h"

#include <string.h>

#include "libranges/spool/live.h"

/* Makes room for the stacks of a stream and its neighbours, if there is none. */
static void make_room(struct rcap_spool *spool, uint32_t index)
{
	_Atomic uint32_t *const block = &spool->header->live_block[index / RCAP_LIVE_BLOCK];
	uint32_t number;

	if (atomic_load_explicit(block, memory_order_relaxed) != 0) {
		return;
	}
	number = rcap_spool_take_block(spool);
	if (number == RCAP_NO_BLOCK) {
		return;
	}
	memset(rcap_spool_block(spool, number), 0, RCAP_BLOCK_BYTES);
	/* Release pairs with who looks: the stacks are nobody's. */
	atomic_store_explicit(block, number + 1, memory_order_release);
}

/* The stack of a stream; NULL: there is none. */
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

static void begin_change(struct rcap_live_stack *stack)
{
	atomic_store_explicit(&stack->sequence,
	                      atomic_load_explicit(&stack->sequence, memory_order_relaxed) | 1,
	                      memory_order_relaxed);
	/* What follows is seen after it. */
	atomic_thread_fence(memory_order_release);
}

static void end_change(struct rcap_live_stack *stack)
{
	atomic_store_explicit(&stack->sequence,
	                      atomic_load_explicit(&stack->sequence, memory_order_relaxed) + 1,
	                      memory_order_release);
}

/* Most ranges have none within: their two rows leave the stack as it is. */
static inline bool is_pair(const struct rlog_batch *batch, size_t i)
{
	return i + 1 < batch->count && batch->op[i + 1] == RLOG_OP_POP &&
	       batch->domain[i] == batch->domain[i + 1];
}

static void follow_rows(struct rcap_live_stack *stack, const struct rlog_batch *batch)
{
	struct rcap_live_range range;

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
		}
	}
}

void rcap_live_follow(struct rcap_spool *spool, uint32_t index, const struct rlog_batch *batch)
{
	const struct rcap_stream *stream = spool ? rcap_spool_stream(spool, index) : NULL;
	struct rcap_live_stack *stack;
	struct rcap_position at;

	/* The GPU's have other clocks, and no ranges. */
	if (!stream || stream->clock != 0) {
		return;
	}
	if (batch && batch->count > 0) {
		make_room(spool, index);
	}
	stack = find_stack(spool, index);
	if (!stack) {
		return;
	}
	begin_change(stack);
	if (stack->stream != stream->id) {
		memset((char *) stack + sizeof(stack->sequence), 0,
		       sizeof(*stack) - sizeof(stack->sequence));
		stack->stream = stream->id;
	}
	if (batch) {
		follow_rows(stack, batch);
		stack->events += batch->count;
	}
	at = rcap_spool_position(stream);
	stack->block = at.block;
	stack->slot = at.slot;
	end_change(stack);
}

void rcap_live_follow_forget(const struct rcap_spool *spool)
{
	const uint32_t count =
		spool ? atomic_load_explicit(&spool->header->streams, memory_order_acquire) : 0;

	for (uint32_t i = 0; i < count; i++) {
		struct rcap_live_stack *stack = find_stack(spool, i);

		if (stack) {
			begin_change(stack);
			rcap_live_forget(stack);
			end_change(stack);
		}
	}
}
