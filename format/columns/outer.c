/* SPDX-License-Identifier: MIT */
/* Lists the rows of outer ranges, packs and reads the list. */
#include "format/columns/outer.h"

#include <string.h>

#include "format/columns/cursor.h"
#include "format/error.h"
#include "format/wire.h"

/* The list is an array of numbers: first pushes, pops, and how many names; then the names; then for
 * each row ticks, name and kind, and domain. */
#define HEAD_NUMBERS 3u
#define ROW_NUMBERS  3u

#define NO_GROUP UINT8_MAX

_Static_assert(RLOG_OUTER_MOST(RLOG_OUTER_MOST_ROWS) == RLOG_OUTER_ROWS,
               "there is room for all rows");
_Static_assert(RLOG_OUTER_NAMES <= NO_GROUP, "an index of a group is one byte");
_Static_assert(RLOG_OUTER_DEPTH > RLOG_BATCH_OPEN,
               "the stack has room for what is open before the rows");

static uint32_t name_of(const struct rlog_outer_group *group)
{
	return (uint32_t) group->key;
}

static uint32_t domain_of(const struct rlog_outer_group *group)
{
	return (uint32_t) (group->key >> 32);
}

static inline uint64_t key_of(uint32_t name, uint32_t domain)
{
	return (uint64_t) domain << 32 | name;
}

/* Returns the slot to look at first. The factor is 2^64 divided by the golden ratio. It spreads
 * keys well. */
static inline size_t slot_of(uint64_t key)
{
	return key * UINT64_C(0x9E3779B185EBCA87) >> 32 & (RLOG_OUTER_SLOTS - 1);
}

/* Finds the group of a key that is not in the first slot, or makes the group. */
static __attribute__((noinline)) size_t find_other(struct rlog_outer_work *work, uint64_t key,
                                                   size_t slot)
{
	while (work->slots[slot] != 0) {
		if (work->groups[work->slots[slot] - 1].key == key) {
			return work->slots[slot] - 1u;
		}
		slot = (slot + 1) % RLOG_OUTER_SLOTS;
	}
	if (work->group_count == RLOG_OUTER_NAMES) {
		return RLOG_OUTER_NAMES;
	}
	work->groups[work->group_count] =
		(struct rlog_outer_group){ .key = key, .depth = RLOG_OUTER_DEPTH };
	work->slots[slot] = (uint16_t) (work->group_count + 1);
	return work->group_count++;
}

/* Finds or makes a group. Return: its index; RLOG_OUTER_NAMES: there is no room for one more. */
static inline size_t find_group(struct rlog_outer_work *work, uint32_t name, uint32_t domain)
{
	const uint64_t key = key_of(name, domain);
	const size_t slot = slot_of(key);
	const size_t known = work->slots[slot];

	return known != 0 && work->groups[known - 1].key == key ? known - 1
	                                                        : find_other(work, key, slot);
}

static bool open_before(struct rlog_outer_work *work)
{
	const struct rlog_batch *const batch = work->batch;
	bool is_known = true;

	for (size_t i = 0; i < batch->open_count && is_known; i++) {
		const size_t group = find_group(work, batch->open[i].name, batch->open[i].domain);

		is_known = group != RLOG_OUTER_NAMES;
		work->stack[work->depth++] = (uint8_t) group;
	}
	work->lowest = work->depth;
	return is_known;
}

/* Adds rows of a range at that depth to its group. The outermost depth is 0. */
static void count(struct rlog_outer_group *group, size_t rows, size_t depth)
{
	group->rows += rows;
	group->depth = depth < group->depth ? depth : group->depth;
}

/*
 * Takes pushes that are followed by their pop, as most are, and whose groups are in the first slot.
 * Return: the next row.
 *
 * Keeps its state in local variables. Otherwise the compiler loads all of it again after each store
 * of a byte.
 */
static size_t take_pairs(struct rlog_outer_work *work, size_t row)
{
	const uint8_t push_and_pop[2] = { RLOG_OP_PUSH, RLOG_OP_POP };
	const uint8_t *const ops = work->batch->op;
	const uint32_t *const names = work->batch->name;
	const uint32_t *const domains = work->batch->domain;
	const size_t rows = work->rows;
	const size_t depth = work->depth;
	const size_t first = row;

	while (depth < RLOG_OUTER_DEPTH && row + 1 < rows &&
	       memcmp(ops + row, push_and_pop, sizeof(push_and_pop)) == 0 &&
	       domains[row] == domains[row + 1]) {
		const uint64_t key = key_of(names[row], domains[row]);
		const uint16_t known = work->slots[slot_of(key)];
		struct rlog_outer_group *group;

		if (known == 0) {
			break;
		}
		group = &work->groups[known - 1];
		if (group->key != key) {
			break;
		}
		work->of_row[row] = (uint8_t) (known - 1);
		work->of_row[row + 1] = (uint8_t) (known - 1);
		count(group, 2, depth);
		row += 2;
	}
	work->pushes += (row - first) / 2;
	return row;
}

/* Takes a push. Return: false if there is no room. */
static inline bool take_push(struct rlog_outer_work *work, size_t row)
{
	const size_t group = find_group(work, work->batch->name[row], work->batch->domain[row]);

	if (group == RLOG_OUTER_NAMES || work->depth == RLOG_OUTER_DEPTH) {
		return false;
	}
	work->of_row[row] = (uint8_t) group;
	work->pushes++;
	count(&work->groups[group], 1, work->depth);
	work->stack[work->depth] = (uint8_t) group;
	work->stack_rows[work->depth++] = (uint32_t) row;
	return true;
}

/* Takes a pop. Return: false if it does not close the innermost range. */
static inline bool take_pop(struct rlog_outer_work *work, size_t row)
{
	uint8_t group;

	if (work->depth == 0) {
		return false;
	}
	group = work->stack[--work->depth];
	work->lowest = work->depth < work->lowest ? work->depth : work->lowest;
	work->of_row[row] = group;
	count(&work->groups[group], 1, work->depth);
	return domain_of(&work->groups[group]) == work->batch->domain[row];
}

/* Finds the range that each row belongs to. Return: false if it is unknown for a row. */
static bool take_rows(struct rlog_outer_work *work)
{
	const uint8_t *const ops = work->batch->op;

	for (size_t i = 0; (i = take_pairs(work, i)) < work->rows; i++) {
		if (ops[i] == RLOG_OP_PUSH) {
			if (!take_push(work, i)) {
				return false;
			}
		} else if (ops[i] == RLOG_OP_POP) {
			if (!take_pop(work, i)) {
				return false;
			}
		} else if (ops[i] == RLOG_OP_MARK) {
			work->of_row[i] = NO_GROUP;
			work->marks++;
		} else {
			return false;
		}
	}
	return true;
}

/* Chooses the groups to list, the outermost first, as long as there is room for all rows of a
 * group. Return: true if any is listed. */
static bool choose_groups(struct rlog_outer_work *work)
{
	size_t left = RLOG_OUTER_MOST(work->rows);
	size_t deepest = 0; /* deepest group that has rows */
	bool any = false;

	left = left < RLOG_OUTER_ROWS ? left : RLOG_OUTER_ROWS;
	for (size_t i = 0; i < work->group_count; i++) {
		const struct rlog_outer_group *const group = &work->groups[i];

		deepest = group->rows > 0 && group->depth > deepest ? group->depth : deepest;
	}
	for (size_t depth = 0; depth <= deepest && left > 0; depth++) {
		for (size_t i = 0; i < work->group_count; i++) {
			struct rlog_outer_group *const group = &work->groups[i];

			if (group->depth == depth && group->rows > 0 && group->rows <= left) {
				group->is_listed = true;
				left -= group->rows;
				any = true;
			}
		}
	}
	return any;
}

/* True if any of eight rows is of a listed group. */
static inline bool has_listed(const bool *is_listed, const uint8_t *of_row)
{
	unsigned any = 0;

	for (size_t i = 0; i < 8; i++) {
		any |= is_listed[of_row[i]];
	}
	return any != 0;
}

static void list_rows(const struct rlog_outer_work *work, struct rlog_outer *outer)
{
	const struct rlog_batch *const batch = work->batch;
	bool is_listed[NO_GROUP + 1] = { false };

	for (size_t i = 0; i < work->group_count; i++) {
		is_listed[i] = work->groups[i].is_listed;
	}
	for (size_t i = 0; i < work->rows; i++) {
		/* Skips eight rows at a time, because few rows are listed. */
		while (i + 8 <= work->rows && !has_listed(is_listed, &work->of_row[i])) {
			i += 8;
		}
		if (i < work->rows && is_listed[work->of_row[i]]) {
			const struct rlog_outer_group *const group = &work->groups[work->of_row[i]];

			outer->rows[outer->row_count++] = (struct rlog_outer_row){
				.ticks = batch->ticks[i],
				.name = name_of(group),
				.domain = domain_of(group),
				.is_pop = batch->op[i] == RLOG_OP_POP,
			};
		}
	}
}

/* Adds a name to the ascending list if the list does not have it yet. */
static void add_name(struct rlog_outer *outer, uint32_t name)
{
	size_t at = outer->name_count;

	while (at > 0 && outer->names[at - 1] > name) {
		at--;
	}
	if (at > 0 && outer->names[at - 1] == name) {
		return;
	}
	memmove(&outer->names[at + 1], &outer->names[at],
	        (outer->name_count - at) * sizeof(outer->names[0]));
	outer->names[at] = name;
	outer->name_count++;
}

/* Sets to zero what is not filled in any case. */
static void init(struct rlog_outer_work *work, const struct rlog_batch *batch, size_t rows)
{
	work->batch = batch;
	work->rows = rows;
	work->group_count = 0;
	work->depth = work->lowest = 0;
	work->pushes = work->marks = 0;
	memset(work->slots, 0, sizeof(work->slots));
}

bool rlog_outer_find(struct rlog_outer *outer, struct rlog_outer_work *work,
                     const struct rlog_batch *batch, size_t rows)
{
	outer->pushes = outer->pops = 0;
	outer->name_count = outer->row_count = 0;
	init(work, batch, rows);
	if (rows > RLOG_OUTER_MOST_ROWS || (!batch->has_open && batch->sequence > 0) ||
	    !open_before(work) || !take_rows(work)) {
		return false;
	}
	outer->pushes = work->pushes;
	outer->pops = rows - work->pushes - work->marks;
	outer->kept = work->lowest;
	outer->opened = work->depth - work->lowest;
	memcpy(outer->opened_rows, work->stack_rows + work->lowest,
	       outer->opened * sizeof(outer->opened_rows[0]));
	if (choose_groups(work)) {
		list_rows(work, outer);
	}
	for (size_t i = 0; i < work->group_count; i++) {
		if (!work->groups[i].is_listed && work->groups[i].rows > 0) {
			add_name(outer, name_of(&work->groups[i]));
		}
	}
	return true;
}

void rlog_outer_pack(struct rlog_pack *pack, const struct rlog_outer *outer, uint64_t ticks)
{
	rlog_pack_key(pack, "outer");
	rlog_pack_array(pack, HEAD_NUMBERS + outer->name_count + outer->row_count * ROW_NUMBERS);
	rlog_pack_uint(pack, outer->pushes);
	rlog_pack_uint(pack, outer->pops);
	rlog_pack_uint(pack, outer->name_count);
	for (size_t i = 0; i < outer->name_count; i++) {
		rlog_pack_uint(pack, outer->names[i]);
	}
	for (size_t i = 0; i < outer->row_count; i++) {
		const struct rlog_outer_row *const row = &outer->rows[i];

		rlog_pack_uint(pack, row->ticks - ticks);
		rlog_pack_uint(pack, row->name * UINT64_C(2) + row->is_pop);
		rlog_pack_uint(pack, row->domain);
		ticks = row->ticks;
	}
}

/* Reads a number, which must be `most` at most. */
static int read_number(struct rlog_cursor *cursor, uint64_t most, uint64_t *number)
{
	struct rlog_cursor_int value;
	int code;

	if (rlog_cursor_peek(cursor) != RLOG_CURSOR_INT) {
		return -RLOG_E_SCHEMA;
	}
	code = rlog_cursor_read_int(cursor, &value);
	*number = code ? 0 : value.bits;
	return code ? code : value.negative || value.bits > most ? -RLOG_E_SCHEMA : 0;
}

static int read_row(struct rlog_cursor *cursor, struct rlog_outer_row *row, uint64_t *ticks)
{
	uint64_t step = 0;
	uint64_t name = 0;
	uint64_t domain = 0;
	int code = read_number(cursor, UINT64_MAX, &step);

	code = code ? code : read_number(cursor, UINT32_MAX * UINT64_C(2) + 1, &name);
	code = code ? code : read_number(cursor, UINT32_MAX, &domain);
	*ticks += step;
	*row = (struct rlog_outer_row){ .ticks = *ticks,
		                        .name = (uint32_t) (name / 2),
		                        .domain = (uint32_t) domain,
		                        .is_pop = name % 2 != 0 };
	return code;
}

/* Reads the list after the head of its array. @numbers: how many elements the array has. */
static int read_list(struct rlog_cursor *cursor, uint32_t numbers, struct rlog_outer *outer,
                     uint64_t ticks)
{
	uint64_t names = 0;
	uint64_t number = 0;
	int code = numbers < HEAD_NUMBERS ? -RLOG_E_SCHEMA : 0;

	code = code ? code : read_number(cursor, UINT64_MAX, &outer->pushes);
	code = code ? code : read_number(cursor, UINT64_MAX, &outer->pops);
	code = code ? code : read_number(cursor, RLOG_OUTER_NAMES, &names);
	if (code) {
		return code;
	}
	if (numbers - HEAD_NUMBERS < names || (numbers - HEAD_NUMBERS - names) % ROW_NUMBERS != 0 ||
	    (numbers - HEAD_NUMBERS - names) / ROW_NUMBERS > RLOG_OUTER_ROWS) {
		return -RLOG_E_SCHEMA;
	}
	outer->name_count = (size_t) names;
	outer->row_count = (size_t) (numbers - HEAD_NUMBERS - names) / ROW_NUMBERS;
	for (size_t i = 0; i < outer->name_count && !code; i++) {
		code = read_number(cursor, UINT32_MAX, &number);
		outer->names[i] = (uint32_t) number;
	}
	for (size_t i = 0; i < outer->row_count && !code; i++) {
		code = read_row(cursor, &outer->rows[i], &ticks);
	}
	return code;
}

int rlog_outer_read(struct rlog_outer *outer, const void *payload, size_t bytes, uint64_t ticks)
{
	struct rlog_cursor cursor = { .pos = payload, .end = (const uint8_t *) payload + bytes };
	const char *key = NULL;
	uint32_t length = 0;
	uint32_t count = 0;
	int code;

	outer->name_count = outer->row_count = 0;
	code = rlog_cursor_read_map(&cursor, &count);
	code = code ? code : rlog_cursor_read_text(&cursor, &key, &length);
	if (!code && (length != 5 || memcmp(key, "outer", 5) != 0 ||
	              rlog_cursor_peek(&cursor) != RLOG_CURSOR_ARRAY)) {
		code = -RLOG_E_SCHEMA;
	}
	code = code ? code : rlog_cursor_read_array(&cursor, &count);
	return code ? code : read_list(&cursor, count, outer, ticks);
}
