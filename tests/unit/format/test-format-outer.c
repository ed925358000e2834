/* SPDX-License-Identifier: MIT */
/* Tests the list of outer ranges in a chunk, and that faults in it do no harm. */
#include <string.h>

#include "format/columns/events.h"
#include "format/columns/outer.h"
#include "format/wire.h"
#include "tests/tap.h"

#define BYTES 8192
#define ROWS  2048

static struct rlog_outer_work work;

enum {
	STEP = 7,
	LOAD = 8,
	CALL = 9,
};

static void put(struct rlog_batch *batch, uint8_t op, uint32_t name, uint32_t domain)
{
	rlog_batch_append(batch, 1000 + 10 * batch->count, op, op == RLOG_OP_PUSH ? name : 0,
	                  domain, 0);
}

/* A step that was opened before closes; another one holds a range and many calls. */
static void fill(struct rlog_batch *batch)
{
	rlog_batch_clear(batch);
	batch->has_open = true;
	batch->sequence = 500;
	batch->open[batch->open_count++] = (struct rlog_open_range){ 900, STEP, 2 };
	put(batch, RLOG_OP_MARK, CALL, 0);
	put(batch, RLOG_OP_POP, 0, 2);
	put(batch, RLOG_OP_PUSH, STEP, 2);
	put(batch, RLOG_OP_PUSH, LOAD, 0);
	put(batch, RLOG_OP_POP, 0, 0);
	for (int i = 0; i < 20; i++) {
		put(batch, RLOG_OP_PUSH, CALL, 0);
		put(batch, RLOG_OP_POP, 0, 0);
	}
}

static bool is_row(const struct rlog_outer_row *row, uint64_t ticks, uint32_t name, uint32_t domain,
                   bool is_pop)
{
	return row->ticks == ticks && row->name == name && row->domain == domain &&
	       row->is_pop == is_pop;
}

static void test_list(struct rlog_batch *batch)
{
	uint8_t bytes[BYTES + RLOG_PACK_SLACK];
	struct rlog_outer found;
	struct rlog_outer outer = { 0 };
	struct rlog_pack pack;

	fill(batch);
	tap_ok(rlog_outer_find(&found, &work, batch, batch->count),
	       "a chunk of pushes, pops and marks");
	tap_ok(found.kept == 0 && found.opened == 1 && found.opened_rows[0] == 2,
	       "leaves the second step open, not the first one");
	rlog_pack_init(&pack, bytes, BYTES);
	tap_is_int(rlog_events_pack(&pack, batch, 0, batch->count, &found, NULL), 0, "is packed");
	tap_is_int(rlog_outer_read(&outer, bytes, pack.used, 1000), 0, "its list is read");
	tap_ok(outer.pushes == 22 && outer.pops == 22, "with its pushes and pops");
	tap_is_uint(outer.row_count, 4, "four rows have room: the step's are listed,");
	tap_ok(is_row(&outer.rows[0], 1010, STEP, 2, true) &&
	               is_row(&outer.rows[1], 1020, STEP, 2, false),
	       "a pop with the range that it closes");
	tap_ok(is_row(&outer.rows[2], 1030, LOAD, 0, false) && outer.name_count == 1 &&
	               outer.names[0] == CALL,
	       "and those of the range inside; the calls have only their name there");
	tap_is_int(rlog_events_read(batch, bytes, pack.used, 45, NULL), 0,
	           "the rows are read as before");
}

/* The outermost names have too many rows: others are listed. */
static void test_choice(struct rlog_batch *batch)
{
	struct rlog_outer outer;

	rlog_batch_clear(batch);
	for (uint32_t i = 0; i < 4; i++) {
		put(batch, RLOG_OP_PUSH, CALL, 0);
		put(batch, RLOG_OP_PUSH, i == 1 ? LOAD : STEP, i == 3);
		put(batch, RLOG_OP_POP, 0, i == 3);
		put(batch, RLOG_OP_POP, 0, 0);
	}
	tap_ok(rlog_outer_find(&outer, &work, batch, batch->count),
	       "nothing is open before the first row of a stream");
	tap_ok(outer.row_count == 4 && outer.rows[0].name == STEP && outer.rows[3].name == STEP &&
	               outer.rows[3].domain == 0,
	       "of names that fit, the one that is opened first");
	tap_ok(outer.name_count == 3 && outer.names[0] == STEP && outer.names[1] == LOAD &&
	               outer.names[2] == CALL,
	       "a name whose rows in another domain have no room is named, too");
}

static bool is_refused(struct rlog_batch *batch, size_t row, uint8_t op, uint32_t domain)
{
	struct rlog_outer outer;

	fill(batch);
	batch->op[row] = op;
	batch->domain[row] = domain;
	return !rlog_outer_find(&outer, &work, batch, batch->count);
}

static void test_unknown(struct rlog_batch *batch)
{
	struct rlog_outer outer;

	tap_ok(is_refused(batch, 5, RLOG_OP_LOSS, 0), "no list after a loss");
	tap_ok(is_refused(batch, 5, RLOG_OP_START, 0), "nor with a start/end range");
	tap_ok(is_refused(batch, 5, RLOG_OP_MORE, 0), "nor with a remark");
	tap_ok(is_refused(batch, 4, RLOG_OP_POP, 2), "nor where ranges cross");
	fill(batch);
	batch->open_count = 0;
	tap_ok(!rlog_outer_find(&outer, &work, batch, batch->count), "nor with a pop of nothing");
	batch->has_open = false;
	tap_ok(!rlog_outer_find(&outer, &work, batch, 1), "nor where nobody knows what is open");
	rlog_batch_clear(batch);
	for (uint32_t i = 0; i < RLOG_OUTER_NAMES; i++) {
		put(batch, RLOG_OP_PUSH, 1000 + i, 0);
		put(batch, RLOG_OP_POP, 0, 0);
	}
	tap_ok(rlog_outer_find(&outer, &work, batch, batch->count) &&
	               outer.name_count == RLOG_OUTER_NAMES - 2 && outer.row_count == 4,
	       "as many names as there may be");
	put(batch, RLOG_OP_PUSH, 1, 0);
	tap_ok(!rlog_outer_find(&outer, &work, batch, batch->count), "one more is too many");
	rlog_batch_clear(batch);
	for (uint32_t i = 0; i < 257; i++) {
		put(batch, RLOG_OP_PUSH, CALL, 0);
	}
	tap_ok(rlog_outer_find(&outer, &work, batch, 256) &&
	               !rlog_outer_find(&outer, &work, batch, 257),
	       "and so are 257 open ranges");
}

/* A payload that has only this list. */
static int read_numbers(struct rlog_outer *outer, const uint64_t *numbers, size_t count)
{
	uint8_t bytes[BYTES + RLOG_PACK_SLACK];
	struct rlog_pack pack;

	rlog_pack_init(&pack, bytes, BYTES);
	rlog_pack_map(&pack, 1);
	rlog_pack_key(&pack, "outer");
	rlog_pack_array(&pack, count);
	for (size_t i = 0; i < count; i++) {
		rlog_pack_uint(&pack, numbers[i]);
	}
	return rlog_outer_read(outer, bytes, pack.used, 0);
}

static void test_damage(struct rlog_batch *batch)
{
	uint64_t numbers[3 + 3 * (RLOG_OUTER_ROWS + 1) + RLOG_OUTER_NAMES + 1] = { 1, 1, 1, 5 };
	uint8_t bytes[BYTES + RLOG_PACK_SLACK];
	struct rlog_outer outer;
	struct rlog_pack pack;
	size_t whole = 0;
	size_t read = 0;

	tap_is_int(read_numbers(&outer, numbers, 4), 0, "a list of one name");
	tap_is_int(read_numbers(&outer, numbers, 3), -RLOG_E_SCHEMA, "without the name");
	tap_is_int(read_numbers(&outer, numbers, 2), -RLOG_E_SCHEMA, "too short");
	tap_is_int(read_numbers(&outer, numbers, 6), -RLOG_E_SCHEMA, "two thirds of a row");
	tap_is_int(read_numbers(&outer, numbers, 4 + 3 * RLOG_OUTER_ROWS), 0, "all rows");
	tap_is_int(read_numbers(&outer, numbers, 7 + 3 * RLOG_OUTER_ROWS), -RLOG_E_SCHEMA,
	           "one more");
	numbers[2] = RLOG_OUTER_NAMES;
	tap_is_int(read_numbers(&outer, numbers, 3 + RLOG_OUTER_NAMES), 0, "all names");
	numbers[2]++;
	tap_is_int(read_numbers(&outer, numbers, 4 + RLOG_OUTER_NAMES), -RLOG_E_SCHEMA, "one more");
	numbers[2] = 1;
	numbers[3] = UINT64_C(1) << 32;
	tap_is_int(read_numbers(&outer, numbers, 4), -RLOG_E_SCHEMA, "a name of 33 bits");
	fill(batch);
	(void) rlog_outer_find(&outer, &work, batch, batch->count);
	rlog_pack_init(&pack, bytes, BYTES);
	(void) rlog_events_pack(&pack, batch, 0, batch->count, &outer, NULL);
	for (size_t i = 0; i < pack.used; i++) {
		read += rlog_outer_read(&outer, bytes, i, 1000) == 0;
		whole = read == 0 ? i + 1 : whole;
	}
	tap_ok(whole > 0 && read == pack.used - whole && whole < 40,
	       "the list can be read from some bytes on, and never from fewer");
	rlog_pack_init(&pack, bytes, BYTES);
	(void) rlog_events_pack(&pack, batch, 0, batch->count, NULL, NULL);
	tap_is_int(rlog_outer_read(&outer, bytes, pack.used, 1000), -RLOG_E_SCHEMA,
	           "a payload without it");
}

int main(void)
{
	struct rlog_batch batch;

	if (rlog_batch_init(&batch, ROWS)) {
		tap_bail("no memory");
	}
	test_list(&batch);
	test_choice(&batch);
	test_unknown(&batch);
	test_damage(&batch);
	rlog_batch_fini(&batch);
	return tap_done();
}
