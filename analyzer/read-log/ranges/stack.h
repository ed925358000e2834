/* SPDX-License-Identifier: MIT */
/* The open push/pop ranges of one thread: which range a pop closes, and in which range a push
 * begins. */
#ifndef RA_STACK_H
#define RA_STACK_H

#include "analyzer/model/model.h"

/*
 * Open ranges are in two orders. Each domain has a chain from its innermost open range outwards; by
 * this chain, pops find their push. The thread has `order`: those of its open ranges that nest,
 * outermost first. If a range turns out to cross another, it leaves `order`, but stays in its
 * domain's chain.
 */
struct ra_stack_node {
	uint32_t slice;
	uint32_t below; /* next node outwards in the same domain; RA_NONE: it is the outermost; also
	                   links free nodes */
	uint32_t position; /* index in `order`; RA_NONE: the range crosses another */
	uint16_t domain;
	uint16_t is_lost; /* the range was closed during a loss; ra_stack_settle() will remove it */
};

struct ra_stack_domain {
	uint32_t top; /* innermost open node; RA_NONE: none is open */
	uint32_t open;
	uint32_t is_touched;
};

struct ra_stack {
	struct ra_slices *slices;        /* borrowed */
	struct ra_stack_node *nodes;     /* owned */
	uint32_t *order;                 /* owned: nodes, outermost first */
	struct ra_stack_domain *domains; /* owned: by domain index */
	uint16_t *touched;               /* owned: domains used since the last close_all */
	size_t node_capacity;
	size_t node_count;
	size_t order_capacity;
	size_t depth; /* number of nodes in `order` */
	size_t domain_capacity;
	size_t touched_capacity;
	size_t touched_count;
	uint32_t free_node;
	uint64_t crossing; /* number of ranges flagged as crossing since the last close_all */
};

void ra_stack_init(struct ra_stack *stack, struct ra_slices *slices);
void ra_stack_fini(struct ra_stack *stack);

/* Makes room for one more open range in `domain`. */
void ra_stack_reserve(struct ra_stack *stack, uint16_t domain);

/* Handles a pop of a range that is not the innermost: all ranges inside it cross it from now on. */
void ra_stack_uncover(struct ra_stack *stack, uint32_t position);

/* Closes all but the `survivors` outermost ranges of a domain at end_ns, with flag LOST_END. */
uint64_t ra_stack_lose(struct ra_stack *stack, uint16_t domain, uint64_t survivors, int64_t end_ns);

/* Removes from `order` the ranges that ra_stack_lose() closed. Open ranges inside such a range
 * cross it. */
void ra_stack_settle(struct ra_stack *stack);

/* Sets the duration of all open slices. Return: their number. */
size_t ra_stack_mark_open(const struct ra_stack *stack, int64_t dur_ns);

/* Updates the slices' indices after the slices were moved. @moved: new index, by old index. */
void ra_stack_renumber(struct ra_stack *stack, const uint32_t *moved);

/* Closes all ranges at end_ns, with flag OPEN, and empties the stack. Return: the number
 * of ranges that were open. */
uint64_t ra_stack_close_all(struct ra_stack *stack, int64_t end_ns);

/* The slice in which a push begins; RA_NONE: there is none. */
static inline uint32_t ra_stack_find_innermost(const struct ra_stack *stack)
{
	return stack->depth == 0 ? RA_NONE : stack->nodes[stack->order[stack->depth - 1]].slice;
}

/* Opens a slice and sets its parent. */
static inline void ra_stack_open(struct ra_stack *stack, uint32_t slice, uint16_t domain)
{
	struct ra_stack_domain *d;
	struct ra_stack_node *node;
	uint32_t place;

	if (__builtin_expect(
		    domain >= stack->domain_capacity || stack->depth == stack->order_capacity ||
			    stack->free_node == RA_NONE || !stack->domains[domain].is_touched,
		    0)) {
		ra_stack_reserve(stack, domain);
	}
	d = &stack->domains[domain];
	place = stack->free_node;
	node = &stack->nodes[place];
	stack->free_node = node->below;
	node->slice = slice;
	node->below = d->top;
	node->position = (uint32_t) stack->depth;
	node->domain = domain;
	d->top = place;
	d->open++;
	stack->slices->parent[slice] = ra_stack_find_innermost(stack);
	stack->order[stack->depth++] = place;
}

/* Closes the innermost open range of a domain. Return: the slice of that range; RA_NONE: there was
 * none. */
static inline uint32_t ra_stack_close(struct ra_stack *stack, uint16_t domain)
{
	struct ra_stack_domain *d;
	struct ra_stack_node *node;
	uint32_t place;

	if (__builtin_expect(domain >= stack->domain_capacity, 0)) {
		return RA_NONE;
	}
	d = &stack->domains[domain];
	place = d->top;
	if (__builtin_expect(place == RA_NONE, 0)) {
		return RA_NONE;
	}
	node = &stack->nodes[place];
	d->top = node->below;
	d->open--;
	if (__builtin_expect((size_t) node->position + 1 == stack->depth, 1)) {
		stack->depth--;
	} else if (node->position != RA_NONE) {
		ra_stack_uncover(stack, node->position);
	}
	node->below = stack->free_node;
	stack->free_node = place;
	return node->slice;
}

#endif
