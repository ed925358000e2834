/* SPDX-License-Identifier: MIT */
/* Finds which ranges are open at a place in a log: those that the rows before that place leave
 * open. */
#include "analyzer/part/part-state.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"
#include "analyzer/read-log/chunks/row.h"
#include "format/wire.h"

/* The losses of a stream may open at most this many ranges without a name. Real logs have far
 * fewer. */
#define MOST_UNKNOWN 16384u

/* When this many starts and ends have come, pairs are removed for the first time. */
#define FIRST_SPANS 65536u

void ra_part_stack_fini(struct ra_part_stack *stack)
{
	free(stack->ranges);
	*stack = (struct ra_part_stack){ 0 };
}

void ra_part_spans_fini(struct ra_part_spans *spans)
{
	free(spans->started);
	free(spans->ended);
	*spans = (struct ra_part_spans){ 0 };
}

uint64_t ra_part_find_attr(const struct rlog_batch *batch, enum rlog_attr attr, size_t row)
{
	const struct ra_row place = { .batch = batch, .idx = row };

	return ra_row_find_value(&place, attr);
}

static void add(struct ra_part_stack *stack, const struct ra_part_range *range)
{
	RA_UTIL_APPEND(stack->ranges, stack->count, stack->capacity, *range);
}

void ra_part_stack_seed(struct ra_part_stack *stack, const struct rlog_batch *batch)
{
	stack->count = 0;
	for (size_t i = 0; i < batch->open_count; i++) {
		add(stack, &(struct ra_part_range){ .ticks = batch->open[i].ticks,
		                                    .name = batch->open[i].name,
		                                    .domain = batch->open[i].domain });
	}
}

static void take_out(struct ra_part_stack *stack, size_t i)
{
	memmove(&stack->ranges[i], &stack->ranges[i + 1],
	        (stack->count - i - 1) * sizeof(stack->ranges[0]));
	stack->count--;
}

/* Closes the innermost range of the domain. */
static void close_innermost(struct ra_part_stack *stack, uint32_t domain)
{
	for (size_t i = stack->count; i-- > 0;) {
		if (stack->ranges[i].domain == domain) {
			take_out(stack, i);
			return;
		}
	}
}

/* Handles a loss. The outermost ranges of the domain are still open, the others were closed, and
 * unknown ranges were opened. As in readers, the unknown ranges begin when the loss ends. */
static void keep_outermost(struct ra_part_stack *stack, const struct rlog_batch *batch, size_t row)
{
	const struct ra_part_range unknown = { .ticks = stack->loss_end,
		                               .domain = batch->domain[row] };
	const uint64_t depth = ra_part_find_attr(batch, RLOG_ATTR_DEPTH, row);
	const uint64_t least = ra_part_find_attr(batch, RLOG_ATTR_MIN_DEPTH, row);
	uint64_t of_domain = 0;
	size_t kept = 0;

	for (size_t i = 0; i < stack->count; i++) {
		if (stack->ranges[i].domain != unknown.domain || ++of_domain <= least) {
			stack->ranges[kept++] = stack->ranges[i];
		}
	}
	stack->count = kept;
	for (uint64_t i = least; i < depth && stack->unknown < MOST_UNKNOWN; i++) {
		stack->unknown++;
		add(stack, &unknown);
	}
}

/* When a range began that was open when the capture was switched on again. */
static uint64_t begun_ticks(const struct rlog_batch *batch, size_t row)
{
	return batch->ticks[row] - ra_part_find_attr(batch, RLOG_ATTR_SPAN, row);
}

void ra_part_stack_follow(struct ra_part_stack *stack, const struct rlog_batch *batch, size_t first,
                          size_t end)
{
	for (size_t i = first; i < end; i++) {
		const uint8_t op = batch->op[i];
		struct ra_part_range range = { .ticks = batch->ticks[i],
			                       .name = batch->name[i],
			                       .domain = batch->domain[i] };

		if (op == RLOG_OP_PUSH) {
			add(stack, &range);
		} else if (op == RLOG_OP_POP) {
			close_innermost(stack, range.domain);
		} else if (op == RLOG_OP_BEGUN && batch->id[i] == 0) {
			range.ticks = begun_ticks(batch, i);
			add(stack, &range);
		} else if (op == RLOG_OP_LOSS) {
			stack->loss_end = ra_util_add(batch->ticks[i],
			                              ra_part_find_attr(batch, RLOG_ATTR_SPAN, i));
		} else if (op == RLOG_OP_DEPTH) {
			keep_outermost(stack, batch, i);
		}
	}
}

static int compare_ids(const void *left, const void *right)
{
	const struct ra_part_span *a = left;
	const struct ra_part_span *b = right;

	return RA_ORDER_THEN(RA_ORDER_UP(a, b, range.id), RA_ORDER_UP(a, b, range.ticks));
}

static int compare_places(const void *left, const void *right)
{
	const struct ra_part_span *a = left;
	const struct ra_part_span *b = right;

	return RA_ORDER_THEN(
		RA_ORDER_UP(a, b, stream),
		RA_ORDER_THEN(RA_ORDER_UP(a, b, range.ticks), RA_ORDER_UP(a, b, range.id)));
}

/* Removes pairs of a start and an end. An id has only one start and one end. */
static void match(struct ra_part_spans *spans)
{
	size_t started = 0;
	size_t ended = 0;
	size_t next = 0;

	RA_SORT(spans->started, spans->count, compare_ids);
	RA_SORT(spans->ended, spans->ended_count, ra_order_uint64);
	for (size_t i = 0; i < spans->count; i++) {
		const uint64_t id = spans->started[i].range.id;

		while (next < spans->ended_count && spans->ended[next] < id) {
			spans->ended[ended++] = spans->ended[next++];
		}
		if (next < spans->ended_count && spans->ended[next] == id) {
			next++;
		} else {
			spans->started[started++] = spans->started[i];
		}
	}
	while (next < spans->ended_count) {
		spans->ended[ended++] = spans->ended[next++];
	}
	spans->count = started;
	spans->ended_count = ended;
	spans->enough = 2 * (started + ended) + FIRST_SPANS;
}

void ra_part_spans_follow(struct ra_part_spans *spans, const struct rlog_batch *batch, size_t first,
                          size_t end)
{
	for (size_t i = first; i < end; i++) {
		const uint8_t op = batch->op[i];

		if (op == RLOG_OP_END) {
			RA_UTIL_APPEND(spans->ended, spans->ended_count, spans->ended_capacity,
			               batch->id[i]);
		} else if (op == RLOG_OP_START || (op == RLOG_OP_BEGUN && batch->id[i] != 0)) {
			const struct ra_part_span span = {
				.range = { .ticks = op == RLOG_OP_START ? batch->ticks[i]
				                                        : begun_ticks(batch, i),
				           .id = batch->id[i],
				           .name = batch->name[i],
				           .domain = batch->domain[i] },
				.stream = batch->stream,
			};

			RA_UTIL_APPEND(spans->started, spans->count, spans->capacity, span);
		}
	}
	if (spans->count + spans->ended_count > spans->enough + FIRST_SPANS) {
		match(spans);
	}
}

void ra_part_spans_finish(struct ra_part_spans *spans)
{
	match(spans);
	RA_SORT(spans->started, spans->count, compare_places);
}
