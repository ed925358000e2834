/* SPDX-License-Identifier: MIT */
/* A row of a batch, with those attributes that only few rows have. */
#include "analyzer/read-log/chunks/row.h"

#include "analyzer/base/order/search.h"

size_t ra_row_find_place(const struct ra_row *row, enum rlog_attr attr)
{
	const struct rlog_attr_column *column = &row->batch->attr[attr];
	struct ra_search at = ra_search_in(0, column->count);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, column->row[at.middle] < row->idx);
	}
	return at.low < column->count && column->row[at.low] == row->idx ? at.low : SIZE_MAX;
}

uint64_t ra_row_find_value(const struct ra_row *row, enum rlog_attr attr)
{
	const size_t place = ra_row_find_place(row, attr);

	return place == SIZE_MAX ? 0 : row->batch->attr[attr].value[place];
}

void ra_row_seek(struct ra_row *row)
{
	row->attr_row = SIZE_MAX;
	for (int a = RLOG_ATTR_CATEGORY; a <= RLOG_ATTR_PAYLOAD; a++) {
		const struct rlog_attr_column *column = &row->batch->attr[a];
		size_t *cursor = &row->cursor[a];

		while (*cursor < column->count && column->row[*cursor] < row->idx) {
			++*cursor;
		}
		if (*cursor < column->count && column->row[*cursor] < row->attr_row) {
			row->attr_row = column->row[*cursor];
		}
	}
	while (row->data_cursor < row->batch->data.count &&
	       row->batch->data.row[row->data_cursor] < row->idx) {
		row->data_cursor++;
	}
	if (row->data_cursor < row->batch->data.count &&
	    row->batch->data.row[row->data_cursor] < row->attr_row) {
		row->attr_row = row->batch->data.row[row->data_cursor];
	}
}

const uint8_t *ra_row_find_data(const struct ra_row *row, size_t *count)
{
	const struct rlog_data_column *data = &row->batch->data;
	size_t place = row->data_cursor;

	while (place < data->count && data->row[place] < row->idx) {
		place++;
	}
	if (place == data->count || data->row[place] != row->idx) {
		*count = 0;
		return NULL;
	}
	*count = data->from[place + 1] - data->from[place];
	return data->bytes + data->from[place];
}

static uint64_t take_value(const struct ra_row *row, enum rlog_attr attr)
{
	const struct rlog_attr_column *column = &row->batch->attr[attr];
	const size_t place = row->cursor[attr];

	return place < column->count && column->row[place] == row->idx ? column->value[place] : 0;
}

bool ra_row_take_attrs(struct ra_row *row, struct ra_builder_attr *attr)
{
	if (row->attr_row < row->idx) {
		ra_row_seek(row);
	}
	if (row->attr_row != row->idx) {
		return false;
	}
	attr->category = (uint32_t) take_value(row, RLOG_ATTR_CATEGORY);
	attr->color = (uint32_t) take_value(row, RLOG_ATTR_COLOR);
	attr->payload_type = (uint32_t) take_value(row, RLOG_ATTR_PTYPE);
	attr->payload = take_value(row, RLOG_ATTR_PAYLOAD);
	return attr->category != 0 || attr->color != 0 ||
	       attr->payload_type != 0; /* false if the row has only data */
}
