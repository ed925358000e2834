/* SPDX-License-Identifier: MIT */
/* Packs and reads the column `data`. */
#include "format/columns/data.h"

#include "format/columns/column.h"
#include "format/error.h"

/* Returns the index of the first element of data->row at or after `row`. */
static size_t find_row(const struct rlog_data_column *data, size_t row)
{
	size_t low = 0;
	size_t high = data->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (data->row[middle] < row) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

bool rlog_data_is_present(const struct rlog_attr_run *run)
{
	const struct rlog_data_column *const data = &run->batch->data;

	return find_row(data, run->from) < find_row(data, run->from + run->rows);
}

void rlog_data_pack(struct rlog_pack *pack, const struct rlog_attr_run *run)
{
	const struct rlog_data_column *const data = &run->batch->data;
	const size_t first = find_row(data, run->from);
	const size_t end = find_row(data, run->from + run->rows);
	size_t before = run->from;

	rlog_pack_key(pack, "data");
	rlog_pack_array(pack, 2);
	rlog_pack_array(pack, end - first);
	for (size_t i = first; i < end; i++) {
		rlog_pack_uint(pack, data->row[i] - before);
		before = data->row[i];
	}
	rlog_pack_array(pack, end - first);
	for (size_t i = first; i < end && !pack->full; i++) {
		rlog_pack_bin(pack, data->bytes + data->from[i], data->from[i + 1] - data->from[i]);
	}
}

/* Reads two arrays of equal length in parallel: the gaps and the bytes. */
int rlog_data_read(struct rlog_cursor *cursor, struct rlog_batch *batch, size_t rows)
{
	struct rlog_cursor gaps;
	uint32_t elements = 0;
	uint32_t count = 0;
	uint64_t row = 0;

	if (rlog_cursor_peek(cursor) != RLOG_CURSOR_ARRAY) {
		return -RLOG_E_SCHEMA;
	}
	if (rlog_cursor_read_array(cursor, &elements)) {
		return -RLOG_E_MSGPACK;
	}
	gaps = *cursor;
	if (elements != 2 || rlog_cursor_peek(cursor) != RLOG_CURSOR_ARRAY) {
		return -RLOG_E_SCHEMA;
	}
	if (rlog_cursor_skip(cursor) || rlog_cursor_read_array(&gaps, &count)) {
		return -RLOG_E_MSGPACK;
	}
	if (count > rows || rlog_cursor_peek(cursor) != RLOG_CURSOR_ARRAY) {
		return -RLOG_E_SCHEMA;
	}
	if (rlog_cursor_read_array(cursor, &elements)) {
		return -RLOG_E_MSGPACK;
	}
	if (elements != count) {
		return -RLOG_E_SCHEMA;
	}
	for (uint32_t i = 0; i < count; i++) {
		struct rlog_cursor_int gap;
		const char *bytes = NULL;
		uint32_t length = 0;

		if (rlog_cursor_peek(cursor) != RLOG_CURSOR_TEXT ||
		    rlog_cursor_peek(&gaps) != RLOG_CURSOR_INT) {
			return -RLOG_E_SCHEMA;
		}
		if (rlog_cursor_read_int(&gaps, &gap) ||
		    rlog_cursor_read_text(cursor, &bytes, &length)) {
			return -RLOG_E_MSGPACK;
		}
		if (gap.negative || gap.bits >= rows - row || (i > 0 && gap.bits == 0)) {
			return -RLOG_E_SCHEMA;
		}
		row += gap.bits;
		if (rlog_batch_add_data(batch, (uint32_t) row, bytes, length)) {
			return -RLOG_E_NO_MEMORY;
		}
	}
	return 0;
}
