/* SPDX-License-Identifier: MIT */
/* Turns plain slots into rows, four at once without a branch. */
#include "libranges/drain/plain.h"

#include <string.h>

#include "format/wire.h"
#include "libranges/drain/slots.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* Where rows are stored: the batch's columns, from its first free row on. */
struct columns {
	uint64_t *restrict ticks;
	uint32_t *restrict names;
	uint32_t *restrict domains;
	uint8_t *restrict ops;
};

/*
 * Converts a slot to row `i`. @check: the slot's check byte, as the highest byte of 32 bits.
 * Return: the op, plus a constant if the slot is sound. SOUND(op) is this sum.
 */
#define SOUND(op) ((uint32_t) (rcap_slot_bare_word(0, 0, (op)) >> 48))
static ALWAYS_INLINE uint32_t put_row(const struct columns *to, size_t i,
                                      const struct rcap_slot *slot, uint32_t check)
{
	const uint32_t high = (uint32_t) (slot->b >> 32) ^ check;

	to->ticks[i] = slot->a;
	to->names[i] = (uint32_t) slot->b;
	to->domains[i] = high & 0xFFFF;
	to->ops[i] = (uint8_t) (high >> 16);
	return high >> 16;
}

/* The check byte of each slot is higher by one than that of the slot before. */
#define NEXT_CHECK (UINT32_C(1) << 24)
static ALWAYS_INLINE uint32_t find_check(const struct rcap_slot *slot)
{
	return (uint32_t) (rcap_slot_check(slot) >> 32);
}

/* Makes four rows. Return: false if one of the slots is not a sound push or pop, or has a time of
 * 2^63 or more. The rows then have no meaning. */
static ALWAYS_INLINE bool put_four(const struct columns *to, size_t i,
                                   const struct rcap_slot *slots)
{
	const uint32_t check = find_check(slots);
	const uint64_t times = slots[0].a | slots[1].a | slots[2].a | slots[3].a;
	/* Has higher bits than the lowest if a slot is neither push nor pop. */
	uint32_t other = put_row(to, i, slots, check) - SOUND(RLOG_OP_PUSH);

	other |= put_row(to, i + 1, slots + 1, check + NEXT_CHECK) - SOUND(RLOG_OP_PUSH);
	other |= put_row(to, i + 2, slots + 2, check + 2 * NEXT_CHECK) - SOUND(RLOG_OP_PUSH);
	other |= put_row(to, i + 3, slots + 3, check + 3 * NEXT_CHECK) - SOUND(RLOG_OP_PUSH);
	return other <= RLOG_OP_POP - RLOG_OP_PUSH && times >> 63 == 0;
}

_Static_assert(RLOG_OP_POP == RLOG_OP_PUSH + 1, "one bit tells pushes and pops apart");

/* Makes one row. Return: false if the slot is not a sound push, pop or mark before `until`. */
static bool put_one(const struct columns *to, size_t i, const struct rcap_slot *slot,
                    uint64_t until)
{
	const uint32_t op = put_row(to, i, slot, find_check(slot));

	return (op == SOUND(RLOG_OP_PUSH) || op == SOUND(RLOG_OP_POP) ||
	        op == SOUND(RLOG_OP_MARK)) &&
	       slot->a < until;
}

/* Makes rows, four at a time, as long as that is possible. Return: number of rows. */
static size_t put_fours(const struct columns *columns, size_t i, const struct rcap_slot *slots,
                        size_t count)
{
	const struct columns to = *columns;

	/* Does not try if the first event has attributes. */
	while (i + 4 <= count && !rcap_slot_is_behind_event(&slots[i + 1]) &&
	       put_four(&to, i, slots + i)) {
		i += 4;
	}
	return i;
}

/* Sets the ids of these rows to 0. */
static void clear_ids(struct rlog_batch *batch, size_t first, size_t end)
{
	const bool is_known = batch->zero_ids >= first;

	first = is_known ? batch->zero_ids : first;
	if (end > first) {
		memset(batch->id + first, 0, (end - first) * sizeof(*batch->id));
		batch->zero_ids = is_known ? end : batch->zero_ids;
	}
}

size_t rcap_plain_take(struct rlog_batch *batch, const struct rcap_slot *slots, size_t count,
                       uint64_t until)
{
	const size_t first = batch->count;
	const struct columns to = { .ticks = batch->ticks + first,
		                    .names = batch->name + first,
		                    .domains = batch->domain + first,
		                    .ops = batch->op + first };
	/* Four slots at once are tested only for times below 2^63, so `until` must not be before
	 * that. */
	const bool is_endless = until > INT64_MAX;
	size_t i = 0;

	for (size_t stop; i < count;) {
		i = is_endless ? put_fours(&to, i, slots, count) : i;
		stop = count - i < 4 ? count : i + 4;
		while (i < stop && put_one(&to, i, slots + i, until)) {
			i++;
		}
		if (i < stop) {
			break;
		}
	}
	clear_ids(batch, first, first + i);
	batch->count += i;
	return i;
}
