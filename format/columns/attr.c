/* SPDX-License-Identifier: MIT */
/* Packs and reads attribute columns: absent, constant, dense or sparse. */
#include "format/columns/attr.h"

#include <stdbool.h>

#include "format/columns/column.h"
#include "format/error.h"
#include "format/wire.h"

const char *rlog_attr_name(enum rlog_attr attr)
{
	static const char *const names[RLOG_ATTRS] = {
		[RLOG_ATTR_CATEGORY] = "category",
		[RLOG_ATTR_COLOR] = "color",
		[RLOG_ATTR_PTYPE] = "ptype",
		[RLOG_ATTR_PAYLOAD] = "payload",
		[RLOG_ATTR_LOST] = "lost",
		[RLOG_ATTR_CAUSE] = "cause",
		[RLOG_ATTR_SPAN] = "span",
		[RLOG_ATTR_DEPTH] = "depth",
		[RLOG_ATTR_MIN_DEPTH] = "min_depth",
		[RLOG_ATTR_DUR] = "dur",
		[RLOG_ATTR_DEVICE] = "device",
		[RLOG_ATTR_CONTEXT] = "context",
		[RLOG_ATTR_QUEUE] = "queue",
		[RLOG_ATTR_CORR] = "corr",
		[RLOG_ATTR_SHAPE] = "shape",
		[RLOG_ATTR_BYTES] = "bytes",
		[RLOG_ATTR_ADDR] = "addr",
		[RLOG_ATTR_KIND] = "kind",
		[RLOG_ATTR_SRC] = "src",
		[RLOG_ATTR_DST] = "dst",
		[RLOG_ATTR_GRAPH] = "graph",
		[RLOG_ATTR_NODE] = "node",
		[RLOG_ATTR_TID] = "tid",
		[RLOG_ATTR_RESULT] = "result",
		[RLOG_ATTR_QUEUED] = "queued",
		[RLOG_ATTR_SUBMITTED] = "submitted",
		[RLOG_ATTR_SYNC] = "sync",
		[RLOG_ATTR_POOL] = "pool",
		[RLOG_ATTR_RESERVED] = "reserved",
		[RLOG_ATTR_USED] = "used",
		[RLOG_ATTR_COUNT1] = "count1",
		[RLOG_ATTR_COUNT2] = "count2",
		[RLOG_ATTR_COUNT3] = "count3",
	};

	return names[attr];
}

/* Returns the index of the first pair at or after `row`. */
static size_t find_row(const struct rlog_attr_column *column, size_t row)
{
	size_t low = 0;
	size_t high = column->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (column->row[middle] < row) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

/* Walks over the pairs of a run whose value is not 0. */
struct walk {
	const struct rlog_attr_column *column;
	size_t at;
	size_t end;
};

static struct walk walk_run(const struct rlog_attr_run *run, enum rlog_attr attr)
{
	const struct rlog_attr_column *const column = &run->batch->attr[attr];

	return (struct walk){
		.column = column,
		.at = find_row(column, run->from),
		.end = find_row(column, run->from + run->rows),
	};
}

static bool next_pair(struct walk *walk, size_t *row, uint64_t *value)
{
	while (walk->at < walk->end && walk->column->value[walk->at] == 0) {
		walk->at++;
	}
	if (walk->at >= walk->end) {
		return false;
	}
	*row = walk->column->row[walk->at];
	*value = walk->column->value[walk->at];
	walk->at++;
	return true;
}

static size_t gap_bytes(uint64_t gap)
{
	if (gap < 0x80) {
		return 1;
	}
	return gap <= UINT16_MAX ? 2 + (gap > UINT8_MAX) : 5;
}

enum rlog_attr_form rlog_attr_choose(const struct rlog_attr_run *run, enum rlog_attr attr)
{
	struct walk walk = walk_run(run, attr);
	size_t sparse_bytes = 3; /* the heads of three arrays; bytes that both forms have are not
	                          * counted */
	size_t count = 0;
	size_t before = run->from;
	size_t row = 0;
	uint64_t first = 0;
	uint64_t value = 0;
	bool equal = true;

	while (next_pair(&walk, &row, &value)) {
		first = count ? first : value;
		equal = equal && value == first;
		sparse_bytes += gap_bytes(row - before);
		before = row;
		count++;
	}
	if (count == 0) {
		return RLOG_ATTR_ABSENT;
	}
	/* A payload column is never constant, because a value's form depends on the ptype of its
	 * row. */
	if (count == run->rows && equal && attr != RLOG_ATTR_PAYLOAD) {
		return RLOG_ATTR_CONSTANT;
	}
	return sparse_bytes < run->rows - count ? RLOG_ATTR_SPARSE : RLOG_ATTR_DENSE;
}

/* Collects integers, so that many are packed at once. */
struct block {
	struct rlog_pack *pack;
	size_t count;
	uint64_t values[256];
};

static void flush_block(struct block *block)
{
	rlog_column_pack_values(block->pack, block->values, block->count);
	block->count = 0;
}

static void add_uint(struct block *block, uint64_t value)
{
	if (block->count == sizeof(block->values) / sizeof(block->values[0])) {
		flush_block(block);
	}
	block->values[block->count++] = value;
}

/* Adds a value by its NVTX type. The type is 0 for all attributes but payloads. */
static void add_typed(struct block *block, uint64_t type, uint64_t value)
{
	const bool is_signed = type == RLOG_PAYLOAD_I64 || type == RLOG_PAYLOAD_I32;

	if (type == RLOG_PAYLOAD_DOUBLE || type == RLOG_PAYLOAD_FLOAT) {
		flush_block(block);
		rlog_pack_real(block->pack, value);
	} else if (is_signed && (int64_t) value < 0) {
		flush_block(block);
		rlog_pack_int(block->pack, (int64_t) value);
	} else {
		add_uint(block, value);
	}
}

/* Returns the payload type of a row. Call it in ascending order of rows. */
static uint64_t type_at(struct walk *types, size_t row)
{
	while (types->at < types->end && types->column->row[types->at] < row) {
		types->at++;
	}
	if (types->at < types->end && types->column->row[types->at] == row) {
		return types->column->value[types->at];
	}
	return RLOG_PAYLOAD_NONE;
}

/* Packs the values of a run: of all rows, or without zeros. */
static void pack_values(struct rlog_pack *pack, const struct rlog_attr_run *run,
                        enum rlog_attr attr, bool all_rows)
{
	struct block block = { .pack = pack };
	struct walk walk = walk_run(run, attr);
	struct walk types = walk_run(run, RLOG_ATTR_PTYPE);
	size_t filled = run->from;
	size_t row = 0;
	uint64_t value = 0;

	while (next_pair(&walk, &row, &value)) {
		for (; all_rows && filled < row; filled++) {
			add_uint(&block, 0);
		}
		filled = row + 1;
		add_typed(&block, attr == RLOG_ATTR_PAYLOAD ? type_at(&types, row) : 0, value);
	}
	for (; all_rows && filled < run->from + run->rows; filled++) {
		add_uint(&block, 0);
	}
	flush_block(&block);
}

static void pack_sparse(struct rlog_pack *pack, const struct rlog_attr_run *run,
                        enum rlog_attr attr)
{
	struct block block = { .pack = pack };
	struct walk walk = walk_run(run, attr);
	size_t before = run->from;
	size_t row = 0;
	size_t count = 0;
	uint64_t value = 0;

	for (struct walk counted = walk; next_pair(&counted, &row, &value); count++) {
	}
	rlog_pack_array(pack, 2);
	rlog_pack_array(pack, count);
	while (next_pair(&walk, &row, &value)) {
		add_uint(&block, row - before);
		before = row;
	}
	flush_block(&block);
	rlog_pack_array(pack, count);
	pack_values(pack, run, attr, false);
}

void rlog_attr_pack(struct rlog_pack *pack, const struct rlog_attr_run *run, enum rlog_attr attr,
                    enum rlog_attr_form form)
{
	struct walk walk = walk_run(run, attr);
	size_t row = 0;
	uint64_t value = 0;

	if (form == RLOG_ATTR_ABSENT) {
		return;
	}
	rlog_pack_key(pack, rlog_attr_name(attr));
	switch (form) {
	case RLOG_ATTR_CONSTANT:
		(void) next_pair(&walk, &row, &value);
		rlog_pack_uint(pack, value);
		break;
	case RLOG_ATTR_SPARSE:
		pack_sparse(pack, run, attr);
		break;
	default:
		rlog_pack_array(pack, run->rows);
		pack_values(pack, run, attr, true);
		break;
	}
}

/* Reads one payload: an integer of either sign, or a float as the bits of a double. */
static int read_number(struct rlog_cursor *cursor, uint64_t *bits)
{
	struct rlog_cursor_int number;
	int code = 0;

	switch (rlog_cursor_peek(cursor)) {
	case RLOG_CURSOR_INT:
		code = rlog_cursor_read_int(cursor, &number);
		*bits = code ? 0 : number.bits;
		return code;
	case RLOG_CURSOR_REAL:
		return rlog_cursor_read_real(cursor, bits);
	case RLOG_CURSOR_NONE:
		return -RLOG_E_MSGPACK;
	default:
		return -RLOG_E_SCHEMA;
	}
}

/* Reads an array of exactly n numbers with its head. */
static int read_values(struct rlog_cursor *cursor, bool with_reals, size_t n, uint64_t *out)
{
	uint32_t elements = 0;
	int code = 0;

	if (!with_reals) {
		return rlog_column_read_u64(cursor, n, out);
	}
	code = rlog_cursor_read_array(cursor, &elements);
	if (code || elements != n) {
		return code ? code : -RLOG_E_SCHEMA;
	}
	for (size_t i = 0; i < n && !code; i++) {
		code = read_number(cursor, &out[i]);
	}
	return code;
}

/* Replaces the gaps in column->row by row numbers, which must be below `rows`. */
static int add_up_gaps(struct rlog_attr_column *column, size_t count, size_t rows)
{
	uint64_t row = 0;

	for (size_t i = 0; i < count; i++) {
		if (i && column->row[i] == 0) {
			return -RLOG_E_SCHEMA;
		}
		row += column->row[i];
		if (row >= rows) {
			return -RLOG_E_SCHEMA;
		}
		column->row[i] = (uint32_t) row;
	}
	return 0;
}

/* Reads a sparse column after the head of its outer array. */
static int read_sparse(struct rlog_cursor *cursor, struct rlog_attr_column *column, bool with_reals,
                       size_t rows)
{
	struct rlog_cursor ahead = *cursor;
	uint32_t count = 0;
	int code = rlog_cursor_read_array(&ahead, &count);

	if (code) {
		return code;
	}
	if (count > rows) {
		return -RLOG_E_SCHEMA;
	}
	code = rlog_batch_reserve_column(column, count);
	if (code) {
		return code;
	}
	code = rlog_column_read_u32(cursor, count, column->row);
	if (code) {
		return code;
	}
	code = add_up_gaps(column, count, rows);
	if (code) {
		return code;
	}
	if (rlog_cursor_peek(cursor) != RLOG_CURSOR_ARRAY) {
		return -RLOG_E_SCHEMA;
	}
	code = read_values(cursor, with_reals, count, column->value);
	if (code) {
		return code;
	}
	column->count = count;
	return 0;
}

static int read_constant(struct rlog_cursor *cursor, struct rlog_attr_column *column,
                         bool with_reals, size_t rows)
{
	uint64_t value = 0;
	int code = rlog_batch_reserve_column(column, rows);

	if (code) {
		return code;
	}
	code = with_reals ? read_number(cursor, &value) : rlog_column_read_u64(cursor, 1, &value);
	for (size_t i = 0; i < rows && !code; i++) {
		column->row[i] = (uint32_t) i;
		column->value[i] = value;
	}
	column->count = code ? 0 : rows;
	return code;
}

static int read_dense(struct rlog_cursor *cursor, struct rlog_attr_column *column, bool with_reals,
                      size_t rows)
{
	struct rlog_cursor ahead = *cursor;
	uint32_t count = 0;
	int code = rlog_cursor_read_array(&ahead, &count);

	if (code) {
		return code;
	}
	if (rlog_cursor_peek(&ahead) == RLOG_CURSOR_ARRAY) {
		*cursor = ahead;
		return count == 2 ? read_sparse(cursor, column, with_reals, rows) : -RLOG_E_SCHEMA;
	}
	if (count != rows) {
		return -RLOG_E_SCHEMA;
	}
	code = rlog_batch_reserve_column(column, rows);
	if (code) {
		return code;
	}
	code = read_values(cursor, with_reals, rows, column->value);
	for (size_t i = 0; i < rows && !code; i++) {
		column->row[i] = (uint32_t) i;
	}
	column->count = code ? 0 : rows;
	return code;
}

static void drop_zeros(struct rlog_attr_column *column)
{
	size_t kept = 0;

	for (size_t i = 0; i < column->count; i++) {
		column->row[kept] = column->row[i];
		column->value[kept] = column->value[i];
		kept += column->value[i] != 0;
	}
	column->count = kept;
}

int rlog_attr_read(struct rlog_cursor *cursor, struct rlog_attr_column *column, size_t rows,
                   bool with_reals)
{
	int code = 0;

	switch (rlog_cursor_peek(cursor)) {
	case RLOG_CURSOR_INT:
	case RLOG_CURSOR_REAL:
		code = read_constant(cursor, column, with_reals, rows);
		break;
	case RLOG_CURSOR_ARRAY:
		code = read_dense(cursor, column, with_reals, rows);
		break;
	case RLOG_CURSOR_NONE:
		return -RLOG_E_MSGPACK;
	default:
		return -RLOG_E_SCHEMA;
	}
	if (!code) {
		drop_zeros(column);
	}
	return code;
}
