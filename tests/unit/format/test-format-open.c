/* SPDX-License-Identifier: MIT */
/* Tests the list of ranges that are open before a chunk's first row, and that faults in it do no
 * harm. */
#include <string.h>

#include "format/columns/events.h"
#include "format/wire.h"
#include "tests/tap.h"

#define BYTES 4096

/* A payload of two rows with this as `open`. */
static size_t pack_numbers(uint8_t *bytes, const uint64_t *numbers, size_t count)
{
	struct rlog_pack pack;

	rlog_pack_init(&pack, bytes, BYTES);
	rlog_pack_map(&pack, 4);
	rlog_pack_key(&pack, "open");
	rlog_pack_array(&pack, count);
	for (size_t i = 0; i < count; i++) {
		rlog_pack_uint(&pack, numbers[i]);
	}
	rlog_pack_key(&pack, "t");
	rlog_pack_uint(&pack, 1000);
	rlog_pack_key(&pack, "dt");
	rlog_pack_array(&pack, 2);
	rlog_pack_uint(&pack, 0);
	rlog_pack_uint(&pack, 5);
	rlog_pack_key(&pack, "op");
	rlog_pack_uint(&pack, RLOG_OP_POP);
	return pack.used;
}

static int read_numbers(struct rlog_batch *batch, const uint64_t *numbers, size_t count)
{
	uint8_t bytes[BYTES + RLOG_PACK_SLACK];
	const size_t size = pack_numbers(bytes, numbers, count);

	rlog_batch_clear(batch);
	return rlog_events_read(batch, bytes, size, 2, NULL);
}

/* Writes a batch and reads it. */
static void test_round_trip(struct rlog_batch *batch)
{
	uint8_t bytes[BYTES + RLOG_PACK_SLACK];
	struct rlog_pack pack;
	struct rlog_batch from;

	if (rlog_batch_init(&from, 8)) {
		tap_bail("no memory");
	}
	rlog_batch_append(&from, 5000, RLOG_OP_PUSH, 1, 0, 0);
	rlog_batch_append(&from, 5100, RLOG_OP_POP, 0, 0, 0);
	from.has_open = true;
	from.open[from.open_count++] = (struct rlog_open_range){ 10, 7, 0 };
	from.open[from.open_count++] = (struct rlog_open_range){ 5000, 8, 3 };
	from.open[from.open_count++] = (struct rlog_open_range){ 6000, 9, 0 };
	rlog_pack_init(&pack, bytes, BYTES);
	tap_is_int(rlog_events_pack(&pack, &from, 0, 2, NULL, NULL), 0,
	           "a batch that knows is packed");
	rlog_batch_clear(batch);
	tap_is_int(rlog_events_read(batch, bytes, pack.used, 2, NULL), 0, "and read");
	tap_ok(batch->has_open && batch->open_count == 3 &&
	               memcmp(batch->open, from.open, 3 * sizeof(from.open[0])) == 0,
	       "with all ranges, also one that was opened later than row 0");
	rlog_pack_init(&pack, bytes, BYTES);
	(void) rlog_events_pack(&pack, &from, 1, 1, NULL, NULL);
	rlog_batch_clear(batch);
	(void) rlog_events_read(batch, bytes, pack.used, 1, NULL);
	tap_ok(!batch->has_open, "a piece of a batch behind its row 0 tells nothing");
	from.open_count = 0;
	rlog_pack_init(&pack, bytes, BYTES);
	(void) rlog_events_pack(&pack, &from, 0, 2, NULL, NULL);
	rlog_batch_clear(batch);
	(void) rlog_events_read(batch, bytes, pack.used, 2, NULL);
	tap_ok(batch->has_open && batch->open_count == 0, "nothing open is something to tell");
	rlog_batch_fini(&from);
}

static void test_numbers(struct rlog_batch *batch)
{
	uint64_t numbers[3 * (RLOG_BATCH_OPEN + 1)] = { 4, 2, 900 };

	tap_is_int(read_numbers(batch, numbers, 3), 0, "one range that stands before `t`");
	tap_ok(batch->has_open && batch->open_count == 1 && batch->open[0].ticks == 100 &&
	               batch->open[0].name == 4 && batch->open[0].domain == 2,
	       "is read with its time");
	tap_is_int(read_numbers(batch, numbers, (size_t) 3 * RLOG_BATCH_OPEN), 0,
	           "as many as there may be");
	tap_ok(batch->has_open && batch->open_count == RLOG_BATCH_OPEN, "are all there");
	tap_is_int(read_numbers(batch, numbers, 3 * ((size_t) RLOG_BATCH_OPEN + 1)), 0,
	           "more than that");
	tap_ok(!batch->has_open && batch->count == 2, "are as if nothing was told");
	tap_is_int(read_numbers(batch, numbers, 4), -RLOG_E_SCHEMA, "four numbers are refused");
	numbers[1] = UINT64_MAX;
	tap_is_int(read_numbers(batch, numbers, 3), -RLOG_E_SCHEMA,
	           "a domain of more than 32 bits is refused");
	numbers[1] = 0;
	numbers[2] = UINT64_MAX;
	tap_is_int(read_numbers(batch, numbers, 3), 0, "a time beyond all");
	tap_is_uint(batch->open[0].ticks, 1001, "is taken modulo 2^64");
}

static void test_others(struct rlog_batch *batch)
{
	static const uint8_t own[] = { RLOG_OP_PUSH, RLOG_OP_POP,   RLOG_OP_MARK,
		                       RLOG_OP_LOSS, RLOG_OP_DEPTH, RLOG_OP_MORE };
	unsigned others = 0;

	rlog_batch_clear(batch);
	for (size_t i = 0; i < sizeof(own); i++) {
		rlog_batch_append(batch, i, own[i], 0, 0, 0);
	}
	tap_ok(!rlog_batch_has_others(batch, 0, batch->count), "pushes, pops, marks, remarks: own");
	for (unsigned op = 0; op < 256; op++) {
		batch->op[2] = (uint8_t) op;
		others += rlog_batch_has_others(batch, 0, batch->count);
	}
	tap_is_uint(others, 256 - sizeof(own), "all other numbers: others");
	tap_ok(!rlog_batch_has_others(batch, 3, 3), "rows that were not asked about do not count");
}

int main(void)
{
	struct rlog_batch batch;

	if (rlog_batch_init(&batch, 64)) {
		tap_bail("no memory");
	}
	test_round_trip(&batch);
	test_numbers(&batch);
	test_others(&batch);
	rlog_batch_fini(&batch);
	return tap_done();
}
