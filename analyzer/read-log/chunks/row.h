/* SPDX-License-Identifier: MIT */
/* A row of a batch, with those attributes that only few rows have. */
#ifndef RA_ROW_H
#define RA_ROW_H

#include <stdbool.h>

#include "analyzer/model/build/builder.h"
#include "format/batch.h"

/* A position in a batch that only moves forward. Set batch and idx, then call seek. */
struct ra_row {
	const struct rlog_batch *batch;
	size_t idx;
	/* the next row with a category, color, payload or data; SIZE_MAX: none follows */
	size_t attr_row;
	size_t cursor[RLOG_ATTR_PAYLOAD + 1];
	size_t data_cursor;
};

/* Sets attr_row to the first row from idx on that has such attributes. */
void ra_row_seek(struct ra_row *row);

/* True if the current row has such attributes; *attr gets them. */
bool ra_row_take_attrs(struct ra_row *row, struct ra_builder_attr *attr);

/* The data of the current row. If it has no data, *count is 0 and the result is NULL. */
const uint8_t *ra_row_find_data(const struct ra_row *row, size_t *count);

/* The index of the current row's value in the column of an attribute. O(log n). Return: SIZE_MAX:
 * the row has no such attribute. */
size_t ra_row_find_place(const struct ra_row *row, enum rlog_attr attr);

/* The value of an attribute in the current row; 0: the row has no such attribute. */
uint64_t ra_row_find_value(const struct ra_row *row, enum rlog_attr attr);

#endif
