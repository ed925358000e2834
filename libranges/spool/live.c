/* SPDX-License-Identifier: MIT */
/* A stack of open ranges with a fixed size, which forgets the outermost ones; and the open
 * start/end ranges. */
#include "libranges/spool/live.h"

#include <string.h>

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
		return true; /* the usual case */
	}
	while (at > 0 && rcap_live_has(stack, at - 1) &&
	       rcap_live_at(stack, at - 1)->domain != domain) {
		at--;
	}
	if (at == 0) {
		return false; /* the range was opened before we began to follow */
	}
	if (!rcap_live_has(stack, at - 1)) {
		/* The range was too deep to be kept. The next range that opens at this depth is
		 * kept. */
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

/* Takes an end that came before its start. Return: false if there is none for this id. */
static bool take_early(struct rcap_live_started *started, uint64_t id)
{
	for (uint32_t i = 0; started->early_count > 0 && i < RCAP_LIVE_EARLY; i++) {
		if (started->early[i] == id) {
			started->early[i] = 0;
			started->early_count--;
			return true;
		}
	}
	return false;
}

void rcap_live_start(struct rcap_live_started *started, const struct rcap_open_range *range)
{
	if (take_early(started, range->id)) {
		return;
	}
	if (started->count == RCAP_LIVE_STARTED) {
		started->more++;
		return;
	}
	started->ranges[started->count++] = *range;
}

bool rcap_live_end(struct rcap_live_started *started, uint64_t id, struct rcap_open_range *range)
{
	uint64_t *early;

	for (uint32_t i = started->count; i-- > 0;) {
		if (started->ranges[i].id == id) {
			*range = started->ranges[i];
			memmove(&started->ranges[i], &started->ranges[i + 1],
			        (started->count - i - 1) * sizeof(started->ranges[0]));
			started->count--;
			return true;
		}
	}
	if (started->more > 0) {
		started->more--;
		return false;
	}
	early = &started->early[started->early_next++ % RCAP_LIVE_EARLY];
	started->early_count += *early == 0;
	*early = id;
	return false;
}

void rcap_live_forget_started(struct rcap_live_started *started)
{
	started->count = 0;
	started->more = 0;
	started->early_count = 0;
	memset(started->early, 0, sizeof(started->early));
}
