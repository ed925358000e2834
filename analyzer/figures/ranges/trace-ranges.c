/* SPDX-License-Identifier: MIT */
/* Finds the ranges and calls to which the GPU work of a JSON trace belongs. */
#include "analyzer/figures/ranges/trace-ranges.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/intervals.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"

/* ---- links ---- */

static bool has_cpu_op(const struct ra_model *model, const struct ra_util_map *ops, uint32_t id,
                       uint32_t slice, bool *is_open)
{
	const struct ra_kineto *k = model->kineto;

	*is_open = false;
	if (id == RA_KINETO_NONE || ra_util_map_find(ops, id) == RA_UTIL_MAP_NONE) {
		return false;
	}
	for (; slice != RA_NONE; slice = model->slices.parent[slice]) {
		*is_open |= k->external[k->slice_event[slice]] == id;
	}
	return true;
}

static void count_link(struct ra_trace_links *links, const struct ra_model *model, size_t i,
                       const struct ra_util_map *cpu_ops)
{
	const struct ra_kineto *k = model->kineto;
	const struct ra_gpu_op *op = &model->gpu.ops[i];
	const struct ra_gpu_api *api;
	uint32_t id;
	bool is_open;

	if (op->api == RA_NONE) {
		links->unlinked++;
		links->unlinked_ns += op->dur_ns;
		return;
	}
	api = &model->gpu.apis[op->api];
	links->to_driver += api->is_driver;
	links->to_runtime += !api->is_driver;
	id = k->external[k->api_event[op->api]];
	links->id_is_correlation += id != RA_KINETO_NONE && id == op->corr;
	id = id == RA_KINETO_NONE ? k->external[k->op_event[i]] : id;
	if (has_cpu_op(model, cpu_ops, id, api->slice, &is_open)) {
		links->id_of_op++;
		links->id_of_op_ns += op->dur_ns;
		links->disagree += !is_open;
		links->disagree_ns += is_open ? 0 : op->dur_ns;
	}
}

void ra_trace_ranges_links(struct ra_trace_links *links, const struct ra_model *model)
{
	const struct ra_kineto *k = model->kineto;
	struct ra_util_map cpu_ops = { 0 };
	uint32_t *counts = ra_alloc_zeros(model->gpu.api_count + 1, sizeof(*counts));

	memset(links, 0, sizeof(*links));
	for (uint32_t i = 0; i < k->count; i++) {
		if (k->kind[i] == RA_KINETO_CPU_OP && k->external[i] != RA_KINETO_NONE) {
			ra_util_map_put(&cpu_ops, k->external[i], i);
		}
	}
	for (size_t i = 0; i < model->gpu.op_count; i++) {
		count_link(links, model, i, &cpu_ops);
		if (model->gpu.ops[i].api != RA_NONE) {
			counts[model->gpu.ops[i].api]++;
		}
	}
	for (size_t i = 0; i < model->gpu.api_count; i++) {
		links->launches += counts[i] > 0;
		links->several += counts[i] > 1;
		links->most = counts[i] > links->most ? counts[i] : links->most;
	}
	free(counts);
	ra_util_map_free(&cpu_ops);
}

/* ---- ranges ---- */

/* An operation and a name, one of whose ranges was open at the launch. */
struct entry {
	uint32_t row;
	uint32_t op;
};

struct building {
	struct ra_trace_ranges *ranges;
	const struct ra_model *model;
	struct ra_util_map index; /* kind << 32 | name → row */
	size_t row_capacity;
	uint64_t *seen;        /* owned: for each row, the number of the last operation that was
	                          added, + 1 */
	struct entry *entries; /* owned */
	size_t entry_count;
	size_t entry_capacity;
};

static enum ra_kineto_kind kind_of(const struct ra_model *model, uint32_t slice)
{
	return model->kineto->kind[model->kineto->slice_event[slice]];
}

static uint64_t key_of(const struct ra_model *model, uint32_t slice)
{
	return (uint64_t) kind_of(model, slice) << 32 | model->slices.name[slice];
}

static void add_slices(struct building *building)
{
	const struct ra_model *m = building->model;
	struct ra_trace_ranges *ranges = building->ranges;

	for (uint32_t i = 0; i < m->slices.count; i++) {
		const uint64_t key = key_of(m, i);
		uint32_t row = ra_util_map_find(&building->index, key);

		if (row == RA_UTIL_MAP_NONE) {
			row = (uint32_t) ranges->count;
			ra_util_grow(&ranges->rows, &building->row_capacity, ranges->count + 1,
			             sizeof(*ranges->rows));
			ra_util_map_put(&building->index, key, row);
			ranges->rows[ranges->count++] = (struct ra_trace_range){
				.kind = kind_of(m, i),
				.name = m->slices.name[i],
			};
		}
		ranges->rows[row].calls++;
		ranges->rows[row].total_ns =
			ra_util_add_time(ranges->rows[row].total_ns, m->slices.dur_ns[i]);
	}
}

static void add_inside(struct ra_trace_ranges *ranges, const bool is_in[RA_TRACE_INSIDES],
                       int64_t dur_ns)
{
	for (size_t i = 0; i < RA_TRACE_INSIDES; i++) {
		ranges->inside_ops[i] += is_in[i];
		ranges->inside_ns[i] += is_in[i] ? dur_ns : 0;
	}
}

static void add_op(struct building *building, uint32_t i)
{
	const struct ra_model *m = building->model;
	const struct ra_gpu_op *op = &m->gpu.ops[i];
	bool is_in[RA_TRACE_INSIDES] = { false };
	bool is_self = true;

	if (op->api == RA_NONE) {
		return;
	}
	for (uint32_t s = m->gpu.apis[op->api].slice; s != RA_NONE; s = m->slices.parent[s]) {
		const uint32_t row = ra_util_map_find(&building->index, key_of(m, s));
		struct ra_trace_range *range = &building->ranges->rows[row];

		is_in[RA_TRACE_IN_ANNOTATION] |= range->kind == RA_KINETO_USER_ANNOTATION;
		is_in[RA_TRACE_IN_OP] |= range->kind == RA_KINETO_CPU_OP;
		is_in[RA_TRACE_IN_PYTHON] |= range->kind == RA_KINETO_PYTHON_FUNCTION;
		range->self_ops += is_self;
		range->self_cuda_ns += is_self ? op->dur_ns : 0;
		is_self = false;
		if (building->seen[row] == (uint64_t) i + 1) {
			continue;
		}
		building->seen[row] = (uint64_t) i + 1;
		range->ops++;
		range->cuda_ns = ra_util_add_time(range->cuda_ns, op->dur_ns);
		RA_UTIL_APPEND(building->entries, building->entry_count, building->entry_capacity,
		               (struct entry){ row, i });
	}
	is_in[RA_TRACE_IN_EITHER] = is_in[RA_TRACE_IN_ANNOTATION] || is_in[RA_TRACE_IN_OP];
	is_in[RA_TRACE_IN_NONE] = !is_in[RA_TRACE_IN_EITHER];
	add_inside(building->ranges, is_in, op->dur_ns);
}

static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left;
	const struct entry *b = right;

	return RA_ORDER_THEN(RA_ORDER_UP(a, b, row), RA_ORDER_UP(a, b, op));
}

static void unite_entries(struct building *building)
{
	const struct ra_gpu_op *ops = building->model->gpu.ops;
	struct ra_intervals set = { 0 };
	size_t end;

	RA_SORT(building->entries, building->entry_count, compare_entries);
	for (size_t first = 0; first < building->entry_count; first = end) {
		const uint32_t row = building->entries[first].row;

		set.count = 0;
		for (end = first; end < building->entry_count && building->entries[end].row == row;
		     end++) {
			const struct ra_gpu_op *op = &ops[building->entries[end].op];

			ra_intervals_add(&set, op->start_ns, op->start_ns + op->dur_ns);
		}
		ra_intervals_unite(&set);
		building->ranges->rows[row].cuda_union_ns = ra_intervals_length(&set);
	}
	ra_intervals_fini(&set);
}

void ra_trace_ranges_init(struct ra_trace_ranges *ranges, const struct ra_model *model)
{
	struct building building = { .ranges = ranges, .model = model };

	memset(ranges, 0, sizeof(*ranges));
	add_slices(&building);
	building.seen = ra_alloc_zeros(ranges->count + 1, sizeof(*building.seen));
	for (uint32_t i = 0; i < model->gpu.op_count; i++) {
		add_op(&building, i);
	}
	unite_entries(&building);
	ra_util_map_free(&building.index);
	free(building.seen);
	free(building.entries);
}

void ra_trace_ranges_fini(struct ra_trace_ranges *ranges)
{
	free(ranges->rows);
	memset(ranges, 0, sizeof(*ranges));
}

const char *ra_trace_ranges_inside_name(size_t inside)
{
	static const char *const names[RA_TRACE_INSIDES] = {
		"user_annotation", "cpu_op", "user_annotation_or_cpu_op", "python_function", "none",
	};

	return names[inside];
}
