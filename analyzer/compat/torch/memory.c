/* SPDX-License-Identifier: MIT */
/* Reads the [memory] records of a trace, and assigns them to events as torch does. */
#include "analyzer/compat/torch/memory.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/search.h"
#include "analyzer/base/util.h"

struct ra_torch_record {
	double time_us;
	int64_t cpu_bytes; /* bytes of this record; later the sum up to and including this record */
	int64_t gpu_bytes;
	uint32_t row;
	uint32_t order;
	int32_t cover; /* number of events that begin here, minus those that ended before */
};

void ra_torch_memory_add_row(struct ra_torch_rows *rows, uint32_t row)
{
	RA_UTIL_APPEND(rows->rows, rows->count, rows->capacity, row);
}

/* Returns the bytes in a record. */
static struct ra_torch_bytes read_record(const struct ra_kineto *k, uint32_t row)
{
	int64_t bytes = 0;
	int64_t device = 0;

	(void) ra_kineto_get_int(k, row, RA_KINETO_ARG_BYTES_MEMORY, &bytes);
	(void) ra_kineto_get_int(k, row, RA_KINETO_ARG_DEVICE_TYPE, &device);
	return (struct ra_torch_bytes){
		.cpu = device == 0 ? bytes : 0,
		.gpu = device == 0 ? 0 : bytes,
	};
}

static int compare_records(const void *left, const void *right)
{
	const struct ra_torch_record *a = left;
	const struct ra_torch_record *b = right;

	return RA_ORDER_THEN(RA_ORDER_UP(a, b, time_us), RA_ORDER_UP(a, b, order));
}

void ra_torch_memory_init(struct ra_torch_memory *memory, const struct ra_kineto *k)
{
	size_t capacity = 0;

	*memory = (struct ra_torch_memory){ 0 };
	for (size_t i = 0; i < k->count; i++) {
		struct ra_torch_bytes bytes;

		if (k->kind[i] != RA_KINETO_MEMORY || (k->flags[i] & RA_KINETO_HAS_TS) == 0) {
			continue;
		}
		ra_util_grow(&memory->records, &capacity, memory->count + 1,
		             sizeof(*memory->records));
		bytes = read_record(k, (uint32_t) i);
		memory->records[memory->count] = (struct ra_torch_record){
			.time_us = ra_kineto_us(ra_kineto_ts(k, i)),
			.cpu_bytes = bytes.cpu,
			.gpu_bytes = bytes.gpu,
			.row = (uint32_t) i,
			.order = (uint32_t) memory->count,
		};
		memory->count++;
	}
	RA_SORT(memory->records, memory->count, compare_records);
}

/* Finds the first record at this time or later. @is_after: only later. */
static size_t find_record(const struct ra_torch_memory *memory, double time_us, bool is_after)
{
	struct ra_search at = ra_search_in(0, memory->count);

	while (ra_search_next(&at)) {
		const double at_us = memory->records[at.middle].time_us;

		ra_search_tell(&at, at_us < time_us || (is_after && at_us == time_us));
	}
	return at.low;
}

void ra_torch_memory_add_lone(struct ra_torch_memory *memory, const struct ra_kineto *k,
                              struct ra_torch_rows *rows)
{
	struct ra_torch_record *records = memory->records;
	const size_t count = memory->count;
	int32_t cover = 0;

	for (size_t i = 0; i < rows->count && count > 0; i++) {
		const uint32_t row = rows->rows[i];
		const size_t from = find_record(memory, ra_torch_events_start(k, row), false);
		const size_t to = find_record(memory, ra_torch_events_end(k, row), true);

		if (ra_torch_events_side(k, row) == 1 && from < to) {
			records[from].cover++;
			if (to < count) {
				records[to].cover--;
			}
		}
	}
	for (size_t i = 0; i < count; i++) {
		cover += records[i].cover;
		if (cover == 0) {
			ra_torch_memory_add_row(rows, records[i].row);
		}
	}
}

void ra_torch_memory_assign(struct ra_torch_memory *memory, struct ra_torch_events *events)
{
	struct ra_torch_record *records = memory->records;
	const struct ra_torch_record none = { 0 };

	if (memory->count == 0) {
		return;
	}
	events->bytes = ra_alloc_zeros(events->count + 1, sizeof(*events->bytes));
	for (size_t i = 1; i < memory->count; i++) {
		records[i].cpu_bytes =
			ra_util_add_wrapped(records[i].cpu_bytes, records[i - 1].cpu_bytes);
		records[i].gpu_bytes =
			ra_util_add_wrapped(records[i].gpu_bytes, records[i - 1].gpu_bytes);
	}
	for (size_t i = 0; i < events->count; i++) {
		const uint32_t row = events->rows[i].row;
		const size_t from =
			find_record(memory, ra_torch_events_start(events->kineto, row), false);
		const size_t to =
			find_record(memory, ra_torch_events_end(events->kineto, row), true);
		const struct ra_torch_record *before = from == 0 ? &none : &records[from - 1];

		if (events->kineto->kind[row] == RA_KINETO_MEMORY) {
			events->bytes[i] = read_record(events->kineto, row);
		} else if (ra_torch_events_side(events->kineto, row) == 1 && from < to) {
			events->bytes[i] = (struct ra_torch_bytes){
				ra_torch_memory_subtract(records[to - 1].cpu_bytes,
				                         before->cpu_bytes),
				ra_torch_memory_subtract(records[to - 1].gpu_bytes,
				                         before->gpu_bytes),
			};
		}
	}
}

void ra_torch_memory_fini(struct ra_torch_memory *memory)
{
	free(memory->records);
	*memory = (struct ra_torch_memory){ 0 };
}
