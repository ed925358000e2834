/* SPDX-License-Identifier: MIT */
/* A stack of open ranges of a fixed size, which forgets the outermost. */
#include "libranges/spool/live.h"

void rcap_live_push(struct rcap_live_stack *stack, uint64_t ticks, uint32_t name, uint32_t domain)
{
	*rcap_live_at(stack, stack->depth) = (struct rcap_live_range){ ticks, name, domain };
	stack->depth++;
	if (stack->depth - stack->lowest > RCAP_LIVE_DEPTH) {
		stack->lowest++;
	}
}

bool rcap_live_pop(struct rcap_live_stack *stack, uint32_t domain, struct rcap_live_range *range)
{
	uint32_t at = stack->depth;

	if (at > 0 && rcap_live_has(stack, at - 1) &&
	    rcap_live_at(stack, at - 1)->domain == domain) {
		*range = *rcap_live_at(stack, at - 1);
		stack->depth--;
		return true; /* nearly always */
	}
	while (at > 0 && rcap_live_has(stack, at - 1) &&
	       rcap_live_at(stack, at - 1)->domain != domain) {
		at--;
	}
	if (at == 0) {
		return false; /* opened before anybody looked */
	}
	if (!rcap_live_has(stack, at - 1)) {
		/* One of those that are not kept. What is opened now is. */
		stack->depth--;
		stack->lowest = stack->depth < stack->lowest ? stack->depth : stack->lowest;
		return false;
	}
	*range = *rcap_live_at(stack, at - 1);
	for (; at < stack->depth; at++) {
		*rcap_live_at(stack, at - 1) = *rcap_live_at(stack, at);
	}
	stack->depth--;
	return true;
}

void rcap_live_forget(struct rcap_live_stack *stack)
{
	stack->depth = 0;
	stack->lowest = 0;
	stack->is_cut = 1;
}
