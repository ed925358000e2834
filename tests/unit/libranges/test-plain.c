/* SPDX-License-Identifier: MIT */
/* Tests that plain slots become rows, up to the first slot that is not plain, just as if each slot
 * were handled by itself. */
#include <stdlib.h>
#include <string.h>

#include "format/wire.h"
#include "libranges/drain/plain.h"
#include "tests/tap.h"

#define SLOTS 256u /* fill a page, so each check byte comes once */
#define ROWS  1024u

static uint64_t state = 88172645463325252u;

static uint32_t roll(uint32_t sides)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t) ((state >> 32) * sides >> 32);
}

static void put(struct rcap_slot *slot, uint64_t ticks, uint32_t op)
{
	slot->a = ticks;
	slot->b = rcap_slot_word(slot, roll(50), roll(4) == 0 ? roll(65536) : 0, op);
}

/* Mostly pushes and pops; `odd` of 100 slots are something else. */
static void fill(struct rcap_slot *slots, uint32_t odd)
{
	static const uint8_t others[] = { RLOG_OP_MARK,
		                          RLOG_OP_MARK,
		                          RLOG_OP_START,
		                          RLOG_OP_LOSS,
		                          RCAP_OP_ATTR,
		                          RCAP_OP_CYCLE,
		                          0 };

	for (size_t i = 0; i < SLOTS; i++) {
		const uint64_t ticks = roll(10) == 0 ? UINT64_MAX - roll(3) : 1000 + roll(100);

		put(&slots[i], roll(100) < odd ? ticks : 1000 + i, 1 + roll(2));
		if (roll(100) < odd) {
			put(&slots[i], ticks, others[roll(sizeof(others))]);
		}
		if (roll(400) < odd) {
			slots[i].b ^= UINT64_C(1) << (56 + roll(8));
		}
	}
}

static bool is_plain(const struct rcap_slot *slot, uint64_t until)
{
	const uint32_t op = slot->b >> 48 & 0xFF;
	const bool is_sound = (slot->b ^ rcap_slot_word(slot, 0, 0, 0)) >> 56 == 0;

	return is_sound && slot->a < until &&
	       (op == RLOG_OP_PUSH || op == RLOG_OP_POP || op == RLOG_OP_MARK);
}

/* Return: true if row `row` is that of the slot. */
static bool is_row(const struct rlog_batch *batch, size_t row, const struct rcap_slot *slot)
{
	return batch->ticks[row] == slot->a && batch->op[row] == (slot->b >> 48 & 0xFF) &&
	       batch->name[row] == (uint32_t) slot->b &&
	       batch->domain[row] == (slot->b >> 32 & 0xFFFF) && batch->id[row] == 0;
}

/* Return: false if the rows are not those of the slots. */
static bool take(struct rlog_batch *batch, const struct rcap_slot *slots, size_t count,
                 uint64_t until)
{
	const size_t before = batch->count;
	size_t wanted = 0;
	bool is_right;

	while (wanted < count && is_plain(&slots[wanted], until)) {
		wanted++;
	}
	is_right = rcap_plain_take(batch, slots, count, until) == wanted &&
	           batch->count == before + wanted;
	for (size_t i = 0; i < wanted && is_right; i++) {
		is_right = is_row(batch, before + i, &slots[i]);
	}
	return is_right;
}

int main(void)
{
	static const uint64_t untils[] = { UINT64_MAX, UINT64_MAX - 1, INT64_MAX, 1050, 1010, 0 };
	struct rcap_slot *const slots = aligned_alloc(4096, SLOTS * sizeof(*slots));
	struct rlog_batch batch;
	size_t wrong = 0;

	if (!slots || rlog_batch_init(&batch, ROWS) != 0) {
		tap_bail("no memory");
	}
	for (size_t i = 0; i < 20000; i++) {
		const size_t from = roll(8);

		rlog_batch_clear(&batch);
		fill(slots, roll(2) * roll(30));
		for (uint32_t rows = roll(9); rows > 0; rows--) {
			rlog_batch_append(&batch, 1, RLOG_OP_START, 2, 3, roll(3));
		}
		wrong += !take(&batch, slots + from, SLOTS - from - roll(8), untils[roll(6)]);
		rlog_batch_append(&batch, 1, RLOG_OP_END, 2, 3, roll(3));
		wrong += !take(&batch, slots, roll(SLOTS), UINT64_MAX);
	}
	tap_is_uint(wrong, 0, "20,000 times slots at random become the rows they should");
	rlog_batch_fini(&batch);
	free(slots);
	return tap_done();
}
