/* SPDX-License-Identifier: MIT */
/* The payload data of a model under construction: the bytes of all payloads in one block, and a
 * list that tells which bytes belong to which owner. */
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/model/build/builder.h"
#include "analyzer/base/util.h"

#define MAX_LENGTH (UINT32_MAX >> 1)

static struct ra_data_list *list_of(const struct ra_builder *builder, enum ra_builder_list list)
{
	struct ra_model *m = builder->model;
	struct ra_data_list *const lists[RA_BUILDER_LISTS] = {
		[RA_BUILDER_SLICE_DATA] = &m->slice_data,
		[RA_BUILDER_MARK_DATA] = &m->mark_data,
		[RA_BUILDER_SAMPLE_DATA] = &m->sample_data,
		[RA_BUILDER_CALL_DATA] = &m->call_data,
	};

	return lists[list];
}

static void add_bytes(struct ra_builder *builder, const uint8_t *bytes, size_t count)
{
	ra_util_grow(&builder->model->data_bytes, &builder->data_byte_capacity,
	             builder->data_byte_count + count, 1);
	if (count > 0) {
		memcpy(builder->model->data_bytes + builder->data_byte_count, bytes, count);
		builder->data_byte_count += count;
	}
}

void ra_builder_add_data(struct ra_builder *builder, enum ra_builder_list list,
                         const struct ra_builder_data *data)
{
	struct ra_data_list *rows = list_of(builder, list);
	const uint64_t from = builder->data_byte_count;

	if (rows->count >= RA_NONE - 1 || data->count > MAX_LENGTH) {
		ra_alloc_end();
	}
	ra_util_grow(&rows->rows, &builder->data_capacity[list], rows->count + 1,
	             sizeof(*rows->rows));
	add_bytes(builder, data->bytes, data->count);
	rows->rows[rows->count++] = (struct ra_data){
		.owner = data->owner,
		.length = (uint32_t) data->count & MAX_LENGTH,
		.is_end = data->is_end,
		.from = from,
	};
	builder->newest_list = list;
}

void ra_builder_continue_data(struct ra_builder *builder, const uint8_t *bytes, size_t count)
{
	struct ra_data_list *rows = list_of(builder, builder->newest_list);
	struct ra_data *row;

	if (rows->count == 0) {
		return;
	}
	row = &rows->rows[rows->count - 1];
	if (count > MAX_LENGTH - row->length) {
		ra_alloc_end();
	}
	add_bytes(builder, bytes, count);
	row->length = (row->length + (uint32_t) count) & MAX_LENGTH;
}

uint32_t ra_builder_count_data(const struct ra_builder *builder, enum ra_builder_list list)
{
	return (uint32_t) list_of(builder, list)->count;
}

static int compare_data(const void *left, const void *right)
{
	const struct ra_data *a = left;
	const struct ra_data *b = right;
	int order = RA_ORDER_UP(a, b, owner);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, is_end));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, from));
}

void ra_builder_sort_data(struct ra_builder *builder)
{
	for (int i = 0; i < RA_BUILDER_LISTS; i++) {
		struct ra_data_list *list = list_of(builder, (enum ra_builder_list) i);

		for (size_t k = 1; k < list->count; k++) {
			if (compare_data(&list->rows[k - 1], &list->rows[k]) > 0) {
				RA_SORT(list->rows, list->count, compare_data);
				break;
			}
		}
		while (list->count > 0 && list->rows[list->count - 1].owner == RA_NONE) {
			list->count--;
		}
	}
}
