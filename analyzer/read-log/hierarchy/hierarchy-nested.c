/* SPDX-License-Identifier: MIT */
/*
 * Builds the hierarchy in the simplest case: a run of nested pushes and pops of one domain, while
 * no range of another domain is open. The processor can't predict whether a row of a log is a push
 * or a pop, and a missed branch costs more than the whole row. So the code does the same in either
 * case. It writes a new slice, which is kept only if the row is a push. And it sets the duration of
 * one slice: of the new one or of the innermost one.
 */
#include "analyzer/read-log/hierarchy/hierarchy-nested.h"

#include <assert.h>

#include "format/wire.h"

/* Deeper stacks and shorter runs are handled row by row, because copying the stack would take
 * longer. */
#define MOST_DEPTH 512
#define LEAST_ROWS 64

/* A run must have this many rows for each range that is open before it. */
#define ROWS_PER_OPEN 4

/* The open ranges, for fast access in registers and a small array. */
struct nest {
	uint32_t open[MOST_DEPTH + 2]; /* slices, outermost first; entry 0 is RA_NONE */
	size_t depth;
	size_t low; /* the lowest depth during the run */
};

static_assert(RLOG_OP_POP == RLOG_OP_PUSH + 1, "one comparison finds both");

/* Copies the open ranges. Return: false if some do not nest, or belong to another domain. */
static bool copy_stack(struct nest *nest, const struct ra_stack *stack, size_t domain)
{
	if (stack->depth > MOST_DEPTH / 2 || domain >= stack->domain_capacity ||
	    stack->domains[domain].open != stack->depth) {
		return false;
	}
	nest->open[0] = RA_NONE;
	for (size_t i = 0; i < stack->depth; i++) {
		const struct ra_stack_node *node = &stack->nodes[stack->order[i]];

		if (node->domain != domain) {
			return false;
		}
		nest->open[i + 1] = node->slice;
	}
	nest->depth = stack->depth;
	nest->low = stack->depth;
	return true;
}

/* Sets the stack to the state after the run. */
static void put_back(const struct nest *nest, struct ra_stack *stack, uint16_t domain)
{
	while (stack->depth > nest->low) {
		(void) ra_stack_close(stack, domain);
	}
	for (size_t i = nest->low; i < nest->depth; i++) {
		ra_stack_open(stack, nest->open[i + 1], domain);
	}
}

/* The next row with attributes, or the end of the batch. */
static size_t find_end(const struct ra_row *row)
{
	return row->attr_row < row->batch->count ? row->attr_row : row->batch->count;
}

/* Makes slices of rows, from index *count on. Return: the first row that is no push or pop of the
 * run. */
static size_t take_rows(struct nest *nest, const struct ra_builder *builder, const int64_t *times,
                        const struct ra_row *row, size_t *count)
{
	const struct rlog_batch *batch = row->batch;
	const size_t end = find_end(row);
	const struct ra_slices s = builder->model->slices;
	const uint32_t good_names = builder->good_names;
	const uint32_t id = batch->domain[row->idx];
	const uint16_t domain = (uint16_t) (builder->domain_index[id] - 1);
	uint32_t *open = nest->open;
	size_t depth = nest->depth;
	size_t low = depth;
	uint32_t made = (uint32_t) *count;
	size_t i = row->idx;

	for (; i < end; i++) {
		const uint32_t is_pop = (uint32_t) batch->op[i] - RLOG_OP_PUSH;
		const uint32_t is_push = is_pop ^ 1u;
		const uint32_t name = batch->name[i];
		const uint32_t around = open[depth];
		uint32_t slice;

		if (is_pop > 1 || batch->domain[i] != id || depth - is_pop >= MOST_DEPTH ||
		    (is_push & (uint32_t) (name >= good_names)) != 0) {
			break;
		}
		s.start_ns[made] = times[i];
		s.name[made] = name;
		s.domain[made] = domain;
		s.parent[made] = around;
		s.flags[made] = 0;
		open[depth + 1] = made;
		slice = made ^ ((made ^ around) & -is_pop);
		s.dur_ns[slice] = times[i] - s.start_ns[slice];
		made += is_push;
		depth += (size_t) is_push - is_pop;
		low = depth < low ? depth : low;
	}
	nest->depth = depth;
	nest->low = low;
	*count = made;
	return i;
}

size_t ra_hierarchy_nested_take(struct ra_builder *builder, struct ra_stack *stack,
                                const int64_t *times, const struct ra_row *row)
{
	const uint32_t id = row->batch->domain[row->idx];
	size_t count = builder->model->slices.count;
	struct nest nest = { 0 };
	size_t domain;
	size_t end;

	if (find_end(row) - row->idx < LEAST_ROWS + ROWS_PER_OPEN * stack->depth ||
	    id >= RA_BUILDER_DIRECT_DOMAINS || builder->domain_index[id] == 0) {
		return row->idx;
	}
	domain = builder->domain_index[id] - (size_t) 1;
	if (!copy_stack(&nest, stack, domain)) {
		return row->idx;
	}
	end = take_rows(&nest, builder, times, row, &count);
	builder->model->slices.count = count;
	put_back(&nest, stack, (uint16_t) domain);
	return end;
}
