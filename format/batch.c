/* SPDX-License-Identifier: MIT */
/* Memory of event batches. */
#include "format/batch.h"

#include <stdlib.h>
#include <string.h>

#include "format/codec.h"
#include "format/error.h"

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
}

/*
 * Makes room for `rows` elements: array is replaced by the bigger one on success and stays as it is
 * on failure. An array that grew before another one of the same batch failed just has room to
 * spare.
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
