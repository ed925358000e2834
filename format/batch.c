/* SPDX-License-Identifier: MIT */
/* Memory of event batches. */
#include "format/batch.h"

#include <stdlib.h>
#include <string.h>

#include "format/codec.h"
#include "format/error.h"
#include "format/wire.h"

int rlog_batch_init(struct rlog_batch *batch, size_t capacity)
{
	memset(batch, 0, sizeof(*batch));
	return rlog_batch_reserve(batch, capacity);
}

void rlog_batch_fini(struct rlog_batch *batch)
{
	free(batch->ticks);
	free(batch->op);
	free(batch->name);
	free(batch->domain);
	free(batch->id);
	for (size_t i = 0; i < RLOG_ATTRS; i++) {
		free(batch->attr[i].row);
		free(batch->attr[i].value);
	}
	free(batch->data.row);
	free(batch->data.from);
	free(batch->data.bytes);
	rlog_codec_destroy_inflater(batch->inflater);
	free(batch->scratch);
	memset(batch, 0, sizeof(*batch));
}

void rlog_batch_clear(struct rlog_batch *batch)
{
	batch->stream = 0;
	batch->flags = 0;
	batch->sequence = 0;
	batch->count = 0;
	for (size_t i = 0; i < RLOG_ATTRS; i++) {
		batch->attr[i].count = 0;
	}
	batch->data.count = 0;
	batch->open_count = 0;
	batch->has_open = false;
}

/*
 * Returns `array` enlarged to `rows` elements. Return: the bigger array; NULL: no memory, and
 * `array` is unchanged. If one array of a batch has grown and the next one fails, the first keeps
 * its spare room.
 */
#define GROW(array, rows) grow_to((array), (rows), sizeof(*(array)))

static void *grow_to(void *array, size_t rows, size_t element_bytes)
{
	return rows <= SIZE_MAX / element_bytes ? realloc(array, rows * element_bytes) : NULL;
}

int rlog_batch_reserve(struct rlog_batch *batch, size_t rows)
{
	void *grown = NULL;

	if (rows <= batch->capacity) {
		return 0;
	}
	if (!(grown = GROW(batch->ticks, rows))) {
		return -RLOG_E_NO_MEMORY;
	}
	batch->ticks = grown;
	if (!(grown = GROW(batch->op, rows))) {
		return -RLOG_E_NO_MEMORY;
	}
	batch->op = grown;
	if (!(grown = GROW(batch->name, rows))) {
		return -RLOG_E_NO_MEMORY;
	}
	batch->name = grown;
	if (!(grown = GROW(batch->domain, rows))) {
		return -RLOG_E_NO_MEMORY;
	}
	batch->domain = grown;
	if (!(grown = GROW(batch->id, rows))) {
		return -RLOG_E_NO_MEMORY;
	}
	batch->id = grown;
	batch->capacity = rows;
	return 0;
}

int rlog_batch_reserve_column(struct rlog_attr_column *column, size_t rows)
{
	void *grown = NULL;

	if (rows <= column->capacity) {
		return 0;
	}
	if (!(grown = GROW(column->row, rows))) {
		return -RLOG_E_NO_MEMORY;
	}
	column->row = grown;
	if (!(grown = GROW(column->value, rows))) {
		return -RLOG_E_NO_MEMORY;
	}
	column->value = grown;
	column->capacity = rows;
	return 0;
}

int rlog_batch_add_attr(struct rlog_batch *batch, enum rlog_attr attr, uint32_t row, uint64_t value)
{
	struct rlog_attr_column *const column = &batch->attr[attr];

	if (column->count == column->capacity) {
		const size_t rows = column->capacity ? column->capacity * 2 : 64;

		if (rlog_batch_reserve_column(column, rows)) {
			return -RLOG_E_NO_MEMORY;
		}
	}
	column->row[column->count] = row;
	column->value[column->count] = value;
	column->count++;
	return 0;
}

/* Makes room for one more row of data with `count` more bytes. @used: bytes that are in use. */
static int reserve_data(struct rlog_data_column *data, size_t used, size_t count)
{
	size_t bytes = data->byte_capacity ? data->byte_capacity : 1024;
	void *grown = NULL;

	if (data->count == data->capacity) {
		const size_t rows = data->capacity ? data->capacity * 2 : 64;

		if (!(grown = GROW(data->row, rows))) {
			return -RLOG_E_NO_MEMORY;
		}
		data->row = grown;
		if (!(grown = GROW(data->from, rows + 1))) {
			return -RLOG_E_NO_MEMORY;
		}
		data->from = grown;
		data->from[0] = 0;
		data->capacity = rows;
	}
	if (count > UINT32_MAX - used) {
		return -RLOG_E_NO_MEMORY;
	}
	while (bytes < used + count) {
		bytes *= 2;
	}
	if (bytes > data->byte_capacity) {
		if (!(grown = GROW(data->bytes, bytes))) {
			return -RLOG_E_NO_MEMORY;
		}
		data->bytes = grown;
		data->byte_capacity = bytes;
	}
	return 0;
}

int rlog_batch_add_data(struct rlog_batch *batch, uint32_t row, const void *bytes, size_t count)
{
	struct rlog_data_column *const data = &batch->data;
	const size_t used = data->count ? data->from[data->count] : 0;

	if (reserve_data(data, used, count)) {
		return -RLOG_E_NO_MEMORY;
	}
	if (data->count == 0 || data->row[data->count - 1] != row) {
		data->row[data->count++] = row;
	}
	if (count) {
		memcpy(data->bytes + used, bytes, count);
	}
	data->from[data->count] = (uint32_t) (used + count);
	return 0;
}

/* Ops that the capture itself writes. None of them is an event of the program. */
static const uint8_t remarks[] = { RLOG_OP_LOSS, RLOG_OP_DEPTH, RLOG_OP_MORE, RLOG_OP_BEGUN };

bool rlog_batch_is_remark(uint8_t op)
{
	return op == remarks[0] || op == remarks[1] || op == remarks[2];
}

/* Counts all rows but the capture's own. Looks for these by memchr, which checks 32 rows at once,
 * because they are rare. */
size_t rlog_batch_count_events(const struct rlog_batch *batch, size_t first, size_t rows)
{
	const uint8_t *const end = batch->op + first + rows;
	size_t count = rows;

	for (size_t i = 0; i < sizeof(remarks) && rows > 0; i++) {
		const uint8_t *at = batch->op + first;

		while ((at = memchr(at, remarks[i], (size_t) (end - at))) != NULL) {
			count--;
			at++;
		}
	}
	return count;
}

bool rlog_batch_has_others(const struct rlog_batch *batch, size_t first, size_t rows)
{
	const uint64_t own = UINT64_C(1) << RLOG_OP_PUSH | UINT64_C(1) << RLOG_OP_POP |
	                     UINT64_C(1) << RLOG_OP_MARK | UINT64_C(1) << RLOG_OP_LOSS |
	                     UINT64_C(1) << RLOG_OP_DEPTH | UINT64_C(1) << RLOG_OP_MORE;
	unsigned others = 0;

	for (size_t i = first; i < first + rows; i++) {
		const uint8_t op = batch->op[i];

		others |= op > 63 || ((own >> (op & 63)) & 1) == 0;
	}
	return others != 0;
}
