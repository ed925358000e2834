/* SPDX-License-Identifier: MIT */
/* The open push/pop ranges of one thread: those functions that are not called for every event. */
#include "analyzer/read-log/ranges/stack.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/util.h"

void ra_stack_init(struct ra_stack *stack, struct ra_slices *slices)
{
	memset(stack, 0, sizeof(*stack));
	stack->slices = slices;
	stack->free_node = RA_NONE;
}

void ra_stack_fini(struct ra_stack *stack)
{
	free(stack->nodes);
	free(stack->order);
	free(stack->domains);
	free(stack->touched);
}

static void reserve_domain(struct ra_stack *stack, uint16_t domain)
{
	const size_t old = stack->domain_capacity;

	ra_util_grow(&stack->domains, &stack->domain_capacity, (size_t) domain + 1,
	             sizeof(*stack->domains));
	for (size_t i = old; i < stack->domain_capacity; i++) {
		stack->domains[i] = (struct ra_stack_domain){ .top = RA_NONE };
	}
	if (!stack->domains[domain].is_touched) {
		RA_UTIL_APPEND(stack->touched, stack->touched_count, stack->touched_capacity,
		               domain);
		stack->domains[domain].is_touched = 1;
	}
}

void ra_stack_reserve(struct ra_stack *stack, uint16_t domain)
{
	reserve_domain(stack, domain);
	ra_util_grow(&stack->order, &stack->order_capacity, stack->depth + 1,
	             sizeof(*stack->order));
	if (stack->free_node == RA_NONE) {
		ra_util_grow(&stack->nodes, &stack->node_capacity, stack->node_count + 1,
		             sizeof(*stack->nodes));
		stack->free_node = (uint32_t) stack->node_count++;
		stack->nodes[stack->free_node] = (struct ra_stack_node){ .below = RA_NONE };
	}
}

static void free_node(struct ra_stack *stack, uint32_t place)
{
	stack->nodes[place].is_lost = 0;
	stack->nodes[place].below = stack->free_node;
	stack->free_node = place;
}

static void mark_crossing(struct ra_stack *stack, struct ra_stack_node *node)
{
	node->position = RA_NONE;
	stack->slices->flags[node->slice] |= RA_SLICE_CROSSING;
	stack->crossing++;
}

void ra_stack_uncover(struct ra_stack *stack, uint32_t position)
{
	for (size_t i = (size_t) position + 1; i < stack->depth; i++) {
		mark_crossing(stack, &stack->nodes[stack->order[i]]);
	}
	stack->depth = position;
}

static void close_slice(struct ra_stack *stack, uint32_t slice, int64_t end_ns, uint8_t flag)
{
	struct ra_slices *s = stack->slices;

	s->dur_ns[slice] = end_ns > s->start_ns[slice] ? end_ns - s->start_ns[slice] : 0;
	s->flags[slice] |= flag;
}

uint64_t ra_stack_lose(struct ra_stack *stack, uint16_t domain, uint64_t survivors, int64_t end_ns)
{
	struct ra_stack_domain *d;
	uint64_t closed = 0;

	if (domain >= stack->domain_capacity) {
		return 0;
	}
	d = &stack->domains[domain];
	while (d->open > survivors) {
		const uint32_t place = d->top;
		struct ra_stack_node *node = &stack->nodes[place];

		d->top = node->below;
		d->open--;
		close_slice(stack, node->slice, end_ns, RA_SLICE_LOST_END);
		closed++;
		if (node->position == RA_NONE) {
			free_node(stack, place);
		} else {
			node->is_lost = 1;
		}
	}
	return closed;
}

void ra_stack_settle(struct ra_stack *stack)
{
	size_t keep = 0;

	while (keep < stack->depth && !stack->nodes[stack->order[keep]].is_lost) {
		keep++;
	}
	for (size_t i = keep; i < stack->depth; i++) {
		struct ra_stack_node *node = &stack->nodes[stack->order[i]];

		if (node->is_lost) {
			free_node(stack, stack->order[i]);
		} else {
			mark_crossing(stack, node);
		}
	}
	stack->depth = keep;
}

size_t ra_stack_mark_open(const struct ra_stack *stack, int64_t dur_ns)
{
	size_t open = 0;

	for (size_t i = 0; i < stack->touched_count; i++) {
		const struct ra_stack_domain *d = &stack->domains[stack->touched[i]];

		for (uint32_t at = d->top; at != RA_NONE; at = stack->nodes[at].below) {
			stack->slices->dur_ns[stack->nodes[at].slice] = dur_ns;
			open++;
		}
	}
	return open;
}

void ra_stack_renumber(struct ra_stack *stack, const uint32_t *moved)
{
	for (size_t i = 0; i < stack->touched_count; i++) {
		const struct ra_stack_domain *d = &stack->domains[stack->touched[i]];

		for (uint32_t at = d->top; at != RA_NONE; at = stack->nodes[at].below) {
			stack->nodes[at].slice = moved[stack->nodes[at].slice];
		}
	}
}

uint64_t ra_stack_close_all(struct ra_stack *stack, int64_t end_ns)
{
	uint64_t closed = 0;

	for (size_t i = 0; i < stack->touched_count; i++) {
		struct ra_stack_domain *d = &stack->domains[stack->touched[i]];

		while (d->top != RA_NONE) {
			const uint32_t place = d->top;

			d->top = stack->nodes[place].below;
			close_slice(stack, stack->nodes[place].slice, end_ns, RA_SLICE_OPEN);
			free_node(stack, place);
			closed++;
		}
		d->open = 0;
		d->is_touched = 0;
	}
	stack->touched_count = 0;
	stack->depth = 0;
	stack->crossing = 0;
	return closed;
}
